import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, cutMark, window} from '../../text/cut.ts';
import {borderAtOrAfter} from '../../text/graphemes.ts';
import {type NumberedLine, noFinalLineFeed} from '../../text/lines.ts';
import type {Difference} from './difference.ts';

type Lines = Extract<Difference, {kind: 'lines'}>;

/** Who changed a row; `nobody` for an unchanged one. */
export type Who = 'nobody' | 'stored' | 'mine' | 'both';

/** A piece of a line, safe to draw; `differs` marks the changed part. */
type Part = {readonly text: string; readonly differs: boolean};

export type Cell = {
	/** Undefined for `noFinalLineFeed`, which is not a line of the text. */
	readonly number: number | undefined;
	readonly mark: ' ' | '-' | '+';
	/** The raw line; `from` and `to` bound its changed part, in code units. */
	readonly text: string;
	readonly from: number;
	readonly to: number;
};

/** A displayed row: both sides, one side, or the number of skipped unchanged rows. */
export type Row =
	| {
			readonly kind: 'pair';
			readonly who: Who;
			readonly left: Cell | undefined;
			readonly right: Cell | undefined;
	  }
	| {readonly kind: 'line'; readonly who: Who; readonly cell: Cell}
	| {readonly kind: 'skipped'; readonly rows: number};

/** The displayed rows of a difference, built on demand. */
export type Layout = {
	readonly count: number;
	/** Digits of the largest line number. */
	readonly digits: number;
	at(row: number): Row | undefined;
};

const layouts = {true: new WeakMap<Lines, Layout>(), false: new WeakMap<Lines, Layout>()};

/** Returns the cached layout of a difference: it is needed on every keystroke. */
export function layoutFor(difference: Lines, sideBySide: boolean): Layout {
	const made = layouts[`${sideBySide}`];
	const layout = made.get(difference) ?? layoutOf(difference, sideBySide);
	made.set(difference, layout);
	return layout;
}

/** Lays out a difference side by side, or with changed lines below each other. */
export function layoutOf({rows}: Lines, sideBySide: boolean): Layout {
	const places = new Int32Array(rows.length * 2);
	let count = 0;
	for (let index = 0; index < rows.length; index++) {
		places[count++] = index * 2;
		if (!sideBySide && rows.kind(index) === 'changed') places[count++] = index * 2 + 1;
	}
	return {
		count,
		digits: String(rows.largest).length,
		at(place) {
			const found = place < count ? places[place] : undefined;
			const row = found === undefined ? undefined : rows.at(Math.floor(found / 2));
			if (!row || found === undefined) return undefined;
			if (row.kind === 'skipped') return row;
			const {changedBy: who} = row;
			const differing = row.kind === 'changed' ? partThatDiffers(row.left.text, row.right.text) : undefined;
			const left = row.left && cellOf(row.left, row.kind === 'same' ? ' ' : '-', differing?.before);
			const right = row.right && cellOf(row.right, row.kind === 'same' ? ' ' : '+', differing?.after);
			if (sideBySide) return {kind: 'pair', who, left, right};
			const cell = found % 2 === 1 ? right : (left ?? right);
			return cell && {kind: 'line', who, cell};
		},
	};
}

type Span = {readonly from: number; readonly to: number};

function cellOf({number, text}: NumberedLine, mark: Cell['mark'], span: Span = {from: 0, to: 0}): Cell {
	if (text === noFinalLineFeed) return {number: undefined, mark, text: text.trimEnd(), from: 0, to: 0};
	return {number, mark, text, ...span};
}

/** Returns the changed span of each line: everything but the common start and end, in whole graphemes. */
export function partThatDiffers(
	before: string,
	after: string,
): {readonly before: Span; readonly after: Span} {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	const from = Math.min(borderAtOrBefore(before, head), borderAtOrBefore(after, head));
	const spanOf = (text: string): Span => ({
		from,
		to: Math.max(from, borderAtOrAfter(text, text.length - tail)),
	});
	return {before: spanOf(before), after: spanOf(after)};
}

/** Returns the last grapheme boundary at or before an offset. */
function borderAtOrBefore(text: string, place: number): number {
	for (let at = place; at > 0; at--) if (borderAtOrAfter(text, at) === at) return at;
	return 0;
}

/** Columns kept visible before the change when a line is cut. */
const contextColumns = 12;

/**
 * Builds the pieces of a line in at most `columns`, cut (`…`) so that the change is visible. Long lines cost
 * no more than what is shown.
 */
export function partsOf({text, from, to}: Cell, columns: number): readonly Part[] {
	const longest = columns * 4;
	const before = ending(text, from, longest);
	const differing = beginning(text, from, to, longest);
	const after = beginning(text, to, text.length, longest);
	const fits = columnsOf(before) + columnsOf(differing) + columnsOf(after) <= columns;
	const shown = fits || columnsOf(before) <= columns / 2 ? before : tail(before, contextColumns);
	const left = columns - columnsOf(shown);
	const part = cutEnd(differing, after === '' || columnsOf(differing) > left ? left : left - 1);
	const rest = cutEnd(after, left - columnsOf(part));
	return [
		{text: shown, differs: false},
		{text: part, differs: true},
		{text: rest, differs: false},
	].filter(one => one.text !== '');
}

function beginning(text: string, from: number, to: number, longest: number): string {
	if (to - from <= longest) return drawable(text.slice(from, to));
	return `${drawable(text.slice(from, borderAtOrAfter(text, from + longest)))}${cutMark}`;
}

function ending(text: string, to: number, longest: number): string {
	if (to <= longest) return drawable(text.slice(0, to));
	return `${cutMark}${drawable(text.slice(borderAtOrAfter(text, to - longest), to))}`;
}

/** Keeps the end of drawable text after a `…`. */
const tail = (text: string, columns: number): string =>
	`${cutMark}${window(text, columnsOf(text) - columns, columns)}`;
