import {blankCell, getSeriesTone, type PlotCell, type PlotCells} from './cells.ts';
import {
	countBuckets,
	getBucket,
	getBucketColumn,
	getSeriesLetter,
	type PlotTarget,
	type TimePlot,
	toDrawnValue,
} from './plot.ts';

export const eighths = ' ▁▂▃▄▅▆▇█';

/** Patterns to tell series apart without colors. */
const patterns = '█▒░▓▚';

/** Returns the character that fills the cells of a series without color. */
export const getFill = (series: number, seriesCount: number, isAscii: boolean): string => {
	if (isAscii) return seriesCount === 1 ? '#' : getSeriesLetter(series);
	return patterns[series % patterns.length] ?? '';
};

/**
 * The cumulated values of the series in one bucket. `endEighths` are the heights at which
 * they end in a drawing, in eighths of a row from the bottom.
 */
type Stack = readonly number[];

/**
 * Draws stacked columns of all series in an area whose top edge is `top`. Heights are exact to an eighth of a
 * row with colors, to a row without. A column that covers several buckets shows the highest sum.
 */
export function buildColumnCells(
	plot: TimePlot,
	top: number,
	{columns, rows, isAscii, isColored}: PlotTarget,
): PlotCells {
	const cells: PlotCell[][] = Array.from({length: rows}, () => new Array<PlotCell>(columns).fill(blankCell));
	const isExact = !isAscii && (isColored || plot.series.length === 1);
	for (const [column, stack] of buildStacks(plot, columns).entries()) {
		if (!stack) continue;
		const endEighths = stack.map(stackEnd => Math.round((stackEnd / top) * rows * 8));
		if ((stack.at(-1) ?? 0) > 0) raiseEnds(endEighths, stack, isExact ? 1 : 4);
		const filledRows = Math.min(rows, Math.ceil((endEighths.at(-1) ?? 0) / 8));
		for (let row = 0; row < filledRows; row++) {
			const cell = isExact
				? buildExactCell(endEighths, row * 8)
				: buildFilledCell(endEighths, row * 8, series => getFill(series, endEighths.length, isAscii));
			const cellsOfRow = cells[rows - 1 - row];
			if (cell && cellsOfRow) cellsOfRow[column] = cell;
		}
	}
	return cells;
}

/** Makes a sum above zero visible: its largest part gets at least `minEighths` eighths. */
function raiseEnds(endEighths: number[], stack: Stack, minEighths: number): void {
	let largestIndex = 0;
	for (const index of stack.keys())
		if (getPartSize(stack, index) > getPartSize(stack, largestIndex)) largestIndex = index;
	for (let index = largestIndex; index < endEighths.length; index++)
		endEighths[index] = Math.max(endEighths[index] ?? 0, minEighths);
}

const getPartSize = (stack: Stack, index: number): number =>
	(stack[index] ?? 0) - (index === 0 ? 0 : (stack[index - 1] ?? 0));

/** Returns the stack of each column; undefined between buckets, and for buckets without values. */
function buildStacks(plot: TimePlot, columns: number): (Stack | undefined)[] {
	const bucketCount = countBuckets(plot);
	const stacks: (Stack | undefined)[] = new Array(columns).fill(undefined);
	if (bucketCount === 0) return stacks;
	if (bucketCount <= columns) {
		const hasGaps = columns / bucketCount >= 3;
		for (let column = 0; column < columns; column++) {
			const bucket = getBucket(column, columns, bucketCount);
			if (hasGaps && getBucket(column + 1, columns, bucketCount) !== bucket) continue;
			stacks[column] = buildStack(plot, bucket);
		}
		return stacks;
	}
	for (let bucket = 0; bucket < bucketCount; bucket++) {
		const column = getBucketColumn(bucket, columns, bucketCount);
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
 * Returns the eighths of each series in the cell that starts at `bottom`, from bottom to top; omits series
 * that have none.
 */
function splitEighths(
	endEighths: readonly number[],
	bottom: number,
): {readonly series: number; readonly size: number}[] {
	const parts: {series: number; size: number}[] = [];
	let start = 0;
	for (const [series, end] of endEighths.entries()) {
		const size = Math.min(end, bottom + 8) - Math.max(start, bottom);
		if (size > 0) parts.push({series, size});
		start = Math.max(start, end);
	}
	return parts;
}

/**
 * Builds a cell whose filled height is exact. A border between two series is exact, too, except in the top
 * cell of the column, which the larger series takes as a whole.
 */
function buildExactCell(endEighths: readonly number[], bottom: number): PlotCell | undefined {
	const parts = splitEighths(endEighths, bottom);
	const [first, ...otherParts] = parts;
	if (!first) return undefined;
	const filledEighths = parts.reduce((sum, {size}) => sum + size, 0);
	const upperPart = findLargest(otherParts);
	if (upperPart && filledEighths === 8)
		return {
			text: eighths[first.size] ?? '',
			tone: getSeriesTone(first.series),
			background: getSeriesTone(upperPart.series),
		};
	return {text: eighths[filledEighths] ?? '', tone: getSeriesTone((findLargest(parts) ?? first).series)};
}

/** Builds a fully filled cell if at least half of it is used. */
function buildFilledCell(
	endEighths: readonly number[],
	bottom: number,
	getSeriesFill: (series: number) => string,
): PlotCell | undefined {
	const parts = splitEighths(endEighths, bottom);
	const largestPart = findLargest(parts);
	if (!largestPart || parts.reduce((sum, {size}) => sum + size, 0) < 4) return undefined;
	return {text: getSeriesFill(largestPart.series), tone: getSeriesTone(largestPart.series)};
}

const findLargest = <Part extends {readonly size: number}>(parts: readonly Part[]): Part | undefined =>
	parts.reduce<Part | undefined>(
		(largest, part) => (largest && largest.size >= part.size ? largest : part),
		undefined,
	);

/** Returns the row (from the top) of the middle of each series in the last bucket. */
export function getSeriesMiddleRows(
	plot: TimePlot,
	top: number,
	rows: number,
): readonly (number | undefined)[] {
	const stack = buildStack(plot, countBuckets(plot) - 1) ?? [];
	return plot.series.map((_, index) => {
		const [bottom = 0, end = 0] = [index === 0 ? 0 : stack[index - 1], stack[index]];
		if (end <= bottom) return undefined;
		return Math.max(0, rows - 1 - Math.floor(((bottom + end) / 2 / top) * rows));
	});
}
