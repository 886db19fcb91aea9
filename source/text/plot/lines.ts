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

/**
 * The dots of a line in each dot column: from `low` to `high`, counted from the bottom. `low` is -1 if there
 * are none.
 */
type Trace = {readonly low: Int32Array; readonly high: Int32Array};

/** Bits of the dots of a Braille cell: two columns of four, from the lowest dot. */
const brailleBits = [
	[0x40, 0x04, 0x02, 0x01],
	[0x80, 0x20, 0x10, 0x08],
] as const;
const brailleBlank = 0x2800;

/** Drawn where several lines cross in ASCII, which has one dot per cell. */
const crossingMark = '+';
const singleSeriesMark = '*';

/** Cells between two letters on a line. */
const letterInterval = 16;

/**
 * Draws lines of all series in an area whose highest dot is `top`. A bucket is level over all its dots; a dot
 * column that covers several buckets spans their lowest to highest value. Adjacent levels are connected,
 * except across buckets without a value.
 */
export function buildLineCells(plot: TimePlot, top: number, target: PlotTarget): PlotCells {
	const {columns, rows, isAscii, isColored} = target;
	const [dotsAcross, dotsDown] = isAscii ? [1, 1] : [2, 4];
	const bucketCount = countBuckets(plot);
	const traces = plot.series.map(({values}) =>
		traceLine(values, bucketCount, columns * dotsAcross, rows * dotsDown, top),
	);
	const cells = isAscii ? drawAscii(traces, columns, rows) : drawBraille(traces, columns, rows);
	if (!isAscii && !isColored && traces.length > 1) placeLetters(cells, traces);
	return cells;
}

function traceLine(
	values: readonly (number | undefined)[],
	bucketCount: number,
	width: number,
	height: number,
	top: number,
): Trace {
	const low = new Int32Array(width).fill(-1);
	const high = new Int32Array(width).fill(-1);
	let previousLevel: number | undefined;
	const addDot = (column: number, bucket: number) => {
		const value = toDrawnValue(values[bucket]);
		if (value === undefined) {
			previousLevel = undefined;
			return;
		}
		const level = Math.round((value / top) * (height - 1));
		let [minLevel, maxLevel] = [level, level];
		if (previousLevel !== undefined && previousLevel < level - 1) minLevel = previousLevel + 1;
		if (previousLevel !== undefined && previousLevel > level + 1) maxLevel = previousLevel - 1;
		previousLevel = level;
		const isFirst = low[column] === -1;
		low[column] = isFirst ? minLevel : Math.min(low[column] ?? 0, minLevel);
		high[column] = Math.max(high[column] ?? 0, maxLevel);
	};
	if (bucketCount <= width)
		for (let column = 0; column < width; column++) addDot(column, getBucket(column, width, bucketCount));
	else
		for (let bucket = 0; bucket < bucketCount; bucket++)
			addDot(getBucketColumn(bucket, width, bucketCount), bucket);
	return {low, high};
}

const createEmptyCells = (columns: number, rows: number): PlotCell[][] =>
	Array.from({length: rows}, () => new Array<PlotCell>(columns).fill(blankCell));

function drawBraille(traces: readonly Trace[], columns: number, rows: number): PlotCell[][] {
	const cells = createEmptyCells(columns, rows);
	const bits = new Uint8Array(columns * rows);
	const owners = new Uint8Array(columns * rows);
	const maxDots = new Uint8Array(columns * rows);
	for (const [series, trace] of traces.entries()) {
		const lineBits = new Uint8Array(columns * rows);
		for (let column = 0; column < columns * 2; column++) {
			const low = trace.low[column] ?? -1;
			if (low === -1) continue;
			for (let level = low; level <= (trace.high[column] ?? -1); level++) {
				const index = (rows - 1 - (level >> 2)) * columns + (column >> 1);
				lineBits[index] = (lineBits[index] ?? 0) | (brailleBits[column & 1 ? 1 : 0][level & 3] ?? 0);
			}
		}
		for (const [index, cellBits] of lineBits.entries()) {
			if (cellBits === 0) continue;
			const count = countDots(cellBits);
			if (count > (maxDots[index] ?? 0)) {
				maxDots[index] = count;
				owners[index] = series;
			}
			bits[index] = (bits[index] ?? 0) | cellBits;
		}
	}
	for (const [index, cellDots] of bits.entries()) {
		const row = cells[Math.floor(index / columns)];
		if (cellDots !== 0 && row)
			row[index % columns] = {
				text: String.fromCharCode(brailleBlank + cellDots),
				tone: getSeriesTone(owners[index] ?? 0),
			};
	}
	return cells;
}

