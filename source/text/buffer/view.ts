import {measureColumns} from '../columns.ts';
import {cutMark, sliceColumns} from '../cut.ts';
import {findBorderFrom, findNextBorder} from '../graphemes.ts';
import type {TextBuffer} from './buffer.ts';
import {drawLine, getColumnsBefore} from './line.ts';

/** The start of a line, and its display columns. */
type Measured = {readonly beginning: string; readonly columns: number};

/** The state of a view between renders. */
export type Scroll = {
	/** The first visible row and display column. */
	readonly row: number;
	readonly column: number;
	/** The text before the cursor, so that a very long line is not measured again after each key. */
	readonly measured: Measured;
};

export const initialScroll: Scroll = {row: 0, column: 0, measured: {beginning: '', columns: 0}};

type BufferView = {
	/**
	 * The visible lines, drawable and at most as wide as the view; `…` marks where a line continues beyond
	 * it.
	 */
	readonly rows: readonly string[];
	/** The cursor's position in the view. */
	readonly cursor: {readonly row: number; readonly column: number};
	/** To pass to the next call: the view moves only when the cursor leaves it. */
	readonly scroll: Scroll;
};

/** Narrower views have no `…`, which would take all their room. */
const minMarkedWidth = 8;

/**
 * Builds a view of `height` rows and `width` columns. Scrolls only to keep the cursor visible: vertically by
 * rows, sideways by half a view.
 */
export function buildBufferView(
	buffer: TextBuffer,
	height: number,
	width: number,
	scroll: Scroll = initialScroll,
): BufferView {
	const rows = Math.max(1, height);
	const columns = Math.max(1, width);
	const row = computeTopRow(buffer, rows, scroll.row);
	const measured = measureBeforeCursor(buffer, scroll.measured);
	const column = computeLeftColumn(buffer, columns, measured.columns, scroll.column);
	const start: Measured = {beginning: '', columns: 0};
	return {
		rows: buffer.lines
			.slice(row, row + rows)
			.map((line, index) =>
				clipLine(line, row + index === buffer.row ? measured : start, column, columns, buffer.singleLine),
			),
		cursor: {row: buffer.row - row, column: measured.columns - column},
		scroll: {row, column, measured},
	};
}

function computeTopRow(buffer: TextBuffer, height: number, before: number): number {
	const kept = Math.min(buffer.row, Math.max(before, buffer.row - height + 1));
	return Math.min(kept, Math.max(0, buffer.lines.length - height));
}

function measureBeforeCursor({lines, row, column, singleLine}: TextBuffer, known: Measured): Measured {
	const beginning = (lines[row] ?? '').slice(0, column);
	const [longer, shorter] =
		beginning.length < known.beginning.length ? [known.beginning, beginning] : [beginning, known.beginning];
	const common = shorter.length;
	if (!longer.startsWith(shorter) || findBorderFrom(longer, common) !== common)
		return {beginning, columns: getColumnsBefore(beginning, column, singleLine)};
	const difference = measureColumns(drawLine(longer.slice(common), singleLine));
	return {beginning, columns: known.columns + (longer === beginning ? difference : -difference)};
}

/** Returns the first visible display column, so that the cursor and the grapheme under it are visible. */
function computeLeftColumn(buffer: TextBuffer, width: number, cursor: number, before: number): number {
	const line = buffer.lines[buffer.row] ?? '';
	const end = findNextBorder(line, buffer.column);
	const half = Math.floor(width / 2);
	const under = measureColumns(drawLine(line.slice(buffer.column, end), buffer.singleLine));
	const needed = Math.min(Math.max(1, under), Math.max(1, width - half - 1));
	const mark = width < minMarkedWidth ? 0 : 1;
	const first = before > 0 ? before + mark : 0;
	const behind = before + width - (end < line.length ? mark : 0);
	return cursor >= first && cursor + needed <= behind ? before : Math.max(0, cursor - half);
}

/**
 * Clips a line to the view and adds `…`. Renders only what is near the view, starting from a place with a
 * known column.
 */
function clipLine(line: string, known: Measured, from: number, width: number, singleLine: boolean): string {
	const {text, column} = drawAround(line, known, from, from + width, singleLine);
	if (width < minMarkedWidth) return sliceColumns(text, from - column, width);
	const left = from > 0 && line !== '' ? cutMark : '';
	const right = column + measureColumns(text) > from + width ? cutMark : '';
	const inside = sliceColumns(text, from - column + left.length, width - left.length - right.length);
	return left + inside + right;
}

/** Renders a part of a line that covers the columns from `from` to `to`, and one beyond. */
function drawAround(
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
		start = findBorderFrom(line, Math.max(0, place - reach));
		text = drawLine(line.slice(start, place), singleLine);
		column = known.columns - measureColumns(text);
	}
	let end = place;
	let columns = known.columns;
	for (let reach = to - from + 1; end < line.length && columns <= to; reach *= 2) {
		const next = findBorderFrom(line, end + reach);
		const more = drawLine(line.slice(end, next), singleLine);
		text += more;
		columns += measureColumns(more);
		end = next;
	}
	return {text, column};
}
