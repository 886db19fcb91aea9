import type {Filter} from '../../../firewall/rules/filter.ts';
import {usersOf} from '../../../firewall/rules/users.ts';
import type {LedgeState} from '../../../store/ledge-store.ts';
import {openEmergency} from '../../emergency/actions.ts';
import type {Action, App} from '../../shell/action.ts';
import {openWizard} from '../../wizard/actions.ts';
import {expressionOf, filterIdOf, selectedFilter, selectedIn, selectedRule} from '../listed.ts';
import {firewallChanges, notChangeable} from './changes.ts';

const here = ['firewall'] as const;

const needsSelected = ({firewall}: LedgeState): string | undefined =>
	selectedIn(firewall) ? undefined : 'there is nothing here';

const needsLists = ({firewall}: LedgeState): string | undefined =>
	firewall && firewall.rules.length + firewall.filters.length > 0
		? undefined
		: 'there are no rules and filters here';

/** Whether what is made new is a filter by itself. Where there is no filter yet, a rule comes first. */
const isOnFilters = ({firewall}: LedgeState): boolean =>
	firewall?.side === 'filters' && firewall.filters.length > 0;

/** The filter that the cursor is on, or that of the rule it is on. */
function filterHere({firewall}: LedgeState): Filter | undefined {
	const id = filterIdOf(selectedIn(firewall));
	return firewall?.filters.find(filter => filter.id === id);
}

const needsFilter = (state: LedgeState): string | undefined =>
	needsSelected(state) ?? (filterHere(state) ? undefined : 'its filter was deleted');

/** What the cursor is on, as far as text is concerned. */
const expressionHere = (state: LedgeState): string | undefined => {
	const rule = selectedRule(state);
	return rule ? expressionOf(rule) : selectedFilter(state)?.expression;
};

function editFilter(app: App, filter: Filter): void {
	const users = usersOf(filter.id, app.state().firewall?.rules ?? []);
	openWizard(app, {kind: 'change filter', filter, users});
}

const looking: readonly Action[] = [
	{
		id: 'firewall.detail',
		keys: ['enter', 'l', 'right'],
		title: 'show all of the rule or filter',
		hint: 'open',
		group: 'Firewall',
		where: here,
		isHere: ({firewall}) => firewall?.detail === undefined,
		unavailable: needsSelected,
		run: app => app.state().showDetail(0),
	},
	{
		id: 'firewall.lists',
		keys: ['esc', 'enter', 'left', 'h'],
		title: 'back to the lists',
		hint: 'the lists',
		group: 'Firewall',
		where: here,
		isHere: ({firewall}) => firewall?.detail !== undefined,
		run: app => app.state().showDetail(undefined),
	},
	{
		id: 'firewall.all',
		keys: ['esc'],
		title: 'all rules and filters again',
		group: 'Firewall',
		where: here,
		isHere: ({firewall}) => firewall !== undefined && firewall.sought !== '',
		run(app) {
			app.state().cancelReads();
			app.state().narrowFirewall('');
		},
	},
	{
		id: 'firewall.to-filters',
		keys: ['tab', 'shift-tab'],
		title: 'to the filters',
		hint: 'filters',
		group: 'Firewall',
		where: here,
		isHere: ({firewall}) => firewall?.side !== 'filters',
		unavailable: needsLists,
		run: app => app.state().changeSide(),
	},
	{
		id: 'firewall.to-rules',
		keys: ['tab', 'shift-tab'],
		title: 'to the rules',
		hint: 'rules',
		group: 'Firewall',
		where: here,
		isHere: ({firewall}) => firewall?.side === 'filters',
		run: app => app.state().changeSide(),
	},
];

