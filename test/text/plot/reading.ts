// Reads a plot as a person does: its axes by their labels, its dots and blocks by what they look like.
import fc from 'fast-check';
import {joinSpanTexts, type PlotRow, type TimePlot} from '../../../source/text/plot/plot.ts';

/** A plot as it is drawn, in its parts. */
export type PlotReading = {
	/** The rows of the area, between its axis and the letters at the ends. */
	readonly area: readonly string[];
	/** Value of the figure at the top of the axis. */
	readonly top: number;
	/** Column of each tick of the time axis, with its label. */
	readonly times: readonly {readonly column: number; readonly label: string}[];
};

const unitFactors: Readonly<Record<string, number>> = {
	'': 1,
	k: 1e3,
	M: 1e6,
	G: 1e9,
	T: 1e12,
	' B': 1,
	' KB': 1024,
	' MB': 1024 ** 2,
	' GB': 1024 ** 3,
	' TB': 1024 ** 4,
	' ms': 1,
	' s': 1000,
};

export function parseFigureLabel(label: string): number {
	const [, digits = '', unit = ''] = /^([\d.]+)(.*)$/.exec(label.trim()) ?? [];
	const factor = unitFactors[unit];
	if (factor === undefined) throw new Error(`${label} is not a figure`);
	return Number(digits) * factor;
}

const axisPattern = /^( *[\d.]*(?: ?[A-Za-z]{1,2})?) ([│┤|+])(.*)$/u;

export function readPlot(rows: readonly PlotRow[]): PlotReading {
	const lines = rows.map(joinSpanTexts);
	const axisMatches = lines.map(line => axisPattern.exec(line));
	const areaRows = axisMatches
		.flatMap(match => (match ? [match] : []))
		.filter(([, , , rest]) => !rest?.includes('-'));
	const area = areaRows.map(([, , , rest = '']) => rest);
	const width = area.reduce((minimum, row) => Math.min(minimum, [...row].length), Number.POSITIVE_INFINITY);
	const gutter = (areaRows[0]?.[1]?.length ?? 0) + 2;
	const timeLine = lines.findLast(line => /^ *UTC/.test(line)) ?? '';
	const times = [...timeLine.slice(gutter).matchAll(/\S+(?: \S+)?/g)].map(match => ({
		column: match.index,
		label: match[0],
	}));
	return {
		area: area.map(row => [...row].slice(0, width).join('')),
		top: parseFigureLabel(areaRows[0]?.[1] ?? ''),
		times,
	};
}

/** Dots of one braille cell, left column first, each from the top: bits in the order of the Unicode standard. */
const dotBits = [
	[0, 1, 2, 6],
	[3, 4, 5, 7],
];

/** The dots of an area of braille, by their column, as heights from the bottom. */
export function readDots(area: readonly string[]): readonly ReadonlySet<number>[] {
	const width = [...(area[0] ?? '')].length * 2;
	const columns = Array.from({length: width}, () => new Set<number>());
	for (const [row, line] of area.entries())
		for (const [cell, sign] of [...line].entries()) {
			const code = sign.codePointAt(0) ?? 0;
			if (sign === ' ') continue;
			if (code < 0x2800 || code > 0x28ff) throw new Error(`${sign} is not braille`);
			for (const [side, bits] of dotBits.entries())
				for (const [dotRow, bit] of bits.entries())
					if ((code >> bit) & 1) columns[2 * cell + side]?.add((area.length - row) * 4 - 1 - dotRow);
		}
	return columns;
}

/**
 * The buckets that one of `width` columns shows: with more buckets than columns those that begin in it,
 * otherwise the one at its start.
 */
export function findColumnBuckets(column: number, width: number, bucketCount: number): number[] {
	const columnBuckets: number[] = [];
	for (let bucket = 0; bucket < bucketCount; bucket++) {
		const [bucketStart, bucketEnd] = [bucket * width, (bucket + 1) * width];
		const [from, to] = [column * bucketCount, (column + 1) * bucketCount];
		if (
			bucketCount > width ? bucketStart >= from && bucketStart < to : bucketStart <= from && bucketEnd > from
		)
			columnBuckets.push(bucket);
	}
	return columnBuckets;
}

/** The dots of the line of one series, computed value by value. */
export function computeDots(
	values: readonly (number | undefined)[],
	top: number,
	width: number,
	height: number,
): readonly ReadonlySet<number>[] {
	const level = (value: number) => Math.round((value / top) * (height - 1));
	return Array.from({length: width}, (_, column) => {
		const dots = new Set<number>();
		for (const bucket of findColumnBuckets(column, width, values.length)) {
			const value = values[bucket];
			if (value === undefined) continue;
			dots.add(level(value));
			// The jump from the previous value, in the first column of the bucket only.
			const previous = values[bucket - 1];
			const isFirst = column === 0 || !findColumnBuckets(column - 1, width, values.length).includes(bucket);
			if (previous === undefined || !isFirst) continue;
			const [from, to] = [level(previous), level(value)];
			for (let dot = Math.min(from, to) + 1; dot < Math.max(from, to); dot++) dots.add(dot);
		}
		if (dots.size === 0) return dots;
		const [lowest, highest] = [Math.min(...dots), Math.max(...dots)];
		return new Set(Array.from({length: highest - lowest + 1}, (_, dot) => lowest + dot));
	});
}

export const anyValues = (length: number) =>
	fc.array(
		fc.option(
			fc.oneof(
				{weight: 6, arbitrary: fc.nat(5000)},
				{weight: 1, arbitrary: fc.constantFrom(0, 1, 10 ** 7, 1024 ** 3)},
			),
			{nil: undefined, freq: 6},
		),
		{minLength: length, maxLength: length},
	);

export const anyPlot = (series: {readonly min: number; readonly max: number}): fc.Arbitrary<TimePlot> =>
	fc
		.record({
			length: fc.oneof(fc.integer({min: 1, max: 40}), fc.integer({min: 41, max: 450})),
			count: fc.integer(series),
			firstStart: fc.integer({min: Date.parse('2020-01-01'), max: Date.parse('2030-01-01')}),
			step: fc.constantFrom(1000, 60_000, 300_000, 3_600_000, 86_400_000),
			unit: fc.constantFrom('count' as const, 'bytes' as const, 'milliseconds' as const),
		})
		.chain(({length, count, ...rest}) =>
			fc.array(anyValues(length), {minLength: count, maxLength: count}).map(seriesValues => ({
				...rest,
				series: seriesValues.map((values, at) => ({name: `series ${at}`, values})),
			})),
		);
