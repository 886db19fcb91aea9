import type {Filter} from '../../../firewall/rules/filter.ts';
import {findFirewallRuleZoneNameReasons} from '../../../firewall/rules/name-reasons.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../../firewall/rules/users.ts';
import {nameKey} from '../../../keyboard/named-keys.ts';
import type {LedgeState, StateWith} from '../../../store/ledge-store.ts';
import {toDrawable} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../../text/figures.ts';
import {describeHiddenMarks} from '../../list/screen.ts';
import {withSelection} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {askBeforeWrite} from '../../shell/confirmation.ts';
import {describeEndedRules, describeStartEffect, describeStopEffect} from '../effects.ts';
import {
	canRuleMatch,
	firewallList,
	formatRulePositions,
	getSelectedFilter,
	hasRuleEnded,
	listMarkedFirewallRules,
	listTargetRules,
	listVisibleRules,
} from '../list.ts';
import type {FirewallState} from '../state.ts';
import {askPriority} from './priority.ts';
import {describeRule, describeRules, formatRulePosition} from './rule-words.ts';
import {
	getLockedReason,
	getTargetLockedReason,
	markActions,
	putFirstIfMarked,
	runWrites,
	type WriteStart,
	withTargetRules,
} from './targets.ts';
import {undoAction} from './undo.ts';

const {defineAction} = firewallList;

/** Pauses active rules, or resumes paused ones, after a confirmation; asks which if there are both. */
function toggleRulePauses(app: App, rules: readonly Rule[], state: FirewallState): void {
	const [activeRules, pausedRules] = [
		rules.filter(({paused}) => !paused),
		rules.filter(({paused}) => paused),
	];
	if (activeRules.length === 0 || pausedRules.length === 0) {
		confirmRulePauses(app, rules, [], activeRules.length > 0, state);
		return;
	}
	app.state().dialog.open({
		kind: 'choice',
		title: `Pause or resume the ${formatQuantity(rules.length, 'selected rule')}?`,
		lines: describeRules(state, rules),
		choices: [
			{value: 'pause', label: `Pause the ${formatQuantity(activeRules.length, 'active rule')}`},
			{value: 'resume', label: `Resume the ${formatQuantity(pausedRules.length, 'paused rule')}`},
		],
		choose(value) {
			if (value === 'pause') confirmRulePauses(app, activeRules, pausedRules, true, state);
			else confirmRulePauses(app, pausedRules, activeRules, false, state);
		},
	});
}

/** Pauses or resumes rules after a confirmation. `skippedRules`: the others that the action was for. */
function confirmRulePauses(
	app: App,
	rules: readonly Rule[],
	skippedRules: readonly Rule[],
	paused: boolean,
	state: FirewallState,
): void {
	const ids = rules.map(({id}) => id);
	const affectedRules = rules.filter(rule => canRuleMatch({...rule, paused: false}));
	const lines = [
		...describeRules(state, rules),
		...new Set(affectedRules.map(paused ? describeStopEffect : describeStartEffect)),
		...(affectedRules.length === rules.length
			? []
			: rules.length === 1
				? [describeIdleFilter(rules, paused)]
				: [
						`${formatInteger(rules.length - affectedRules.length)} of them ${rules.length - affectedRules.length === 1 ? 'has' : 'have'} no effect in any case: it has ended, or its filter is paused or was deleted.`,
					]),
	];
	const newRules = state.rules.map(one => (ids.includes(one.id) ? {...one, paused} : one));
	const skippedIds = skippedRules.map(({id}) => id);
	confirmPause(
		app,
		state,
		{kind: 'rule', ids, skippedIds, paused, lines, newRules},
		(firewall, signal, progress) => firewall.pauseRules(rules, paused, signal, progress),
	);
}

