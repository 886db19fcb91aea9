import type {Failure} from '../../failure.ts';
import {formatFirewallListCommand} from '../../firewall/commands.ts';
import type {FirewallEdit} from '../../firewall/rules/edits.ts';
import {formatContinueCommand, formatSameCustomRule} from '../../firewall/rules/next-step.ts';
import {findFilterUsers, formatRuleName} from '../../firewall/rules/users.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import type {FirewallTarget} from '../firewall/state.ts';
import type {FormResultText} from '../stepped-form/state.ts';
import {buildRuleDraft} from './draft.ts';
import {getWizardExpression, type Wizard, type WizardEnding} from './state.ts';

/**
 * Returns the filters of the wizard after an ending: the one without a rule, the one that it created, and the
 * chosen one.
 */
export function applyWizardEnding(
	wizard: Wizard,
	ending: WizardEnding,
): Pick<Wizard, 'orphanFilterId' | 'ownFilter' | 'filter'> {
	const {orphanFilterId, ownFilter, filter} = wizard;
	const unchangedFields = {orphanFilterId, ownFilter, filter};
	switch (ending.state) {
		case 'created':
			return {
				...unchangedFields,
				orphanFilterId: orphanFilterId === ending.rule.filter.id ? undefined : orphanFilterId,
			};
		case 'filter only': {
			const {id} = ending.filter;
			if (filter === undefined)
				return {...unchangedFields, orphanFilterId: id, ownFilter: {id, made: ending.wasFilterCreated}};
			return {...unchangedFields, orphanFilterId: ownFilter?.id === id ? id : orphanFilterId};
		}
		case 'filter deleted':
			return {...unchangedFields, orphanFilterId: undefined, ownFilter: undefined, filter: undefined};
		case 'nothing':
			return {
				...unchangedFields,
				orphanFilterId:
					isChosenFilterMissing(wizard, ending) && orphanFilterId === filter?.id ? undefined : orphanFilterId,
			};
		default:
			return unchangedFields;
	}
}

/** True if the filter chosen for a new rule no longer exists. */
export const isChosenFilterMissing = (
	{purpose, filter}: Pick<Wizard, 'purpose' | 'filter'>,
	{isFilterGone: isGone}: Extract<WizardEnding, {state: 'nothing'}>,
): boolean => purpose.kind === 'new rule' && filter !== undefined && isGone === true;

/** True if the input had no effect, or an unknown one: leaving loses it. */
export function isWizardInputUnused(ending: WizardEnding): boolean {
	switch (ending.state) {
		case 'nothing':
		case 'duplicate':
		case 'unsure':
		case 'unsure of the change':
		case 'changed meanwhile':
		case 'filter only':
			return true;
		case 'created':
		case 'filter made':
		case 'changed':
		case 'filter deleted':
			return false;
		default:
			return ending satisfies never;
	}
}

/** Finds the created or changed row, for the cursor in the lists. */
export function findWizardResult(ending: WizardEnding): FirewallTarget | undefined {
	switch (ending.state) {
		case 'created':
			return {kind: 'rule', id: ending.rule.id};
		case 'filter made':
		case 'filter only':
			return {kind: 'filter', id: ending.filter.id};
		case 'changed':
			return {kind: ending.what, id: ending.id};
		case 'duplicate':
			return {kind: 'filter', id: ending.filterId};
		default:
			return undefined;
	}
}

/** Lists what the wizard changed, for the undo. A filter that it created belongs to the rule on it. */
export function listWizardEdits({ownFilter}: Wizard, ending: WizardEnding): readonly FirewallEdit[] {
	switch (ending.state) {
		case 'changed':
			return ending.edit ? [ending.edit] : [];
		case 'filter made':
			return [{kind: 'filter', before: undefined, after: ending.filter}];
		case 'created': {
			const {rule, filter: origin} = ending;
			const isOwnFilter =
				origin !== 'reused' || (ownFilter?.made === true && ownFilter.id === rule.filter.id);
			return [
				...(isOwnFilter && 'expression' in rule.filter
					? [{kind: 'filter', before: undefined, after: rule.filter} as const]
					: []),
				{kind: 'rule', before: undefined, after: rule},
			];
		}
		default:
			return [];
	}
}

