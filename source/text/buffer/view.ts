import {columnsOf} from '../columns.ts';
import {cutMark, window} from '../cut.ts';
import {borderAfter, borderAtOrAfter} from '../graphemes.ts';
import type {TextBuffer} from './buffer.ts';
import {columnsBefore, drawnLine} from './line.ts';

/** A beginning of a line, and its display columns. */
type Measured = {readonly beginning: string; readonly columns: number};

/** What a view of a buffer keeps from one time to the next. */
export type Scroll = {
	/** The first row and the first display column in view. */
	readonly row: number;
	readonly column: number;
	/** What stood before the cursor, so that of a very long line only what changed is measured again. */
	readonly measured: Measured;
};

export const notScrolled: Scroll = {row: 0, column: 0, measured: {beginning: '', columns: 0}};

type BufferView = {
	/** The lines in view from `scroll.row` on, drawable, none wider than the view; `…` where a line goes on beside it. */
	readonly rows: readonly string[];
	/** Where the cursor is in the view. */
	readonly cursor: {readonly row: number; readonly column: number};
	/** To be handed in the next time: the view moves only when the cursor leaves it. */
	readonly scroll: Scroll;
};

/** Views narrower than this show no `…`: there would be nothing between them. */
const narrowest = 8;

/**
 * What a view of `height` rows and `width` columns shows of a buffer, scrolled just so far that the cursor is in it:
 * down by rows, to the side by half a view at a time.
 */
export function visible(
	buffer: TextBuffer,
	height: number,
	width: number,
	scroll: Scroll = notScrolled,
): BufferView {
	const rows = Math.max(1, height);
	const columns = Math.max(1, width);
	const row = scrolledRow(buffer, rows, scroll.row);
	const measured = measuredBeforeCursor(buffer, scroll.measured);
	const column = scrolledColumn(buffer, columns, measured.columns, scroll.column);
	const start: Measured = {beginning: '', columns: 0};
	return {
		rows: buffer.lines
			.slice(row, row + rows)
			.map((line, index) =>
				inView(line, row + index === buffer.row ? measured : start, column, columns, buffer.singleLine),
			),
		cursor: {row: buffer.row - row, column: measured.columns - column},
		scroll: {row, column, measured},
	};
}

function scrolledRow(buffer: TextBuffer, height: number, before: number): number {
	const kept = Math.min(buffer.row, Math.max(before, buffer.row - height + 1));
	return Math.min(kept, Math.max(0, buffer.lines.length - height));
}

function measuredBeforeCursor({lines, row, column, singleLine}: TextBuffer, known: Measured): Measured {
	const beginning = (lines[row] ?? '').slice(0, column);
	const [longer, shorter] =
		beginning.length < known.beginning.length ? [known.beginning, beginning] : [beginning, known.beginning];
	const common = shorter.length;
	if (!longer.startsWith(shorter) || borderAtOrAfter(longer, common) !== common)
		return {beginning, columns: columnsBefore(beginning, column, singleLine)};
	const difference = columnsOf(drawnLine(longer.slice(common), singleLine));
	return {beginning, columns: known.columns + (longer === beginning ? difference : -difference)};
}

/** The display column that the view begins with, so that the cursor and what is under it are in view. */
function scrolledColumn(buffer: TextBuffer, width: number, cursor: number, before: number): number {
	const line = buffer.lines[buffer.row] ?? '';
	const end = borderAfter(line, buffer.column);
	const half = Math.floor(width / 2);
	const under = columnsOf(drawnLine(line.slice(buffer.column, end), buffer.singleLine));
	const needed = Math.min(Math.max(1, under), Math.max(1, width - half - 1));
	const mark = width < narrowest ? 0 : 1;
	const first = before > 0 ? before + mark : 0;
	const behind = before + width - (end < line.length ? mark : 0);
	return cursor >= first && cursor + needed <= behind ? before : Math.max(0, cursor - half);
}

/** The part of a line that is in view, with its marks. Only what is near the view is drawn, from a place whose columns are known. */
function inView(line: string, known: Measured, from: number, width: number, singleLine: boolean): string {
	const {text, column} = drawnNear(line, known, from, from + width, singleLine);
	if (width < narrowest) return window(text, from - column, width);
	const left = from > 0 && line !== '' ? cutMark : '';
	const right = column + columnsOf(text) > from + width ? cutMark : '';
	const inside = window(text, from - column + left.length, width - left.length - right.length);
	return left + inside + right;
}

/** A part of a line, drawn, that reaches over all of the columns from `from` to `to` that the line has, and one beyond. */
function drawnNear(
	line: string,
	known: Measured,
	from: number,
	to: number,
	singleLine: boolean,
): {text: string; column: number} {
	const place = known.beginning.length;
	let text = '';
	let column = known.columns;
	for (let start = place, reach = to - from; start > 0 && column > from; reach *= 2) {
		start = borderAtOrAfter(line, Math.max(0, place - reach));
		text = drawnLine(line.slice(start, place), singleLine);
		column = known.columns - columnsOf(text);
	}
	let end = place;
	let columns = known.columns;
	for (let reach = to - from + 1; end < line.length && columns <= to; reach *= 2) {
		const next = borderAtOrAfter(line, end + reach);
		const more = drawnLine(line.slice(end, next), singleLine);
		text += more;
		columns += columnsOf(more);
		end = next;
	}
	return {text, column};
}
