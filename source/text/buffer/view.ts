import {measureColumns} from '../columns.ts';
import {cutMark, sliceColumns} from '../cut.ts';
import {findBorderFrom, findNextBorder} from '../graphemes.ts';
import type {TextBuffer} from './buffer.ts';
import {drawLine, getColumnsBefore} from './line.ts';

/** The start of a line, and its display columns. */
type MeasuredStart = {readonly beginning: string; readonly columns: number};

/** The state of a view between renders. */
export type Scroll = {
	/** The first visible row and display column. */
	readonly row: number;
	readonly column: number;
	/** The text before the cursor, so that a very long line is not measured again after each key. */
	readonly measured: MeasuredStart;
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

/** Narrower views have no `…`, because it would take too much of their width. */
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
	const lineBeginning: MeasuredStart = {beginning: '', columns: 0};
	return {
		rows: buffer.lines
			.slice(row, row + rows)
			.map((line, index) =>
				clipLine(
					line,
					row + index === buffer.row ? measured : lineBeginning,
					column,
					columns,
					buffer.singleLine,
				),
			),
		cursor: {row: buffer.row - row, column: measured.columns - column},
		scroll: {row, column, measured},
	};
}

function computeTopRow(buffer: TextBuffer, height: number, previousRow: number): number {
	const topRow = Math.min(buffer.row, Math.max(previousRow, buffer.row - height + 1));
	return Math.min(topRow, Math.max(0, buffer.lines.length - height));
}

function measureBeforeCursor(
	{lines, row, column, singleLine}: TextBuffer,
	previousMeasured: MeasuredStart,
): MeasuredStart {
	const beginning = (lines[row] ?? '').slice(0, column);
	const [longer, shorter] =
		beginning.length < previousMeasured.beginning.length
			? [previousMeasured.beginning, beginning]
			: [beginning, previousMeasured.beginning];
	const commonLength = shorter.length;
	if (!longer.startsWith(shorter) || findBorderFrom(longer, commonLength) !== commonLength)
		return {beginning, columns: getColumnsBefore(beginning, column, singleLine)};
	const difference = measureColumns(drawLine(longer.slice(commonLength), singleLine));
	return {beginning, columns: previousMeasured.columns + (longer === beginning ? difference : -difference)};
}

/** Returns the first visible display column, so that the cursor and the grapheme under it are visible. */
function computeLeftColumn(
	buffer: TextBuffer,
	width: number,
	cursor: number,
	previousColumn: number,
): number {
	const line = buffer.lines[buffer.row] ?? '';
	const end = findNextBorder(line, buffer.column);
	const halfWidth = Math.floor(width / 2);
	const cursorWidth = measureColumns(drawLine(line.slice(buffer.column, end), buffer.singleLine));
	const neededColumns = Math.min(Math.max(1, cursorWidth), Math.max(1, width - halfWidth - 1));
	const markWidth = width < minMarkedWidth ? 0 : 1;
	const visibleStart = previousColumn > 0 ? previousColumn + markWidth : 0;
	const visibleEnd = previousColumn + width - (end < line.length ? markWidth : 0);
	return cursor >= visibleStart && cursor + neededColumns <= visibleEnd
		? previousColumn
		: Math.max(0, cursor - halfWidth);
}

/**
 * Clips a line to the view and adds `…`. Renders only the part near the view, starting from the measured
 * beginning, whose width is known.
 */
function clipLine(
	line: string,
	measuredStart: MeasuredStart,
	from: number,
	width: number,
	singleLine: boolean,
): string {
	const {text, column} = drawAround(line, measuredStart, from, from + width, singleLine);
	if (width < minMarkedWidth) return sliceColumns(text, from - column, width);
	const leftMark = from > 0 && line !== '' ? cutMark : '';
	const rightMark = column + measureColumns(text) > from + width ? cutMark : '';
	const middle = sliceColumns(
		text,
		from - column + leftMark.length,
		width - leftMark.length - rightMark.length,
	);
	return leftMark + middle + rightMark;
}

/** Renders a part of a line that covers the columns from `from` to `to`, and one more column. */
function drawAround(
	line: string,
	measuredStart: MeasuredStart,
	from: number,
	to: number,
	singleLine: boolean,
): {text: string; column: number} {
	const startIndex = measuredStart.beginning.length;
	let text = '';
	let column = measuredStart.columns;
	for (let start = startIndex, reach = to - from; start > 0 && column > from; reach *= 2) {
		start = findBorderFrom(line, Math.max(0, startIndex - reach));
		text = drawLine(line.slice(start, startIndex), singleLine);
		column = measuredStart.columns - measureColumns(text);
	}
	let end = startIndex;
	let columns = measuredStart.columns;
	for (let reach = to - from + 1; end < line.length && columns <= to; reach *= 2) {
		const next = findBorderFrom(line, end + reach);
		const addedText = drawLine(line.slice(end, next), singleLine);
		text += addedText;
		columns += measureColumns(addedText);
		end = next;
	}
	return {text, column};
}
