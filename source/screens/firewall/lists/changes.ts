import {checkDraft} from '../../../firewall/rules/checks.ts';
import type {Filter} from '../../../firewall/rules/filter.ts';
import {findFirewallRuleZoneNameReasons} from '../../../firewall/rules/name-reasons.ts';
import {sortForEvaluation} from '../../../firewall/rules/order.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../../firewall/rules/users.ts';
import type {LedgeState, StateWith} from '../../../store/ledge-store.ts';
import {toDrawable} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {formatInteger, parseFigure} from '../../../text/figures.ts';
import {getRulesBlockedReason} from '../../list/reading.ts';
import {getReadOnlyReason, withSelection} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import type {RuleSubject} from '../../shell/work-slice.ts';
import {askBeforeWrite} from '../../shell/zone-name.ts';
import {describeStartEffect, describeStopEffect} from '../effects.ts';
import {
	firewallList,
	formatRulePositions,
	getListedExpression,
	getRulePosition,
	getSelectedFilter,
	getSelectedRule,
	isRule,
	isRuleIdle,
} from '../list.ts';
import type {FirewallState} from '../state.ts';
import type {DeletedRule} from '../writes.ts';

const {defineAction} = firewallList;

/** Explains why rules and filters cannot be changed here; undefined if they can. */
export function getFirewallBlockedReason(state: StateWith<'firewall' | 'connection'>): string | undefined {
	const firewall = state.firewall.data;
	if (firewall?.failure?.code === 'gone' && !getReadOnlyReason(state))
		return 'the service has retired firewall rules; ! still works';
	return getRulesBlockedReason(state, firewall);
}

