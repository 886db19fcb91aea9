import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {joinSpanTexts, type TimePlot} from '../../../source/text/plot/plot.ts';
import {buildTimePlotRows} from '../../../source/text/plot/time-plot.ts';
import {anyPlot, computeDots, findColumnBuckets, readDots, readPlot} from './reading.ts';

const coloured = {isAscii: false, isColored: true};
const size = fc.record({
	columns: fc.integer({min: 30, max: 200}),
	rows: fc.integer({min: 4, max: 60}),
});

describe('a line', () => {
	test('has a dot exactly at every value and its time, and no others', () => {
		fc.assert(
			fc.property(anyPlot({min: 1, max: 1}), size, (plot, {columns, rows}) => {
				const values = plot.series[0]?.values ?? [];
				fc.pre(values.some(value => value !== undefined));
				const {area, top} = readPlot(buildTimePlotRows(plot, {columns, rows, ...coloured}));
				const dots = readDots(area);
				expect(dots).toEqual(computeDots(values, top, dots.length, area.length * 4));
			}),
		);
	});

	test('of several series shows each value and nothing else', () => {
		fc.assert(
			fc.property(anyPlot({min: 2, max: 5}), size, (plot, {columns, rows}) => {
				fc.pre(plot.series.some(({values}) => values.some(value => value !== undefined)));
				const drawn = buildTimePlotRows(plot, {columns, rows, ...coloured});
				const {top} = readPlot(drawn);
				const {area} = readPlot(
					drawn.map(row => {
						const text = joinSpanTexts(row)
							.padEnd(columns)
							.slice(0, columns - 2);
						return [{text, tone: 'text' as const}];
					}),
				);
				const dots = readDots(area);
				const expectedBySeries = plot.series.map(({values}) =>
					computeDots(values, top, dots.length, area.length * 4),
				);
				expect(dots).toEqual(
					dots.map((_, column) =>
						expectedBySeries.reduce((sum, one) => sum.union(one[column] ?? new Set()), new Set<number>()),
					),
				);
			}),
		);
	});

	test('matches its known picture to the dot', () => {
		const plot: TimePlot = {
			series: [{name: 'a', values: [0, 1, 2, 3, undefined, 4, 3, 2]}],
			firstStart: Date.parse('2026-11-23T08:00:00Z'),
			step: 3_600_000,
			unit: 'count',
		};
		const rows = buildTimePlotRows(plot, {columns: 37, rows: 6, ...coloured});
		expect(rows.map(row => joinSpanTexts(row).trimEnd())).toEqual([
			'  4 ┤                    ⠉⠉⠉⠉⡆',
			'    │            ⡖⠒⠒⠒        ⠓⠒⠒⠒⡄',
			'  2 ┤        ⡖⠒⠒⠒⠁               ⠓⠒⠒⠒',
			'    │    ⡤⠤⠤⠤⠃',
			'  0 ┤⣀⣀⣀⣀⠇',
			'UTC  08:00   10:00   12:00   14:00',
		]);
	});

	test('shows a single high value among a thousand', () => {
		for (let spikeIndex = 0; spikeIndex < 1440; spikeIndex += 37) {
			const values = Array.from({length: 1440}, (_, bucket) => (bucket === spikeIndex ? 1_000_000 : 1));
			const plot: TimePlot = {series: [{name: 'a', values}], firstStart: 0, step: 60_000, unit: 'count'};
			const {area} = readPlot(buildTimePlotRows(plot, {columns: 60, rows: 15, ...coloured}));
			const dots = readDots(area);
			const highColumns = dots.flatMap((column, columnIndex) =>
				column.has(area.length * 4 - 1) ? [columnIndex] : [],
			);
			expect(highColumns).toEqual([Math.floor((spikeIndex * dots.length) / 1440)]);
		}
	});
});

describe('in ASCII', () => {
	test('each series has its letter at its values', () => {
		fc.assert(
			fc.property(anyPlot({min: 2, max: 4}), size, (plot, {columns, rows}) => {
				fc.pre(plot.series.every(({values}) => values.some(value => value !== undefined)));
				const drawn = buildTimePlotRows(plot, {columns, rows, isAscii: true, isColored: false});
				for (const row of drawn) expect(joinSpanTexts(row)).toMatch(/^[ -~]*$/);
				const {top} = readPlot(drawn);
				const trimmedRows = drawn.map(row => [
					{
						text: joinSpanTexts(row)
							.padEnd(columns)
							.slice(0, columns - 2),
						tone: 'text' as const,
					},
				]);
				const {area} = readPlot(trimmedRows);
				const width = area[0]?.length ?? 0;
				for (const [seriesIndex, {values}] of plot.series.entries())
					for (let column = 0; column < width; column++)
						for (const bucket of findColumnBuckets(column, width, values.length)) {
							const value = values[bucket];
							if (value === undefined) continue;
							const row = area.length - 1 - Math.round((value / top) * (area.length - 1));
							expect([['a', 'b', 'c', 'd'][seriesIndex], '+']).toContain(area[row]?.[column]);
						}
			}),
		);
	});
});

describe('without colours', () => {
	const repeatLevel = (level: number) => new Array<number>(100).fill(level);
	const plot: TimePlot = {
		series: [
			{name: 'reads', values: repeatLevel(10)},
			{name: 'writes', values: repeatLevel(6)},
			{name: 'lists', values: repeatLevel(2)},
		],
		firstStart: 0,
		step: 60_000,
		unit: 'count',
	};

	test('lines have their letters on them and at their ends, and a legend', () => {
		const rows = buildTimePlotRows(plot, {columns: 60, rows: 14, isAscii: false, isColored: false}).map(
			joinSpanTexts,
		);
		expect(rows[0]).toBe('a=reads  b=writes  c=lists');
		for (const letter of ['a', 'b', 'c']) {
			const row = rows.slice(1).find(line => line.includes(letter)) ?? '';
			expect(row.match(new RegExp(letter, 'g'))?.length).toBeGreaterThanOrEqual(4);
			expect(row.endsWith(` ${letter}`)).toBe(true);
			expect(row.replaceAll(letter, '')).toMatch(/[\u2801-\u28ff]/);
		}
	});

	test('a letter hides no dot of another line, and no jump', () => {
		fc.assert(
			fc.property(anyPlot({min: 2, max: 4}), size, (randomPlot, {columns, rows}) => {
				fc.pre(randomPlot.series.some(({values}) => values.some(value => value !== undefined)));
				const [plainRows, coloredRows] = [false, true].map(isColored =>
					buildTimePlotRows(randomPlot, {columns, rows, isAscii: false, isColored}).map(row => [
						...joinSpanTexts(row),
					]),
				);
				for (const [rowIndex, row] of (plainRows ?? []).entries())
					for (const [column, sign] of row.entries()) {
						const drawn = coloredRows?.[rowIndex]?.[column] ?? '';
						if (sign === drawn) continue;
						expect(sign).toMatch(/[a-d]/);
						// A letter replaces only cells with dots in both columns (0x47: left, 0xb8: right).
						const bits = (drawn.codePointAt(0) ?? 0) - 0x2800;
						expect(bits & 0x47).toBeGreaterThan(0);
						expect(bits & 0xb8).toBeGreaterThan(0);
					}
			}),
		);
	});
});
