import {formatFirewallListCommand} from '../../firewall/continuation.ts';
import {describeBlockEffect, formatRunFirstCommand} from '../../firewall/rules/earlier-rules.ts';
import {formatUndoCommand} from '../../firewall/rules/emergency-undo.ts';
import {formatContinueCommand} from '../../firewall/rules/next-step.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {AnyRuleKind, RuleChoice} from '../stepped-form/rule-form.ts';
import {toReview, toStep} from '../stepped-form/rule-form.ts';
import type {FormOutcome} from '../stepped-form/state.ts';
import {
	buildEmergencyDraft,
	buildEmergencyRequests,
	type EmergencyEnding,
	type EmergencyState,
	getUndoableCreation,
} from './state.ts';

const offerLeaving = (label = 'Leave'): RuleChoice => ({id: 'leave', label});
const expressionChoice: RuleChoice = {id: 'change the expression', label: 'Back to the expression'};
const offerRequest = (label = 'Back to the request'): RuleChoice => ({id: 'change it', label});
const filterChoice: RuleChoice = {
	id: 'use the filter',
	label: 'Make the rule on that filter (rule wizard)',
};

/** Lists the choices after an ending; the first one loses nothing. */
export function listEmergencyChoices(
	{editing}: EmergencyState,
	ending: EmergencyEnding,
): readonly RuleChoice[] {
	switch (ending.state) {
		case 'created':
			return [
				offerLeaving('Done'),
				...(getUndoableCreation(ending) ? [{id: 'undo', label: 'Undo it (u)'} as const] : []),
			];
		case 'undone':
			return [offerLeaving('Done'), expressionChoice];
		case 'not undone':
			return [offerLeaving(), {id: 'undo', label: 'Look at the current state, and undo it again (u)'}];
		case 'filter left':
			return ending.isFull
				? [
						offerRequest('Back to the request, to block it otherwise'),
						offerLeaving('Leave it, and continue later with the command'),
					]
				: [filterChoice, offerLeaving('Leave it, and continue later with the command (y copies it)')];
		case 'duplicate':
			return [filterChoice, expressionChoice, offerLeaving()];
		case 'gone':
		case 'nothing':
			return editing.refusal
				? [expressionChoice, offerRequest(), offerLeaving()]
				: [offerRequest(), expressionChoice, offerLeaving()];
		case 'unsure':
			// Sending again finds the rule if it exists by then, and creates no second one.
			return [
				{id: 'look again', label: 'Check again'},
				offerRequest('Back to the request, to send it again'),
				offerLeaving(),
			];
		default:
			return ending satisfies never;
	}
}

/** Returns the form after a choice; undefined if the choice does not continue it. */
export function applyEmergencyChoice(
	emergency: EmergencyState,
	_: EmergencyEnding,
	choiceId: RuleChoice['id'],
): EmergencyState | undefined {
	if (choiceId === 'change the expression') return toStep(emergency, 'expression');
	return choiceId === 'change it' ? toEmergencyReview(emergency) : undefined;
}

export function stepEmergencyBack(
	emergency: EmergencyState,
	{state}: EmergencyEnding,
): EmergencyState | undefined {
	if (state === 'duplicate') return toStep(emergency, 'expression');
	return state === 'nothing' ? toEmergencyReview(emergency) : undefined;
}

const toEmergencyReview = (emergency: EmergencyState): EmergencyState =>
	toReview({buildRequests: buildEmergencyRequests}, emergency);

/** If firewall rules are retired, moves to the review of the same block as a custom rule. */
export const applyEmergencyEnding = (
	emergency: EmergencyState,
	ending: EmergencyEnding,
): Partial<EmergencyState> =>
	ending.state === 'gone'
		? toEmergencyReview({...emergency, way: 'custom rule', isRetired: true, customRules: ending.customRules})
		: {};

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isEmergencyInputUnused = ({state}: EmergencyEnding): boolean =>
	state !== 'created' && state !== 'undone' && state !== 'not undone';

/** True if nothing is left to decide. */
export const isEmergencyDone = ({state}: EmergencyEnding): boolean =>
	state === 'created' || state === 'undone';

/** Returns the list that an ending affects, and the rule for its cursor. */
export function getEmergencyAffectedList(ending: EmergencyEnding): ReturnType<AnyRuleKind['getAffected']> {
	switch (ending.state) {
		case 'gone':
			return {list: undefined, target: undefined};
		case 'nothing': {
			// The zone is full; the lists show that.
			const {code} = ending.failure;
			const isFull = code === 'plan_lacks' || code === 'changed_meanwhile';
			return {list: isFull ? 'firewall' : undefined, target: undefined};
		}
		case 'created': {
			const {form, rule} = ending;
			const target = rule.id === undefined ? undefined : ({kind: 'rule', id: rule.id} as const);
			return {list: form === 'custom rule' ? 'customRules' : 'firewall', target};
		}
		case 'undone':
		case 'not undone':
			return {list: ending.made.form === 'custom rule' ? 'customRules' : 'firewall', target: undefined};
		default:
			return {list: 'firewall', target: undefined};
	}
}

