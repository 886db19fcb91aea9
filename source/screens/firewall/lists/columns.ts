import {formatExpressionEnd} from '../../../firewall/rules/end-time.ts';
import type {Filter} from '../../../firewall/rules/filter.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {bypassesWaf} from '../../../firewall/rules/waf-bypass.ts';
import {measureColumns, toDrawable} from '../../../text/columns.ts';
import {formatInteger} from '../../../text/figures.ts';
import {formatOneLine} from '../../../text/one-line.ts';
import {getPositionWidth} from '../../list/list.ts';
import type {Column} from '../../list/table.tsx';
import {firewallList, getFilterId, getListedExpression, getPausedReason, getRulePosition} from '../list.ts';
import type {FirewallState} from '../state.ts';

/** Minimum columns to show rules and filters side by side. */
const minTwoListColumns = 150;

/**
 * Computes the widths of the two lists; 0 hides the list without the cursor. `isSpoken`: a screen reader is
 * used.
 */
export function computeListWidths(columns: number, side: 'rules' | 'filters', isSpoken = false) {
	if (columns < minTwoListColumns || isSpoken)
		return {rules: side === 'rules' ? columns : 0, filters: side === 'filters' ? columns : 0};
	const rules = Math.ceil(columns * 0.58);
	return {rules, filters: columns - rules};
}

/** Maximum and minimum width of the action column. */
const actionWidth = {max: 'managed_challenge'.length, min: 'ACTION'.length} as const;

/** Counts the rules of each filter, by filter id. */
function countRulesByFilter(rules: readonly Rule[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const {filter} of rules) counts.set(filter.id, (counts.get(filter.id) ?? 0) + 1);
	return counts;
}

/** Returns the id of the filter under the cursor, or of the rule's filter. */
const getTargetFilterId = (firewall: FirewallState): string | undefined =>
	getFilterId(firewallList.getSelected(firewall));

/** True if a rule uses the filter under the cursor, and is not under the cursor itself. */
const isRelatedRule = (firewall: FirewallState, rule: Rule): boolean =>
	rule.filter.id === getTargetFilterId(firewall) && firewallList.getSelected(firewall) !== rule;

/** True if the rule under the cursor uses this filter. */
export const isRelatedFilter = (firewall: FirewallState, filter: Filter): boolean =>
	firewall.side === 'rules' && filter.id === getTargetFilterId(firewall);

/**
 * Explains why a rule has no effect; undefined if it has one. In a migrated zone, bypassing only `waf` has
 * none.
 */
export function getIdleReason(rule: Rule, {migrated}: FirewallState): string | undefined {
	const reason = getPausedReason(rule);
	if (reason !== undefined) return reason;
	return migrated && bypassesWaf(rule) && rule.products?.length === 1 ? 'no effect' : undefined;
}

const formatPriority = ({priority}: Rule, noneMark: string): string =>
	priority === null ? noneMark : formatInteger(priority);

/** Builds the columns of the rules; the filter column appears only if rules share filters. */
export function buildRuleColumns(firewall: FirewallState, columns: number): readonly Column<Rule>[] {
	const {rules, side} = firewall;
	const isWide = columns >= 100;
	const ruleCounts = countRulesByFilter(rules);
	const widestAction = Math.max(
		actionWidth.min,
		...rules.map(({action}) => measureColumns(toDrawable(action))),
	);
	const hasDescriptions = rules.some(({description}) => description);
	const isBroken = (idleReason: string | undefined) =>
		idleReason === 'filter deleted' || idleReason === 'no effect';
	return [
		{
			title: '#',
			isEssential: true,
			getWidth: () => getPositionWidth(rules.length),
			align: 'right',
			getText: rule => formatInteger(getRulePosition(firewall, rule)),
		},
		{
			title: 'ACTION',
			isEssential: true,
			getWidth: () => Math.min(actionWidth.max, widestAction),
			getText: ({action}) => action,
		},
		{
			title: isWide ? 'PRIORITY' : 'PRIO',
			getWidth: () => Math.max(isWide ? 8 : 5, ...rules.map(rule => formatPriority(rule, '').length)),
			align: 'right',
			getText: (rule, {marks}) => formatPriority(rule, marks.none),
		},
		{
			title: hasDescriptions ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION',
			gap: 2,
			// The description distinguishes rules whose expressions begin alike.
			getText(rule, {marks}) {
				const idleReason = getIdleReason(rule, firewall);
				const texts = [rule.description, getListedExpression(rule)].filter(
					text => text !== undefined && text !== '',
				);
				const end = formatExpressionEnd(getListedExpression(rule) ?? '');
				const notes = [isBroken(idleReason) ? marks.warning : '', idleReason ?? '', end].filter(Boolean);
				return [...notes, texts.map(text => formatOneLine(text ?? '', 400)).join(` ${marks.dot} `)].join(' ');
			},
			getLook: (rule, {warning}) => (isBroken(getIdleReason(rule, firewall)) ? warning : {}),
		},
		{
			title: 'FILTER',
			getWidth: () => (ruleCounts.size === rules.length || columns < 66 ? 0 : isWide ? 12 : 7),
			getText(rule) {
				const count = ruleCounts.get(rule.filter.id) ?? 0;
				if (isRelatedRule(firewall, rule))
					return side === 'filters' ? 'uses it' : isWide ? 'same filter' : 'same';
				return count < 2 ? '' : isWide ? `of ${count} rules` : `${count} rules`;
			},
		},
	];
}

/** Builds the columns of the filters, with the number of rules that use each. */
export function buildFilterColumns(firewall: FirewallState): readonly Column<Filter>[] {
	const ruleCounts = countRulesByFilter(firewall.rules);
	return [
		{
			title: 'USED BY',
			getWidth: () => 12,
			getText(filter) {
				const count = ruleCounts.get(filter.id) ?? 0;
				if (isRelatedFilter(firewall, filter)) return 'its filter';
				return count === 0 ? 'no rule' : count === 1 ? '1 rule' : `${count} rules`;
			},
		},
		{
			title: 'FILTER',
			getText: ({paused, expression}) => `${paused ? 'paused ' : ''}${formatOneLine(expression, 400)}`,
		},
		{
			title: 'DESCRIPTION',
			getWidth: columns => (columns >= 76 ? Math.floor(columns * 0.28) : 0),
			getText: ({description}) => description ?? '',
		},
	];
}