/** Explains why the row under the cursor cannot be changed; undefined if it can. Allows one write per row. */
function getLockedReason(
	state: StateWith<'firewall' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined {
	const id = firewallList.getSelected(state.firewall.data)?.id;
	for (const {subject} of state.work.list)
		if (subject && 'id' in subject && subject.id === id) return `still ${subject.activityLabel}`;
	return getFirewallBlockedReason(state);
}

/** Starts a write to one rule or filter. */
const runWrite = (
	{state}: App,
	subject: RuleSubject,
	write: (state: LedgeState, signal: AbortSignal) => Promise<void>,
): void =>
	void state().work.run(
		`${subject.activityLabel} ${subject.id}`,
		'write',
		signal => write(state(), signal),
		subject,
	);

/** Describes a rule unmistakably: "rule 3 (block): ip.src eq 192.0.2.1". */
function describeRule(state: FirewallState, rule: Rule): string {
	const text = rule.description || getListedExpression(rule) || `its filter ${rule.filter.id} was deleted`;
	return `rule ${getRulePosition(state, rule)} (${rule.action}): ${cutEnd(toDrawable(text), 160)}`;
}

/** Describes a rule for a dialog, with its expression below a description. */
function describeRuleFully(state: FirewallState, rule: Rule): readonly string[] {
	const expression = getListedExpression(rule);
	const isFullyDescribed = !rule.description || !expression;
	return [describeRule(state, rule), ...(isFullyDescribed ? [] : [cutEnd(toDrawable(expression), 400)])];
}

/** Pauses an active rule, or resumes a paused one, after a confirmation. */
function toggleRulePause(app: App, rule: Rule, state: FirewallState): void {
	const paused = !rule.paused;
	const isFilterPaused = !('deleted' in rule.filter) && rule.filter.paused;
	const lines = [
		...describeRuleFully(state, rule),
		isFilterPaused
			? 'Its filter is paused: nothing changes for requests until the filter is resumed too.'
			: paused
				? describeStopEffect(rule)
				: describeStartEffect(rule),
	];
	const newRules = state.rules.map(one => (one.id === rule.id ? {...one, paused} : one));
	confirmPause(app, state, {kind: 'rule', id: rule.id, paused, lines, newRules}, (currentState, signal) =>
		currentState.firewall.pauseRule(rule, paused, signal),
	);
}

function toggleFilterPause(app: App, filter: Filter, state: FirewallState): void {
	const paused = !filter.paused;
	const rulesOnFilter = findFilterUsers(filter.id, state.rules);
	const affectedRules = rulesOnFilter.filter(rule => !rule.paused);
	const lines = [
		cutEnd(toDrawable(filter.expression), 160),
		affectedRules.length === 0
			? `No active rule uses it: nothing changes for requests.`
			: `${paused ? 'These rules will have no effect' : 'These rules will be active again'}:`,
		...affectedRules.map(
			rule =>
				`${describeRule(state, rule)}  ${paused ? describeStopEffect(rule) : describeStartEffect(rule)}`,
		),
	];
	const newRules = state.rules.map(rule =>
		rule.filter.id === filter.id ? {...rule, filter: {...filter, paused}} : rule,
	);
	confirmPause(app, state, {kind: 'filter', id: filter.id, paused, lines, newRules}, (currentState, signal) =>
		currentState.firewall.pauseFilter(filter, rulesOnFilter, paused, signal),
	);
}

type PauseQuestion = {
	readonly kind: 'rule' | 'filter';
	readonly id: string;
	/** True to pause, false to resume. */
	readonly paused: boolean;
	readonly lines: readonly string[];
	/** The rules of the zone after the change. */
	readonly newRules: readonly Rule[];
};

/** Asks for the zone's name if needed, otherwise for a confirmation. */
function confirmPause(
	app: App,
	{zone, rules}: FirewallState,
	{kind, id, paused, lines, newRules}: PauseQuestion,
	write: (state: LedgeState, signal: AbortSignal) => Promise<void>,
): void {
	const confirm = () =>
		runWrite(app, {kind, id, activityLabel: `${paused ? 'pausing' : 'resuming'} ${kind}`}, write);
	const actionLabel = paused ? `pause ${kind}` : `resume ${kind}`;
	const title = paused ? `Pause this ${kind}?` : `Resume this ${kind}?`;
	const zoneNameReasons = findFirewallRuleZoneNameReasons(zone, rules, newRules);
	askBeforeWrite(app.state(), zone, {title, reasons: zoneNameReasons, lines, actionLabel}, confirm);
}

/** Parses an entered priority; null for an empty text, NaN if it is invalid. */
const parsePriority = (value: string): number | null =>
	value.trim() === '' ? null : (parseFigure(value) ?? Number.NaN);

function checkPriority(value: string): string | undefined {
	if (Number.isNaN(parsePriority(value))) return 'Enter a whole number, or nothing for no priority.';
	// Only the priority is checked; action and filter are placeholders.
	const draft = {action: 'block', filter: {id: ''}, priority: parsePriority(value)} as const;
	return checkDraft(draft, {plan: undefined}).find(({about}) => about === 'priority')?.sentence;
}

/** Describes the position that another priority would give a rule, and its neighbours there. */
export function describeNewPosition(
	state: FirewallState,
	rule: Rule,
	priority: number | null,
): readonly string[] {
	const newOrder = sortForEvaluation(state.rules.map(one => (one.id === rule.id ? {...one, priority} : one)));
	const index = newOrder.findIndex(({id}) => id === rule.id);
	const [previous, next] = [newOrder[index - 1], newOrder[index + 1]];
	const intro = index + 1 === getRulePosition(state, rule) ? 'It stays at' : 'It moves to';
	return [
		`${intro} position ${formatInteger(index + 1)} of ${formatInteger(newOrder.length)}${previous || next ? ':' : '.'}`,
		...(previous ? [`after   ${describeRule(state, previous)}`] : []),
		...(next ? [`before  ${describeRule(state, next)}`] : []),
	];
}

function askPriority(app: App, state: FirewallState, rule: Rule): void {
	app.state().dialog.openField({
		title: `Priority of rule ${getRulePosition(state, rule)}`,
		lines: [
			...describeRuleFully(state, rule),
			'Lower numbers run first. Leave empty for no priority, to run after all rules that have one. The new position is shown before anything is sent.',
		],
		value: rule.priority === null ? '' : String(rule.priority),
		actionLabel: 'preview position',
		check: checkPriority,
		submit: value => confirmPriority(app, state, rule, parsePriority(value)),
	});
}

function confirmPriority(app: App, state: FirewallState, rule: Rule, priority: number | null): void {
	if (priority === rule.priority) {
		app.state().messages.say('It already has this priority.');
		return;
	}
	const newRules = state.rules.map(one => (one.id === rule.id ? {...one, priority} : one));
	const question = {
		title: priority === null ? 'Remove its priority?' : `Set its priority to ${priority}?`,
		reasons: findFirewallRuleZoneNameReasons(state.zone, state.rules, newRules),
		lines: [
			...describeRuleFully(state, rule),
			...describeNewPosition(state, rule, priority),
			'This takes effect immediately.',
		],
		actionLabel: priority === null ? 'remove priority' : 'set priority',
	};
	askBeforeWrite(app.state(), state.zone, question, () =>
		runWrite(
			app,
			{kind: 'rule', id: rule.id, activityLabel: 'setting the priority of rule'},
			(currentState, signal) => currentState.firewall.setPriority(rule, priority, signal),
		),
	);
}

function deleteRule(app: App, rule: Rule, state: FirewallState): void {
	const {filter} = rule;
	const otherRules = findFilterUsers(filter.id, state.rules).filter(({id}) => id !== rule.id);
	const isShared = otherRules.length > 0;
	const isFilterDeleted = 'deleted' in filter;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Delete this rule?',
		lines: [
			...describeRuleFully(state, rule),
			...(isRuleIdle(rule)
				? ['It currently has no effect: it or its filter is paused.']
				: [describeStopEffect(rule)]),
			isFilterDeleted
				? 'Its filter was already deleted.'
				: isShared
					? `Its filter stays: it is also used by ${formatRulePositions(state, otherRules)}.`
					: 'The rule is deleted first. Its filter can follow, but only if nothing else uses it by then.',
			...(isFilterDeleted
				? ['This cannot be undone.']
				: ['u creates it again, with a new id, until ledge quits.']),
		],
		choices: [
			{value: 'nothing', label: 'Keep it'},
			...(isFilterDeleted || isShared
				? [{value: 'keep', label: 'Delete the rule'}]
				: [
						{value: 'delete', label: 'Delete the rule and its filter'},
						{value: 'keep', label: 'Delete the rule, keep its filter'},
					]),
		],
		choose(value) {
			if (value !== 'keep' && value !== 'delete') return;
			runWrite(app, {kind: 'rule', id: rule.id, activityLabel: 'deleting rule'}, (currentState, signal) =>
				currentState.firewall.deleteRule(rule, value, signal),
			);
		},
	});
}

