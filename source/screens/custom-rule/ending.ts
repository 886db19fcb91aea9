import {rulesCommand} from '../../firewall/continuation.ts';
import {confirmOptions} from '../../firewall/rules/broad-rule.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {meanwhileSections} from '../../rulesets/change.ts';
import {restored} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {type RuleChoice, toReview, toStep} from '../stepped-form/rule-form.ts';
import type {Outcome} from '../stepped-form/state.ts';
import {requestsOf, ruleOf} from './draft.ts';
import {beginningOf, type CustomEnding, type CustomForm, rebased} from './state.ts';

/** Lists the choices after an ending; the first one is safe: it loses and destroys nothing. */
export function customChoicesOf(form: CustomForm, ending: CustomEnding): readonly RuleChoice[] {
	const {purpose} = form;
	const leave = (label = 'Leave'): RuleChoice => ({does: 'leave', label});
	switch (ending.state) {
		case 'done':
			return [leave('Done')];
		case 'nothing':
			return [
				{does: 'change the expression', label: 'Back to the expression'},
				{does: 'change it', label: 'Back to the review'},
				leave(),
			];
		case 'unsure':
			return [{does: 'look again', label: 'Check again'}, leave()];
		case 'changed meanwhile':
			if (purpose.kind === 'new')
				return [{does: 'keep mine', label: 'Review it against the current rules'}, leave()];
			return ruleNow(form, ending)
				? [
						{does: 'keep mine', label: 'Keep mine: review it against the current version'},
						{does: 'take theirs', label: 'Start over from the current version'},
						leave(),
					]
				: [{does: 'make new', label: 'Make a new rule of what I typed'}, leave()];
		default:
			return ending satisfies never;
	}
}

type Changed = Extract<CustomEnding, {state: 'changed meanwhile'}>;

/** Finds the current version of the changed rule; undefined if it is new or gone. */
function ruleNow({purpose}: CustomForm, {now}: Changed) {
	if (purpose.kind === 'new') return undefined;
	const rule = now?.rules.find(({id}) => id === purpose.rule.id);
	return rule && {...rule, id: purpose.rule.id};
}

/** Returns the form after a choice; undefined if the choice does not continue it. */
export function customOnward(
	form: CustomForm,
	ending: CustomEnding,
	does: RuleChoice['does'],
): CustomForm | undefined {
	switch (does) {
		case 'change the expression':
			return toStep(form, 'expression');
		case 'change it':
			return review(form);
		case 'keep mine': {
			if (ending.state !== 'changed meanwhile') return undefined;
			const rule = ruleNow(form, ending);
			return review(rule ? rebased(form, rule, ending.now) : {...form, ruleset: ending.now});
		}
		case 'take theirs': {
			const rule = ending.state === 'changed meanwhile' ? ruleNow(form, ending) : undefined;
			if (ending.state !== 'changed meanwhile' || !rule) return undefined;
			return beginningOf(form.id, {kind: 'change', rule}, form.zone, ending.now);
		}
		case 'make new':
			if (ending.state !== 'changed meanwhile') return undefined;
			return review({...form, purpose: {kind: 'new'}, ruleset: ending.now});
		default:
			return undefined;
	}
}

const review = (form: CustomForm): CustomForm => toReview({requests: requestsOf}, form);

/** Handles esc: back to the review if the current state is certain; undefined otherwise. */
export const backFrom = (form: CustomForm, {state}: CustomEnding): CustomForm | undefined =>
	state === 'nothing' || state === 'changed meanwhile' ? review(form) : undefined;

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isUnused = ({state}: CustomEnding): boolean => state !== 'done';

const idOf = (ending: CustomEnding): string => (ending.state === 'done' ? (ending.rule?.id ?? '') : '');