const writing: readonly Action[] = [
	{
		id: 'firewall.new-rule',
		keys: ['n'],
		title: 'make a rule, with a filter of its own',
		hint: 'new',
		words: ['new rule', 'add rule', 'create rule'],
		group: 'Firewall',
		where: here,
		isHere: state => !isOnFilters(state),
		unavailable: notChangeable,
		run: app => openWizard(app, {kind: 'new rule'}),
	},
	{
		id: 'firewall.new-filter',
		keys: ['n'],
		title: 'make a filter that no rule uses yet',
		hint: 'new filter',
		words: ['new filter', 'add filter', 'create filter'],
		group: 'Firewall',
		where: here,
		isHere: isOnFilters,
		unavailable: notChangeable,
		run: app => openWizard(app, {kind: 'new filter'}),
	},
	{
		id: 'firewall.emergency',
		keys: ['!'],
		title: 'emergency: block an address or a path now',
		hint: 'emergency',
		words: ['block ip', 'ban', 'deny'],
		group: 'Firewall',
		where: here,
		unavailable: ({connection, firewall}) =>
			connection?.readOnly ? 'ledge is read-only' : firewall ? undefined : 'no zone is open',
		run: openEmergency,
	},
	{
		id: 'firewall.edit',
		keys: ['e'],
		title: 'change the rule or filter under the cursor',
		hint: 'edit',
		words: ['edit', 'modify'],
		group: 'Firewall',
		where: here,
		unavailable: state => notChangeable(state) ?? needsSelected(state),
		run(app) {
			const selected = selectedIn(app.state().firewall);
			if (selected?.kind === 'rule') openWizard(app, {kind: 'change rule', rule: selected.rule});
			else if (selected) editFilter(app, selected.filter);
		},
	},
	{
		id: 'firewall.edit-expression',
		keys: ['E'],
		title: 'change the expression: the filter of the rule, for all its rules',
		words: ['edit expression'],
		group: 'Firewall',
		where: here,
		unavailable: state => notChangeable(state) ?? needsFilter(state),
		run(app) {
			const filter = filterHere(app.state());
			if (filter) editFilter(app, filter);
		},
	},
	...firewallChanges,
	{
		id: 'firewall.rule-on-filter',
		keys: ['u'],
		title: 'make a rule that uses the same filter',
		hint: 'use it',
		group: 'Firewall',
		where: here,
		unavailable: state => notChangeable(state) ?? needsFilter(state),
		run(app) {
			const filter = filterHere(app.state());
			if (filter) openWizard(app, {kind: 'new rule', filter});
		},
	},
];

/** What can be done with the filters and rules of a zone. */
export const firewallActions: readonly Action[] = [
	...looking,
	...writing,
	{
		id: 'firewall.related',
		keys: ['f'],
		title: 'from the rule to its filter, from the filter to its rules',
		hint: 'its filter/rules',
		group: 'Firewall',
		where: here,
		unavailable(state) {
			const filter = selectedFilter(state);
			if (!filter) return needsFilter(state);
			return usersOf(filter.id, state.firewall?.rules ?? []).length > 0 ? undefined : 'no rule uses it';
		},
		run: app => app.state().toRelated(),
	},
	{
		id: 'firewall.filter',
		keys: ['/'],
		title: 'show only the rules and filters with a text in what they say',
		hint: 'filter',
		words: ['search', 'find'],
		group: 'Firewall',
		where: here,
		unavailable: needsLists,
		run: app => app.state().beginFilter(),
	},
	{
		id: 'firewall.copy',
		keys: ['y'],
		title: 'copy the expression',
		hint: 'copy',
		group: 'Firewall',
		where: here,
		unavailable: state =>
			needsSelected(state) ?? (expressionHere(state) === undefined ? 'its filter was deleted' : undefined),
		run(app) {
			const expression = expressionHere(app.state());
			if (expression !== undefined) app.state().say(app.terminal.copy(expression));
		},
	},
	{
		id: 'firewall.copy-id',
		keys: ['Y'],
		title: 'copy the id of the rule or filter',
		group: 'Firewall',
		where: here,
		unavailable: needsSelected,
		run(app) {
			const selected = selectedIn(app.state().firewall);
			if (selected)
				app.state().say(app.terminal.copy((selected.kind === 'rule' ? selected.rule : selected.filter).id));
		},
	},
];
