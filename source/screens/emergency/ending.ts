import {formatFirewallListCommand} from '../../firewall/commands.ts';
import {describeBlockEffect, formatRunFirstCommand} from '../../firewall/rules/earlier-rules.ts';
import {formatUndoCommand} from '../../firewall/rules/emergency-undo.ts';
import {formatContinueCommand} from '../../firewall/rules/next-step.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {AnyRuleKind, RuleChoice} from '../stepped-form/rule-form.ts';
import {toReview, toStep} from '../stepped-form/rule-form.ts';
import type {FormResultText} from '../stepped-form/state.ts';
import {
	buildEmergencyDraft,
	buildEmergencyRequests,
	type EmergencyEnding,
	type EmergencyState,
	getUndoableCreation,
} from './state.ts';

const offerLeaving = (label = 'Close'): RuleChoice => ({id: 'leave', label});
const expressionChoice: RuleChoice = {id: 'change the expression', label: 'Back to the expression'};
const offerRequest = (label = 'Back to the request'): RuleChoice => ({id: 'change it', label});
const filterChoice: RuleChoice = {
	id: 'use the filter',
	label: 'Create the rule on that filter (rule wizard)',
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
				...(getUndoableCreation(ending)
					? [{id: 'undo', label: `Undo (${nameKey('emergency.undo', 'u')})`} as const]
					: []),
			];
		case 'undone':
			return [offerLeaving('Done'), expressionChoice];
		case 'not undone':
			return [
				offerLeaving(),
				{id: 'undo', label: `Check the current state and undo again (${nameKey('emergency.undo', 'u')})`},
			];
		case 'filter left':
			return ending.isFull
				? [
						offerRequest('Back to the request, to block it another way'),
						offerLeaving('Close, and continue later with the command'),
					]
				: [
						filterChoice,
						offerLeaving(
							`Close, and continue later with the command (${nameKey('emergency.copy', 'y')} copies it)`,
						),
					];
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
		? toEmergencyReview({
				...emergency,
				way: 'custom rule',
				isRetired: true,
				customRules: ending.customRules,
				confirmedBlock: buildEmergencyDraft(emergency),
			})
		: {};

/** True if the input had no effect, or an unknown one: leaving loses it. */
export const isEmergencyInputUnused = ({state}: EmergencyEnding): boolean =>
	state !== 'created' && state !== 'undone' && state !== 'not undone';

/** True if nothing is left to decide. */
export const isEmergencyDone = ({state}: EmergencyEnding): boolean =>
	state === 'created' || state === 'undone';

/** Returns the list that an ending affects, and the rule for its cursor. */
export function getEmergencyAffectedList(
	ending: EmergencyEnding,
): ReturnType<AnyRuleKind['getAffectedList']> {
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
			return {
				list: ending.createdRule.form === 'custom rule' ? 'customRules' : 'firewall',
				target: undefined,
			};
		default:
			return {list: 'firewall', target: undefined};
	}
}

type CreatedEnding = EmergencyEnding & {state: 'created'};

/** Describes whether the new rule is effective, given the rules that run before it. */
function describeCreatedRule({
	form,
	rule,
	alreadyExisted,
	earlierRules,
}: CreatedEnding): ReturnType<typeof describeBlockEffect> {
	const name = `${form === 'custom rule' ? form : 'rule'} ${formatRuleName(rule)}`;
	const expression =
		('expression' in rule ? rule.expression : 'expression' in rule.filter && rule.filter.expression) || '';
	return describeBlockEffect(
		alreadyExisted ? 'already' : 'created',
		name,
		{action: rule.action, expression},
		earlierRules,
	);
}

/** Formats the outcome as a short heading. */
function formatEndingHeading(ending: EmergencyEnding): string {
	switch (ending.state) {
		case 'created':
			return `${describeCreatedRule(ending).heading}${ending.alreadyExisted ? ' Nothing was created.' : ''}`;
		case 'undone':
			return `Undone. ${ending.sentence}`;
		case 'not undone':
			return {
				'in force': 'Not undone.',
				'partly undone': 'No longer active, but only partly undone.',
				unknown: 'It is unknown whether it was undone.',
			}[ending.blockState];
		case 'filter left':
			return `Not active: the rule was not created, but its filter ${ending.filter.id} was.`;
		case 'duplicate':
			return `Not active: nothing was created, because filter ${ending.filterId} already has this expression.`;
		case 'gone':
			return 'Not active: firewall rules are retired. The same block is shown as a custom rule instead.';
		case 'nothing':
			return 'Not active.';
		case 'unsure':
			return 'It is unknown whether it is active.';
		default:
			return ending satisfies never;
	}
}

/** Describes the outcome: the heading, and the failure's message unless the heading says it. */
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

