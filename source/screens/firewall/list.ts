import {maxRulesByPlan} from '../../firewall/limits.ts';
import {formatExpressionEnd, hasEnded} from '../../firewall/rules/end-time.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {isRuleActive, type Rule} from '../../firewall/rules/rule.ts';
import {zonePlanNames} from '../../service/plan.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {declareList} from '../list/declared.ts';
import type {FirewallState} from './state.ts';

/** Returns the expression of a rule; undefined if its filter was deleted. */
export const getListedExpression = ({filter}: Rule): string | undefined =>
	'deleted' in filter ? undefined : filter.expression;

/** True if the end of a rule has passed, so that it matches no more requests. */
export const hasRuleEnded = (rule: Rule): boolean => hasEnded(getListedExpression(rule) ?? '');

/** True if a rule can match requests: neither it nor its filter is paused, and it has not ended. */
export const canRuleMatch = (rule: Rule): boolean => isRuleActive(rule) && !hasRuleEnded(rule);

/** Explains why a rule matches no requests, as its row does; undefined if it does or has ended. */
export function getPausedReason(rule: Rule): string | undefined {
	if (getListedExpression(rule) === undefined) return 'filter deleted';
	if (rule.paused) return 'paused';
	return isRuleActive(rule) ? undefined : 'filter paused';
}

/** True if the service has retired the firewall rules of the zone, or the changes of them. */
export const areFirewallRulesRetired = (firewall: FirewallState | undefined): boolean =>
	firewall?.failure?.code === 'gone' || firewall?.areWritesRetired === true;

export const isRule = (row: Rule | Filter): row is Rule => 'filter' in row;

/** The rules and the filters; one of the two lists has the cursor. */
export const firewallList = declareList({
	getSlice: state => state.firewall,
	screen: 'firewall',
	group: 'Firewall',
	id: 'firewall',
	rowLabel: 'rule or filter',
	getKey: ({id}: Rule | Filter) => id,
	getTexts: row =>
		isRule(row)
			? [
					getListedExpression(row),
					row.action,
					row.description,
					row.ref,
					row.priority === null ? undefined : formatInteger(row.priority),
					getPausedReason(row),
					formatExpressionEnd(getListedExpression(row) ?? ''),
				]
			: [row.expression, row.description, row.ref, row.paused ? 'paused' : undefined],
	getIds: row => (isRule(row) ? [row.id, row.filter.id] : [row.id]),
});

const listVisibleRows = (state: FirewallState, side: FirewallState['side']): readonly (Rule | Filter)[] =>
	firewallList.listVisible(state.side === side ? state : state.otherList);

/** Lists the rules that match the search text, whichever list has the cursor. */
export const listVisibleRules = (state: FirewallState): readonly Rule[] =>
	listVisibleRows(state, 'rules').filter(isRule);

/** Lists the rules that the user marked, also those that the filter hides. */
export const listMarkedFirewallRules = (state: FirewallState): readonly Rule[] =>
	firewallList.listMarked(state.side === 'rules' ? state : state.otherList).filter(isRule);

/**
 * Lists the rules that an action on rules is for, in order of evaluation: those that are marked and match the
 * search text, or else the one under the cursor. Empty if the filters have the cursor.
 */
export const listTargetRules = (state: FirewallState): readonly Rule[] =>
	state.side === 'rules' ? firewallList.listTargets(state).filter(isRule) : [];

/** Lists the filters that match the search text, whichever list has the cursor. */
export const listVisibleFilters = (state: FirewallState): readonly Filter[] =>
	listVisibleRows(state, 'filters').filter((row): row is Filter => !isRule(row));

/** Returns why the row under the cursor cannot be selected for an action on several. */
export const getMarkRefusal = ({firewall: {data}}: StateWith<'firewall'>): string | undefined =>
	data?.side === 'filters' ? 'only rules can be selected' : undefined;

/** Returns the rule under the cursor; undefined if the filters have the cursor. */
export function getSelectedRule({firewall: {data}}: StateWith<'firewall'>): Rule | undefined {
	const row = firewallList.getSelected(data);
	return row && isRule(row) ? row : undefined;
}

/** Returns the filter under the cursor; undefined if the rules have the cursor. */
export function getSelectedFilter({firewall: {data}}: StateWith<'firewall'>): Filter | undefined {
	const row = firewallList.getSelected(data);
	return row && !isRule(row) ? row : undefined;
}

/** Returns the id of a rule's filter, or of the filter itself. */
export const getFilterId = (row: Rule | Filter | undefined): string | undefined =>
	row && isRule(row) ? row.filter.id : row?.id;

/** Returns the position of a rule in the order of evaluation, from 1; 0 if it is not listed. */
export const getRulePosition = ({rules}: Pick<FirewallState, 'rules'>, rule: Rule): number =>
	rules.findIndex(({id}) => id === rule.id) + 1;

/** Formats a count with the plan's limit: "3 of 20 rules (Pro)". */
export const formatPlanCount = (count: number, noun: string, plan: FirewallState['zone']['plan']): string =>
	plan === undefined
		? formatQuantity(count, noun)
		: `${formatInteger(count)} of ${formatQuantity(maxRulesByPlan[plan], noun)} (${zonePlanNames[plan]})`;

/** Formats the positions of rules in the order of evaluation: "rule 4", or "rules 4, 7 and 12". */
export function formatRulePositions(state: FirewallState, rules: readonly Rule[]): string {
	const positions = rules.map(rule => formatInteger(getRulePosition(state, rule)));
	const lastPosition = positions.at(-1);
	if (positions.length < 2) return `rule ${lastPosition ?? ''}`.trim();
	const limit = 6;
	if (positions.length > limit)
		return `rules ${positions.slice(0, limit).join(', ')} and ${positions.length - limit} more`;
	return `rules ${positions.slice(0, -1).join(', ')} and ${lastPosition}`;
}
