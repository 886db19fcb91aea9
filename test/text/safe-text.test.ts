import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {escapeJson, escapeLines, escapeText} from '../../source/text/safe-text.ts';
import {getRunCount} from '../support/full.ts';

/** True if nothing moves the cursor, colours, hides or reverses text. Independent of the source. */
function isHarmless(text: string, allowed = ''): boolean {
	for (const character of text) {
		if (allowed.includes(character)) continue;
		const code = character.codePointAt(0) ?? 0;
		if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false;
		if (code >= 0xd800 && code <= 0xdfff) return false;
		if ([0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].includes(code)) return false;
		if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return false;
	}
	return true;
}

const hostileText = fc.string({
	unit: fc.oneof(
		fc.constantFrom(
			'\u001b[2J',
			'\u001b]0;x\u0007',
			'\u009b31m',
			'\r',
			'\n',
			'\t',
			'\u202e',
			'\u2066',
			'\u200f',
			'\u0000',
			'\ud800',
			'\u2028',
			'\ufeff',
		),
		fc.string({unit: 'binary', maxLength: 3}),
	),
});

describe('text for a terminal', () => {
	test('has nothing dangerous left', () => {
		fc.assert(
			fc.property(hostileText, text => isHarmless(escapeText(text))),
			{numRuns: getRunCount(500)},
		);
		fc.assert(
			fc.property(hostileText, text => isHarmless(escapeLines(text), '\n\t')),
			{numRuns: getRunCount(500)},
		);
	});

	test('keeps ordinary text of any script', () => {
		for (const text of ['plain', 'имя é', '名前', '👩‍👩‍👧 family', 'שלום', 'a\\b "c"', '﷽'])
			expect(escapeText(text)).toBe(text);
	});

	test('shows dangerous characters as escapes', () => {
		expect(escapeText('a\u001b[31mb\r\n\u202e')).toBe('a\\x1b[31mb\\r\\n\\u202e');
		expect(escapeText('\u{e0041}')).toBe('\\u{e0041}');
	});

	test('keeps the meaning of JSON, and makes it harmless', () => {
		fc.assert(
			fc.property(fc.oneof(hostileText, fc.jsonValue()), value => {
				for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
					expect(JSON.parse(escapeJson(json))).toEqual(JSON.parse(json));
					expect(isHarmless(escapeJson(json), '\n')).toBe(true);
				}
			}),
			{numRuns: getRunCount(500)},
		);
	});
});
