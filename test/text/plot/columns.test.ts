import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {joinSpanTexts, type PlotRow, type TimePlot} from '../../../source/text/plot/plot.ts';
import {buildTimePlotRows} from '../../../source/text/plot/time-plot.ts';
import {anyPlot, findColumnBuckets, parseFigureLabel, readPlot} from './reading.ts';

const size = fc.record({
	columns: fc.integer({min: 30, max: 200}),
	rows: fc.integer({min: 4, max: 60}),
});

const columnsPlot = (series: {readonly min: number; readonly max: number}) =>
	anyPlot(series).map((plot): TimePlot => ({...plot, form: 'columns'}));

const sumOf = ({series}: TimePlot, bucket: number): number =>
	series.reduce((sum, {values}) => sum + (values[bucket] ?? 0), 0);

/** What one cell shows: eighths of its height by series. */
type CellParts = ReadonlyMap<number, number>;

/** The parts of all cells of a coloured plot, by column, from the bottom row. */
function readEighths(rows: readonly PlotRow[], width: number): readonly (readonly CellParts[])[] {
	const columns: CellParts[][] = Array.from({length: width}, () => []);
	for (const row of [...rows].reverse()) {
		const axis = row.findIndex(({text, tone}) => tone === 'axis' && /^[│┤]$/.test(text));
		if (axis === -1) continue;
		const cells = row.slice(axis + 1).flatMap(({text, tone, background}) =>
			[...text].map(sign => {
				const parts = new Map<number, number>();
				const filled = ' ▁▂▃▄▅▆▇█'.indexOf(sign);
				if (typeof tone === 'object' && filled > 0) parts.set(tone.series, filled);
				if (background) parts.set(background.series, (parts.get(background.series) ?? 0) + 8 - filled);
				return parts;
			}),
		);
		for (const [at, column] of columns.entries()) column.push(cells[at] ?? new Map());
	}
	return columns;
}

const heightOf = (column: readonly CellParts[]): number =>
	column.reduce((sum, parts) => [...parts.values()].reduce((all, size) => all + size, sum), 0);

/** The exact parts of a cell in this row from the bottom, computed from where each series begins and ends. */
function computeParts(row: number, values: readonly number[], top: number, rows: number): CellParts {
	const endAt = (count: number) =>
		Math.round((values.slice(0, count).reduce((sum, value) => sum + value, 0) / top) * rows * 8);
	const parts = values.map((_, at) => {
		const [from, to] = [endAt(at), endAt(at + 1)];
		return [at, Math.max(0, Math.min(to, 8 * row + 8) - Math.max(from, 8 * row))] as const;
	});
	return new Map(parts.filter(([, size]) => size > 0));
}

/**
 * A cell can show two series. A full cell with more shows the lowest and the largest of the others; the top
 * cell of a column shows its largest part.
 */
function expectParts(drawnParts: CellParts, parts: CellParts): void {
	const sizes = [...parts.values()];
	const filled = sizes.reduce((sum, size) => sum + size, 0);
	if (sizes.length <= 1 || (sizes.length === 2 && filled === 8)) {
		expect(drawnParts).toEqual(parts);
		return;
	}
	const lowest = filled === 8 ? sizes[0] : undefined;
	for (const [series, size] of drawnParts) {
		const minimum = size === lowest ? size : Math.max(...sizes.slice(filled === 8 ? 1 : 0));
		expect(parts.get(series)).toBeGreaterThanOrEqual(minimum);
	}
	expect([...drawnParts.values()].reduce((sum, size) => sum + size, 0)).toBe(filled);
}

