import type {Filter} from '../../../firewall/rules/filter.ts';
import {usersOf} from '../../../firewall/rules/users.ts';
import type {Has, LedgeState} from '../../../store/ledge-store.ts';
import {openEmergency} from '../../emergency/actions.ts';
import {detailActions, listActions} from '../../list/screen.ts';
import {readOnly, withFound} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {openRuleForm} from '../../stepped-form/rule-actions.ts';
import {firewallRules} from '../../wizard/kind.ts';
import {expressionOf, filterIdOf, firewallList, isRule} from '../listed.ts';
import {firewallChanges, notChangeable} from './changes.ts';

const {action} = firewallList;

/** True if `n` creates a filter. If there are no filters yet, it creates a rule. */
const isOnFilters = ({firewall: {data: firewall}}: Has<'firewall'>): boolean =>
	firewall?.side === 'filters' && firewall.filters.length > 0;

/** Finds the filter under the cursor, or that of the rule under the cursor. */
function filterHere({firewall: {data: firewall}}: Has<'firewall'>): Filter | undefined {
	const id = filterIdOf(firewallList.selected(firewall));
	return firewall?.filters.find(filter => filter.id === id);
}

const deleted = 'its filter was deleted';
const notWritable = (state: LedgeState): string | undefined =>
	notChangeable(state) ?? (firewallList.here(state) ? undefined : firewallList.none);

function editFilter(app: App, filter: Filter): void {
	const users = usersOf(filter.id, app.state().firewall.data?.rules ?? []);
	openRuleForm(app, firewallRules, {kind: 'change filter', filter, users});
}

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
		...firewallList.onRow((app, row) => {
			if (isRule(row)) openRuleForm(app, firewallRules, {kind: 'change rule', rule: row});
			else editFilter(app, row);
		}, notChangeable),
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

/** The actions of the filters and rules of a zone. */
export const firewallActions: readonly Action[] = [
	...detailActions(firewallList, ['view rule', 'show rule']),
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
	...writing,
	action('firewall.related', ['f'], 'from the rule to its filter, from the filter to its rules', {
		words: ['filter of the rule', 'rules of the filter', 'go to filter'],
		hint: 'its filter/rules',
		...firewallList.onRow(
			({state}) => state().firewall.toRelated(),
			state => {
				const row = firewallList.here(state);
				if (!row) return undefined;
				if (isRule(row)) return filterHere(state) ? undefined : deleted;
				return usersOf(row.id, state.firewall.data?.rules ?? []).length > 0 ? undefined : 'no rule uses it';
			},
		),
	}),
	...listActions(firewallList, 'show only the rules and filters that contain a text', [
		{
			key: 'y',
			what: 'the expression',
			words: ['copy expression'],
			hint: 'copy',
			missing: deleted,
			text: row => (isRule(row) ? expressionOf(row) : row.expression),
		},
		{key: 'Y', what: 'the id of the rule or filter', words: ['rule id'], text: ({id}) => id},
	]),
];