/** Describes the current state in a sentence. */
export function sentenceOf(form: Pick<CustomForm, 'purpose'>, ending: CustomEnding): string {
	const isNew = form.purpose.kind === 'new';
	switch (ending.state) {
		case 'done':
			return `Custom rule ${ending.rule ? formatRuleName(ending.rule) : idOf(ending)} ${isNew ? 'created' : 'changed'}.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} ${ending.failure.details.left ?? ''}`.trim();
		case 'unsure':
			return `Whether the rule was ${isNew ? 'created' : 'changed'} is unknown.`;
		default:
			return ending satisfies never;
	}
}

/** Describes what leaving leaves behind, for the confirmation. */
export function leavingLines(form: CustomForm): readonly string[] {
	const ending = form.phase.name === 'ended' ? form.phase.ending : undefined;
	return [ending?.state === 'unsure' ? sentenceOf(form, ending) : 'Nothing was sent.'];
}

/** Returns the message to print after quitting; undefined if everything was seen and nothing is left over. */
export function lastWordsOf(form: CustomForm | undefined, isUnseen: boolean): string | undefined {
	if (!form) return undefined;
	const {phase, zone} = form;
	const look = `See: ${rulesCommand(zone, ['list'])}`;
	if (phase.name === 'sending') return `It was still being sent: the outcome is unknown. ${look}`;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	if (ending?.state === 'unsure') return `${sentenceOf(form, ending)} ${look}`;
	return ending && isUnseen ? sentenceOf(form, ending) : undefined;
}

const inLine = (rule: RulesetRule): string =>
	[doing(rule), ...(rule.enabled === false ? ['paused'] : []), rule.description, rule.expression]
		.filter(Boolean)
		.join('   ');

/** Describes the current state, the reason, and the service's message. */
export function outcomeOf(form: CustomForm, ending: CustomEnding): Outcome {
	const heading = sentenceOf(form, ending);
	switch (ending.state) {
		case 'done': {
			const {rule, ruleset, lost, meanwhile} = ending;
			const place = ruleset.rules.findIndex(({id}) => id === rule?.id) + 1;
			const version = meanwhile?.version;
			const overwritten = meanwhile?.overwritten.flatMap(({rule: one}) => one.id ?? []) ?? [];
			const ids = overwritten.flatMap(id => ['--rule', id]);
			const then = meanwhile
				? restored(ruleset.rules, meanwhile.theirs, new Set(overwritten))
				: ruleset.rules;
			const reasons = findCustomRuleReasons(form.zone, ruleset.rules, then);
			const confirm = confirmOptions(form.zone, reasons);
			return {
				tone: meanwhile ? 'warning' : 'good',
				heading,
				facts: [
					...(rule ? [inLine(rule)] : []),
					`It is number ${place} of ${ruleset.rules.length}.`,
					...(lost ? ['The answer was lost; reading the current state found it.'] : []),
					...(meanwhile
						? meanwhileSections(meanwhile).flatMap(({title, changes}) => [title, ...changes])
						: []),
					...(ids.length > 0 && version !== undefined
						? [`To restore it: ${rulesCommand(form.zone, ['restore', version], [...ids, ...confirm])}`]
						: []),
				],
			};
		}
		case 'nothing': {
			const {next, details} = ending.failure;
			return {
				tone: 'failed',
				heading,
				facts: [details.left, next, details.why].filter(text => text !== undefined),
			};
		}
		case 'changed meanwhile': {
			const now = ruleNow(form, ending);
			const mine = ruleOf(form);
			return {
				tone: 'warning',
				heading,
				facts: now
					? [`theirs  ${inLine(now)}`, `mine    ${mine ? inLine(mine) : ''}`]
					: [ending.failure.details.why].filter(text => text !== undefined),
			};
		}
		case 'unsure': {
			const {message, next, details} = ending.failure;
			return {
				tone: 'warning',
				heading,
				facts: [message, details.left, next, details.why].filter(text => text !== undefined),
			};
		}
		default:
			return ending satisfies never;
	}
}
