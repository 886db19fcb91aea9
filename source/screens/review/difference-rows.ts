import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMark, cutMiddle, sliceColumns} from '../../text/cut.ts';
import {findBorderFrom} from '../../text/graphemes.ts';
import {type NumberedLine, noFinalLineFeed} from '../../text/lines.ts';
import {type ChangedSpan, findChangedSpans} from './changed-spans.ts';
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
	/** The raw line, and its changed parts in order. */
	readonly text: string;
	readonly changes: readonly ChangedSpan[];
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

function createCell(
	{number: lineNumber, text}: NumberedLine,
	mark: Cell['mark'],
	changes: readonly ChangedSpan[] = [],
): Cell {
	if (text === noFinalLineFeed) return {lineNumber: undefined, mark, text: text.trimEnd(), changes: []};
	return {lineNumber, mark, text, changes};
}

/** Columns kept visible before a change when a line is cut. */
const contextColumns = 12;

/** Minimum columns of a change that is shown by itself. */
const minChangeColumns = 3;

/**
 * Builds the pieces of a line in at most `columns`, cut (`…`) so that every change is visible: first around the
 * changes, then between them, and at last in their middle. Only the visible part of a long line is processed.
 */
export function buildCellParts({text, changes}: Cell, columns: number): readonly CellPart[] {
	const maxLength = columns * 4;
	const before = formatEnding(text, changes[0]?.from ?? 0, maxLength);
	const middle = changes.flatMap(({from, to}, index): CellPart[] => [
		...(index === 0
			? []
			: [{text: formatMiddle(text, changes[index - 1]?.to ?? from, from, maxLength), differs: false}]),
		{text: formatMiddle(text, from, to, maxLength), differs: true},
	]);
	const after = formatBeginning(text, changes.at(-1)?.to ?? 0, text.length, maxLength);
	const middleColumns = measureParts(middle);
	const beforeColumns = measureColumns(before);
	const fits = beforeColumns + middleColumns + measureColumns(after) <= columns;
	const minMiddleColumns = measureParts(cutParts(middle, 1, minChangeColumns));
	const keepsBefore =
		fits ||
		(beforeColumns <= columns / 2 && beforeColumns + minMiddleColumns < columns && changes.length <= 1);
	const hasContext = contextColumns + minMiddleColumns + 2 <= columns;
	const visibleBefore = keepsBefore ? before : cutToTail(before, hasContext ? contextColumns : 0);
	const remainingColumns = columns - measureColumns(visibleBefore);
	const visibleMiddle = fitChanges(middle, after === '' ? remainingColumns : remainingColumns - 1);
	const visibleAfter = cutEnd(after, remainingColumns - measureParts(visibleMiddle));
	return [
		{text: visibleBefore, differs: false},
		...visibleMiddle,
		{text: visibleAfter, differs: false},
	].filter(one => one.text !== '');
}

const measureParts = (parts: readonly CellPart[]): number =>
	parts.reduce((columns, {text}) => columns + measureColumns(text), 0);

/** Shortens changes and the equal texts between them to at most `columns`. */
function fitChanges(parts: readonly CellPart[], columns: number): readonly CellPart[] {
	if (measureParts(parts) <= columns) return parts;
	const changes = parts.filter(({differs}) => differs);
	const gapCount = parts.length - changes.length;
	const gapColumns = Math.floor((columns - measureParts(changes)) / Math.max(1, gapCount));
	if (gapCount > 0 && gapColumns >= 1) return cutParts(parts, gapColumns, Number.POSITIVE_INFINITY);
	const widths = changes.map(({text}) => measureColumns(text)).sort((one, other) => one - other);
	let room = columns - gapCount;
	for (const [index, width] of widths.entries()) {
		const share = Math.floor(room / (widths.length - index));
		if (width > share && share >= Math.min(minChangeColumns, columns)) return cutParts(parts, 1, share);
		room -= width;
	}
	// Too many changes: from the first to the last they count as one.
	return [{text: cutMiddle(parts.map(({text}) => text).join(''), columns), differs: true}];
}

const cutParts = (
	parts: readonly CellPart[],
	gapColumns: number,
	changeColumns: number,
): readonly CellPart[] =>
	parts.map(({text, differs}) => ({text: cutMiddle(text, differs ? changeColumns : gapColumns), differs}));

/** Formats a part of a line; of a very long one its beginning and end. */
const formatMiddle = (text: string, from: number, to: number, maxLength: number): string =>
	to - from <= 2 * maxLength
		? toDrawable(text.slice(from, to))
		: `${toDrawable(text.slice(from, findBorderFrom(text, from + maxLength)))}${cutMark}${toDrawable(text.slice(findBorderFrom(text, to - maxLength), to))}`;

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
	measureColumns(text) <= columns + 1
		? text
		: `${cutMark}${sliceColumns(text, measureColumns(text) - columns, columns)}`;
