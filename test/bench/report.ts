import {formatDocsTable} from '../docs/markdown.ts';
import type {Row} from './row.ts';

const isOver = (row: Row): boolean => row.within === false;

/** A row as it is printed while the bench runs. */
export const formatBenchRow = (row: Row): string =>
	`${isOver(row) ? '×' : '✓'} ${row.what}: ${row.measured}${row.budget ? ` (budget ${row.budget}${isOver(row) ? ', over' : ''})` : ''}\n`;

/** The table of docs/speed.md. A row over its budget is marked, so that nobody reads it as one within. */
export const report = (rows: readonly Row[], conditions: string): string =>
	[
		conditions,
		'',
		formatDocsTable(
			['what', 'measured', 'budget'],
			rows.map(row => [row.what, row.measured, `${row.budget ?? ''}${isOver(row) ? ' **over**' : ''}`]),
		),
	].join('\n');

/** When and on what the rows were measured. */
export const conditions = (now: Date, node: string, machine: string): string =>
	`Measured on ${now.toISOString().slice(0, 10)} with Node ${node} on ${machine}.`;

/** What is printed at the end, and the exit code: 1 when a row is over its budget, or nothing was measured. */
export function summarizeRows(rows: readonly Row[]): {readonly text: string; readonly code: 0 | 1} {
	const over = rows.filter(isOver);
	if (rows.length === 0) return {text: 'Nothing was measured.\n', code: 1};
	if (over.length === 0) return {text: `All ${rows.length} rows are within their budgets.\n`, code: 0};
	return {
		text: `\n${over.length} of ${rows.length} rows ${over.length === 1 ? 'is' : 'are'} over budget:\n${over.map(formatBenchRow).join('')}`,
		code: 1,
	};
}
