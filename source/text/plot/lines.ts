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

/** The dots of a line in each dot column, from the bottom: `low` to `high`; `low` is -1 without any. */
type Trace = {readonly low: Int32Array; readonly high: Int32Array};

/** Bits of the dots of a Braille cell: two columns of four, from the lowest dot. */
const brailleBits = [
	[0x40, 0x04, 0x02, 0x01],
	[0x80, 0x20, 0x10, 0x08],
] as const;
const brailleBlank = 0x2800;

/** Where several lines meet in ASCII, which has one dot per cell. */
const meeting = '+';
const single = '*';

/** Cells between two letters on a line. */
const letterEvery = 16;

/**
 * Draws lines of all series in an area whose highest dot is `top`. A bucket is level over all its dots; a dot
 * column that covers several buckets spans their lowest to highest value. Adjacent levels are connected,
 * except across buckets without a value.
 */
export function buildLineCells(plot: TimePlot, top: number, place: PlotPlace): PlotCells {
	const {columns, rows, isAscii, isColoured} = place;
	const [across, down] = isAscii ? [1, 1] : [2, 4];
	const buckets = countBuckets(plot);
	const traces = plot.series.map(({values}) =>
		traceLine(values, buckets, columns * across, rows * down, top),
	);
	const cells = isAscii ? drawAscii(traces, columns, rows) : drawBraille(traces, columns, rows);
	if (!isAscii && !isColoured && traces.length > 1) placeLetters(cells, traces);
	return cells;
}

function traceLine(
	values: readonly (number | undefined)[],
	buckets: number,
	width: number,
	height: number,
	top: number,
): Trace {
	const low = new Int32Array(width).fill(-1);
	const high = new Int32Array(width).fill(-1);
	let before: number | undefined;
	const addDot = (column: number, bucket: number) => {
		const value = toDrawnValue(values[bucket]);
		if (value === undefined) {
			before = undefined;
			return;
		}
		const level = Math.round((value / top) * (height - 1));
		let [least, most] = [level, level];
		if (before !== undefined && before < level - 1) least = before + 1;
		if (before !== undefined && before > level + 1) most = before - 1;
		before = level;
		const isFirst = low[column] === -1;
		low[column] = isFirst ? least : Math.min(low[column] ?? 0, least);
		high[column] = Math.max(high[column] ?? 0, most);
	};
	if (buckets <= width)
		for (let column = 0; column < width; column++) addDot(column, getBucket(column, width, buckets));
	else
		for (let bucket = 0; bucket < buckets; bucket++) addDot(getBucketPlace(bucket, width, buckets), bucket);
	return {low, high};
}

const createEmptyCells = (columns: number, rows: number): PlotCell[][] =>
	Array.from({length: rows}, () => new Array<PlotCell>(columns).fill(blankCell));

function drawBraille(traces: readonly Trace[], columns: number, rows: number): PlotCell[][] {
	const cells = createEmptyCells(columns, rows);
	const bits = new Uint8Array(columns * rows);
	const owners = new Uint8Array(columns * rows);
	const most = new Uint8Array(columns * rows);
	for (const [series, line] of traces.entries()) {
		const own = new Uint8Array(columns * rows);
		for (let column = 0; column < columns * 2; column++) {
			const low = line.low[column] ?? -1;
			if (low === -1) continue;
			for (let level = low; level <= (line.high[column] ?? -1); level++) {
				const at = (rows - 1 - (level >> 2)) * columns + (column >> 1);
				own[at] = (own[at] ?? 0) | (brailleBits[column & 1 ? 1 : 0][level & 3] ?? 0);
			}
		}
		for (const [at, mine] of own.entries()) {
			if (mine === 0) continue;
			const count = countDots(mine);
			if (count > (most[at] ?? 0)) {
				most[at] = count;
				owners[at] = series;
			}
			bits[at] = (bits[at] ?? 0) | mine;
		}
	}
	for (const [at, all] of bits.entries()) {
		const row = cells[Math.floor(at / columns)];
		if (all !== 0 && row)
			row[at % columns] = {
				text: String.fromCharCode(brailleBlank + all),
				tone: getSeriesTone(owners[at] ?? 0),
			};
	}
	return cells;
}

function countDots(bits: number): number {
	let count = 0;
	for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
	return count;
}

function drawAscii(traces: readonly Trace[], columns: number, rows: number): PlotCell[][] {
	const cells = createEmptyCells(columns, rows);
	for (const [series, {low, high}] of traces.entries()) {
		const own: PlotCell = {
			text: traces.length === 1 ? single : getSeriesLetter(series),
			tone: getSeriesTone(series),
		};
		for (let column = 0; column < columns; column++) {
			if (low[column] === -1) continue;
			for (let level = low[column] ?? 0; level <= (high[column] ?? 0); level++) {
				const row = cells[rows - 1 - level];
				if (row) row[column] = row[column] === blankCell ? own : {text: meeting, tone: 'text'};
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
	for (const [series, line] of traces.entries()) {
		let next = Math.floor(((series + 0.5) * letterEvery) / traces.length);
		for (let column = 0; column < columns; column++) {
			if (column < next) continue;
			const row = getLevelRow(line, column);
			if (row === undefined) continue;
			if (traces.some((other, at) => at !== series && reachesRow(other, column, row))) continue;
			const cellsOfRow = cells[row];
			if (cellsOfRow) cellsOfRow[column] = {text: getSeriesLetter(series), tone: getSeriesTone(series)};
			next = column + letterEvery;
		}
	}
}

/** Returns the row (from the bottom) of a line at a share of the highest value. */
export const getLineRow = (share: number, rows: number, isAscii: boolean): number =>
	isAscii ? Math.round(share * (rows - 1)) : Math.round(share * (rows * 4 - 1)) >> 2;

/** Returns the row (from the top) of the last value of each line. */
export const getLineEnds = (
	plot: TimePlot,
	top: number,
	rows: number,
	isAscii: boolean,
): readonly (number | undefined)[] =>
	plot.series.map(({values}) => {
		const value = toDrawnValue(values.findLast(one => toDrawnValue(one) !== undefined));
		return value === undefined ? undefined : rows - 1 - getLineRow(value / top, rows, isAscii);
	});
