import type {Filter} from '../../../firewall/rules/filter.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../../firewall/rules/users.ts';
import type {LedgeState, StateWith} from '../../../store/ledge-store.ts';
import {createBlockNowAction} from '../../emergency/actions.ts';
import {createDetailActions, createListActions} from '../../list/screen.ts';
import {createActionFactory, withSelection} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {openRuleForm} from '../../stepped-form/rule-actions.ts';
import {firewallRuleKind} from '../../wizard/kind.ts';
import {firewallList, getFilterId, getListedExpression, getSelectedRule, isRule} from '../list.ts';
import {firewallChanges} from './changes.ts';
import {getFirewallBlockedReason} from './targets.ts';

const {defineAction} = firewallList;

/** True if `n` creates a filter: the cursor is in the list of filters, and it is not empty. */
const createsFilter = ({firewall: {data: firewall}}: StateWith<'firewall'>): boolean =>
	firewall?.side === 'filters' && firewall.filters.length > 0;

/** Finds the filter under the cursor, or that of the rule under the cursor. */
function findTargetFilter({firewall: {data: firewall}}: StateWith<'firewall'>): Filter | undefined {
	const id = getFilterId(firewallList.getSelected(firewall));
	return firewall?.filters.find(filter => filter.id === id);
}

const filterDeletedReason = 'its filter was deleted';
const getRowBlockedReason = (state: LedgeState): string | undefined =>
	getFirewallBlockedReason(state) ??
	(firewallList.getCurrentRow(state) ? undefined : firewallList.noRowReason);

/** Opens the form of a filter; `rule` is the rule whose expression is edited, if one was chosen. */
function editFilter(app: App, filter: Filter, rule?: Rule): void {
	const rulesOnFilter = findFilterUsers(filter.id, app.state().firewall.data?.rules ?? []);
	openRuleForm(app, firewallRuleKind, {kind: 'change filter', filter, rulesOnFilter, ruleId: rule?.id});
}

/** Finds the rule and filter of a form that changes a rule, at the step that shows the filter. */
function findFormFilter({
	wizard: {data: wizard},
	firewall: {data: firewall},
}: StateWith<'wizard' | 'firewall'>) {
	if (wizard?.purpose.kind !== 'change rule' || firewall?.zone.id !== wizard.zone.id) return undefined;
	const {rule} = wizard.purpose;
	const filter = firewall.filters.find(({id}) => id === rule.filter.id);
	return filter && {rule, filter};
}

/** Goes from the form of a rule to that of its filter; what was typed is kept as a draft. */
export const editFilterOfForm: Action = createActionFactory('Rule wizard', ['wizard menu'])(
	'wizard.edit-filter',
	['E'],
	'edit the filter of the rule: its expression and end time (expires)',
	{
		effect: 'prepares a write',
		hint: 'edit filter',
		isActive: ({wizard: {data: wizard}}) =>
			wizard?.purpose.kind === 'change rule' &&
			wizard.phase.name === 'asking' &&
			wizard.step === 'expression',
		...withSelection(findFormFilter, filterDeletedReason, (app, {filter, rule}) =>
			editFilter(app, filter, rule),
		),
	},
);

const writeActions: readonly Action[] = [
	defineAction('firewall.new-rule', ['a'], 'create a rule with its own filter', {
		effect: 'prepares a write',
		paletteMode: 'at once',
		hint: 'new',
		searchTerms: [
			'block country',
			'allow ip',
			'allow office ip',
			'new rule',
			'add rule',
			'create rule',
			'new firewall rule',
			'create firewall rule',
			'add firewall rule',
			'new waf rule',
		],
		isActive: state => !createsFilter(state),
		getUnavailableReason: getFirewallBlockedReason,
		run: app => openRuleForm(app, firewallRuleKind, {kind: 'new rule'}),
	}),
	defineAction('firewall.new-filter', ['a'], 'create a filter without a rule', {
		effect: 'prepares a write',
		hint: 'new filter',
		searchTerms: ['new filter', 'add filter', 'create filter'],
		isActive: createsFilter,
		getUnavailableReason: getFirewallBlockedReason,
		run: app => openRuleForm(app, firewallRuleKind, {kind: 'new filter'}),
	}),
	createBlockNowAction(firewallList, 'firewall'),
	defineAction('firewall.edit', ['e'], 'edit the rule or filter under the cursor', {
		effect: 'prepares a write',
		hint: 'edit',
		searchTerms: ['edit', 'modify'],
		...firewallList.withCurrentRow((app, row) => {
			if (isRule(row)) openRuleForm(app, firewallRuleKind, {kind: 'change rule', rule: row});
			else editFilter(app, row);
		}, getFirewallBlockedReason),
	}),
	defineAction(
		'firewall.edit-expression',
		['E'],
		'edit the expression: the filter, for all rules that use it',
		{
			effect: 'prepares a write',
			hint: 'expression',
			searchTerms: ['edit expression'],
			...withSelection(
				findTargetFilter,
				filterDeletedReason,
				(app, filter) => editFilter(app, filter, getSelectedRule(app.state())),
				getRowBlockedReason,
			),
		},
	),
	...firewallChanges,
	defineAction('firewall.rule-on-filter', ['+'], 'create a rule that uses this filter', {
		effect: 'prepares a write',
		hint: 'use filter',
		...withSelection(
			findTargetFilter,
			filterDeletedReason,
			(app, filter) => openRuleForm(app, firewallRuleKind, {kind: 'new rule', filter}),
			getRowBlockedReason,
		),
	}),
];

/** The actions of the filters and rules of a zone. */
export const firewallActions: readonly Action[] = [
	...createDetailActions(firewallList, ['view rule', 'show rule']),
	defineAction('firewall.to-filters', ['tab'], 'go to the filters', {
		paletteMode: 'never',
		hint: 'filters',
		isActive: ({firewall: {data: firewall}}) => firewall?.side !== 'filters',
		run: app => app.state().firewall.switchSide(),
	}),
	defineAction('firewall.to-rules', ['shift-tab'], 'go to the rules', {
		paletteMode: 'never',
		isActive: ({firewall: {data: firewall}}) => firewall?.side === 'filters',
		run: app => app.state().firewall.switchSide(),
	}),
	...writeActions,
	defineAction('firewall.related', ['f'], 'go from a rule to its filter, or from a filter to its rules', {
		searchTerms: ['filter of the rule', 'rules of the filter', 'go to filter'],
		hint: 'filter/rules',
		...firewallList.withCurrentRow(
			({state}) => state().firewall.goToRelated(),
			state => {
				const row = firewallList.getCurrentRow(state);
				if (!row) return undefined;
				if (isRule(row)) return findTargetFilter(state) ? undefined : filterDeletedReason;
				return findFilterUsers(row.id, state.firewall.data?.rules ?? []).length > 0
					? undefined
					: 'no rule uses it';
			},
		),
	}),
	...createListActions(firewallList, 'search the rules and filters by text', [
		{
			shortcut: 'y',
			noun: 'the expression',
			searchTerms: ['copy expression'],
			hint: 'copy',
			missingReason: filterDeletedReason,
			getText: row => (isRule(row) ? getListedExpression(row) : row.expression),
		},
		{shortcut: 'Y', noun: 'the rule or filter id', searchTerms: ['rule id'], getText: ({id}) => id},
	]),
];
