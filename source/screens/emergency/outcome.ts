import {firstCommand} from '../../firewall/rules/earlier-rules.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Outcome} from '../stepped-form/state.ts';
import {commandAfter, findInForce, sentenceOf} from './endings.ts';
import {type EmergencyState, type Ending, madeIn} from './state.ts';

const lost = 'The answer was lost; reading the current state found it.';

/** The current state, why, and what to do about it. */
export function outcomeOf(emergency: EmergencyState, ending: Ending): Outcome {
	const heading = sentenceOf(ending);
	const command = commandAfter(emergency);
	const inForce = findInForce(ending);
	switch (ending.state) {
		case 'created':
			return {
				tone: inForce?.isAll ? 'good' : 'warning',
				heading,
				facts: [
					...(ending.afterDoubt ? [lost] : []),
					...earlierFacts(emergency, ending.rule.id),
					...('custom' in ending ? customFacts(ending) : ruleFacts(ending)),
					...(command
						? [
								madeIn(ending)
									? 'To undo: u, or later (y copies it)'
									: 'To pause it: p in the list of rules, or (y copies it)',
								command,
							]
						: []),
				],
			};
		case 'undone':
			return {tone: 'good', heading, facts: []};
		case 'not undone':
		case 'undo unsure':
			return {
				tone: 'warning',
				heading,
				facts: given(
					ending.state === 'undo unsure' ? ending.failure.message : undefined,
					ending.failure.details.why,
					ending.failure.details.left,
					ending.failure.next,
				),
			};
		case 'filter left':
			return {
				tone: 'warning',
				heading,
				facts: [
					...saidBy(ending),
					...(command ? ['To continue later:', command] : given(ending.failure.next)),
				],
			};
		case 'duplicate':
			return {
				tone: 'warning',
				heading,
				facts: [
					...given(ending.failure.details.left, ending.failure.next),
					'A zone has each expression only once; rules can share a filter.',
				],
			};
		case 'unsure':
			return {
				tone: 'warning',
				heading,
				facts: [...saidBy(ending), ...given(ending.failure.details.left, ending.failure.next)],
			};
		case 'nothing': {
			const {
				next,
				details: {why, left},
			} = ending.failure;
			return {
				tone: 'failed',
				heading: 'Not in force.',
				facts: given(ending.failure.message, left, next, why),
			};
		}
		default:
			return ending satisfies never;
	}
}

/** What earlier rules let through, and how to run the block first. */
function earlierFacts({phase, zone}: EmergencyState, id: string | undefined): readonly string[] {
	if (phase.name !== 'ended') return [];
	const {ending} = phase;
	const inForce = findInForce(ending);
	const earlier = 'earlier' in ending ? ending.earlier : undefined;
	const first = inForce && !inForce.isAll && id !== undefined ? firstCommand(zone, id, earlier) : undefined;
	return [...(inForce?.details ?? []), ...(first ? [`To run it first: ${first}`] : [])];
}

const given = (...texts: readonly (string | undefined)[]): string[] =>
	texts.filter(text => text !== undefined);

const saidBy = ({failure}: {failure: {message: string; details: {why?: string | undefined}}}): string[] =>
	given(failure.message, failure.details.why);

type Created = Extract<Ending, {state: 'created'}>;

const ruleFacts = ({rule: {filter, priority}}: Exclude<Created, {custom: true}>): string[] => [
	`On filter ${filter.id}, ${priority === null ? 'without priority' : `priority ${priority}`}.`,
	...('expression' in filter ? [filter.expression] : []),
];

/** Its place among the custom rules: a rule that existed before need not be the first. */
function placeIn({rules}: Ruleset, {id}: RulesetRule): string {
	const place = rules.findIndex(one => one.id === id) + 1;
	return place <= 1 ? 'before all other custom rules' : `number ${place} of ${rules.length} custom rules`;
}

const customFacts = ({rule, ruleset}: Extract<Created, {custom: true}>): string[] => [
	`Of ruleset ${ruleset.id}, ${placeIn(ruleset, rule)}.`,
	rule.expression,
];
