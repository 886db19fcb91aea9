import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import type {Has} from '../../store/ledge-store.ts';
import {grouped} from '../../text/figures.ts';
import {holding} from '../../text/smart-case.ts';
import type {FirewallState} from './state.ts';

/** The expression of a rule; `undefined` where its filter was deleted. */
export const expressionOf = ({filter}: Rule): string | undefined =>
	'deleted' in filter ? undefined : filter.expression;

/** Whether it does nothing: it is paused itself, or its filter is. */
export const isAtRest = (rule: Rule): boolean =>
	rule.paused || (!('deleted' in rule.filter) && rule.filter.paused);

/** The rules that are shown: by expression, action, description, reference or id, by smart case. */
export const visibleRules = ({rules, sought}: FirewallState): readonly Rule[] =>
	narrowed(rules, sought, rule => [
		expressionOf(rule),
		rule.action,
		rule.description,
		rule.ref,
		rule.id,
		rule.filter.id,
	]);

/** The filters that are shown: by expression, description, reference or id. */
export const visibleFilters = ({filters, sought}: FirewallState): readonly Filter[] =>
	narrowed(filters, sought, ({expression, description, ref, id}) => [expression, description, ref, id]);

function narrowed<T>(
	all: readonly T[],
	sought: string,
	texts: (one: T) => readonly (string | undefined)[],
): readonly T[] {
	if (sought === '') return all;
	const isMatch = holding(sought);
	return all.filter(one => texts(one).some(text => text !== undefined && isMatch(text)));
}

/** The rule under the cursor of the rules, whichever side is in front. */
export const ruleUnderCursor = (state: FirewallState): Rule | undefined =>
	visibleRules(state)[state.cursors.rules];

/** The filter under the cursor of the filters, whichever side is in front. */
export const filterUnderCursor = (state: FirewallState): Filter | undefined =>
	visibleFilters(state)[state.cursors.filters];

/** What the person is on: a rule, or a filter. */
type Selected =
	| {readonly kind: 'rule'; readonly rule: Rule}
	| {readonly kind: 'filter'; readonly filter: Filter};

export function selectedIn(state: FirewallState | undefined): Selected | undefined {
	if (!state) return undefined;
	if (state.side === 'rules') {
		const rule = ruleUnderCursor(state);
		return rule && {kind: 'rule', rule};
	}
	const filter = filterUnderCursor(state);
	return filter && {kind: 'filter', filter};
}

export const selectedRule = ({firewall: {data: firewall}}: Has<'firewall'>): Rule | undefined => {
	const selected = selectedIn(firewall);
	return selected?.kind === 'rule' ? selected.rule : undefined;
};

export const selectedFilter = ({firewall: {data: firewall}}: Has<'firewall'>): Filter | undefined => {
	const selected = selectedIn(firewall);
	return selected?.kind === 'filter' ? selected.filter : undefined;
};

export const idOf = (selected: Selected | undefined): string | undefined =>
	selected?.kind === 'rule' ? selected.rule.id : selected?.filter.id;

/** The filter that the selected one is about: that of the rule, or the filter itself. */
export const filterIdOf = (selected: Selected | undefined): string | undefined =>
	selected?.kind === 'rule' ? selected.rule.filter.id : selected?.filter.id;

/** The place of a rule in the order of evaluation, from 1; 0 if it does not. */
export const placeOf = ({rules}: FirewallState, rule: Rule): number =>
	rules.findIndex(({id}) => id === rule.id) + 1;

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
