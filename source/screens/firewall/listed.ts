import {rulesByPlan} from '../../firewall/limits.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {planNames} from '../../service/plan.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {declareList} from '../list/declared.ts';
import type {FirewallState} from './state.ts';

/** The expression of a rule; `undefined` where its filter was deleted. */
export const expressionOf = ({filter}: Rule): string | undefined =>
	'deleted' in filter ? undefined : filter.expression;

/** Whether it does nothing: it is paused itself, or its filter is. */
export const isAtRest = (rule: Rule): boolean =>
	rule.paused || (!('deleted' in rule.filter) && rule.filter.paused);

export const isRule = (row: Rule | Filter): row is Rule => 'filter' in row;

/** The rules, and the filters that they use: one of the two lists has the cursor. */
export const firewallList = declareList({
	slice: state => state.firewall,
	screen: 'firewall',
	group: 'Firewall',
	id: 'firewall',
	row: 'rule or filter',
	key: ({id}: Rule | Filter) => id,
	texts: row =>
		isRule(row)
			? [expressionOf(row), row.action, row.description, row.ref, row.id, row.filter.id]
			: [row.expression, row.description, row.ref, row.id],
});

const visibleIn = (state: FirewallState, side: FirewallState['side']): readonly (Rule | Filter)[] =>
	firewallList.visible(state.side === side ? state : state.behind);

/** The rules that the filter leaves, whichever list has the cursor. */
export const visibleRules = (state: FirewallState): readonly Rule[] =>
	visibleIn(state, 'rules').filter(isRule);

/** The filters that the filter leaves, whichever list has the cursor. */
export const visibleFilters = (state: FirewallState): readonly Filter[] =>
	visibleIn(state, 'filters').filter((row): row is Filter => !isRule(row));

/** The rule under the cursor; nothing where that is in the filters. */
export function selectedRule({firewall: {data}}: Has<'firewall'>): Rule | undefined {
	const row = firewallList.selected(data);
	return row && isRule(row) ? row : undefined;
}

/** The filter under the cursor; nothing where that is in the rules. */
export function selectedFilter({firewall: {data}}: Has<'firewall'>): Filter | undefined {
	const row = firewallList.selected(data);
	return row && !isRule(row) ? row : undefined;
}

/** The filter that a row is about: that of the rule, or the filter itself. */
export const filterIdOf = (row: Rule | Filter | undefined): string | undefined =>
	row && isRule(row) ? row.filter.id : row?.id;

/** The place of a rule in the order of evaluation, from 1; 0 if it does not. */
export const placeOf = ({rules}: FirewallState, rule: Rule): number =>
	rules.findIndex(({id}) => id === rule.id) + 1;

/** "3 of 20 rules (Pro)": how many there are of how many the plan allows. */
export const countOfPlan = (count: number, what: string, plan: FirewallState['zone']['plan']): string =>
	plan === undefined
		? counted(count, what)
		: `${grouped(count)} of ${counted(rulesByPlan[plan], what)} (${planNames[plan]})`;

/** "rule 4", or "rules 4, 7 and 12": by their places in the order of evaluation. */
export function rulesInWords(state: FirewallState, rules: readonly Rule[]): string {
	const places = rules.map(rule => grouped(placeOf(state, rule)));
	const last = places.at(-1);
	if (places.length < 2) return `rule ${last ?? ''}`.trim();
	const most = 6;
	if (places.length > most)
		return `rules ${places.slice(0, most).join(', ')} and ${places.length - most} more`;
	return `rules ${places.slice(0, -1).join(', ')} and ${last}`;
}
