import {columnsOf, drawable} from '../text/columns.ts';

export type Column<Row> = {readonly title: string; readonly align?: 'left' | 'right'; cell(row: Row): string};

/** Rows as aligned text with a line of titles: cells made safe, widths in display columns. Ends in a line feed. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
	const cells = [
		columns.map(column => column.title),
		...rows.map(row => columns.map(column => drawable(column.cell(row)))),
	];
	const widths = columns.map((_, index) => Math.max(...cells.map(line => columnsOf(line[index] ?? ''))));
	const lines = cells.map(line =>
		line
			.map((cell, index) => {
				const gap = ' '.repeat((widths[index] ?? 0) - columnsOf(cell));
				return columns[index]?.align === 'right' ? gap + cell : cell + gap;
			})
			.join('  ')
			.trimEnd(),
	);
	return `${lines.join('\n')}\n`;
}
