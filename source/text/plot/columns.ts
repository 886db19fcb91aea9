import {blankCell, getSeriesTone, type PlotCell, type PlotCells} from './cells.ts';
import {
	countBuckets,
	getBucket,
	getBucketPlace,
	getSeriesLetter,
	type PlotPlace,
	type TimePlot,
	toDrawnValue,
} from './plot.ts';

export const eighths = ' ▁▂▃▄▅▆▇█';

/** Patterns to tell series apart without colors. */
const patterns = '█▒░▓▚';

/** Returns what fills the cells of a series without color. */
export const getFill = (series: number, of: number, isAscii: boolean): string => {
	if (isAscii) return of === 1 ? '#' : getSeriesLetter(series);
	return patterns[series % patterns.length] ?? '';
};

/** The cumulated values of the series in one bucket. */
type Stack = readonly number[];

/**
 * Draws stacked columns of all series in an area whose top edge is `top`. Heights are exact to an eighth of a
 * row with colors, to a row without. A column that covers several buckets shows the highest sum.
 */
export function buildColumnCells(
	plot: TimePlot,
	top: number,
	{columns, rows, isAscii, isColoured}: PlotPlace,
): PlotCells {
	const cells: PlotCell[][] = Array.from({length: rows}, () => new Array<PlotCell>(columns).fill(blankCell));
	const isExact = !isAscii && (isColoured || plot.series.length === 1);
	for (const [column, stack] of buildStacks(plot, columns).entries()) {
		if (!stack) continue;
		const ends = stack.map(end => Math.round((end / top) * rows * 8));
		if ((stack.at(-1) ?? 0) > 0) raiseEnds(ends, stack, isExact ? 1 : 4);
		const filled = Math.min(rows, Math.ceil((ends.at(-1) ?? 0) / 8));
		for (let row = 0; row < filled; row++) {
			const cell = isExact
				? buildExactCell(ends, row * 8)
				: buildFilledCell(ends, row * 8, series => getFill(series, ends.length, isAscii));
			const cellsOfRow = cells[rows - 1 - row];
			if (cell && cellsOfRow) cellsOfRow[column] = cell;
		}
	}
	return cells;
}

/** Makes a sum above zero visible: its largest part gets at least `least` eighths. */
function raiseEnds(ends: number[], stack: Stack, least: number): void {
	let most = 0;
	for (const at of stack.keys()) if (getPartSize(stack, at) > getPartSize(stack, most)) most = at;
	for (let at = most; at < ends.length; at++) ends[at] = Math.max(ends[at] ?? 0, least);
}

const getPartSize = (stack: Stack, at: number): number =>
	(stack[at] ?? 0) - (at === 0 ? 0 : (stack[at - 1] ?? 0));

/** Returns the stack of each column; undefined between buckets, and for buckets without values. */
function buildStacks(plot: TimePlot, columns: number): (Stack | undefined)[] {
	const buckets = countBuckets(plot);
	const stacks: (Stack | undefined)[] = new Array(columns).fill(undefined);
	if (buckets === 0) return stacks;
	if (buckets <= columns) {
		const isApart = columns / buckets >= 3;
		for (let column = 0; column < columns; column++) {
			const bucket = getBucket(column, columns, buckets);
			if (isApart && getBucket(column + 1, columns, buckets) !== bucket) continue;
			stacks[column] = buildStack(plot, bucket);
		}
		return stacks;
	}
	for (let bucket = 0; bucket < buckets; bucket++) {
		const column = getBucketPlace(bucket, columns, buckets);
		const stack = buildStack(plot, bucket);
		if (stack && (stack.at(-1) ?? 0) >= (stacks[column]?.at(-1) ?? 0)) stacks[column] = stack;
	}
	return stacks;
}

function buildStack({series}: TimePlot, bucket: number): Stack | undefined {
	const values = series.map(({values}) => toDrawnValue(values[bucket]));
	if (values.every(value => value === undefined)) return undefined;
	let sum = 0;
	return values.map(value => {
		sum += value ?? 0;
		return sum;
	});
}

/** Returns the highest sum of a bucket. */
export function getHighestStack(plot: TimePlot): number {
	let highest = 0;
	for (let bucket = 0; bucket < countBuckets(plot); bucket++)
		highest = Math.max(highest, buildStack(plot, bucket)?.at(-1) ?? 0);
	return highest;
}

/**
 * Returns the share of each series in the eight eighths from `foot` on, from the bottom; omits those without
 * one.
 */
function splitEighths(
	ends: readonly number[],
	foot: number,
): {readonly series: number; readonly size: number}[] {
	const parts: {series: number; size: number}[] = [];
	let start = 0;
	for (const [series, end] of ends.entries()) {
		const size = Math.min(end, foot + 8) - Math.max(start, foot);
		if (size > 0) parts.push({series, size});
		start = Math.max(start, end);
	}
	return parts;
}

/**
 * Builds a cell with an exact sum. A border inside it is exact, too, except at the top of the column, where
 * the larger part takes the whole cell.
 */
function buildExactCell(ends: readonly number[], foot: number): PlotCell | undefined {
	const parts = splitEighths(ends, foot);
	const [first, ...others] = parts;
	if (!first) return undefined;
	const filled = parts.reduce((sum, {size}) => sum + size, 0);
	const upper = findLargest(others);
	if (upper && filled === 8)
		return {
			text: eighths[first.size] ?? '',
			tone: getSeriesTone(first.series),
			behind: getSeriesTone(upper.series),
		};
	return {text: eighths[filled] ?? '', tone: getSeriesTone((findLargest(parts) ?? first).series)};
}

/** Builds a fully filled cell if at least half of it is used. */
function buildFilledCell(
	ends: readonly number[],
	foot: number,
	fill: (series: number) => string,
): PlotCell | undefined {
	const parts = splitEighths(ends, foot);
	const most = findLargest(parts);
	if (!most || parts.reduce((sum, {size}) => sum + size, 0) < 4) return undefined;
	return {text: fill(most.series), tone: getSeriesTone(most.series)};
}

const findLargest = <Part extends {readonly size: number}>(parts: readonly Part[]): Part | undefined =>
	parts.reduce<Part | undefined>((most, part) => (most && most.size >= part.size ? most : part), undefined);

/** Returns the row (from the top) of the middle of each series in the last bucket. */
export function getColumnEnds(plot: TimePlot, top: number, rows: number): readonly (number | undefined)[] {
	const stack = buildStack(plot, countBuckets(plot) - 1) ?? [];
	return plot.series.map((_, at) => {
		const [foot = 0, end = 0] = [at === 0 ? 0 : stack[at - 1], stack[at]];
		if (end <= foot) return undefined;
		return Math.max(0, rows - 1 - Math.floor(((foot + end) / 2 / top) * rows));
	});
}
