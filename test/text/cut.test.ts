import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {toDrawable} from '../../source/text/columns.ts';
import {cutEnd, cutMiddle, fitText, sliceColumns} from '../../source/text/cut.ts';
import {getRunCount} from '../support/full.ts';
import {anyText, findGraphemeBorders} from './any-text.ts';

const drawableText = anyText.map(toDrawable);
const columns = fc.nat({max: 30});

/** True if the part from `start` to `end` consists of whole graphemes of the text. */
function isAtGraphemeBorders(text: string, start: number, end: number): boolean {
	const borders = findGraphemeBorders(text);
	return borders.has(start) && borders.has(end);
}

describe('cutting at the end', () => {
	test('keeps text that fits, and ends longer text in a mark', () => {
		expect(cutEnd('feature-flags', 13)).toBe('feature-flags');
		expect(cutEnd('feature-flags', 12)).toBe('feature-fla…');
		expect(cutEnd('feature-flags', 1)).toBe('…');
		expect(cutEnd('feature-flags', 0)).toBe('');
		expect(cutEnd('', 0)).toBe('');
	});

	test('never halves a wide character, a grapheme or an escape', () => {
		expect(cutEnd('名前名前', 4)).toBe('名…');
		expect(cutEnd('abe\u0301f', 3)).toBe('ab…');
		expect(cutEnd('ab\\u202ecd', 6)).toBe('ab…');
		expect(cutEnd('ab\\u{1f3fd}cd', 10)).toBe('ab…');
		expect(cutEnd('ab\\ncdef', 4)).toBe('ab…');
		expect(cutEnd('ab\\ncdef', 5)).toBe('ab\\n…');
	});

	test('gives the beginning of any text, no wider than requested', () => {
		fc.assert(
			fc.property(drawableText, columns, (text, maxColumns) => {
				const cut = cutEnd(text, maxColumns);
				expect(stringWidth(cut)).toBeLessThanOrEqual(maxColumns);
				if (stringWidth(text) <= maxColumns) expect(cut).toBe(text);
				else if (maxColumns > 0) {
					const kept = cut.slice(0, -1);
					expect(cut).toBe(`${kept}…`);
					expect(text.startsWith(kept)).toBe(true);
					expect(isAtGraphemeBorders(text, 0, kept.length)).toBe(true);
				}
			}),
			{numRuns: getRunCount(3000)},
		);
	});

	test('does not read a long text beyond the cut', () => {
		expect(cutEnd('名'.repeat(1_000_000), 5)).toBe('名名…');
	});
});

describe('cutting in the middle', () => {
	test('keeps the beginning and the end', () => {
		expect(cutMiddle('user:00019:profile', 16)).toBe('user:000…profile');
		expect(cutMiddle('user:00019:profile', 18)).toBe('user:00019:profile');
		expect(cutMiddle('user:00019:profile', 2)).toBe('u…');
		expect(cutMiddle('user:00019:profile', 1)).toBe('…');
		expect(cutMiddle('user:00019:profile', 0)).toBe('');
		expect(cutMiddle('名前名前', 6)).toBe('名…前');
		expect(cutMiddle('ab\\u202ecdef', 8)).toBe('ab…cdef');
	});

	test('gives the beginning and the end of any text, no wider than requested', () => {
		fc.assert(
			fc.property(drawableText, columns, (text, maxColumns) => {
				const cut = cutMiddle(text, maxColumns);
				expect(stringWidth(cut)).toBeLessThanOrEqual(maxColumns);
				if (stringWidth(text) <= maxColumns) expect(cut).toBe(text);
				else if (maxColumns > 0) {
					const isSplitAtMark = [...cut.matchAll(/…/g)].some(({index}) => {
						const end = cut.slice(index + 1);
						return (
							text.startsWith(cut.slice(0, index)) &&
							text.endsWith(end) &&
							isAtGraphemeBorders(text, index, text.length - end.length)
						);
					});
					expect(isSplitAtMark).toBe(true);
				}
			}),
			{numRuns: getRunCount(3000)},
		);
	});
});

describe('the window on a long line', () => {
	test('shows the text in its columns, with spaces for halves', () => {
		expect(sliceColumns('abcdef', 2, 3)).toBe('cde');
		expect(sliceColumns('abcdef', 4, 9)).toBe('ef');
		expect(sliceColumns('abcdef', 9, 3)).toBe('');
		expect(sliceColumns('名前b', 1, 3)).toBe(' 前');
		expect(sliceColumns('名前b', 0, 3)).toBe('名 ');
		expect(sliceColumns('名前b', 1, 1)).toBe(' ');
		expect(sliceColumns('ae\u0301b', 1, 1)).toBe('e\u0301');
	});

	test('has exactly the columns that the line has there', () => {
		fc.assert(
			fc.property(drawableText, columns, columns, (text, from, width) => {
				const expectedWidth = Math.min(width, Math.max(0, stringWidth(text) - from));
				expect(stringWidth(sliceColumns(text, from, width))).toBe(expectedWidth);
			}),
			{numRuns: getRunCount(3000)},
		);
	});
});

describe('fitting into a column of a table', () => {
	test('pads on the requested side', () => {
		expect(fitText('名', 4)).toBe('名  ');
		expect(fitText('17', 4, 'right')).toBe('  17');
		expect(fitText('名前', 3)).toBe('名…');
		expect(fitText('名前名', 4)).toBe('名… ');
	});

	test('always gives exactly the requested width', () => {
		fc.assert(
			fc.property(
				drawableText,
				columns,
				fc.constantFrom('left' as const, 'right' as const),
				(text, width, align) => {
					expect(stringWidth(fitText(text, width, align))).toBe(width);
				},
			),
			{numRuns: getRunCount(3000)},
		);
	});
});
