import {formatExpressionEnd, hasEnded} from '../../firewall/rules/end-time.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule, RuleFilter} from '../../firewall/rules/rule.ts';
import {formatRuleNames} from '../../firewall/rules/users.ts';
import {bypassesWaf, noEffectText} from '../../firewall/rules/waf-bypass.ts';
import type {Output} from '../../terminal/output.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger} from '../../text/figures.ts';

/** Minimum columns of a cut expression. */
const minExpressionColumns = 20;

/**
 * `isMarked`: true to mark bypasses of the managed rules, because the zone has migrated and they have no
 * effect.
 */
type Marking = {readonly isMarked: boolean};

const getWafNote = (rule: Rule): string => (bypassesWaf(rule) ? noEffectText : '-');

/** Formats rules as a table in the given order; the expression is cut to the width of a terminal. */
export function formatRuleTable(rules: readonly Rule[], output: Output, {isMarked}: Marking): string {
	const columns: TextColumn<Rule>[] = [
		{title: 'ID', cell: rule => rule.id},
		{title: 'ACTION', cell: formatFirewallAction},
		{title: 'PRIORITY', align: 'right', cell: rule => (rule.priority === null ? '-' : String(rule.priority))},
		{title: 'PAUSED', cell: rule => formatPaused(rule.paused, rule.filter)},
		...buildEndColumn(rules, rule => getFilterExpression(rule.filter)),
		{title: 'FILTER', cell: rule => rule.filter.id},
		...(isMarked ? [{title: 'NOTE', cell: getWafNote}] : []),
	];
	return formatExpressionTable(columns, rules, rule => getFilterExpression(rule.filter), output);
}

/** Builds the column that says until when rules act, if any of them has an end. */
export function buildEndColumn<Row>(
	rows: readonly Row[],
	getExpression: (row: Row) => string,
): readonly TextColumn<Row>[] {
	const formatRowEnd = (row: Row): string => formatExpressionEnd(getExpression(row)) || '-';
	return rows.every(row => formatRowEnd(row) === '-') ? [] : [{title: 'ACTS', cell: formatRowEnd}];
}

/** A filter with the firewall rules that use it. */
type UsedFilter = Filter & {readonly usedBy: readonly Rule[]};

/** Formats how many of these rules have ended, and the command that deletes them; undefined if none has. */
export function formatEndedAdvice<Row extends {readonly id?: string | undefined}>(
	rows: readonly Row[],
	getExpression: (row: Row) => string,
	formatDeletion: (ids: readonly string[]) => string,
): string | undefined {
	const ids = rows.flatMap(row => (row.id !== undefined && hasEnded(getExpression(row)) ? [row.id] : []));
	if (ids.length === 0) return undefined;
	const subject = ids.length === 1 ? '1 rule has' : `${formatInteger(ids.length)} rules have`;
	return `${subject} ended and ${ids.length === 1 ? 'matches' : 'match'} no more requests. To delete ${ids.length === 1 ? 'it' : 'them'}: ${formatDeletion(ids)}`;
}

/** Converts a filter to the JSON of `--json`, with its rules as ids. */
export const toFilterJson = (filter: UsedFilter) => ({...filter, usedBy: filter.usedBy.map(rule => rule.id)});

/** Formats filters as a table, with the number of rules that use each. */
export function formatFilterTable(filters: readonly UsedFilter[], output: Output): string {
	const columns: TextColumn<UsedFilter>[] = [
		{title: 'ID', cell: filter => filter.id},
		{title: 'USED BY', align: 'right', cell: filter => String(filter.usedBy.length)},
		{title: 'PAUSED', cell: filter => (filter.paused ? 'paused' : '-')},
	];
	return formatExpressionTable(columns, filters, filter => filter.expression, output);
}

/** Formats one rule, one line per known value. */
export const formatRule = (rule: Rule, {isMarked}: Marking): string =>
	formatFacts([
		['id', rule.id],
		['action', formatFirewallAction(rule)],
		['note', isMarked ? noEffectText : undefined],
		['priority', rule.priority === null ? 'none' : String(rule.priority)],
		['paused', rule.paused ? 'yes' : 'no'],
		['description', rule.description],
		['ref', rule.ref],
		['filter', rule.filter.id],
		['expression', getFilterExpression(rule.filter)],
		['filter paused', 'paused' in rule.filter && rule.filter.paused ? 'yes' : undefined],
	]);

export const formatFilter = (filter: UsedFilter): string =>
	formatFacts([
		['id', filter.id],
		['expression', filter.expression],
		['paused', filter.paused ? 'yes' : 'no'],
		['description', filter.description],
		['ref', filter.ref],
		['used by', filter.usedBy.length === 0 ? 'no firewall rule' : formatRuleNames(filter.usedBy)],
	]);

/** Formats `bypass waf,bic`, or the action alone. */
export const formatFirewallAction = ({action, products}: Pick<Rule, 'action' | 'products'>): string =>
	products?.length ? `${action} ${products.join(',')}` : action;

/** Returns the expression of a rule's filter, or that the filter was deleted. */
export const getFilterExpression = (filter: RuleFilter): string =>
	'deleted' in filter ? '(filter deleted)' : filter.expression;

function formatPaused(paused: boolean, filter: RuleFilter): string {
	if (paused) return 'paused';
	return 'paused' in filter && filter.paused ? 'filter paused' : '-';
}

/** Formats one line per value; undefined values are left out. */
export function formatFacts(lines: readonly (readonly [string, string | undefined])[]): string {
	const knownLines = lines.filter(line => line[1] !== undefined);
	const width = Math.max(...knownLines.map(([name]) => name.length));
	return knownLines.map(([name, value = '']) => `${name.padEnd(width)}  ${toDrawable(value)}\n`).join('');
}

/** Formats a table whose last column is the expression, cut to the width of a terminal. */
export function formatExpressionTable<Row>(
	columns: readonly TextColumn<Row>[],
	rows: readonly Row[],
	getExpression: (row: Row) => string,
	{stdoutIsTerminal, columns: terminalColumns}: Output,
): string {
	const availableColumns = stdoutIsTerminal
		? computeRemainingColumns(columns, rows, terminalColumns)
		: Number.POSITIVE_INFINITY;
	const cell = (row: Row) => {
		const expressionText = toDrawable(getExpression(row));
		return measureColumns(expressionText) <= availableColumns
			? expressionText
			: cutEnd(expressionText, availableColumns);
	};
	return formatTable([...columns, {title: 'EXPRESSION', cell}], rows);
}

/** Returns how many columns of a terminal line the other columns leave. */
function computeRemainingColumns<Row>(
	columns: readonly TextColumn<Row>[],
	rows: readonly Row[],
	terminalColumns: number,
): number {
	const usedColumns = columns
		.map(
			({title, cell}) =>
				Math.max(title.length, ...rows.map(row => measureColumns(toDrawable(cell(row))))) + 2,
		)
		.reduce((sum, one) => sum + one, 0);
	return Math.max(minExpressionColumns, terminalColumns - usedColumns);
}