/** Describes a rule that has ended, or whose filter matches nothing. */
function describeIdleFilter([rule]: readonly Rule[], paused: boolean): string {
	if (rule && hasRuleEnded(rule)) return describeEndedRules(1);
	if (rule && 'deleted' in rule.filter) return 'Its filter was deleted, so it has no effect in any case.';
	return paused
		? 'Its filter is paused, so it already has no effect.'
		: 'Its filter is paused: the rule has no effect until the filter is resumed.';
}

function toggleFilterPause(app: App, filter: Filter, state: FirewallState): void {
	const paused = !filter.paused;
	const rulesOnFilter = findFilterUsers(filter.id, state.rules);
	const affectedRules = rulesOnFilter.filter(rule => !rule.paused && !hasRuleEnded(rule));
	const lines = [
		cutEnd(toDrawable(filter.expression), 160),
		affectedRules.length === 0
			? `No active rule uses it: nothing changes for requests.`
			: `${paused ? 'These rules will have no effect' : 'These rules will be active again'}:`,
		...affectedRules.map(rule => describeRule(state, rule)),
		...new Set(affectedRules.map(paused ? describeStopEffect : describeStartEffect)),
	];
	const newRules = state.rules.map(rule =>
		rule.filter.id === filter.id ? {...rule, filter: {...filter, paused}} : rule,
	);
	const question = {kind: 'filter', ids: [filter.id], paused, lines, newRules} as const;
	confirmPause(app, state, question, (firewall, signal) =>
		firewall.pauseFilter(filter, rulesOnFilter, paused, signal),
	);
}

type PauseQuestion = {
	readonly kind: 'rule' | 'filter';
	readonly ids: readonly string[];
	readonly skippedIds?: readonly string[];
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
	{kind, ids, skippedIds = [], paused, lines, newRules}: PauseQuestion,
	write: WriteStart,
): void {
	const confirm = () => runWrites(app, {kind, ids, skippedIds}, paused ? 'pausing' : 'resuming', write);
	const verb = paused ? 'pause' : 'resume';
	const countText = formatQuantity(ids.length, kind);
	const rule = kind === 'rule' ? rules.find(({id}) => id === ids[0]) : undefined;
	const oneName = rule ? formatRulePosition({rules}, rule) : `this ${kind}`;
	const question = {
		title: `${paused ? 'Pause' : 'Resume'} ${ids.length === 1 ? oneName : countText}?`,
		reasons: findFirewallRuleZoneNameReasons(zone, rules, newRules),
		lines,
		actionLabel: `${verb} ${ids.length === 1 ? kind : countText}`,
	};
	askBeforeWrite(app.state(), zone, question, confirm);
}

/** Deletes rules after a confirmation, with the filters that no other rule uses. */
function deleteRules(app: App, rules: readonly Rule[], state: FirewallState): void {
	const [firstRule] = rules;
	const isOne = rules.length === 1;
	const ids = rules.map(({id}) => id);
	const rulesText =
		firstRule && isOne ? formatRulePosition(state, firstRule) : formatQuantity(rules.length, 'rule');
	const newRules = state.rules.filter(({id}) => !ids.includes(id));
	const filterIds = new Set(rules.flatMap(({filter}) => ('deleted' in filter ? [] : [filter.id])));
	const freeFilterIds = [...filterIds].filter(id => findFilterUsers(id, newRules).length === 0);
	const filtersText = isOne ? 'its filter' : formatQuantity(freeFilterIds.length, 'filter');
	const deletedText = freeFilterIds.length > 0 ? `${rulesText} and ${filtersText}` : rulesText;
	const lostCount = rules.filter(({filter}) => 'deleted' in filter).length;
	const question = {
		title: `Delete ${deletedText}?`,
		reasons: [
			...findFirewallRuleZoneNameReasons(state.zone, state.rules, newRules),
			...(lostCount === 0
				? []
				: [isOne ? 'This cannot be undone.' : `${formatInteger(lostCount)} of them cannot be recreated.`]),
		],
		lines: [
			...describeRules(state, rules),
			...describeHiddenMarks(rules, listMarkedFirewallRules(state), listVisibleRules(state)),
			...describeDeletionEffects(rules),
			...describeFilterFate(rules, newRules, state),
			...(lostCount === 0
				? [
						`Until you quit ledge, ${nameKey('firewall.undo', 'u')} recreates ${isOne ? 'it with a new id' : 'them with new ids'}.`,
					]
				: []),
		],
		actionLabel: `delete ${deletedText}`,
	};
	askBeforeWrite(app.state(), state.zone, question, () =>
		runWrites(app, {kind: 'rule', ids}, 'deleting', (firewall, signal, progress) =>
			firewall.deleteRules(rules, state.rules, signal, progress),
		),
	);
}

