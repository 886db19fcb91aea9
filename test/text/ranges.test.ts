import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Ranges} from '../../source/text/ranges.ts';
import {getRunCount} from '../support/full.ts';

describe('ranges', () => {
	test('hold the numbers added and not removed, without gaps or overlaps', () => {
		const step = fc.oneof(fc.record({from: fc.nat(60), length: fc.nat(12)}), fc.record({remove: fc.nat(75)}));
		fc.assert(
			fc.property(fc.array(step, {maxLength: 40}), steps => {
				const ranges = new Ranges();
				const expected = new Set<number>();
				for (const one of steps) {
					if ('remove' in one) {
						ranges.remove(one.remove);
						expected.delete(one.remove);
						continue;
					}
					ranges.add(one.from, one.from + one.length);
					for (let number = one.from; number < one.from + one.length; number++) expected.add(number);
				}
				const pairs = [...ranges];
				const numbersInRanges = pairs.flatMap(([from, to]) =>
					Array.from({length: to - from}, (_, at) => from + at),
				);
				expect(numbersInRanges).toEqual([...expected].sort((one, other) => one - other));
				expect(ranges.size).toBe(expected.size);
				for (let number = 0; number < 80; number++) expect(ranges.has(number)).toBe(expected.has(number));
				for (let at = 1; at < pairs.length; at++)
					expect(pairs[at]?.[0]).toBeGreaterThan(pairs[at - 1]?.[1] ?? Number.POSITIVE_INFINITY);
			}),
			{numRuns: getRunCount(1000)},
		);
	});

	test('can be read back from their pairs', () => {
		const pairs: [number, number][] = [
			[1, 4],
			[9, 12],
		];
		expect([...new Ranges(pairs)]).toEqual(pairs);
	});
});
