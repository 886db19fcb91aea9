import type {Filter} from '../../../firewall/rules/filter.ts';
import {usersOf} from '../../../firewall/rules/users.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {openEmergency} from '../../emergency/actions.ts';
import {actionsOf, copying, filtering, readOnly, withFound} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {openRuleForm} from '../../stepped-form/rule-actions.ts';
import {firewallRules} from '../../wizard/kind.ts';
import {expressionOf, filterIdOf, idOf, selectedFilter, selectedIn, selectedRule} from '../listed.ts';
import {firewallChanges, notChangeable} from './changes.ts';

const action = actionsOf('Firewall', ['firewall']);

const nothing = 'there is nothing here';
const selectedHere = ({firewall: {data: firewall}}: Has<'firewall'>) => selectedIn(firewall);
const needsSelected = (state: Has<'firewall'>): string | undefined =>
	selectedHere(state) ? undefined : nothing;

const needsLists = ({firewall: {data: firewall}}: Has<'firewall'>): string | undefined =>
	firewall && firewall.rules.length + firewall.filters.length > 0
		? undefined
		: 'there are no rules and filters here';

/** Whether what is made new is a filter by itself. Where there is no filter yet, a rule comes first. */
const isOnFilters = ({firewall: {data: firewall}}: Has<'firewall'>): boolean =>
	firewall?.side === 'filters' && firewall.filters.length > 0;

/** The filter that the cursor is on, or that of the rule it is on. */
function filterHere({firewall: {data: firewall}}: Has<'firewall'>): Filter | undefined {
	const id = filterIdOf(selectedIn(firewall));
	return firewall?.filters.find(filter => filter.id === id);
}

const deleted = 'its filter was deleted';
const notWritable = (state: Has<'firewall' | 'connection'>): string | undefined =>
	notChangeable(state) ?? needsSelected(state);

/** What the cursor is on, as far as text is concerned. */
const expressionHere = (state: Has<'firewall'>): string | undefined => {
	const rule = selectedRule(state);
	return rule ? expressionOf(rule) : selectedFilter(state)?.expression;
};

function editFilter(app: App, filter: Filter): void {
	const users = usersOf(filter.id, app.state().firewall.data?.rules ?? []);
	openRuleForm(app, firewallRules, {kind: 'change filter', filter, users});
}

const looking: readonly Action[] = [
	action('firewall.detail', ['enter', 'l', 'right'], 'show all of the rule or filter', {
		elsewhere: 'never',
		opens: true,
		words: ['view rule', 'show rule'],
		hint: 'open',
		isHere: ({firewall: {data: firewall}}) => firewall?.detail === undefined,
		unavailable: needsSelected,
		run: app => app.state().firewall.showDetail(0),
	}),
	action('firewall.lists', ['esc', 'enter', 'left', 'h'], 'back to the lists', {
		elsewhere: 'never',
		hint: 'the lists',
		isHere: ({firewall: {data: firewall}}) => firewall?.detail !== undefined,
		run: app => app.state().firewall.showDetail(undefined),
	}),
	action('firewall.all', ['esc'], 'all rules and filters again', {
		elsewhere: 'never',
		isHere: ({firewall: {data: firewall}}) => firewall !== undefined && firewall.sought !== '',
		run(app) {
			app.state().work.cancelReads();
			app.state().firewall.filter('');
		},
	}),
	action('firewall.to-filters', ['tab'], 'to the filters', {
		elsewhere: 'never',
		hint: 'filters',
		isHere: ({firewall: {data: firewall}}) => firewall?.side !== 'filters',
		run: app => app.state().firewall.changeSide(),
	}),
	action('firewall.to-rules', ['shift-tab'], 'to the rules', {
		elsewhere: 'never',
		isHere: ({firewall: {data: firewall}}) => firewall?.side === 'filters',
		run: app => app.state().firewall.changeSide(),
	}),
];

const writing: readonly Action[] = [
	action('firewall.new-rule', ['n'], 'make a rule, with a filter of its own', {
		elsewhere: 'at once',
		hint: 'new',
		words: [
			'new rule',
			'add rule',
			'create rule',
			'new firewall rule',
			'create firewall rule',
			'add firewall rule',
			'new waf rule',
		],
		isHere: state => !isOnFilters(state),
		unavailable: notChangeable,
		run: app => openRuleForm(app, firewallRules, {kind: 'new rule'}),
	}),
	action('firewall.new-filter', ['n'], 'make a filter that no rule uses yet', {
		hint: 'new filter',
		words: ['new filter', 'add filter', 'create filter'],
		isHere: isOnFilters,
		unavailable: notChangeable,
		run: app => openRuleForm(app, firewallRules, {kind: 'new filter'}),
	}),
	action('firewall.emergency', ['!'], 'emergency: block an address or a path now', {
		elsewhere: 'at once',
		hint: 'emergency',
		words: ['block ip', 'ban', 'deny', 'emergency block', 'block address', 'under attack', 'ddos'],
		unavailable: state => readOnly(state) ?? (state.firewall.data ? undefined : 'no zone is open'),
		run: app => openEmergency(app),
	}),
	action('firewall.edit', ['e'], 'change the rule or filter under the cursor', {
		hint: 'edit',
		words: ['edit', 'modify'],
		...withFound(
			selectedHere,
			nothing,
			(app, selected) => {
				if (selected.kind === 'filter') editFilter(app, selected.filter);
				else openRuleForm(app, firewallRules, {kind: 'change rule', rule: selected.rule});
			},
			notChangeable,
		),
	}),
	action(
		'firewall.edit-expression',
		['E'],
		'change the expression: the filter of the rule, for all its rules',
		{
			words: ['edit expression'],
			...withFound(filterHere, deleted, editFilter, notWritable),
		},
	),
	...firewallChanges,
	action('firewall.rule-on-filter', ['u'], 'make a rule that uses the same filter', {
		hint: 'use it',
		...withFound(
			filterHere,
			deleted,
			(app, filter) => openRuleForm(app, firewallRules, {kind: 'new rule', filter}),
			notWritable,
		),
	}),
];

/** What can be done with the filters and rules of a zone. */
export const firewallActions: readonly Action[] = [
	...looking,
	...writing,
	action('firewall.related', ['f'], 'from the rule to its filter, from the filter to its rules', {
		words: ['filter of the rule', 'rules of the filter', 'go to filter'],
		hint: 'its filter/rules',
		unavailable(state) {
			const filter = selectedFilter(state);
			if (!filter) return needsSelected(state) ?? (filterHere(state) ? undefined : deleted);
			return usersOf(filter.id, state.firewall.data?.rules ?? []).length > 0 ? undefined : 'no rule uses it';
		},
		run: app => app.state().firewall.toRelated(),
	}),
	action('firewall.filter', ['/'], 'show only the rules and filters that contain a text', {
		...filtering,
		unavailable: needsLists,
	}),
	action('firewall.copy', ['y'], 'copy the expression', {
		words: ['copy expression'],
		hint: 'copy',
		...copying(expressionHere, deleted, needsSelected),
	}),
	action('firewall.copy-id', ['Y'], 'copy the id of the rule or filter', {
		words: ['rule id'],
		...copying(({firewall: {data: firewall}}) => idOf(selectedIn(firewall)), nothing),
	}),
];
