import {columnsOf, drawable} from '../text/columns.ts';

export type Column<Row> = {readonly title: string; readonly align?: 'left' | 'right'; cell(row: Row): string};

/**
 * Formats rows as aligned text below a line of titles: cells made safe, widths in display columns. Ends in a
 * line feed.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
	const cells = rows.map(row => cellsOf(columns, row));
	const widths = widthsOf(columns);
	for (const line of cells) widen(widths, line);
	return [titlesOf(columns), ...cells].map(line => tableLine(columns, widths, line)).join('');
}

/** The parts of `formatTable`, for more rows than fit in memory. Returns the line of titles. */
export const titlesOf = <Row>(columns: readonly Column<Row>[]): readonly string[] =>
	columns.map(({title}) => title);

/** Formats the cells of a row, made safe: none contains a tab. */
export const cellsOf = <Row>(columns: readonly Column<Row>[], row: Row): readonly string[] =>
	columns.map(column => drawable(column.cell(row)));

/** Measures the widths of columns without rows. */
export const widthsOf = <Row>(columns: readonly Column<Row>[]): number[] =>
	columns.map(({title}) => columnsOf(title));

/** Widens columns to fit a row. */
export function widen(widths: number[], cells: readonly string[]): void {
	for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, columnsOf(cell));
}

/** Formats a row as a line. */
export function tableLine<Row>(
	columns: readonly Column<Row>[],
	widths: readonly number[],
	cells: readonly string[],
): string {
	const line = cells
		.map((cell, index) => {
			const gap = ' '.repeat((widths[index] ?? 0) - columnsOf(cell));
			return columns[index]?.align === 'right' ? gap + cell : cell + gap;
		})
		.join('  ')
		.trimEnd();
	return `${line}\n`;
}
