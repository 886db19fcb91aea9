import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Key} from '../../source/keyboard/key.ts';
import {splitAlt} from '../../source/keyboard/parse-sequence.ts';
import {createSplitter} from '../../source/keyboard/splitter.ts';
import {getRunCount, isFull} from '../support/full.ts';

function keysOf(...chunks: (string | Uint8Array)[]): Key[] {
	const splitter = createSplitter();
	return chunks.flatMap(chunk => splitter.push(Buffer.from(chunk)));
}

const getKeyNames = (...chunks: (string | Uint8Array)[]) => keysOf(...chunks).map(({name}) => name);

/** Keys as a text field sees them: consecutive typed characters are one text, however the input was split. */
function joinTypedText(keys: readonly Key[]): string[] {
	const seen: string[] = [];
	let isText = false;
	for (const {name, text} of keys) {
		const isTyped = text !== '' && name !== 'paste';
		if (isTyped && isText) seen.push(`${seen.pop()}${text}`);
		else seen.push(isTyped ? text : `${name} ${text}`);
		isText = isTyped;
	}
	return seen;
}

describe('the meaning of a sequence', () => {
	test.each([
		['characters', 'aA/~', ['a', 'A', '/', '~']],
		['characters beyond ASCII', 'é名👩‍👩‍👧🇨🇭e\u0301', ['é', '名', '👩‍👩‍👧', '🇨🇭', 'e\u0301']],
		['the space', ' ', ['space']],
		[
			'enter, however it is sent',
			'\ra\nb\r\nc\r\r\n\u001bOM',
			['enter', 'a', 'enter', 'b', 'enter', 'c', 'enter', 'enter', 'enter'],
		],
		[
			'tab, backspace, delete',
			'\t\u001b[Z\u007f\b\u001b[3~',
			['tab', 'shift-tab', 'backspace', 'backspace', 'delete'],
		],
		['ctrl', '\u0001\u0003\u001a\u0000\u001f', ['ctrl-a', 'ctrl-c', 'ctrl-z', 'ctrl-space', 'ctrl-_']],
		[
			'alt as an escape before it',
			'\u001bx\u001bX\u001bé\u001b \u001b\r\u001b\u007f\u001b\u0001',
			['alt-x', 'alt-X', 'alt-é', 'alt-space', 'alt-enter', 'alt-backspace', 'ctrl-alt-a'],
		],
		['arrows', '\u001b[A\u001bOB\u001b[C\u001bOD', ['up', 'down', 'right', 'left']],
		[
			'arrows with modifiers',
			'\u001b[1;5C\u001b[1;2A\u001b[1;3B\u001b[1;6D\u001b[5A\u001bO5A',
			['ctrl-right', 'shift-up', 'alt-down', 'ctrl-shift-left', 'ctrl-up', 'ctrl-up'],
		],
		[
			'arrows of rxvt',
			'\u001b[a\u001bOd\u001b\u001b[A\u001b\u001bOB',
			['shift-up', 'ctrl-left', 'alt-up', 'alt-down'],
		],
		[
			'home and end of every kind',
			'\u001b[H\u001b[F\u001bOH\u001bOF\u001b[1~\u001b[4~\u001b[7~\u001b[8~',
			['home', 'end', 'home', 'end', 'home', 'end', 'home', 'end'],
		],
		[
			'the block above the arrows',
			'\u001b[2~\u001b[5~\u001b[6~\u001b[3;5~\u001b[7$\u001b[5^\u001b[6@',
			['insert', 'pageup', 'pagedown', 'ctrl-delete', 'shift-home', 'ctrl-pageup', 'ctrl-shift-pagedown'],
		],
		[
			'function keys',
			'\u001bOP\u001b[11~\u001b[[E\u001b[15~\u001b[24~\u001b[1;5Q\u001b[24;2~\u001b[34~',
			['f1', 'f1', 'f5', 'f5', 'f12', 'ctrl-f2', 'shift-f12', 'f20'],
		],
		['the number pad', '\u001bOp\u001bOy\u001bOk', ['0', '9', '+']],
		[
			'code points',
			'\u001b[97u\u001b[97:65;2u\u001b[97;5u\u001b[97;4u\u001b[13;3u\u001b[27u\u001b[32;5u\u001b[57417u\u001b[57399u',
			['a', 'A', 'ctrl-a', 'alt-A', 'alt-enter', 'esc', 'ctrl-space', 'left', '0'],
		],
		['code points as xterm sends them', '\u001b[27;5;109~\u001b[27;2;13~', ['ctrl-m', 'shift-enter']],
		['the text of a code point', '\u001b[97;;229u\u001b[228;2u', ['å', 'Ä']],
		['the release of a key', '\u001b[97;1:3u\u001b[1;1:3A\u001b[3;1:3~b', ['b']],
		['shift and ctrl by themselves', '\u001b[57441u\u001b[57442;5ub', ['b']],
		[
			'the mouse, by the left button and the wheel',
			'\u001b[<0;10;10M\u001b[<0;10;10m\u001b[<64;1;1M\u001b[<65;1;1Ma',
			['click', 'wheel-up', 'wheel-down', 'a'],
		],
		[
			'other mouse events, and focus',
			'\u001b[<2;1;1M\u001b[<32;1;1M\u001b[<4;1;1M\u001b[<66;1;1M\u001b[M !!\u001b[32;10;10M\u001b[I\u001b[Oa',
			['a'],
		],
		[
			'an impossible mouse position',
			'\u001b[<0;0;1M\u001b[<0;1;0M\u001b[<0;1M\u001b[<0;1;1;1M\u001b[<;;M\u001b[<0;123456;1Ma',
			['a'],
		],
		['Esc just before a click', '\u001b\u001b[<0;1;1M', ['esc', 'click']],
		[
			'answers of the terminal',
			'\u001b[?62;4c\u001b[>0;95;0c\u001b[12;5R\u001b[0n\u001b[?2026;2$y\u001b[4;1$y\u001b[8;24;80t\u001b[?1ua',
			['a'],
		],
		[
			'answers of the terminal that contain text',
			'\u001b]11;rgb:0/0/0\u0007\u001b]52;c;YQ==\u001b\\\u001bP>|xterm(1)\u001b\\\u001b_Gi=1\u001b\\\u001b^p\u0007\u001bXs\u0018\u001b]l\r\n\u001b\\a',
			['a'],
		],
		[
			'unknown sequences',
			'\u001b[99~\u001b[5x\u001bOz\u001b[=\u0001a',
			['unknown', 'unknown', 'unknown', 'unknown', 'ctrl-a', 'a'],
		],
		[
			'invalid UTF-8, and C1 controls',
			Buffer.from([0xff, 0xc3, 0x28, 0xc2, 0x9b]),
			['unknown', 'unknown', '(', 'unknown'],
		],
		[
			'a sequence that breaks off',
			'\u001b[1;\rb\u001b]0;x\u0003c\u001bP1\u001b[A\u001b\u001bx',
			['unknown', 'enter', 'b', 'ctrl-c', 'c', 'up', 'esc', 'alt-x'],
		],
		['Esc before an answer', '\u001b\u001b[I\u001b\u001b[?1;2c', ['esc', 'esc']],
	])('%s', (_what, input, expected) => {
		expect(getKeyNames(input)).toEqual(expected);
	});

	test('only characters and pastes insert text', () => {
		for (const {name, text} of keysOf('aé\r\t\u001b[A\u001bx\u0001\u001b[99~\u001b[15~\u007f\u001b[57399u'))
			expect(text).toBe([...name].length === 1 ? name : '');
		expect(keysOf(' ')).toEqual([{name: 'space', text: ' ', sequence: ' '}]);
	});

	test('a key contains the bytes that the terminal sent', () => {
		const sent = ['a', '\r', '\u001b[1;5C', '\u001bx', '\u001bOP', '\u001b[97;5u', '👩‍👩‍👧'];
		expect(keysOf(sent.join('')).map(({sequence}) => sequence)).toEqual(sent);
	});

	test('Alt can be split if it was Esc and another key in one burst', () => {
		const getSplitNames = (input: string) => keysOf(input).map(key => splitAlt(key)?.map(({name}) => name));
		expect(getSplitNames('\u001bj')).toEqual([['esc', 'j']]);
		expect(getSplitNames('\u001b\u001b[B')).toEqual([['esc', 'down']]);
		expect(getSplitNames('\u001b\r')).toEqual([['esc', 'enter']]);
		expect(getSplitNames('\u001b[1;3Bj\u001b[B')).toEqual([undefined, undefined, undefined]);
	});
});

