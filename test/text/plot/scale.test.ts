import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatShortFigure} from '../../../source/text/figures.ts';
import {chooseScale} from '../../../source/text/plot/scale.ts';
import {parseFigureLabel} from './reading.ts';

const units = ['count', 'bytes', 'milliseconds'] as const;

describe('a scale', () => {
	test.each([
		[1850, 'count', 12, ['500', '1k', '1.5k', '2k']],
		[1850, 'count', 3, ['2k']],
		[3, 'count', 12, ['1', '2', '3']],
		[0, 'count', 12, ['1']],
		[1400, 'bytes', 6, ['1 KB', '2 KB']],
		[25 * 1024 * 1024, 'bytes', 12, ['10 MB', '20 MB', '30 MB']],
		[0.3, 'milliseconds', 12, ['0.1 ms', '0.2 ms', '0.3 ms']],
		[1200, 'milliseconds', 12, ['500 ms', '1 s', '1.5 s']],
		[3.2e6, 'count', 12, ['1M', '2M', '3M', '4M']],
	] as const)('has round ticks up to %d (%s) in %d rows', (highest, unit, rows, expected) => {
		const {tick, top} = chooseScale(highest, unit, rows);
		const ticks = Array.from({length: Math.round(top / tick)}, (_, at) =>
			formatShortFigure((at + 1) * tick, unit),
		);
		expect(ticks).toEqual(expected);
	});

	test('ends at or above all values, with one to four ticks above zero whose labels are exact', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.double({min: 0.001, max: 1e12, noNaN: true}), fc.nat(5000)),
				fc.constantFrom(...units),
				fc.integer({min: 1, max: 60}),
				(highest, unit, rows) => {
					const {tick, top} = chooseScale(highest, unit, rows);
					const count = Math.round(top / tick);
					expect(top).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
					expect(top).toBeLessThanOrEqual(Math.max(highest * 11, 1.01));
					expect(count).toBeGreaterThanOrEqual(1);
					expect(count).toBeLessThanOrEqual(4);
					expect(2 * count).toBeLessThanOrEqual(Math.max(2, rows - 1));
					for (let at = 1; at <= count; at++)
						expect(parseFigureLabel(formatShortFigure(at * tick, unit)) / (at * tick)).toBeCloseTo(1, 9);
				},
			),
		);
	});
});

describe('formatShortFigure', () => {
	test.each([
		[0, 'count', '0'],
		[999, 'count', '999'],
		[999.6, 'count', '1k'],
		[1234, 'count', '1.2k'],
		[3_400_000, 'count', '3.4M'],
		[140, 'bytes', '140 B'],
		[1023, 'bytes', '1023 B'],
		[1230, 'bytes', '1.2 KB'],
		[3 * 1024 ** 3, 'bytes', '3 GB'],
		[12.3, 'milliseconds', '12 ms'],
		[0.42, 'milliseconds', '0.4 ms'],
		[61_000, 'milliseconds', '61 s'],
	] as const)('shortens %d (%s)', (figure, unit, text) => {
		expect(formatShortFigure(figure, unit)).toBe(text);
	});
});
