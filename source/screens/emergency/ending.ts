import {listing} from '../../firewall/continuation.ts';
import {describeInForce, firstCommand} from '../../firewall/rules/earlier-rules.ts';
import {undoCommand} from '../../firewall/rules/emergency-undo.ts';
import {continueOn} from '../../firewall/rules/next-step.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {AnyRuleKind, RuleChoice} from '../stepped-form/rule-form.ts';
import {toReview, toStep} from '../stepped-form/rule-form.ts';
import type {Outcome} from '../stepped-form/state.ts';
import {draftOf, type EmergencyState, type Ending, madeIn, requestsOf} from './state.ts';

const leave = (label = 'Leave'): RuleChoice => ({does: 'leave', label});
const toExpression: RuleChoice = {does: 'change the expression', label: 'Back to the expression'};
const toRequest = (label = 'Back to the request'): RuleChoice => ({does: 'change it', label});
const onFilter: RuleChoice = {
	does: 'use the filter',
	label: 'Make the rule on that filter (rule wizard)',
};

/** Lists the choices after an ending; the first one loses nothing. */
export function choicesOf({editing}: EmergencyState, ending: Ending): readonly RuleChoice[] {
	switch (ending.state) {
		case 'created':
			return [leave('Done'), ...(madeIn(ending) ? [{does: 'undo', label: 'Undo it (u)'} as const] : [])];
		case 'undone':
			return [leave('Done'), toExpression];
		case 'not undone':
			return [leave(), {does: 'undo', label: 'Look at the current state, and undo it again (u)'}];
		case 'filter left':
			return ending.isFull
				? [
						toRequest('Back to the request, to block it otherwise'),
						leave('Leave it, and continue later with the command'),
					]
				: [onFilter, leave('Leave it, and continue later with the command (y copies it)')];
		case 'duplicate':
			return [onFilter, toExpression, leave()];
		case 'gone':
		case 'nothing':
			return editing.refusal ? [toExpression, toRequest(), leave()] : [toRequest(), toExpression, leave()];
		case 'unsure':
			// Sending again finds the rule if it exists by then, and creates no second one.
			return [
				{does: 'look again', label: 'Check again'},
				toRequest('Back to the request, to send it again'),
				leave(),
			];
		default:
			return ending satisfies never;
	}
}

/** Returns the form after a choice; undefined if the choice does not continue it. */
export function onward(
	emergency: EmergencyState,
	_: Ending,
	does: RuleChoice['does'],
): EmergencyState | undefined {
	if (does === 'change the expression') return toStep(emergency, 'expression');
	return does === 'change it' ? review(emergency) : undefined;
}

export function backFrom(emergency: EmergencyState, {state}: Ending): EmergencyState | undefined {
	if (state === 'duplicate') return toStep(emergency, 'expression');
	return state === 'nothing' ? review(emergency) : undefined;
}

const review = (emergency: EmergencyState): EmergencyState => toReview({requests: requestsOf}, emergency);

/** If firewall rules are retired, moves to the review of the same block as a custom rule. */
export const endedWith = (emergency: EmergencyState, ending: Ending): Partial<EmergencyState> =>
	ending.state === 'gone'
		? review({...emergency, way: 'custom rule', isRetired: true, customRules: ending.customRules})
		: {};

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isUnused = ({state}: Ending): boolean =>
	state !== 'created' && state !== 'undone' && state !== 'not undone';

/** True if nothing is left to decide. */
export const isDone = ({state}: Ending): boolean => state === 'created' || state === 'undone';

/** Returns the list that an ending affects, and the rule for its cursor. */
export function changesOf(ending: Ending): ReturnType<AnyRuleKind['changes']> {
	switch (ending.state) {
		case 'gone':
			return {changes: undefined, made: undefined};
		case 'nothing': {
			// The zone is full; the lists show that.
			const {code} = ending.failure;
			const isFull = code === 'plan_lacks' || code === 'changed_meanwhile';
			return {changes: isFull ? 'firewall' : undefined, made: undefined};
		}
		case 'created': {
			const {form, rule} = ending;
			const made = rule.id === undefined ? undefined : ({kind: 'rule', id: rule.id} as const);
			return {changes: form === 'custom rule' ? 'customRules' : 'firewall', made};
		}
		case 'undone':
		case 'not undone':
			return {changes: ending.made.form === 'custom rule' ? 'customRules' : 'firewall', made: undefined};
		default:
			return {changes: 'firewall', made: undefined};
	}
}

type Created = Ending & {state: 'created'};

/** Describes whether the new rule is effective, given the rules that run before it. */
function describeCreated({form, rule, already, earlier}: Created): ReturnType<typeof describeInForce> {
	const name = `${form === 'custom rule' ? form : 'rule'} ${formatRuleName(rule)}`;
	const expression =
		('expression' in rule ? rule.expression : 'expression' in rule.filter && rule.filter.expression) || '';
	return describeInForce(already ? 'already' : 'created', name, {action: rule.action, expression}, earlier);
}

/** Formats the current state as a short heading. */
function headingOf(ending: Ending): string {
	switch (ending.state) {
		case 'created':
			return `${describeCreated(ending).heading}${ending.already ? ' Nothing was created.' : ''}`;
		case 'undone':
			return `Undone. ${ending.sentence}`;
		case 'not undone':
			return {
				'in force': 'Not undone.',
				'partly undone': 'No longer in force, but not all is undone.',
				unknown: 'Whether it is undone is unknown.',
			}[ending.is];
		case 'filter left':
			return `Not in force: the rule was not created. Its filter ${ending.filter.id} was.`;
		case 'duplicate':
			return `Not in force: nothing was created, filter ${ending.filterId} has this expression already.`;
		case 'gone':
			return 'Not in force: firewall rules are retired (410), so the same is shown as one custom rule.';
		case 'nothing':
			return 'Not in force.';
		case 'unsure':
			return 'Whether it is in force is unknown.';
		default:
			return ending satisfies never;
	}
}

