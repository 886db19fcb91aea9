import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {measureColumns} from '../../../source/text/columns.ts';
import {type Bar, buildBarRows} from '../../../source/text/plot/bars.ts';
import {joinSpanTexts, type TimePlot} from '../../../source/text/plot/plot.ts';
import {drawSparkline} from '../../../source/text/plot/sparkline.ts';
import {buildTimePlotRows} from '../../../source/text/plot/time-plot.ts';
import {anyText} from '../any-text.ts';
import {anyPlot, anyValues} from './reading.ts';

const anyStyle = fc.record({isAscii: fc.boolean(), isColored: fc.boolean()});
/** Characters that a terminal acts on, or draws with another width than it counts. */
const dangerous = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/;

/** Plots of all forms, with names as they may come from a service, and values of any kind. */
const hostilePlot: fc.Arbitrary<TimePlot> = fc
	.tuple(
		anyPlot({min: 1, max: 7}),
		fc.array(anyText, {minLength: 7, maxLength: 7}),
		fc.constantFrom('lines' as const, 'columns' as const),
		fc.constantFrom(
			undefined,
			Number.NaN,
			Number.POSITIVE_INFINITY,
			-5,
			1e300,
			Number.MAX_SAFE_INTEGER,
			0.001,
		),
	)
	.map(([plot, names, form, oddValue]) => ({
		...plot,
		form,
		series: plot.series.map(({values}, at) => ({name: names[at] ?? '', values: [...values, oddValue]})),
	}));

describe('a plot', () => {
	test('has exactly its rows, none wider than its columns, and nothing that affects a terminal', () => {
		fc.assert(
			fc.property(
				hostilePlot,
				anyStyle,
				fc.integer({min: 0, max: 210}),
				fc.integer({min: 1, max: 70}),
				(plot, style, columns, rows) => {
					const drawn = buildTimePlotRows(plot, {columns, rows, ...style});
					expect(drawn).toHaveLength(rows);
					for (const row of drawn) {
						const text = joinSpanTexts(row);
						expect(measureColumns(text)).toBeLessThanOrEqual(columns);
						expect(text).not.toMatch(dangerous);
					}
				},
			),
		);
	});

	test('of 30 by 4 has all its parts', () => {
		fc.assert(
			fc.property(anyPlot({min: 2, max: 2}), anyStyle, (plot, style) => {
				fc.pre(plot.series.some(({values}) => values.some(value => value !== undefined)));
				const [legend = '', top = '', bottom = '', times = ''] = buildTimePlotRows(plot, {
					columns: 30,
					rows: 4,
					...style,
				}).map(joinSpanTexts);
				expect(legend).toContain('series 0');
				expect(top).toMatch(/^ *[\d.]+ ?\w* [┤+]/);
				expect(bottom).toMatch(/^ *0 [┤+]/);
				expect(times).toMatch(/^ *UTC +\d/);
			}),
		);
	});

	test.each(['lines', 'columns'] as const)('says so if it has no values (%s)', form => {
		for (const values of [[], [undefined, Number.NaN]]) {
			const plot: TimePlot = {
				series: [{name: 'a', values}],
				firstStart: 0,
				step: 60_000,
				unit: 'count',
				form,
			};
			const rows = buildTimePlotRows(plot, {columns: 40, rows: 8, isAscii: true, isColored: false});
			expect(rows.map(joinSpanTexts).join('\n')).toContain(' no data ');
		}
	});

	test.each(['lines', 'columns'] as const)('of zeros is drawn at the bottom (%s)', form => {
		const plot: TimePlot = {
			series: [{name: 'a', values: [0, 0]}],
			firstStart: 0,
			step: 60_000,
			unit: 'count',
			form,
		};
		const rows = buildTimePlotRows(plot, {columns: 40, rows: 8, isAscii: false, isColored: true}).map(
			joinSpanTexts,
		);
		expect(rows[0]).toMatch(/^ *1 ┤ +$/);
		expect(rows[5]).toMatch(form === 'lines' ? /^ *0 ┤⣀+$/ : /^ *0 ┤ +$/);
	});
});

describe('bars', () => {
	const anyBar: fc.Arbitrary<Bar> = fc.record(
		{
			label: anyText,
			value: fc.oneof(fc.nat(10 ** 6), fc.constantFrom(-1, Number.NaN, 1e300)),
			note: anyText,
			comparedValue: fc.nat(10 ** 6),
		},
		{requiredKeys: ['label', 'value']},
	);

	test('are never wider than requested, whatever their labels', () => {
		fc.assert(
			fc.property(
				fc.array(anyBar, {maxLength: 12}),
				fc.option(fc.tuple(anyText, anyText), {nil: undefined}),
				fc.integer({min: 0, max: 200}),
				fc.boolean(),
				fc.constantFrom('count' as const, 'bytes' as const, 'milliseconds' as const),
				(bars, names, columns, isAscii, unit) => {
					const rows = buildBarRows({bars, unit, ...(names && {names})}, {columns, isAscii});
					expect(rows).toHaveLength(
						bars.length + bars.filter(({comparedValue}) => comparedValue !== undefined).length,
					);
					for (const row of rows) {
						expect(measureColumns(joinSpanTexts(row))).toBeLessThanOrEqual(columns);
						expect(joinSpanTexts(row)).not.toMatch(dangerous);
					}
				},
			),
		);
	});
});

test('a sparkline has a column per value, up to its maximum', () => {
	fc.assert(
		fc.property(fc.nat(120).chain(anyValues), fc.nat(80), fc.boolean(), (values, columns, isAscii) => {
			expect(measureColumns(drawSparkline(values, columns, isAscii))).toBe(Math.min(columns, values.length));
		}),
	);
});