type Created = EmergencyEnding & {state: 'created'};

/** Describes whether the new rule is effective, given the rules that run before it. */
function describeCreated({form, rule, already, earlier}: Created): ReturnType<typeof describeBlockEffect> {
	const name = `${form === 'custom rule' ? form : 'rule'} ${formatRuleName(rule)}`;
	const expression =
		('expression' in rule ? rule.expression : 'expression' in rule.filter && rule.filter.expression) || '';
	return describeBlockEffect(
		already ? 'already' : 'created',
		name,
		{action: rule.action, expression},
		earlier,
	);
}

/** Formats the current state as a short heading. */
function formatEndingHeading(ending: EmergencyEnding): string {
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
export function describeEmergencyEnding(ending: EmergencyEnding): string {
	const heading = formatEndingHeading(ending);
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
export function describeEmergencyOutcome(emergency: EmergencyState, ending: EmergencyEnding): FormOutcome {
	const heading = formatEndingHeading(ending);
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
	const runFirstCommand =
		isAll || id === undefined ? undefined : formatRunFirstCommand(zone, id, ending.earlier);
	const command = getEmergencyCommand(emergency);
	return [
		...(ending.afterDoubt ? ['The answer was lost; reading the current state found it.'] : []),
		...details,
		...(runFirstCommand === undefined ? [] : [`To run it first: ${runFirstCommand}`]),
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
	const position = ruleset.rules.findIndex(({id}) => id === rule.id) + 1;
	const positionText =
		position <= 1
			? 'before all other custom rules'
			: `number ${position} of ${ruleset.rules.length} custom rules`;
	return [`Of ruleset ${ruleset.id}, ${positionText}.`, rule.expression];
}

const getEnding = ({phase}: EmergencyState): EmergencyEnding | undefined =>
	phase.name === 'ended' ? phase.ending : undefined;

/** Returns the command that creates the rule on an existing filter, or undoes what was created. */
export function getEmergencyCommand(emergency: EmergencyState): string | undefined {
	const ending = getEnding(emergency);
	if (!ending) return undefined;
	const {zone} = emergency;
	const filterId =
		ending.state === 'duplicate'
			? ending.filterId
			: ending.state === 'filter left' && !ending.isFull
				? ending.filter.id
				: undefined;
	if (filterId !== undefined) {
		const draft = buildEmergencyDraft(emergency);
		return formatContinueCommand(zone, draft, {...draft.filter, id: filterId});
	}
	const creation = getUndoableCreation(ending);
	return creation && formatUndoCommand(zone, creation);
}

/** Describes what leaving leaves behind, for the confirmation. */
export function getEmergencyLeaveWarning(emergency: EmergencyState): readonly string[] {
	const ending = getEnding(emergency);
	if (!ending) return ['Nothing was sent, so nothing is in force.'];
	const command = getEmergencyCommand(emergency);
	return [
		describeEmergencyEnding(ending),
		...(command !== undefined
			? [getUndoableCreation(ending) ? 'To undo:' : 'To continue:', command]
			: ending.state === 'filter left' && ending.failure.next
				? [ending.failure.next]
				: []),
		...(ending.state === 'unsure' ? [`See: ${formatFirewallListCommand(emergency.zone, 'rule')}`] : []),
	];
}

/** Returns the message after leaving, the next step first. */
export function getEmergencyLeaveMessage(emergency: EmergencyState): string | undefined {
	const ending = getEnding(emergency);
	if (ending?.state === 'filter left')
		return `Filter without its rule: u on it creates the rule. ${getEmergencyCommand(emergency) ?? ending.failure.next}`;
	return ending && describeEmergencyEnding(ending);
}

/** Returns the message to print after quitting; undefined if everything was seen and nothing is left over. */
export function getEmergencyExitMessage(
	emergency: EmergencyState | undefined,
	isUnseen: boolean,
): string | undefined {
	if (!emergency) return undefined;
	const listHint = `See: ${formatFirewallListCommand(emergency.zone, 'rule')}`;
	if (emergency.phase.name === 'sending')
		return `The emergency was still being sent: whether it is in force is unknown. ${listHint}`;
	const ending = getEnding(emergency);
	switch (ending?.state) {
		case 'filter left':
			return `${describeEmergencyEnding(ending)} To continue: ${getEmergencyCommand(emergency) ?? ending.failure.next}`;
		case 'unsure':
			return `${describeEmergencyEnding(ending)} ${ending.failure.next ?? listHint}`;
		case 'not undone':
			return isUnseen || ending.is === 'unknown'
				? `${describeEmergencyEnding(ending)} ${ending.failure.next ?? listHint}`
				: undefined;
		default:
			return ending && isUnseen ? describeEmergencyEnding(ending) : undefined;
	}
}