test('a mouse event has a position counted from 0, and types nothing', () => {
	expect(keysOf('\u001b[<0;12', ';7M')).toEqual([
		{name: 'click', text: '', sequence: '\u001b[<0;12;7M', at: {column: 11, row: 6}},
	]);
	expect(keysOf('\u001b[<64;99999;99999M')[0]?.at).toEqual({column: 99_998, row: 99_998});
});

describe('a paste', () => {
	test('is one key, with line feeds for the returns that terminals send', () => {
		expect(keysOf('a\u001b[200~one\rtwo\r\n\u001b[A\u0003\u001b[201~b')).toEqual([
			{name: 'a', text: 'a', sequence: 'a'},
			{
				name: 'paste',
				text: 'one\ntwo\n\u001b[A\u0003',
				sequence: '\u001b[200~one\rtwo\r\n\u001b[A\u0003\u001b[201~',
			},
			{name: 'b', text: 'b', sequence: 'b'},
		]);
	});

	test('keeps an earlier Esc as a key, and an end without a start gives none', () => {
		expect(getKeyNames('\u001b\u001b[200~x\u001b[201~')).toEqual(['esc', 'paste']);
		expect(getKeyNames('\u001b[201~x')).toEqual(['x']);
	});

	test('without an end is passed on after silence, and the keyboard works again', () => {
		const splitter = createSplitter();
		expect(splitter.push(Buffer.from('\u001b[200~half\u001b[20'))).toEqual([]);
		expect(splitter.getPatience()).toBe(1000);
		expect(splitter.flush().map(({text}) => text)).toEqual(['half\u001b[20']);
		expect(splitter.getPatience()).toBeUndefined();
		expect(splitter.push(Buffer.from('q')).map(({name}) => name)).toEqual(['q']);
	});

	test('that exceeds the limit comes in several parts, cut between characters', () => {
		const splitter = createSplitter(10);
		const keys = ['\u001b[200~', 'ééé', 'ééé', 'xéé', '\u001b[201~y'].flatMap(chunk =>
			splitter.push(Buffer.from(chunk)),
		);
		expect(keys.map(({name}) => name)).toEqual(['paste', 'paste', 'y']);
		expect(keys.map(({text}) => text).join('')).toBe('ééééééxééy');
	});

	test('of many MB in small chunks is one key', () => {
		const piece = 'å\u001b[20 line\r'.repeat(300);
		const chunks = Array.from(
			{length: (isFull ? 30_000_000 : 3_000_000) / Buffer.byteLength(piece)},
			() => piece,
		);
		const keys = keysOf('\u001b[200~', ...chunks, '\u001b[201~');
		expect(keys).toHaveLength(1);
		expect(keys[0]?.text.length).toBe(piece.length * chunks.length);
	});
});