describe('columns', () => {
	test('of one series are as high as their values, to an eighth of a row', () => {
		fc.assert(
			fc.property(columnsPlot({min: 1, max: 1}), size, (plot, {columns, rows}) => {
				const values = plot.series[0]?.values ?? [];
				fc.pre(values.some(value => value !== undefined));
				const drawn = buildTimePlotRows(plot, {columns, rows, isAscii: false, isColored: false});
				const {area, top} = readPlot(drawn);
				const width = area[0]?.length ?? 0;
				for (const [column, parts] of readEighths(drawn, width).entries()) {
					const buckets = findColumnBuckets(column, width, values.length);
					const highest = Math.max(...buckets.map(bucket => values[bucket] ?? 0));
					const exact = (highest / top) * area.length * 8;
					const isGap =
						width >= 3 * values.length &&
						!buckets.some(bucket => findColumnBuckets(column + 1, width, values.length).includes(bucket));
					if (isGap) expect(heightOf(parts)).toBe(0);
					else if (highest > 0 && exact < 1) expect(heightOf(parts)).toBe(1);
					else expect(Math.abs(heightOf(parts) - exact)).toBeLessThanOrEqual(0.5);
				}
			}),
		);
	});

	test('of several series are as high as their sum, with each border to an eighth below the top row', () => {
		fc.assert(
			fc.property(columnsPlot({min: 2, max: 5}), size, (plot, {columns, rows}) => {
				fc.pre(plot.series.some(({values}) => values.some(value => value !== undefined)));
				const drawn = buildTimePlotRows(plot, {columns, rows, isAscii: false, isColored: true});
				const {area} = readPlot(drawn);
				const top = parseFigureLabel(joinSpanTexts(drawn[1] ?? []).split(/[│┤]/)[0] ?? '');
				const width = Math.max(...area.map(row => row.length));
				const bucketCount = plot.series[0]?.values.length ?? 0;
				const areaWidth = columns - (joinSpanTexts(drawn[1] ?? []).search(/[│┤]/) + 1) - 2;
				expect(width).toBeLessThanOrEqual(areaWidth + 2);
				for (const [column, parts] of readEighths(drawn, areaWidth).entries()) {
					const buckets = findColumnBuckets(column, areaWidth, bucketCount);
					const sums = buckets.map(bucket => sumOf(plot, bucket));
					const highest = Math.max(...sums);
					const exact = (highest / top) * area.length * 8;
					const height = heightOf(parts);
					if (height === 0 && areaWidth >= 3 * bucketCount) continue;
					if (highest > 0 && exact < 1) expect(height).toBe(1);
					else expect(Math.abs(height - exact)).toBeLessThanOrEqual(0.5);
					// Where no other bucket has the same sum, it is known which one is drawn.
					const [bucket, ...others] = buckets.filter((_, at) => sums[at] === highest);
					if (bucket === undefined || others.length > 0 || exact < 1) continue;
					const values = plot.series.map(({values}) => values[bucket] ?? 0);
					for (const [row, cell] of parts.entries())
						expectParts(cell, computeParts(row, values, top, area.length));
				}
			}),
		);
	});

	test('match their known picture, with two series in one cell', () => {
		const plot: TimePlot = {
			series: [
				{name: 'block', values: [4, 8, undefined, 1]},
				{name: 'log', values: [4, 0, undefined, 2]},
			],
			firstStart: Date.parse('2026-11-23T08:00:00Z'),
			step: 3_600_000,
			unit: 'count',
			form: 'columns',
		};
		const rows = buildTimePlotRows(plot, {columns: 30, rows: 5, isAscii: false, isColored: true});
		expect(rows.map(row => joinSpanTexts(row).trimEnd())).toEqual([
			'a=block  b=log',
			' 10 ┤▃▃▃▃▃ ▃▃▃▃▃',
			'    │▂▂▂▂▂ █████             b',
			'  0 ┤█████ █████       ▇▇▇▇  a',
			'UTC  08:00      10:00',
		]);
		expect(rows[1]?.slice(2, 5).map(({tone}) => tone)).toEqual([{series: 1}, 'text', {series: 0}]);
		expect(rows[2]?.[2]).toEqual({text: '▂▂▂▂▂', tone: {series: 0}, background: {series: 1}});
	});
});

describe('without colours', () => {
	test.each([
		[false, ['█', '▒', '░']],
		[true, ['a', 'b', 'c']],
	] as const)('series have their own fillings (ASCII: %s)', (isAscii, fillings) => {
		fc.assert(
			fc.property(columnsPlot({min: 3, max: 3}), size, (plot, {columns, rows}) => {
				fc.pre(plot.series.some(({values}) => values.some(value => value !== undefined)));
				const drawn = buildTimePlotRows(plot, {columns, rows, isAscii, isColored: false});
				const lines = drawn.map(joinSpanTexts);
				if (columns >= 45)
					expect(lines[0]).toBe(
						fillings.map((one, at) => `${one}${isAscii ? '=' : ' '}series ${at}`).join('  '),
					);
				const margin = isAscii ? 2 : 0;
				const axisIndex = (lines[1] ?? '').search(/[│┤|+]/);
				const top = parseFigureLabel((lines[1] ?? '').slice(0, axisIndex));
				const areaWidth = columns - axisIndex - 1 - margin;
				const areaRows = lines
					.slice(1)
					.filter(line => /[│┤|+]/.test(line[axisIndex] ?? '') && !line.includes('--'));
				const bucketCount = plot.series[0]?.values.length ?? 0;
				for (let column = 0; column < areaWidth; column++) {
					const cells = areaRows
						.map(line => line[axisIndex + 1 + column] ?? ' ')
						.filter(sign => sign !== ' ');
					expect(cells.filter(sign => !(fillings as readonly string[]).includes(sign))).toEqual([]);
					const highest = Math.max(
						...findColumnBuckets(column, areaWidth, bucketCount).map(bucket => sumOf(plot, bucket)),
					);
					if (cells.length === 0 && (areaWidth >= 3 * bucketCount || highest === 0)) continue;
					const exact = (highest / top) * areaRows.length;
					if (exact < 0.5) expect(cells).toHaveLength(1);
					else expect(Math.abs(cells.length - exact)).toBeLessThanOrEqual(0.5 + 1 / 16);
				}
			}),
		);
	});
});
