import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createSeededRandom, getTestSeed, seedVariable} from './seed.ts';

/** The values with which fast-check tries a property. */
function drawValues(): number[] {
	const seen: number[] = [];
	fc.assert(fc.property(fc.integer(), value => void seen.push(value)));
	return seen;
}

test('a property is tested with the same values in every run', () => {
	expect(fc.readConfigureGlobal().seed).toBe(getTestSeed());
	expect(drawValues()).toEqual(drawValues());
});

test('random numbers from a seed are the same in every run, and spread out', () => {
	const [one, other] = [createSeededRandom(getTestSeed()), createSeededRandom(getTestSeed())];
	const numbers = Array.from({length: 1000}, one);
	expect(Array.from({length: 1000}, other)).toEqual(numbers);
	expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
	expect(Math.max(...numbers)).toBeLessThan(1);
	expect(new Set(numbers).size).toBeGreaterThan(990);
	expect(Array.from({length: 1000}, createSeededRandom(getTestSeed() + 1))).not.toEqual(numbers);
});

test.each([
	[{}, 20_261_122],
	[{[seedVariable]: ''}, 20_261_122],
	[{[seedVariable]: '-17'}, -17],
])('with %j the seed is %i', (env, seed) => {
	expect(getTestSeed(env)).toBe(seed);
});

test('a fresh seed is different each time', () => {
	const seeds = Array.from({length: 5}, () => getTestSeed({[seedVariable]: 'fresh'}));
	expect(new Set(seeds).size).toBeGreaterThan(1);
	// A seed that was printed can be set again.
	for (const seed of seeds) expect(getTestSeed({[seedVariable]: `${seed}`})).toBe(seed);
});

test.each(['word', '1.5', `${2 ** 31}`])('%s is not a seed', setting => {
	expect(() => getTestSeed({[seedVariable]: setting})).toThrow(RangeError);
});