/** Describes the outcome, the reason, and the next step. */
export function describeEmergencyOutcome(emergency: EmergencyState, ending: EmergencyEnding): FormResultText {
	const heading = formatEndingHeading(ending);
	if (ending.state === 'created') {
		const tone = describeCreatedRule(ending).hasFullEffect ? 'good' : 'warning';
		return {tone, heading, facts: listCreationFacts(emergency, ending)};
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

function listCreationFacts(emergency: EmergencyState, ending: CreatedEnding): readonly string[] {
	const {zone} = emergency;
	const {details, hasFullEffect} = describeCreatedRule(ending);
	const {id} = ending.rule;
	const runFirstCommand =
		hasFullEffect || id === undefined ? undefined : formatRunFirstCommand(zone, id, ending.earlierRules);
	const command = getEmergencyCommand(emergency);
	return [
		...(ending.foundAfterLostResponse ? ['The response was lost; a later check confirmed the change.'] : []),
		...details,
		...(runFirstCommand === undefined
			? []
			: [
					`To run it first: press ${ending.form === 'custom rule' ? nameKey('custom.move', 'O') : nameKey('firewall.priority', 'O')} on it in the list, or run ${runFirstCommand}`,
				]),
		...describeFilterOrRuleset(ending),
		...(command === undefined
			? []
			: [
					`To undo: press ${nameKey('emergency.undo', 'u')}, or run this later (${nameKey('emergency.copy', 'y')} copies it)`,
					command,
				]),
	];
}

function describeFilterOrRuleset(ending: CreatedEnding): readonly string[] {
	if (ending.form === 'firewall rule') {
		const {filter, priority} = ending.rule;
		return [
			`On filter ${filter.id}, ${priority === null ? 'no priority' : `priority ${priority}`}.`,
			...('expression' in filter ? [filter.expression] : []),
		];
	}
	const {rule, ruleset} = ending;
	// A rule that existed before may not be the first.
	const position = ruleset.rules.findIndex(({id}) => id === rule.id) + 1;
	const positionText =
		position <= 1 ? 'before all other custom rules' : `custom rule ${position} of ${ruleset.rules.length}`;
	return [`In ruleset ${ruleset.id}, ${positionText}.`, rule.expression];
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

/** Says what was sent and how to undo or continue it, for the question whether to leave. */
export function getEmergencyLeaveWarning(emergency: EmergencyState): readonly string[] {
	const ending = getEnding(emergency);
	if (!ending) return ['Nothing was sent, so no rule was created.'];
	const command = getEmergencyCommand(emergency);
	return [
		describeEmergencyEnding(ending),
		...(command !== undefined
			? [getUndoableCreation(ending) ? 'To undo:' : 'To continue:', command]
			: ending.state === 'filter left' && ending.failure.next
				? [ending.failure.next]
				: []),
		...(ending.state === 'unsure' ? [`To check: ${formatFirewallListCommand(emergency.zone, 'rule')}`] : []),
	];
}

/** Describes the outcome after leaving; for a filter without a rule, how to create the rule. */
/** Returns the message after leaving, with the undo. `isUndoHere`: the list of firewall rules is in front. */
export function getEmergencyLeaveMessage(emergency: EmergencyState, isUndoHere: boolean): string | undefined {
	const ending = getEnding(emergency);
	if (ending?.state === 'filter left')
		return `The filter has no rule yet. To create one, press + on the filter, or run: ${getEmergencyCommand(emergency) ?? ending.failure.next}`;
	if (ending?.state !== 'created' || ending.alreadyExisted) return ending && describeEmergencyEnding(ending);
	const [listKey, undoKey] =
		ending.form === 'custom rule'
			? [nameKey('go.custom-rules', '3'), nameKey('custom.undo', 'u')]
			: [nameKey('go.firewall', '2'), nameKey('firewall.undo', 'u')];
	const keys = isUndoHere && ending.form === 'firewall rule' ? undoKey : `${listKey}, then ${undoKey}`;
	return `${describeEmergencyEnding(ending)} ${keys} undoes it.`;
}

/** Returns the message to print after ledge quits: an outcome that is unknown, unfinished or was not seen. */
export function getEmergencyQuitMessage(
	emergency: EmergencyState | undefined,
	isUnseen: boolean,
): string | undefined {
	if (!emergency) return undefined;
	const listHint = `To check: ${formatFirewallListCommand(emergency.zone, 'rule')}`;
	if (emergency.phase.name === 'sending')
		return `The emergency rule was still being sent: it is unknown whether it is active. ${listHint}`;
	const ending = getEnding(emergency);
	switch (ending?.state) {
		case 'filter left':
			return `${describeEmergencyEnding(ending)} To continue: ${getEmergencyCommand(emergency) ?? ending.failure.next}`;
		case 'unsure':
			return `${describeEmergencyEnding(ending)} ${ending.failure.next ?? listHint}`;
		case 'not undone':
			return isUnseen || ending.blockState === 'unknown'
				? `${describeEmergencyEnding(ending)} ${ending.failure.next ?? listHint}`
				: undefined;
		default:
			return ending && isUnseen ? describeEmergencyEnding(ending) : undefined;
	}
}
