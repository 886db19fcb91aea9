import {expect, test} from 'vitest';
import {isTypedNumber} from '../../source/text/figures.ts';

test.each([
	['10000', 10_000],
	['10,000', 10_000],
	[' 10,000 ', 10_000],
	['1234567', 1_234_567],
	['1,234,567', 1_234_567],
	['7', 7],
])('"%s" is %d', (typed, number) => {
	expect(isTypedNumber(typed, number)).toBe(true);
});

test.each([
	['', 0],
	['1000', 10_000],
	['1,0000', 10_000],
	['10.000', 10_000],
	['10 000', 10_000],
	['10,000,', 10_000],
	['1e4', 10_000],
	['+10000', 10_000],
	['010000', 10_000],
	['0x2710', 10_000],
	['１００００', 10_000],
	['10,001', 10_000],
	['1,234567', 1_234_567],
])('"%s" is not %d', (typed, number) => {
	expect(isTypedNumber(typed, number)).toBe(false);
});
