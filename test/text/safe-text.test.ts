import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {escapeJson, escapeLines, escapeText} from '../../source/text/safe-text.ts';
import {runs} from '../support/full.ts';

/** What may stand in text for a terminal: nothing that moves, colours, hides or turns. Written apart from the source. */
function harmless(text: string, allowed = ''): boolean {
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

const hostile = fc.string({
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
			fc.property(hostile, text => harmless(escapeText(text))),
			{numRuns: runs(500)},
		);
		fc.assert(
			fc.property(hostile, text => harmless(escapeLines(text), '\n\t')),
			{numRuns: runs(500)},
		);
	});

	test('keeps ordinary text of any script', () => {
		for (const text of ['plain', 'имя é', '名前', '👩‍👩‍👧 family', 'שלום', 'a\\b "c"', '﷽'])
			expect(escapeText(text)).toBe(text);
	});

	test('shows removed characters as escapes', () => {
		expect(escapeText('a\u001b[31mb\r\n\u202e')).toBe('a\\x1b[31mb\\r\\n\\u202e');
		expect(escapeText('\u{e0041}')).toBe('\\u{e0041}');
	});

	test('keeps the meaning of JSON, and makes it harmless', () => {
		fc.assert(
			fc.property(fc.oneof(hostile, fc.jsonValue()), value => {
				for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
					expect(JSON.parse(escapeJson(json))).toEqual(JSON.parse(json));
					expect(harmless(escapeJson(json), '\n')).toBe(true);
				}
			}),
			{numRuns: runs(500)},
		);
	});
});
