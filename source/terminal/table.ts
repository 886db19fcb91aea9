import {measureColumns, toDrawable} from '../text/columns.ts';

export type TextColumn<Row> = {
	readonly title: string;
	readonly align?: 'left' | 'right';
	cell(row: Row): string;
};

/**
 * Formats rows as aligned text below a line of titles: cells made safe, widths in display columns. Ends in a
 * line feed.
 */
export function formatTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string {
	const cells = rows.map(row => formatCells(columns, row));
	const widths = measureTitles(columns);
	for (const line of cells) widenColumns(widths, line);
	return [getTitles(columns), ...cells].map(line => formatTableLine(columns, widths, line)).join('');
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
		.join('  ')
		.trimEnd();
	return `${line}\n`;
}
