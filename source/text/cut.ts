import {getTraitColumns, getTraits, joinFlag} from './code-points.ts';
import {isPlainAscii, measureColumns} from './columns.ts';

/** Marks cut text; one column wide. */
export const cutMark = '…';

/** An escape of `toDrawable`, and its maximum length in code units. */
const escapePattern = /\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{5,6}\})/y;
const maxEscapeLength = 10;

/**
 * Cuts drawable text to at most `columns` columns, with `…` at the end if it does not fit. Never splits a
 * wide character, a grapheme or an escape, so the result may be narrower; empty for 0 columns.
 */
export function cutEnd(text: string, columns: number): string {
	if (columns <= 0) return '';
	if (findHeadEnd(text, columns) === text.length) return text;
	return text.slice(0, moveBeforeEscape(text, findHeadEnd(text, columns - 1))) + cutMark;
}

/** Splits drawable text into lines of at most `columns` columns, without losing anything. */
export function cutIntoPieces(text: string, columns: number): readonly string[] {
	const pieces: string[] = [];
	for (let remainder = text; remainder !== ''; ) {
		const end =
			moveBeforeEscape(remainder, findHeadEnd(remainder, columns)) || measureGrapheme(remainder, 0).end;
		pieces.push(remainder.slice(0, end));
		remainder = remainder.slice(end);
	}
	return pieces;
}

/**
 * Cuts like `cutEnd`, but in the middle, since names differ most at their ends. The start gets the odd
 * column.
 */
export function cutMiddle(text: string, columns: number): string {
	if (columns <= 0) return '';
	if (findHeadEnd(text, columns) === text.length) return text;
	const head = text.slice(0, moveBeforeEscape(text, findHeadEnd(text, Math.ceil((columns - 1) / 2))));
	const remainingColumns = columns - 1 - measureColumns(head);
	return head + cutMark + text.slice(moveAfterEscape(text, findTailStart(text, remainingColumns)));
}

/**
 * Returns the `columns` columns of drawable text from column `from`. Half of a wide character becomes a
 * space; not padded at the end of the line.
 */
export function sliceColumns(text: string, from: number, columns: number): string {
	const to = from + columns;
	if (columns <= 0) return '';
	if (isPlainAscii(text.slice(0, to + 1))) return text.slice(from, to);
	let visible = '';
	let column = 0;
	let index = 0;
	while (index < text.length && column < to) {
		const {end, width} = measureGrapheme(text, index);
		const hiddenColumns = Math.max(0, from - column) + Math.max(0, column + width - to);
		if (hiddenColumns === 0) visible += text.slice(index, end);
		else visible += ' '.repeat(Math.max(0, width - hiddenColumns));
		column += width;
		index = end;
	}
	return visible;
}

/** Cuts drawable text at the end, and pads it to exactly `columns` columns. */
export function fitText(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
	const cutText = cutEnd(text, columns);
	const gap = ' '.repeat(Math.max(0, columns - measureColumns(cutText)));
	return align === 'right' ? gap + cutText : cutText + gap;
}

/** Returns the end of the grapheme of drawable text at `index`, and its columns. */
function measureGrapheme(text: string, index: number): {end: number; width: number} {
	let end = index;
	let width = 0;
	while (end < text.length) {
		const codePoint = text.codePointAt(end) ?? 0;
		const traits = getTraits(codePoint);
		if (end > index && !(traits & joinFlag)) break;
		width += getTraitColumns(traits);
		end += codePoint > 0xffff ? 2 : 1;
	}
	return {end, width};
}

/**
 * Returns the length (code units) of the longest prefix of whole graphemes that fits into `columns` columns.
 */
function findHeadEnd(text: string, columns: number): number {
	if (isPlainAscii(text.slice(0, columns + 1))) return Math.min(text.length, columns);
	let index = 0;
	let remainingColumns = columns;
	while (index < text.length) {
		const {end, width} = measureGrapheme(text, index);
		if (width > remainingColumns) break;
		remainingColumns -= width;
		index = end;
	}
	return index;
}

/**
 * Returns the start (code units) of the longest suffix of whole graphemes that fits into `columns` columns.
 */
function findTailStart(text: string, columns: number): number {
	const plainStart = Math.max(0, text.length - columns);
	if (isPlainAscii(text.slice(plainStart))) return plainStart;
	let start = text.length;
	let index = text.length;
	let remainingColumns = columns;
	while (index > 0) {
		const isSurrogatePair = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
		index -= isSurrogatePair ? 2 : 1;
		const traits = getTraits(text.codePointAt(index) ?? 0);
		remainingColumns -= getTraitColumns(traits);
		if (remainingColumns < 0) break;
		if (!(traits & joinFlag)) start = index;
	}
	return start;
}

/** Returns the escape that a cut at `index` would split, if any. */
function findEscapeAround(text: string, index: number): {start: number; end: number} | undefined {
	const searchStart = Math.max(0, index - maxEscapeLength);
	const backslashIndex = text.slice(searchStart, index).lastIndexOf('\\');
	if (backslashIndex === -1) return;
	const start = searchStart + backslashIndex;
	escapePattern.lastIndex = start;
	const end = escapePattern.test(text) ? escapePattern.lastIndex : start;
	const isJoined = getTraits(text.codePointAt(end) ?? 0) & joinFlag;
	return end > index && !isJoined ? {start, end} : undefined;
}

const moveBeforeEscape = (text: string, index: number): number =>
	findEscapeAround(text, index)?.start ?? index;

const moveAfterEscape = (text: string, index: number): number => findEscapeAround(text, index)?.end ?? index;