describe('an incomplete sequence', () => {
	test.each([
		['a lone Esc is a key', '\u001b', 50, ['esc']],
		['two lone Escs are two keys', '\u001b\u001b', 50, ['esc', 'esc']],
		['half a control sequence is dropped', '\u001b[1;', 200, []],
		['half an answer is dropped', '\u001b]11;rgb:', 1000, []],
		['Esc after half an answer is a key', '\u001b]11;rgb:\u001b', 200, ['esc']],
		['the start of an answer alone is a key with Alt', '\u001b]', 200, ['alt-]']],
		['the start of an answer and then Esc are two keys', '\u001b_\u001b', 200, ['alt-_', 'esc']],
		['half a character is dropped', Buffer.from([0xe2, 0x82]), 200, []],
		['a return is a key at once; only its line feed is awaited', '\r', 50, []],
	])('%s', (_what, input, patience, expected) => {
		const splitter = createSplitter();
		const flushedBefore = splitter.push(Buffer.from(input));
		expect(splitter.getPatience()).toBe(patience);
		expect(splitter.flush().map(({name}) => name)).toEqual(expected);
		expect(splitter.getPatience()).toBeUndefined();
		expect(splitter.push(Buffer.from('[\n')).map(({name}) => name)).toEqual(['[', 'enter']);
		expect(flushedBefore.map(({name}) => name)).toEqual(input === '\r' ? ['enter'] : []);
	});

	test('does not block the keyboard forever', () => {
		for (const endless of ['\u001b[', '\u001bO']) {
			const keys = keysOf(endless, ...Array.from({length: isFull ? 40_000 : 4000}, () => '1'), '\r');
			expect(keys.at(-1)?.name).toBe('enter');
		}
		for (const endless of ['\u001b]', '\u001bP', '\u001b_', '\u001b^', '\u001bX']) {
			for (const [end, key] of [
				['\u0003', 'ctrl-c'],
				['\u001b[A', 'up'],
				['\u001bOP', 'f1'],
			])
				expect(getKeyNames(endless, 'abc', end ?? '')).toEqual([key]);
			const splitter = createSplitter();
			splitter.push(Buffer.from(`${endless}abc`));
			splitter.flush();
			expect(splitter.push(Buffer.from('q')).map(({name}) => name)).toEqual(['q']);
		}
	});

	test('that may start an answer is a key with Alt if Enter or another sequence follows', () => {
		expect(getKeyNames('\u001b]\r\u001bX\u001bé\u001bP\u001b[A')).toEqual([
			...['alt-]', 'enter', 'alt-X', 'alt-é', 'alt-P', 'up'],
		]);
	});
});

