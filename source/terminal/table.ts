import {measureColumns, toDrawable} from '../text/columns.ts';
import type {Link, LinkedText} from './links.ts';

export type TextColumn<Row> = {
	readonly title: string;
	readonly align?: 'left' | 'right';
	cell(row: Row): string;
};

export type LinkedColumn<Row> = TextColumn<Row> & {
	readonly align?: 'left';
	/** Returns what the cell opens. */
	getLink?(row: Row): Link | undefined;
};

/**
 * Formats rows as aligned text below a line of titles: cells made safe, widths in display columns. Ends in a
 * line feed.
 */
export function formatTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string {
	const {cells, widths} = measureTable(columns, rows);
	return [getTitles(columns), ...cells].map(line => formatTableLine(columns, widths, line)).join('');
}

/** Formats the cells of all rows, and measures the columns. */
function measureTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]) {
	const cells = rows.map(row => formatCells(columns, row));
	const widths = measureTitles(columns);
	for (const line of cells) widenColumns(widths, line);
	return {cells, widths};
}

/** Formats the same table, with the links of its cells. */
export function formatLinkedTable<Row>(
	columns: readonly LinkedColumn<Row>[],
	rows: readonly Row[],
): LinkedText {
	const {cells, widths} = measureTable(columns, rows);
	return [
		formatTableLine(columns, widths, getTitles(columns)),
		...rows.flatMap((row, index) => linkCells(columns, widths, row, cells[index] ?? [])),
	];
}

function linkCells<Row>(
	columns: readonly LinkedColumn<Row>[],
	widths: readonly number[],
	row: Row,
	cells: readonly string[],
): LinkedText {
	const text = formatTableLine(columns, widths, cells).trimEnd();
	const parts: LinkedText[number][] = [];
	let from = 0;
	let start = 0;
	for (const [index, cell] of cells.entries()) {
		const end = start + cell.length;
		const link = columns[index]?.getLink?.(row);
		if (link !== undefined) {
			parts.push(text.slice(from, start), {text: text.slice(start, end), link});
			from = end;
		}
		start = end + (widths[index] ?? 0) - measureColumns(cell) + columnGap.length;
	}
	return [...parts, `${text.slice(from)}\n`];
}

/** Returns the line of titles. The functions below are for tables with more rows than fit in memory. */
export const getTitles = <Row>(columns: readonly TextColumn<Row>[]): readonly string[] =>
	columns.map(({title}) => title);

/** Formats the cells of a row, made safe: none contains a tab. */
export const formatCells = <Row>(columns: readonly TextColumn<Row>[], row: Row): readonly string[] =>
	columns.map(column => toDrawable(column.cell(row)));

/** Measures the widths of columns without rows. */
export const measureTitles = <Row>(columns: readonly TextColumn<Row>[]): number[] =>
	columns.map(({title}) => measureColumns(title));

/** Widens columns to fit a row. */
export function widenColumns(widths: number[], cells: readonly string[]): void {
	for (const [index, cell] of cells.entries())
		widths[index] = Math.max(widths[index] ?? 0, measureColumns(cell));
}

const columnGap = '  ';

/** Formats a row as a line. */
export function formatTableLine<Row>(
	columns: readonly TextColumn<Row>[],
	widths: readonly number[],
	cells: readonly string[],
): string {
	const line = cells
		.map((cell, index) => {
			const gap = ' '.repeat((widths[index] ?? 0) - measureColumns(cell));
			return columns[index]?.align === 'right' ? gap + cell : cell + gap;
		})
		.join(columnGap)
		.trimEnd();
	return `${line}\n`;
}
