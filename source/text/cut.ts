import {columnsOfTraits, joins, traitsOf} from './code-points.ts';
import {columnsOf, isPlain} from './columns.ts';

/** Marks cut text; one column wide. */
export const cutMark = '…';

/** An escape of `toDrawable`, and its maximum length in code units. */
const escapePattern = /\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{5,6}\})/y;
const longestEscape = 10;

/**
 * Cuts drawable text to at most `columns` columns, with `…` at the end if it does not fit. Never splits a
 * wide character, a grapheme or an escape, so the result may be narrower; empty for 0 columns.
 */
export function cutEnd(text: string, columns: number): string {
	if (columns <= 0) return '';
	if (headEnd(text, columns) === text.length) return text;
	return text.slice(0, beforeEscape(text, headEnd(text, columns - 1))) + cutMark;
}

/** Splits drawable text into lines of at most `columns` columns, without losing anything. */
export function cutIntoPieces(text: string, columns: number): readonly string[] {
	const pieces: string[] = [];
	for (let rest = text; rest !== ''; ) {
		const end = beforeEscape(rest, headEnd(rest, columns)) || graphemeAt(rest, 0).end;
		pieces.push(rest.slice(0, end));
		rest = rest.slice(end);
	}
	return pieces;
}

/**
 * Cuts like `cutEnd`, but in the middle, since names differ most at their ends. The start gets the odd
 * column.
 */
export function cutMiddle(text: string, columns: number): string {
	if (columns <= 0) return '';
	if (headEnd(text, columns) === text.length) return text;
	const head = text.slice(0, beforeEscape(text, headEnd(text, Math.ceil((columns - 1) / 2))));
	const left = columns - 1 - columnsOf(head);
	return head + cutMark + text.slice(behindEscape(text, tailStart(text, left)));
}

/**
 * Returns the `columns` columns of drawable text from column `from`. Half of a wide character becomes a
 * space; not padded at the end of the line.
 */
export function window(text: string, from: number, columns: number): string {
	const to = from + columns;
	if (columns <= 0) return '';
	if (isPlain(text.slice(0, to + 1))) return text.slice(from, to);
	let seen = '';
	let column = 0;
	let index = 0;
	while (index < text.length && column < to) {
		const {end, width} = graphemeAt(text, index);
		const hidden = Math.max(0, from - column) + Math.max(0, column + width - to);
		if (hidden === 0) seen += text.slice(index, end);
		else seen += ' '.repeat(Math.max(0, width - hidden));
		column += width;
		index = end;
	}
	return seen;
}

/** Cuts drawable text at the end, and pads it to exactly `columns` columns. */
export function fitted(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
	const cut = cutEnd(text, columns);
	const gap = ' '.repeat(Math.max(0, columns - columnsOf(cut)));
	return align === 'right' ? gap + cut : cut + gap;
}

/** Returns the end of the grapheme of drawable text at `index`, and its columns. */
function graphemeAt(text: string, index: number): {end: number; width: number} {
	let end = index;
	let width = 0;
	while (end < text.length) {
		const codePoint = text.codePointAt(end) ?? 0;
		const traits = traitsOf(codePoint);
		if (end > index && !(traits & joins)) break;
		width += columnsOfTraits(traits);
		end += codePoint > 0xffff ? 2 : 1;
	}
	return {end, width};
}

/** Returns the code units of the longest start of whole graphemes that fits `columns` columns. */
function headEnd(text: string, columns: number): number {
	if (isPlain(text.slice(0, columns + 1))) return Math.min(text.length, columns);
	let index = 0;
	let left = columns;
	while (index < text.length) {
		const {end, width} = graphemeAt(text, index);
		if (width > left) break;
		left -= width;
		index = end;
	}
	return index;
}

/** Returns where the longest end of whole graphemes starts that fits `columns` columns, in code units. */
function tailStart(text: string, columns: number): number {
	const plainStart = Math.max(0, text.length - columns);
	if (isPlain(text.slice(plainStart))) return plainStart;
	let start = text.length;
	let index = text.length;
	let left = columns;
	while (index > 0) {
		const surrogate = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
		index -= surrogate ? 2 : 1;
		const traits = traitsOf(text.codePointAt(index) ?? 0);
		left -= columnsOfTraits(traits);
		if (left < 0) break;
		if (!(traits & joins)) start = index;
	}
	return start;
}

/** Returns the escape that a cut at `place` would split, if any. */
function escapeAround(text: string, place: number): {start: number; end: number} | undefined {
	const near = Math.max(0, place - longestEscape);
	const back = text.slice(near, place).lastIndexOf('\\');
	if (back === -1) return;
	const start = near + back;
	escapePattern.lastIndex = start;
	const end = escapePattern.test(text) ? escapePattern.lastIndex : start;
	const joined = traitsOf(text.codePointAt(end) ?? 0) & joins;
	return end > place && !joined ? {start, end} : undefined;
}

const beforeEscape = (text: string, place: number): number => escapeAround(text, place)?.start ?? place;

const behindEscape = (text: string, place: number): number => escapeAround(text, place)?.end ?? place;