const sequence = fc.constantFrom(
	...['a', 'Z', ' ', '\r', '\n', '\r\n', '\u001b[A', '\u001bOB', '\u001b[1;5C', '\u001b[3~', '\u001b[15;2~'],
	...['\u001bx', '\u001b\u001b[D', '\u0001', '\u007f', '\u001b[200~a\u001b[A\rb\u001b[201~', '\u001b[97;5u'],
	...[
		'\u001b[<0;1;1M',
		'\u001b[<65;300;20M',
		'\u001b]11;rgb:0/0/0\u001b\\',
		'\u001bP1+r4d73\r\n\u0007',
		'\u001b[?1;2c',
		'\u001b[7$',
		'\u001b[[A',
		'\u001b[M !!',
	],
);
const shortText = fc.string({unit: 'grapheme', maxLength: 4});

/** Splits the bytes at these fractions of their length. */
function splitAt(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
	const cutIndexes = fractions
		.map(fraction => Math.floor(fraction * bytes.length))
		.sort((one, other) => one - other);
	return [0, ...cutIndexes].map((start, index) => bytes.subarray(start, cutIndexes[index] ?? bytes.length));
}
const cutFractions = fc.array(fc.double({min: 0, max: 1, noNaN: true}), {maxLength: 12});

describe('input split at any point', () => {
	test('gives the same keys as in one piece for text with sequences', () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(sequence, shortText), {maxLength: 20}),
				cutFractions,
				(parts, fractions) => {
					const bytes = Buffer.from(parts.join(''));
					expect(joinTypedText(keysOf(...splitAt(bytes, fractions)))).toEqual(joinTypedText(keysOf(bytes)));
				},
			),
			{numRuns: getRunCount(2000)},
		);
	});

	test('gives no key for a terminal answer of any length', () => {
		const opening = fc.constantFrom(...[']', 'P', '_', '^', 'X'].map(second => `\u001b${second}`));
		const end = fc.constantFrom('\u0007', '\u001b\\', '\u0018', '\u001a');
		const piece = fc.string({unit: fc.constantFrom(...'52;c=/+aZ09é\t\r\n'), minLength: 1, maxLength: 40});
		const answer = fc
			.tuple(opening, piece, fc.integer({min: 1, max: 4000}), end)
			.map(([open, content, count, close]) => `${open}x${content.repeat(count)}${close}`);
		fc.assert(
			fc.property(answer, answer, cutFractions, (one, other, fractions) => {
				const bytes = Buffer.from(`a${one}${other}\r\u001b[A`);
				expect(getKeyNames(...splitAt(bytes, fractions))).toEqual(['a', 'enter', 'up']);
			}),
			{numRuns: getRunCount(200)},
		);
	});

	test('gives no key for a terminal answer byte by byte', () => {
		const splitter = createSplitter();
		const bytes = Buffer.from(`\u001b]52;c;${'YQ=='.repeat(15_000)}\u001b\\q`);
		const keys = [...bytes].flatMap(byte => {
			return splitter.push(Uint8Array.of(byte));
		});
		expect(keys.map(({name}) => name)).toEqual(['q']);
	});

	test('gives the same keys as in one piece for random bytes, and never an error', () => {
		const bytes = fc.oneof(
			fc.uint8Array({maxLength: 60}),
			fc.array(fc.constantFrom(...Buffer.from('\u001b\u001b[[OP]_<?0129;:~$u\u0007\\MRA\r\né')), {
				maxLength: 40,
			}),
		);
		fc.assert(
			fc.property(bytes, cutFractions, (byteValues, fractions) => {
				const input = Uint8Array.from(byteValues);
				expect(joinTypedText(keysOf(...splitAt(input, fractions)))).toEqual(joinTypedText(keysOf(input)));
			}),
			{numRuns: getRunCount(3000)},
		);
	});

	test('gives the same ASCII keys one by one', () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(sequence, fc.string({maxLength: 3})), {maxLength: 20}),
				cutFractions,
				(parts, fractions) => {
					const bytes = Buffer.from(parts.join(''));
					expect(keysOf(...splitAt(bytes, fractions))).toEqual(keysOf(bytes));
				},
			),
			{numRuns: getRunCount(2000)},
		);
	});

	test('loses no part of a text, whatever graphemes it has', () => {
		fc.assert(
			fc.property(
				fc.string({unit: 'grapheme'}).filter(text => !/[\p{Cc}\ufffd]/u.test(text)),
				cutFractions,
				(text, fractions) => {
					expect(
						keysOf(...splitAt(Buffer.from(text), fractions))
							.map(key => key.text)
							.join(''),
					).toBe(text);
				},
			),
		);
	});

	test('types no control characters except in pastes', () => {
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 80}), bytes => {
				for (const {name, text} of keysOf(bytes))
					if (name !== 'paste') expect(/^[\p{Cc}\ufffd]/u.test(text)).toBe(false);
			}),
			{numRuns: getRunCount(2000)},
		);
	});
});