function countDots(bits: number): number {
	let count = 0;
	for (let remainingBits = bits; remainingBits > 0; remainingBits >>= 1) count += remainingBits & 1;
	return count;
}

function drawAscii(traces: readonly Trace[], columns: number, rows: number): PlotCell[][] {
	const cells = createEmptyCells(columns, rows);
	for (const [series, {low, high}] of traces.entries()) {
		const lineCell: PlotCell = {
			text: traces.length === 1 ? singleSeriesMark : getSeriesLetter(series),
			tone: getSeriesTone(series),
		};
		for (let column = 0; column < columns; column++) {
			if (low[column] === -1) continue;
			for (let level = low[column] ?? 0; level <= (high[column] ?? 0); level++) {
				const row = cells[rows - 1 - level];
				if (row) row[column] = row[column] === blankCell ? lineCell : {text: crossingMark, tone: 'text'};
			}
		}
	}
	return cells;
}

/**
 * Puts letters on the lines at intervals, where a line is level and alone, so that no dot of others is lost.
 */
function placeLetters(cells: PlotCell[][], traces: readonly Trace[]): void {
	const rows = cells.length;
	const columns = cells[0]?.length ?? 0;
	const getLevelRow = ({low, high}: Trace, column: number): number | undefined => {
		const [left, right] = [2 * column, 2 * column + 1];
		if (low[left] === -1 || low[right] === -1) return undefined;
		const levels = [low[left], low[right], high[left], high[right]].map(level => (level ?? 0) >> 2);
		return levels.every(level => level === levels[0]) ? rows - 1 - (levels[0] ?? 0) : undefined;
	};
	const reachesRow = ({low, high}: Trace, column: number, row: number): boolean =>
		[2 * column, 2 * column + 1].some(
			dot =>
				low[dot] !== -1 && (low[dot] ?? 0) >> 2 <= rows - 1 - row && (high[dot] ?? 0) >> 2 >= rows - 1 - row,
		);
	for (const [series, trace] of traces.entries()) {
		let nextColumn = Math.floor(((series + 0.5) * letterInterval) / traces.length);
		for (let column = 0; column < columns; column++) {
			if (column < nextColumn) continue;
			const row = getLevelRow(trace, column);
			if (row === undefined) continue;
			if (traces.some((otherTrace, index) => index !== series && reachesRow(otherTrace, column, row)))
				continue;
			const cellsOfRow = cells[row];
			if (cellsOfRow) cellsOfRow[column] = {text: getSeriesLetter(series), tone: getSeriesTone(series)};
			nextColumn = column + letterInterval;
		}
	}
}

/** Returns the row (from the bottom) of a line at a share of the highest value. */
export const getLineRow = (share: number, rows: number, isAscii: boolean): number =>
	isAscii ? Math.round(share * (rows - 1)) : Math.round(share * (rows * 4 - 1)) >> 2;

/** Returns the row (from the top) of the last value of each line. */
export const getLastValueRows = (
	plot: TimePlot,
	top: number,
	rows: number,
	isAscii: boolean,
): readonly (number | undefined)[] =>
	plot.series.map(({values}) => {
		const value = toDrawnValue(values.findLast(candidate => toDrawnValue(candidate) !== undefined));
		return value === undefined ? undefined : rows - 1 - getLineRow(value / top, rows, isAscii);
	});
