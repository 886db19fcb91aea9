import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildBarRows} from '../../../source/text/plot/bars.ts';
import {buildHistogram} from '../../../source/text/plot/histogram.ts';
import {joinSpanTexts, type TimePlot} from '../../../source/text/plot/plot.ts';
import {drawSparkline} from '../../../source/text/plot/sparkline.ts';
import {buildPlotTable} from '../../../source/text/plot/table.ts';
import {findColumnBuckets} from './reading.ts';

const toTexts = (rows: ReturnType<typeof buildBarRows>) => rows.map(row => joinSpanTexts(row).trimEnd());

describe('bars', () => {
	test('have labels, figures and notes in columns', () => {
		const bars = [
			{label: 'user:', value: 12_345, note: '61%'},
			{label: 'a-very-long-prefix-of-keys:', value: 6173, note: '30%'},
			{label: 'x', value: 1, note: '0%'},
		];
		expect(toTexts(buildBarRows({bars, unit: 'count'}, {columns: 50, isAscii: false}))).toEqual([
			'user:            █████████████████████ 12,345  61%',
			'a-very-long-pre… ██████████▌            6,173  30%',
			'x                ▏                          1   0%',
		]);
		expect(toTexts(buildBarRows({bars, unit: 'count'}, {columns: 50, isAscii: true}))).toEqual([
			'user:            ##################### 12,345  61%',
			'a-very-long-pre~ ###########            6,173  30%',
			'x                #                          1   0%',
		]);
	});

	test('of two values are below each other, with their names', () => {
		const bars = [{label: 'SQLi', value: 100, comparedValue: 50}];
		const rows = buildBarRows(
			{bars, unit: 'count', names: ['previous', 'new']},
			{columns: 34, isAscii: false},
		);
		expect(toTexts(rows)).toEqual([
			'SQLi previous ████████████████ 100',
			'     new      ████████          50',
		]);
		expect(rows.map(row => row[2]?.tone)).toEqual([{series: 0}, {series: 1}]);
	});

	test('are as long as their values, to an eighth of a column', () => {
		fc.assert(
			fc.property(
				fc.array(fc.nat(100_000), {minLength: 1, maxLength: 20}),
				fc.integer({min: 20, max: 200}),
				(values, columns) => {
					const bars = values.map((value, at) => ({label: `${at}`, value}));
					const rows = buildBarRows({bars, unit: 'count'}, {columns, isAscii: false});
					const lengths = rows.map(row =>
						[...(row[1]?.text ?? '')].reduce((sum, sign) => sum + ' ▏▎▍▌▋▊▉█'.indexOf(sign), 0),
					);
					const highest = Math.max(...values);
					if (highest === 0) return expect(Math.max(...lengths)).toBe(0);
					const longest = Math.max(...lengths);
					expect(longest % 8).toBe(0);
					for (const [at, value] of values.entries()) {
						const exact = (value / highest) * longest;
						if (value > 0 && exact < 1) expect(lengths[at]).toBe(1);
						else expect(Math.abs((lengths[at] ?? 0) - exact)).toBeLessThanOrEqual(0.5);
					}
				},
			),
		);
	});
});

describe('a histogram', () => {
	test('counts values by powers of ten, from the first group to the last with values', () => {
		const sizes = [1024, 5000, 10 * 1024, 3e6, 26 * 1024 * 1024];
		expect(buildHistogram(sizes, 'bytes')).toEqual([
			{label: '1 to 10 KB', value: 2},
			{label: '10 to 100 KB', value: 1},
			{label: '100 KB to 1 MB', value: 0},
			{label: '1 to 10 MB', value: 1},
			{label: '10 to 100 MB', value: 1},
		]);
		expect(buildHistogram([0, 1, 9, 1500], 'count').map(({label}) => label)).toEqual([
			'under 1',
			'1 to 10',
			'10 to 100',
			'100 to 1k',
			'1 to 10k',
		]);
		expect(
			buildHistogram([0.5, 20, 4000], 'milliseconds').map(({label, value}) => `${label}: ${value}`),
		).toEqual(['under 1 ms: 1', '1 to 10 ms: 0', '10 to 100 ms: 1', '100 ms to 1 s: 0', '1 to 10 s: 1']);
	});

	test('counts each value once, and nothing that is not a size', () => {
		expect(buildHistogram([], 'bytes')).toEqual([]);
		expect(buildHistogram([Number.NaN, -1, Number.POSITIVE_INFINITY], 'bytes')).toEqual([]);
		fc.assert(
			fc.property(fc.array(fc.nat(10 ** 9)), sizes => {
				const sum = buildHistogram(sizes, 'bytes').reduce((total, {value}) => total + value, 0);
				expect(sum).toBe(sizes.length);
			}),
		);
	});
});

describe('a sparkline', () => {
	test('has eight levels, and a space for a missing value', () => {
		expect(drawSparkline([0, 1, 2, 3, undefined, 4, 5, 6, 7], 20, false)).toBe('▁▂▃▄ ▅▆▇█');
		expect(drawSparkline([0, 1, 2, 3, undefined, 4, 5, 6, 7], 20, true)).toBe('_.:- =+*#');
		expect(drawSparkline([0, 0], 20, false)).toBe('▁▁');
	});

	test('shows the highest of the values that share a column', () => {
		fc.assert(
			fc.property(
				fc.array(fc.nat(1000), {minLength: 1, maxLength: 300}),
				fc.integer({min: 1, max: 80}),
				(values, columns) => {
					const line = [...drawSparkline(values, columns, false)];
					const highest = Math.max(1, ...values);
					for (const [column, sign] of line.entries()) {
						const columnValues = findColumnBuckets(column, line.length, values.length).map(
							bucket => values[bucket] ?? 0,
						);
						const exact = (Math.max(...columnValues) / highest) * 7;
						expect(Math.abs('▁▂▃▄▅▆▇█'.indexOf(sign) - exact)).toBeLessThanOrEqual(0.5);
					}
				},
			),
		);
	});
});

describe('the table of a plot', () => {
	const plot: TimePlot = {
		series: [
			{name: 'reads', values: [1200, undefined, 3, 4]},
			{name: 'wri\u001btes', values: [1, 2, 30]},
		],
		firstStart: Date.parse('2026-11-23T08:00:00Z'),
		step: 3_600_000,
		unit: 'count',
	};

	test('has every value with its time', () => {
		expect(buildPlotTable(plot, 10)).toEqual({
			headings: ['time UTC', 'reads', 'wri\\x1btes'],
			rows: [
				['2026-11-23 08:00', '1,200', '1'],
				['2026-11-23 09:00', '-', '2'],
				['2026-11-23 10:00', '3', '30'],
				['2026-11-23 11:00', '4', '-'],
			],
		});
	});

	test('has the highest values if there are too many', () => {
		expect(buildPlotTable(plot, 2)).toEqual({
			headings: ['time UTC, highest of 2 values', 'reads', 'wri\\x1btes'],
			rows: [
				['2026-11-23 08:00', '1,200', '2'],
				['2026-11-23 10:00', '4', '30'],
			],
		});
	});
});
