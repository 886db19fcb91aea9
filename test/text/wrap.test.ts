import fc from 'fast-check';
import {expect, test} from 'vitest';
import {measureColumns, toDrawable} from '../../source/text/columns.ts';
import {clipLines, wrapText} from '../../source/text/wrap.ts';

test('lines are broken at spaces and continue indented', () => {
	expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
	expect(wrapText('name: one two three', 12, 6)).toEqual(['name: one', '      two', '      three']);
});

test('a word longer than a line is broken', () => {
	expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
});

test('no line is too wide, and nothing is lost', () => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), fc.integer({min: 2, max: 40}), (text, columns) => {
			const drawable = toDrawable(text);
			const lines = wrapText(drawable, columns);
			for (const line of lines) expect(measureColumns(line)).toBeLessThanOrEqual(columns);
			expect(lines.join('').replace(/\s/g, '')).toBe(drawable.replace(/\s/g, ''));
		}),
	);
});

test('omitted lines are counted', () => {
	expect(clipLines(['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c']);
	expect(clipLines(['a', 'b', 'c'], 2)).toEqual(['a', '… 2 more lines']);
	expect(clipLines(['a'], 0)).toEqual([]);
});
