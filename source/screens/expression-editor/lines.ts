import {isPlainAscii, measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {segmentGraphemes} from '../../text/graphemes.ts';

/** A displayed row: a range of the text without its line end, in UTF-16 code units. */
type ExpressionRow = {readonly start: number; readonly end: number};

/** Returns the width at which an expression wraps, on a screen of `columns`. */
export const getExpressionColumns = (columns: number): number => columns - 6;

/**
 * Wraps an expression in `columns`, one of them reserved for the cursor. Breaks after spaces, inside a word
 * only if it is longer than a row, and at line feeds.
 */
export function wrapExpression(text: string, columns: number): readonly ExpressionRow[] {
	const width = Math.max(2, columns - 1);
	const rows: ExpressionRow[] = [];
	let start = 0;
	while (start <= text.length) {
		const feedIndex = text.indexOf('\n', start);
		const lineEnd = feedIndex === -1 ? text.length : feedIndex;
		const end = text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd;
		const line = text.slice(start, end);
		if (isPlainAscii(line)) breakPlain(line, start, width, rows);
		else breakGraphemes(line, start, width, rows);
		start = lineEnd + 1;
	}
	return rows;
}

function breakPlain(line: string, offset: number, width: number, rows: ExpressionRow[]): void {
	let start = 0;
	while (line.length - start > width) {
		const space = line.lastIndexOf(' ', start + width - 1);
		const end = space > start ? space + 1 : start + width;
		rows.push({start: offset + start, end: offset + end});
		start = end;
	}
	rows.push({start: offset + start, end: offset + line.length});
}

function breakGraphemes(line: string, offset: number, width: number, rows: ExpressionRow[]): void {
	let start = 0;
	let usedColumns = 0;
	let breakIndex = -1;
	let columnsBeforeBreak = 0;
	for (const {segment, index} of segmentGraphemes(line)) {
		const columns = measureColumns(toDrawable(segment));
		if (usedColumns + columns > width && index > start) {
			const end = breakIndex > start ? breakIndex : index;
			rows.push({start: offset + start, end: offset + end});
			usedColumns -= end === breakIndex ? columnsBeforeBreak : usedColumns;
			start = end;
			breakIndex = -1;
		}
		usedColumns += columns;
		if (segment === ' ') {
			breakIndex = index + 1;
			columnsBeforeBreak = usedColumns;
		}
	}
	rows.push({start: offset + start, end: offset + line.length});
}

/** Finds the row of a position; at the border of two rows, the second one. */
export function findRowIndex(rows: readonly ExpressionRow[], position: number): number {
	let rowIndex = 0;
	for (const [index, {start}] of rows.entries()) {
		if (start > position) break;
		rowIndex = index;
	}
	return rowIndex;
}

/** Measures a range of an expression, in display columns. */
const measureRange = (text: string, start: number, end: number): number =>
	measureColumns(toDrawable(text.slice(start, end)));

/**
 * Returns the position `distance` rows down, in the same or the nearest column; beyond the rows, the start or
 * end of the text.
 */
export function moveByWrappedRows(text: string, position: number, distance: number, columns: number): number {
	const rows = wrapExpression(text, columns);
	const currentIndex = findRowIndex(rows, position);
	const targetRow = rows[currentIndex + distance];
	const currentRow = rows[currentIndex];
	if (!targetRow || !currentRow) return distance < 0 ? 0 : text.length;
	const goalColumn = measureRange(text, currentRow.start, position);
	const line = text.slice(targetRow.start, targetRow.end);
	// The end of a wrapped row is the start of the next one.
	const lastOffset =
		rows[currentIndex + distance + 1]?.start === targetRow.end ? Math.max(0, line.length - 1) : line.length;
	if (isPlainAscii(line)) return targetRow.start + Math.min(lastOffset, goalColumn);
	let remainingColumns = goalColumn;
	for (const {segment, index} of segmentGraphemes(line)) {
		remainingColumns -= measureColumns(toDrawable(segment));
		if (remainingColumns < 0 || index >= lastOffset) return targetRow.start + index;
	}
	return targetRow.start + lastOffset;
}

/** Shortens wrapped lines to `rows`; the end of the last one is cut. */
export function shortenLines(lines: readonly string[], rows: number, columns: number): readonly string[] {
	if (lines.length <= rows) return lines;
	const remainder = lines
		.slice(rows - 1)
		.join(' ')
		.replaceAll(/ {2,}/g, ' ');
	return [
		...lines.slice(0, rows - 1),
		`${rows > 1 ? ' ' : ''}${cutEnd(remainder, getExpressionColumns(columns) - 1)}`,
	];
}
