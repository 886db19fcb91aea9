import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMark, sliceColumns} from '../../text/cut.ts';
import {findBorderFrom} from '../../text/graphemes.ts';
import {type NumberedLine, noFinalLineFeed} from '../../text/lines.ts';
import type {Difference} from './difference.ts';

type LineDifference = Extract<Difference, {kind: 'lines'}>;

/** Who changed a row; `nobody` for an unchanged one. */
export type ChangeAuthor = 'nobody' | 'stored' | 'mine' | 'both';

/** A piece of a line, safe to draw; `differs` marks the changed part. */
type CellPart = {readonly text: string; readonly differs: boolean};

export type Cell = {
	/** Undefined for `noFinalLineFeed`, which is not a line of the text. */
	readonly lineNumber: number | undefined;
	readonly mark: ' ' | '-' | '+';
	/** The raw line; `from` and `to` bound its changed part, in code units. */
	readonly text: string;
	readonly from: number;
	readonly to: number;
};

/** A displayed row: both sides, one side, or the number of skipped unchanged rows. */
export type LayoutRow =
	| {
			readonly kind: 'pair';
			readonly author: ChangeAuthor;
			readonly left: Cell | undefined;
			readonly right: Cell | undefined;
	  }
	| {readonly kind: 'line'; readonly author: ChangeAuthor; readonly cell: Cell}
	| {readonly kind: 'skipped'; readonly rowCount: number};

/** The displayed rows of a difference, built on demand. */
export type DifferenceLayout = {
	readonly rowCount: number;
	/** Digits of the largest line number. */
	readonly digits: number;
	at(row: number): LayoutRow | undefined;
};

const layoutCache = {
	true: new WeakMap<LineDifference, DifferenceLayout>(),
	false: new WeakMap<LineDifference, DifferenceLayout>(),
};

/** Returns the layout of a difference, cached because every keystroke needs it. */
export function getDifferenceLayout(difference: LineDifference, sideBySide: boolean): DifferenceLayout {
	const cache = layoutCache[`${sideBySide}`];
	const layout = cache.get(difference) ?? createDifferenceLayout(difference, sideBySide);
	cache.set(difference, layout);
	return layout;
}

/** Lays out a difference side by side, or with one version of a changed line below the other. */
export function createDifferenceLayout({rows}: LineDifference, sideBySide: boolean): DifferenceLayout {
	// Each entry is the doubled index of a row; plus 1 for the second line of a changed row.
	const positions = new Int32Array(rows.length * 2);
	let rowCount = 0;
	for (let index = 0; index < rows.length; index++) {
		positions[rowCount++] = index * 2;
		if (!sideBySide && rows.getKind(index) === 'changed') positions[rowCount++] = index * 2 + 1;
	}
	return {
		rowCount,
		digits: String(rows.largestLineNumber).length,
		at(rowIndex) {
			const position = rowIndex < rowCount ? positions[rowIndex] : undefined;
			const row = position === undefined ? undefined : rows.at(Math.floor(position / 2));
			if (!row || position === undefined) return undefined;
			if (row.kind === 'skipped') return row;
			const {changedBy: author} = row;
			const differingSpans =
				row.kind === 'changed' ? findChangedSpans(row.left.text, row.right.text) : undefined;
			const left = row.left && createCell(row.left, row.kind === 'same' ? ' ' : '-', differingSpans?.before);
			const right =
				row.right && createCell(row.right, row.kind === 'same' ? ' ' : '+', differingSpans?.after);
			if (sideBySide) return {kind: 'pair', author, left, right};
			const cell = position % 2 === 1 ? right : (left ?? right);
			return cell && {kind: 'line', author, cell};
		},
	};
}

type Span = {readonly from: number; readonly to: number};

function createCell(
	{number: lineNumber, text}: NumberedLine,
	mark: Cell['mark'],
	span: Span = {from: 0, to: 0},
): Cell {
	if (text === noFinalLineFeed) return {lineNumber: undefined, mark, text: text.trimEnd(), from: 0, to: 0};
	return {lineNumber, mark, text, ...span};
}

/** Returns the changed span of each line: everything but the common start and end, in whole graphemes. */
export function findChangedSpans(
	before: string,
	after: string,
): {readonly before: Span; readonly after: Span} {
	const minLength = Math.min(before.length, after.length);
	let prefixLength = 0;
	while (prefixLength < minLength && before[prefixLength] === after[prefixLength]) prefixLength++;
	let suffixLength = 0;
	while (
		suffixLength < minLength - prefixLength &&
		before[before.length - 1 - suffixLength] === after[after.length - 1 - suffixLength]
	)
		suffixLength++;
	const from = Math.min(findGraphemeStart(before, prefixLength), findGraphemeStart(after, prefixLength));
	const createSpan = (text: string): Span => ({
		from,
		to: Math.max(from, findBorderFrom(text, text.length - suffixLength)),
	});
	return {before: createSpan(before), after: createSpan(after)};
}

/** Returns the last grapheme boundary at or before an offset. */
function findGraphemeStart(text: string, offset: number): number {
	for (let index = offset; index > 0; index--) if (findBorderFrom(text, index) === index) return index;
	return 0;
}

/** Columns kept visible before the change when a line is cut. */
const contextColumns = 12;

/**
 * Builds the pieces of a line in at most `columns`, cut (`…`) so that the change is visible. Only the visible
 * part of a long line is processed.
 */
export function buildCellParts({text, from, to}: Cell, columns: number): readonly CellPart[] {
	const maxLength = columns * 4;
	const before = formatEnding(text, from, maxLength);
	const differing = formatBeginning(text, from, to, maxLength);
	const after = formatBeginning(text, to, text.length, maxLength);
	const fits = measureColumns(before) + measureColumns(differing) + measureColumns(after) <= columns;
	const visibleBefore =
		fits || measureColumns(before) <= columns / 2 ? before : cutToTail(before, contextColumns);
	const remainingColumns = columns - measureColumns(visibleBefore);
	const visibleChange = cutEnd(
		differing,
		after === '' || measureColumns(differing) > remainingColumns ? remainingColumns : remainingColumns - 1,
	);
	const visibleAfter = cutEnd(after, remainingColumns - measureColumns(visibleChange));
	return [
		{text: visibleBefore, differs: false},
		{text: visibleChange, differs: true},
		{text: visibleAfter, differs: false},
	].filter(one => one.text !== '');
}

function formatBeginning(text: string, from: number, to: number, maxLength: number): string {
	if (to - from <= maxLength) return toDrawable(text.slice(from, to));
	return `${toDrawable(text.slice(from, findBorderFrom(text, from + maxLength)))}${cutMark}`;
}

function formatEnding(text: string, to: number, maxLength: number): string {
	if (to <= maxLength) return toDrawable(text.slice(0, to));
	return `${cutMark}${toDrawable(text.slice(findBorderFrom(text, to - maxLength), to))}`;
}

/** Cuts drawable text to its last `columns`, after a `…`. */
const cutToTail = (text: string, columns: number): string =>
	`${cutMark}${sliceColumns(text, measureColumns(text) - columns, columns)}`;