/** Lists the rules that have ended, if the rules have the cursor. */
const listEndedRules = ({firewall: {data}}: StateWith<'firewall'>): readonly Rule[] =>
	data?.rules.filter(hasRuleEnded) ?? [];

/** Describes what changes for requests. */
function describeDeletionEffects(rules: readonly Rule[]): readonly string[] {
	const endedRules = rules.filter(hasRuleEnded);
	const activeRules = rules.filter(canRuleMatch);
	const idleCount = rules.length - activeRules.length;
	if (endedRules.length === rules.length) return [describeEndedRules(rules.length)];
	const effects = [...new Set(activeRules.map(describeStopEffect))];
	if (idleCount === 0) return effects;
	const hasLostFilter = rules.some(({filter}) => 'deleted' in filter);
	if (rules.length === 1)
		return [
			`It currently has no effect: ${hasLostFilter ? 'its filter was deleted' : 'it or its filter is paused'}.`,
		];
	return [
		...effects,
		`${formatInteger(idleCount)} of them currently ${idleCount === 1 ? 'has' : 'have'} no effect: the rule or its filter is paused${endedRules.length > 0 ? ', or the rule has ended' : ''}${hasLostFilter ? ', or its filter was deleted' : ''}.`,
	];
}

/** Describes what happens to the filters of deleted rules. `newRules`: the rules that stay. */
function describeFilterFate(
	rules: readonly Rule[],
	newRules: readonly Rule[],
	state: FirewallState,
): readonly string[] {
	const [first] = rules;
	if (first && rules.length === 1) {
		if ('deleted' in first.filter) return ['Its filter was already deleted.'];
		const otherRules = findFilterUsers(first.filter.id, newRules);
		if (otherRules.length > 0)
			return [`Its filter stays: it is also used by ${formatRulePositions(state, otherRules)}.`];
		return ['The rule is deleted first, then its filter if nothing else uses it by then.'];
	}
	const usersByFilter = rules.flatMap(({filter}) =>
		'deleted' in filter ? [] : [findFilterUsers(filter.id, newRules).length],
	);
	return [
		...(usersByFilter.includes(0)
			? ['The rules are deleted first, then their filters if nothing else uses them by then.']
			: []),
		...(usersByFilter.some(count => count > 0) ? ['Filters that other rules use stay.'] : []),
	];
}

function deleteFilter(app: App, filter: Filter): void {
	app.state().dialog.open({
		kind: 'confirm',
		title: 'Delete this filter?',
		lines: [
			cutEnd(toDrawable(filter.expression), 160),
			`Filter ${filter.id}. No firewall rule uses it; if something else does, the service rejects the request.`,
			`Until you quit ledge, ${nameKey('firewall.undo', 'u')} recreates it with a new id.`,
		],
		actionLabel: 'delete filter',
		confirm: () =>
			runWrites(app, {kind: 'filter', ids: [filter.id]}, 'deleting', (firewall, signal) =>
				firewall.deleteFilter(filter, signal),
			),
	});
}