/** Describes the current state in a sentence. */
export function sentenceOf(ending: Ending): string {
	const heading = headingOf(ending);
	switch (ending.state) {
		case 'nothing':
		case 'not undone':
		case 'unsure':
			return `${heading} ${ending.failure.message}`;
		default:
			return heading;
	}
}

/** Describes the current state, the reason, and the next step. */
export function outcomeOf(emergency: EmergencyState, ending: Ending): Outcome {
	const heading = headingOf(ending);
	if (ending.state === 'created') {
		const tone = describeCreated(ending).isAll ? 'good' : 'warning';
		return {tone, heading, facts: describeFacts(emergency, ending)};
	}
	if (ending.state === 'undone') return {tone: 'good', heading, facts: []};
	const {
		message,
		next,
		details: {left, why},
	} = ending.failure;
	return {
		tone: ending.state === 'nothing' ? 'failed' : 'warning',
		heading,
		// The reason comes last, because it may be long.
		facts: [message, left, next, why].filter(text => text !== undefined),
	};
}

function describeFacts(emergency: EmergencyState, ending: Created): readonly string[] {
	const {zone} = emergency;
	const {details, isAll} = describeCreated(ending);
	const {id} = ending.rule;
	const first = isAll || id === undefined ? undefined : firstCommand(zone, id, ending.earlier);
	const command = commandOf(emergency);
	return [
		...(ending.afterDoubt ? ['The answer was lost; reading the current state found it.'] : []),
		...details,
		...(first === undefined ? [] : [`To run it first: ${first}`]),
		...describePlace(ending),
		...(command === undefined ? [] : ['To undo: u, or later (y copies it)', command]),
	];
}

function describePlace(ending: Created): readonly string[] {
	if (ending.form === 'firewall rule') {
		const {filter, priority} = ending.rule;
		return [
			`On filter ${filter.id}, ${priority === null ? 'without priority' : `priority ${priority}`}.`,
			...('expression' in filter ? [filter.expression] : []),
		];
	}
	const {rule, ruleset} = ending;
	// A rule that existed before may not be the first.
	const place = ruleset.rules.findIndex(({id}) => id === rule.id) + 1;
	const where =
		place <= 1 ? 'before all other custom rules' : `number ${place} of ${ruleset.rules.length} custom rules`;
	return [`Of ruleset ${ruleset.id}, ${where}.`, rule.expression];
}

const endingIn = ({phase}: EmergencyState): Ending | undefined =>
	phase.name === 'ended' ? phase.ending : undefined;

/** Returns the command that creates the rule on an existing filter, or undoes what was created. */
export function commandOf(emergency: EmergencyState): string | undefined {
	const ending = endingIn(emergency);
	if (!ending) return undefined;
	const {zone} = emergency;
	const filter =
		ending.state === 'duplicate'
			? ending.filterId
			: ending.state === 'filter left' && !ending.isFull
				? ending.filter.id
				: undefined;
	if (filter !== undefined) {
		const draft = draftOf(emergency);
		return continueOn(zone, draft, {...draft.filter, id: filter});
	}
	const made = madeIn(ending);
	return made && undoCommand(zone, made);
}

/** Describes what leaving leaves behind, for the confirmation. */
export function leavingLines(emergency: EmergencyState): readonly string[] {
	const ending = endingIn(emergency);
	if (!ending) return ['Nothing was sent, so nothing is in force.'];
	const command = commandOf(emergency);
	return [
		sentenceOf(ending),
		...(command !== undefined
			? [madeIn(ending) ? 'To undo:' : 'To continue:', command]
			: ending.state === 'filter left' && ending.failure.next
				? [ending.failure.next]
				: []),
		...(ending.state === 'unsure' ? [`See: ${listing(emergency.zone, 'rule')}`] : []),
	];
}

/** Returns the message after leaving, the next step first. */
export function leftSentence(emergency: EmergencyState): string | undefined {
	const ending = endingIn(emergency);
	if (ending?.state === 'filter left')
		return `Filter without its rule: u on it creates the rule. ${commandOf(emergency) ?? ending.failure.next}`;
	return ending && sentenceOf(ending);
}

/** Returns the message to print after quitting; undefined if everything was seen and nothing is left over. */
export function lastWordsOf(emergency: EmergencyState | undefined, isUnseen: boolean): string | undefined {
	if (!emergency) return undefined;
	const look = `See: ${listing(emergency.zone, 'rule')}`;
	if (emergency.phase.name === 'sending')
		return `The emergency was still being sent: whether it is in force is unknown. ${look}`;
	const ending = endingIn(emergency);
	switch (ending?.state) {
		case 'filter left':
			return `${sentenceOf(ending)} To continue: ${commandOf(emergency) ?? ending.failure.next}`;
		case 'unsure':
			return `${sentenceOf(ending)} ${ending.failure.next ?? look}`;
		case 'not undone':
			return isUnseen || ending.is === 'unknown'
				? `${sentenceOf(ending)} ${ending.failure.next ?? look}`
				: undefined;
		default:
			return ending && isUnseen ? sentenceOf(ending) : undefined;
	}
}
