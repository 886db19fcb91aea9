import {columnsOf, drawable, isPlain} from '../../text/columns.ts';
import {graphemesOf} from '../../text/graphemes.ts';

/** A row that an expression is drawn in: a stretch of its text, without the line end behind it. In code units. */
type ExpressionRow = {readonly start: number; readonly end: number};

/** Columns that an expression is wrapped in, on a screen so wide. */
export const expressionColumns = (columns: number): number => columns - 6;

/**
 * The rows of an expression in so many columns, one of them for the cursor behind the end: broken behind a space, and
 * inside of a word only where the word is longer than a row. Line feeds begin new ones.
 */
export function expressionRows(text: string, columns: number): readonly ExpressionRow[] {
	const width = Math.max(2, columns - 1);
	const rows: ExpressionRow[] = [];
	let start = 0;
	while (start <= text.length) {
		const feed = text.indexOf('\n', start);
		const next = feed === -1 ? text.length : feed;
		const end = text[next - 1] === '\r' && next > start ? next - 1 : next;
		const line = text.slice(start, end);
		if (isPlain(line)) breakPlain(line, start, width, rows);
		else breakGraphemes(line, start, width, rows);
		start = next + 1;
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
	let used = 0;
	let space = -1;
	let usedAtSpace = 0;
	for (const {segment, index} of graphemesOf(line)) {
		const columns = columnsOf(drawable(segment));
		if (used + columns > width && index > start) {
			const end = space > start ? space : index;
			rows.push({start: offset + start, end: offset + end});
			used -= end === space ? usedAtSpace : used;
			start = end;
			space = -1;
		}
		used += columns;
		if (segment === ' ') {
			space = index + 1;
			usedAtSpace = used;
		}
	}
	rows.push({start: offset + start, end: offset + line.length});
}

/** Which of the rows a place of the text is drawn in: where one row goes on in the next, the next one. */
export function rowOf(rows: readonly ExpressionRow[], place: number): number {
	let found = 0;
	for (const [index, {start}] of rows.entries()) {
		if (start > place) break;
		found = index;
	}
	return found;
}

/** Display columns of a stretch of an expression. */
const stretchColumns = (text: string, start: number, end: number): number =>
	columnsOf(drawable(text.slice(start, end)));

/** The place so many rows up or down, in the same column as near as there is one; beyond the rows the text's ends. */
export function rowStep(text: string, place: number, by: number, columns: number): number {
	const rows = expressionRows(text, columns);
	const from = rowOf(rows, place);
	const target = rows[from + by];
	const here = rows[from];
	if (!target || !here) return by < 0 ? 0 : text.length;
	const goalColumn = stretchColumns(text, here.start, place);
	const line = text.slice(target.start, target.end);
	// The place behind a row that goes on is the beginning of the next one.
	const last = rows[from + by + 1]?.start === target.end ? Math.max(0, line.length - 1) : line.length;
	if (isPlain(line)) return target.start + Math.min(last, goalColumn);
	let left = goalColumn;
	for (const {segment, index} of graphemesOf(line)) {
		left -= columnsOf(drawable(segment));
		if (left < 0 || index >= last) return target.start + index;
	}
	return target.start + last;
}