/** Runs an action on the marked rules or the rule under the cursor, or on the filter under the cursor. */
const withRulesOrFilter = (
	changeRules: (app: App, rules: readonly Rule[], state: FirewallState) => void,
	changeFilter: (app: App, filter: Filter, state: FirewallState) => void,
	getRefusal: (state: LedgeState) => string | undefined = getTargetLockedReason,
) =>
	firewallList.withCurrentRow((app, _row, firewall) => {
		const filter = getSelectedFilter(app.state());
		if (filter) changeFilter(app, filter, firewall);
		else changeRules(app, listTargetRules(firewall), firewall);
	}, getRefusal);

/** True if the next press of `p` resumes: all marked rules, or the row under the cursor, are paused. */
function areTargetsPaused(state: StateWith<'firewall'>): boolean {
	const firewall = state.firewall.data;
	const filter = getSelectedFilter(state);
	const targets = filter ? [filter] : firewall ? listTargetRules(firewall) : [];
	return targets.length > 0 && targets.every(({paused}) => paused);
}

/** The changes offered in the lists. Each one first shows its effect on requests. */
export const firewallChanges: readonly Action[] = [
	defineAction('firewall.pause', ['p'], 'pause the selected rules, the rule or the filter', {
		effect: 'writes',
		hint: 'pause',
		getHintPlace: putFirstIfMarked,
		searchTerms: [
			'unblock',
			'panic off',
			'turn off panic mode',
			'turn off emergency block',
			'disable',
			'turn off',
		],
		isActive: state => !areTargetsPaused(state),
		...withRulesOrFilter(toggleRulePauses, toggleFilterPause),
	}),
	defineAction('firewall.resume', ['p'], 'resume the selected rules, the rule or the filter', {
		effect: 'writes',
		hint: 'resume',
		getHintPlace: putFirstIfMarked,
		searchTerms: ['enable', 'turn on', 'unpause'],
		isActive: areTargetsPaused,
		...withRulesOrFilter(toggleRulePauses, toggleFilterPause),
	}),
	defineAction(
		'firewall.delete',
		['d'],
		'delete the selected rules or the rule (and filters that nothing else uses), or the filter',
		{
			effect: 'writes',
			hint: 'delete',
			getHintPlace: putFirstIfMarked,
			searchTerms: ['remove'],
			isDestructive: true,
			...withRulesOrFilter(deleteRules, deleteFilter, state => {
				const lockedReason = getTargetLockedReason(state);
				const filter = getSelectedFilter(state);
				if (lockedReason !== undefined || !filter || !state.firewall.data) return lockedReason;
				const rulesOnFilter = findFilterUsers(filter.id, state.firewall.data.rules);
				return rulesOnFilter.length === 0
					? undefined
					: `in use by ${formatRulePositions(state.firewall.data, rulesOnFilter)}; delete ${rulesOnFilter.length === 1 ? 'it' : 'them'} first`;
			}),
		},
	),
	defineAction('firewall.delete-ended', ['Z'], 'delete the rules that have ended', {
		effect: 'writes',
		hint: 'delete ended rules',
		paletteMode: 'at once',
		searchTerms: ['ended rules', 'expired', 'remove ended', 'clean up'],
		isDestructive: true,
		...withSelection(
			state => {
				const endedRules = listEndedRules(state);
				return endedRules.length > 0 ? endedRules : undefined;
			},
			'none has ended',
			(app, endedRules) => {
				const firewall = app.state().firewall.data;
				if (firewall) deleteRules(app, endedRules, firewall);
			},
			state =>
				getLockedReason(
					state,
					listEndedRules(state).map(({id}) => id),
				),
		),
	}),
	undoAction,
	defineAction(
		'firewall.priority',
		['O'],
		'set the priority of the selected rules or the rule (changes the order)',
		{
			effect: 'writes',
			hint: 'order',
			getHintPlace: putFirstIfMarked,
			searchTerms: ['priority', 'reorder', 'move'],
			...withTargetRules(askPriority, 'only rules have a priority'),
		},
	),
	...markActions,
];