/** Describes the current state in a sentence. */
export function describeWizardEnding(ending: WizardEnding): string {
	switch (ending.state) {
		case 'created':
			return `Rule ${formatRuleName(ending.rule)} created, on filter ${ending.rule.filter.id}.`;
		case 'filter made':
			return `Filter ${ending.filter.id} created.`;
		case 'changed':
			return `${ending.what === 'rule' ? 'Rule' : 'Filter'} ${ending.id} changed.`;
		case 'filter deleted':
			return `Filter ${ending.id} deleted; nothing remains.`;
		case 'duplicate':
			return `Nothing was created: filter ${ending.filterId} already has this expression.`;
		case 'filter only':
			return `Filter ${ending.filter.id} was created, but the rule was not.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} ${ending.failure.details.left ?? ''}`.trim();
		case 'unsure':
			return `It is unknown whether the ${ending.what} was created.`;
		case 'unsure of the change':
			return `It is unknown whether ${ending.what} ${ending.id} was changed.`;
		default:
			return ending satisfies never;
	}
}

/**
 * Returns the shell command that creates the rule on the existing filter, or a custom rule if firewall rules
 * are retired.
 */
export function getContinueCommand(wizard: Wizard, filterId: string | undefined): string | undefined {
	const draft = buildRuleDraft(wizard);
	if (!draft || filterId === undefined) return undefined;
	return hasRetiredFailure(wizard)
		? formatSameCustomRule(wizard.zone, draft, getWizardExpression(wizard) || wizard.editing.analysis.text)
		: formatContinueCommand(wizard.zone, draft, {
				id: filterId,
				expression: getWizardExpression(wizard) || undefined,
			});
}

/** True if the service answered that firewall rules are retired (code `gone`). */
export const hasRetiredFailure = ({phase}: Pick<Wizard, 'phase'>): boolean =>
	phase.name === 'ended' && 'failure' in phase.ending && phase.ending.failure.code === 'gone';

/** Describes what leaving leaves behind, for the confirmation. */
export function getWizardLeaveWarning(wizard: Wizard): readonly string[] {
	const {orphanFilterId, phase} = wizard;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	const isOutcomeKnown = ending?.state !== 'unsure' && ending?.state !== 'unsure of the change';
	const command = getContinueCommand(wizard, orphanFilterId);
	return [
		orphanFilterId !== undefined
			? `Filter ${orphanFilterId} exists without its rule.`
			: ending
				? isOutcomeKnown
					? 'Nothing was created.'
					: describeWizardEnding(ending)
				: 'Nothing was sent.',
		...(command === undefined ? [] : ['To continue:', command]),
	];
}

/** Returns the message after leaving, the next step first. `isUndoHere`: the undo has its key on this screen. */
export function getWizardLeaveMessage(wizard: Wizard, isUndoHere: boolean): string | undefined {
	const {orphanFilterId, phase} = wizard;
	if (orphanFilterId === undefined) {
		if (phase.name !== 'ended') return undefined;
		const {ending} = phase;
		if (!isUndoHere || listWizardEdits(wizard, ending).length === 0) return describeWizardEnding(ending);
		// The filter's id would leave no room for the key.
		const sentence =
			ending.state === 'created'
				? `Rule ${formatRuleName(ending.rule)} created.`
				: describeWizardEnding(ending);
		return `${sentence} ${nameKey('firewall.undo', 'u')} undoes it.`;
	}
	const command = getContinueCommand(wizard, orphanFilterId) ?? orphanFilterId;
	return hasRetiredFailure(wizard)
		? `The filter has no rule; ! can still block. ${command}`
		: `The filter has no rule yet. To create one, press + on the filter, or run: ${command}`;
}

/** Returns the message to print after quitting; undefined if everything was seen and nothing is left over. */
export function getWizardQuitMessage(wizard: Wizard | undefined, isUnseen: boolean): string | undefined {
	if (!wizard) return undefined;
	const {orphanFilterId, phase, zone} = wizard;
	const checkHint = `To check: ${formatFirewallListCommand(zone, 'rule')}`;
	if (phase.name === 'sending')
		return `It was still being sent: the outcome is unknown${orphanFilterId === undefined ? '' : `, but filter ${orphanFilterId} exists`}. ${checkHint}`;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	if (orphanFilterId !== undefined) {
		const command = getContinueCommand(wizard, orphanFilterId);
		return `Filter ${orphanFilterId} exists without its rule.${command === undefined ? '' : ` To continue: ${command}`}`;
	}
	if (ending?.state === 'unsure' || ending?.state === 'unsure of the change')
		return `${describeWizardEnding(ending)} ${checkHint}`;
	return ending && isUnseen ? describeWizardEnding(ending) : undefined;
}

