import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule, RuleFilter} from '../../firewall/rules/rule.ts';
import {named} from '../../firewall/rules/users.ts';
import {bypassesWaf, withoutEffect} from '../../firewall/rules/waf-bypass.ts';
import type {Output} from '../../terminal/output.ts';
import {type Column, table} from '../../terminal/table.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';

/** Minimum columns of a cut expression. */
const leastColumns = 20;

/** `isMarked`: the zone has migrated, so bypasses of the managed rules are marked. */
type Marking = {readonly isMarked: boolean};

const noteOf = (rule: Rule): string => (bypassesWaf(rule) ? withoutEffect : '-');

/** Formats rules as a table in the given order; the expression is cut to the width of a terminal. */
export function ruleTable(rules: readonly Rule[], output: Output, {isMarked}: Marking): string {
	const columns: Column<Rule>[] = [
		{title: 'ID', cell: rule => rule.id},
		{title: 'ACTION', cell: actionOf},
		{title: 'PRIORITY', align: 'right', cell: rule => (rule.priority === null ? '-' : String(rule.priority))},
		{title: 'PAUSED', cell: rule => pausedOf(rule.paused, rule.filter)},
		{title: 'FILTER', cell: rule => rule.filter.id},
		...(isMarked ? [{title: 'NOTE', cell: noteOf}] : []),
	];
	return withExpressionColumn(columns, rules, rule => expressionOf(rule.filter), output);
}

/** A filter with the firewall rules that use it. */
type UsedFilter = Filter & {readonly usedBy: readonly Rule[]};

/** Converts a filter to the JSON of `--json`, with its rules as ids. */
export const filterValue = (filter: UsedFilter) => ({...filter, usedBy: filter.usedBy.map(rule => rule.id)});

/** Formats filters as a table, with the number of rules that use each. */
export function filterTable(filters: readonly UsedFilter[], output: Output): string {
	const columns: Column<UsedFilter>[] = [
		{title: 'ID', cell: filter => filter.id},
		{title: 'USED BY', align: 'right', cell: filter => String(filter.usedBy.length)},
		{title: 'PAUSED', cell: filter => (filter.paused ? 'paused' : '-')},
	];
	return withExpressionColumn(columns, filters, filter => filter.expression, output);
}

/** Formats one rule, one line per known value. */
export const ruleText = (rule: Rule, {isMarked}: Marking): string =>
	facts([
		['id', rule.id],
		['action', actionOf(rule)],
		['note', isMarked ? withoutEffect : undefined],
		['priority', rule.priority === null ? 'none' : String(rule.priority)],
		['paused', rule.paused ? 'yes' : 'no'],
		['description', rule.description],
		['ref', rule.ref],
		['filter', rule.filter.id],
		['expression', expressionOf(rule.filter)],
		['filter paused', 'paused' in rule.filter && rule.filter.paused ? 'yes' : undefined],
	]);

export const filterText = (filter: UsedFilter): string =>
	facts([
		['id', filter.id],
		['expression', filter.expression],
		['paused', filter.paused ? 'yes' : 'no'],
		['description', filter.description],
		['ref', filter.ref],
		['used by', filter.usedBy.length === 0 ? 'no firewall rule' : named(filter.usedBy)],
	]);

/** Formats `bypass waf,bic`, or the action alone. */
export const actionOf = ({action, products}: Pick<Rule, 'action' | 'products'>): string =>
	products?.length ? `${action} ${products.join(',')}` : action;

const expressionOf = (filter: RuleFilter): string =>
	'deleted' in filter ? '(the filter is deleted)' : filter.expression;

function pausedOf(paused: boolean, filter: RuleFilter): string {
	if (paused) return 'paused';
	return 'paused' in filter && filter.paused ? 'filter paused' : '-';
}

/** Formats one line per value; undefined values are left out. */
export function facts(lines: readonly (readonly [string, string | undefined])[]): string {
	const known = lines.filter(line => line[1] !== undefined);
	const width = Math.max(...known.map(([name]) => name.length));
	return known.map(([name, value = '']) => `${name.padEnd(width)}  ${drawable(value)}\n`).join('');
}

/** Formats a table whose last column is the expression, cut to the width of a terminal. */
export function withExpressionColumn<Row>(
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	expression: (row: Row) => string,
	{stdoutIsTerminal, columns: room}: Output,
): string {
	const left = stdoutIsTerminal ? columnsLeft(columns, rows, room) : Number.POSITIVE_INFINITY;
	const cell = (row: Row) => {
		const whole = drawable(expression(row));
		return columnsOf(whole) <= left ? whole : cutEnd(whole, left);
	};
	return table([...columns, {title: 'EXPRESSION', cell}], rows);
}

/** Returns the columns of a terminal line that the other columns leave. */
function columnsLeft<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: number): number {
	const taken = columns
		.map(({title, cell}) => Math.max(title.length, ...rows.map(row => columnsOf(drawable(cell(row))))) + 2)
		.reduce((sum, one) => sum + one, 0);
	return Math.max(leastColumns, room - taken);
}
