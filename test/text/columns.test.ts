import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {measureColumns, toDrawable} from '../../source/text/columns.ts';
import {escapeText} from '../../source/text/safe-text.ts';
import {getRunCount, isFull} from '../support/full.ts';
import {anyText, findGraphemeBorders} from './any-text.ts';

const sumCodePointWidths = (text: string): number =>
	[...text].reduce((sum, character) => sum + stringWidth(character), 0);

describe('text as every terminal draws it', () => {
	test('keeps plain text, other scripts, accents and single emoji', () => {
		for (const text of [
			'user:00019:profile',
			'',
			'a\\b',
			'имя',
			'e\u0301te\u0301',
			'名前',
			'😀 ok',
			'שָׁלוֹם',
			'مرحبا',
			'한국어',
			'ﾊﾞﾅﾅ',
			'ไทย',
		])
			expect(toDrawable(text)).toBe(text);
	});

	test('escapes everything after the first code point of graphemes that terminals disagree about', () => {
		expect(toDrawable('👩\u200d👧!')).toBe('👩\\u200d\\u{1f467}!');
		expect(toDrawable('👍\u{1f3fd}')).toBe('👍\\u{1f3fd}');
		expect(toDrawable('\u{1f1e9}\u{1f1ea}')).toBe('\\u{1f1e9}\\u{1f1ea}');
		expect(toDrawable('a\u00adb')).toBe('a\\xadb');
	});

	test('leaves out variation selectors', () => {
		expect(toDrawable('❤\ufe0f ⌚\ufe0e')).toBe('❤ ⌚');
		expect(toDrawable('1\ufe0f\u20e3')).toBe('1\\u20e3');
		expect(toDrawable('\ufe0fa')).toBe('\\ufe0fa');
	});

	test('separates conjuncts, splits Thai AM into its two parts and composes decomposed Hangul', () => {
		expect(toDrawable('\u0915\u094d\u0937')).toBe('\u0915\u094d\u200c\u0937');
		expect(toDrawable('\u0e19\u0e49\u0e33')).toBe('\u0e19\u0e49\u0e4d\u0e32');
		expect(toDrawable('\u1112\u1161\u11ab')).toBe('한');
	});

	test('never joins a mark to the text before it or to an escape', () => {
		expect(toDrawable('\u0301a')).toBe('\\u0301a');
		expect(toDrawable('a\n\u0301')).toBe('a\\n\\u0301');
	});

	test('escapes marks beyond 30 on one character', () => {
		const drawn = toDrawable(`e${'\u0301'.repeat(100)}`);
		expect(drawn).toBe(`e${'\u0301'.repeat(30)}${'\\u0301'.repeat(70)}`);
	});

	test('never affects a terminal, whatever the text', () => {
		fc.assert(
			fc.property(anyText, text => {
				const drawn = toDrawable(text);
				expect(escapeText(drawn)).toBe(drawn);
				expect(drawn).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c)\p{Cf}/u);
			}),
			{numRuns: getRunCount(3000)},
		);
	});

	test('is as wide by graphemes as by code points, and as `measureColumns` says', () => {
		fc.assert(
			fc.property(anyText, text => {
				const drawn = toDrawable(text);
				expect(measureColumns(drawn)).toBe(stringWidth(drawn));
				expect(measureColumns(drawn)).toBe(sumCodePointWidths(drawn));
			}),
			{numRuns: getRunCount(5000)},
		);
	});

	test('has the same width by both measures, at least one column, for every code point', () => {
		for (let codePoint = 0; codePoint < 0x20000; codePoint += isFull ? 1 : 7) {
			const drawn = toDrawable(String.fromCodePoint(codePoint));
			if (measureColumns(drawn) !== stringWidth(drawn) || measureColumns(drawn) === 0)
				expect.fail(`U+${codePoint.toString(16)}: ${measureColumns(drawn)}, ${stringWidth(drawn)}`);
		}
	});

	test('takes as many columns after other text as alone', () => {
		fc.assert(
			fc.property(anyText, fc.constantFrom('a', '😀', '한', '\u0915'), (text, before) => {
				const drawn = toDrawable(text);
				expect(stringWidth(before + drawn)).toBe(stringWidth(before) + stringWidth(drawn));
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('stays unchanged if drawn again, and can be drawn in pieces', () => {
		fc.assert(
			fc.property(anyText, fc.nat(), (text, seed) => {
				const drawn = toDrawable(text);
				expect(toDrawable(drawn)).toBe(drawn);
				const borders = [...findGraphemeBorders(text)];
				const border = borders[seed % borders.length] ?? 0;
				expect(toDrawable(text.slice(0, border)) + toDrawable(text.slice(border))).toBe(drawn);
			}),
			{numRuns: getRunCount(2000)},
		);
	});
});