/** Describes the current state, the reason, and the service's message. */
export function describeWizardOutcome(wizard: Wizard, ending: WizardEnding): FormResultText {
	const heading = describeWizardEnding(ending);
	switch (ending.state) {
		case 'created': {
			const {rule, foundAfterLostResponse} = ending;
			return {
				tone: 'good',
				heading,
				facts: [
					`rule    ${rule.id}   ${rule.action}${rule.paused ? ', paused' : ''}, ${rule.priority === null ? 'no priority' : `priority ${rule.priority}`}`,
					`filter  ${rule.filter.id}   ${describeFilterOrigin(wizard, ending)}`,
					...('expression' in rule.filter ? [`        ${rule.filter.expression}`] : []),
					...(wizard.orphanFilterId === undefined
						? []
						: [`Filter ${wizard.orphanFilterId}, created earlier, has no rule.`]),
					...(foundAfterLostResponse ? ['A response was lost; a later check confirmed the change.'] : []),
				],
			};
		}
		case 'filter made':
			return {tone: 'good', heading, facts: [ending.filter.expression, 'No rule uses it yet.']};
		case 'changed':
		case 'filter deleted':
			return {tone: 'good', heading, facts: []};
		case 'duplicate':
			return {
				tone: 'warning',
				heading,
				facts: ['An expression can exist only once per zone; rules can share a filter.'],
			};
		case 'filter only': {
			const command = getWizardCommand(wizard);
			const {message, details} = ending.failure;
			return {
				tone: 'warning',
				heading,
				facts: [
					...(command === undefined
						? []
						: [hasRetiredFailure(wizard) ? 'As a custom rule:' : 'To continue later:', command]),
					...[message, details.why].filter(text => text !== undefined),
				],
			};
		}
		case 'unsure':
		case 'unsure of the change':
			return {tone: 'warning', heading, facts: listFailureFacts(ending.failure, [ending.failure.message])};
		case 'changed meanwhile':
			return {tone: 'warning', heading, facts: compareWithCurrent(wizard, ending.current)};
		case 'nothing':
			return {tone: 'failed', heading, facts: listFailureFacts(ending.failure)};
		default:
			return ending satisfies never;
	}
}

/** Lists the facts of a failure, the reason last, because it may be long. */
const listFailureFacts = (
	{next, details: {why, left}}: Failure,
	facts: readonly string[] = [],
): readonly string[] => [...facts, left, next, why].filter(text => text !== undefined);

/** Describes where the filter of a rule comes from, and what else uses it. */
function describeFilterOrigin(
	{ownFilter, rules}: Wizard,
	{rule, filter}: Extract<WizardEnding, {state: 'created'}>,
): string {
	if (filter === 'made') return 'created for this rule';
	if (filter === 'found') return 'found after a lost response';
	if (ownFilter?.id === rule.filter.id) return 'created for this rule earlier';
	const otherCount = findFilterUsers(rule.filter.id, rules).filter(({id}) => id !== rule.id).length;
	if (otherCount === 0) return 'existing, unused';
	return `existing, shared with ${formatQuantity(otherCount, 'rule')}`;
}

type CurrentVersion = Extract<WizardEnding, {state: 'changed meanwhile'}>['current'];

/** Compares the current version with the input, line by line. */
function compareWithCurrent(
	{purpose, editing, aboutFields, action}: Wizard,
	current: CurrentVersion,
): readonly string[] {
	if (!current) return [];
	const description = getBufferText(aboutFields.description);
	if ('expression' in current)
		return [
			...alignRows(['theirs', current.expression], ['mine', getTypedExpression(editing)]),
			...((current.description ?? '') === description
				? []
				: alignRows(['theirs', current.description ?? ''], ['mine', description])),
		];
	const typedPriority = getBufferText(aboutFields.order).trim();
	const currentSettings = formatRuleSettings(
		current.action,
		current.priority === null ? '' : String(current.priority),
		current.paused,
	);
	const usesOtherFilter = purpose.kind === 'change rule' && purpose.rule.filter.id !== current.filter.id;
	return [
		...alignRows(
			['theirs', [currentSettings, current.description].filter(Boolean).join('   ')],
			[
				'mine',
				[formatRuleSettings(action ?? '', typedPriority, aboutFields.paused), description]
					.filter(Boolean)
					.join('   '),
			],
		),
		...(usesOtherFilter ? [`It now uses another filter: ${current.filter.id}.`] : []),
	];
}

const alignRows = (...rows: readonly (readonly [string, string])[]): readonly string[] =>
	rows.map(([name, text]) => `${name.padEnd(7)} ${text}`);

const formatRuleSettings = (action: string, priority: string, paused: boolean): string =>
	`${action}, ${priority === '' ? 'no priority' : `priority ${priority}`}${paused ? ', paused' : ''}`;

/** Returns the command to continue if the filter was created and the rule was not. */
export function getWizardCommand(wizard: Wizard): string | undefined {
	const {phase} = wizard;
	return phase.name === 'ended' && phase.ending.state === 'filter only'
		? getContinueCommand(wizard, phase.ending.filter.id)
		: undefined;
}