/** Returns the rule deleted last, if its zone is open. */
function findDeletedRule({
	firewall: {data: firewall, deletedRule},
}: StateWith<'firewall', 'data' | 'deletedRule'>): DeletedRule | undefined {
	return deletedRule?.zoneId === firewall?.zone.id ? deletedRule : undefined;
}

/** Creates the rule deleted last again, after the question that creating a rule like it needs. */
function recreateRule(app: App, {rule, isFilterGone}: DeletedRule): void {
	const {data: firewall} = app.state().firewall;
	if (!firewall) return;
	const question = {
		title: 'Create the deleted rule again?',
		// To requests it is as if the rule had been paused.
		reasons: findFirewallRuleZoneNameReasons(
			firewall.zone,
			[...firewall.rules, {...rule, paused: true}],
			[...firewall.rules, rule],
		),
		lines: [
			`${rule.action}: ${cutEnd(toDrawable(rule.description || getListedExpression(rule) || rule.id), 160)}`,
			isRuleIdle(rule) ? 'It has no effect: it or its filter is paused.' : describeStartEffect(rule),
			isFilterGone
				? 'The rule and its filter get new ids. It has the same priority as before.'
				: 'The rule gets a new id, on the filter that was kept. It has the same priority as before.',
		],
		actionLabel: 'create rule',
	};
	askBeforeWrite(app.state(), firewall.zone, question, () =>
		runWrite(app, {kind: 'rule', id: rule.id, activityLabel: 'creating again rule'}, (currentState, signal) =>
			currentState.firewall.recreateDeletedRule(signal),
		),
	);
}

function deleteFilter(app: App, filter: Filter): void {
	app.state().dialog.open({
		kind: 'confirm',
		title: 'Delete this filter?',
		lines: [
			cutEnd(toDrawable(filter.expression), 160),
			`Filter ${filter.id}. No firewall rule uses it; if something else does, the service rejects the request.`,
			'This cannot be undone.',
		],
		actionLabel: 'delete filter',
		confirm: () =>
			runWrite(
				app,
				{kind: 'filter', id: filter.id, activityLabel: 'deleting filter'},
				(currentState, signal) => currentState.firewall.deleteFilter(filter, signal),
			),
	});
}

/** The changes offered in the lists. Each one first shows its effect on requests. */
export const firewallChanges: readonly Action[] = [
	defineAction('firewall.pause', ['p'], 'pause or resume the rule or filter', {
		effect: 'writes',
		hint: 'pause',
		searchTerms: [
			'unblock',
			'panic off',
			'turn off panic mode',
			'turn off emergency block',
			'disable',
			'enable',
			'turn off',
			'turn on',
			'resume',
		],
		...firewallList.withCurrentRow((app, row, firewall) => {
			if (isRule(row)) toggleRulePause(app, row, firewall);
			else toggleFilterPause(app, row, firewall);
		}, getLockedReason),
	}),
	defineAction(
		'firewall.delete',
		['d'],
		'delete the rule (and its filter if nothing else uses it), or the filter',
		{
			effect: 'writes',
			hint: 'delete',
			searchTerms: ['remove'],
			isDestructive: true,
			...firewallList.withCurrentRow(
				(app, row, firewall) => {
					if (isRule(row)) deleteRule(app, row, firewall);
					else deleteFilter(app, row);
				},
				state => {
					const lockedReason = getLockedReason(state);
					const filter = getSelectedFilter(state);
					if (lockedReason !== undefined || !filter || !state.firewall.data) return lockedReason;
					const rulesOnFilter = findFilterUsers(filter.id, state.firewall.data.rules);
					return rulesOnFilter.length === 0
						? undefined
						: `in use by ${formatRulePositions(state.firewall.data, rulesOnFilter)}; delete ${rulesOnFilter.length === 1 ? 'it' : 'them'} first`;
				},
			),
		},
	),
	defineAction('firewall.undo', ['u'], 'undo the last deletion of a rule', {
		effect: 'writes',
		searchTerms: ['restore rule', 'undelete rule'],
		...withSelection(
			findDeletedRule,
			'no rule of this zone was deleted in this session',
			recreateRule,
			getFirewallBlockedReason,
		),
	}),
	defineAction('firewall.priority', ['O'], "set the rule's priority (changes the order)", {
		effect: 'writes',
		hint: 'order',
		searchTerms: ['priority', 'reorder', 'move'],
		...withSelection(
			getSelectedRule,
			'only rules have a priority',
			(app, rule) => {
				const firewall = app.state().firewall.data;
				if (firewall) askPriority(app, firewall, rule);
			},
			getLockedReason,
		),
	}),
];
