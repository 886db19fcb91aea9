import {describe, expect, test} from 'vitest';
import {TextLines} from '../../source/text/byte-lines.ts';
import {measureColumns} from '../../source/text/columns.ts';
import {segmentGraphemes} from '../../source/text/graphemes.ts';
import {toDrawableLine} from '../../source/text/tabs.ts';
import {createSeededRandom, getTestSeed} from '../support/seed.ts';

const rowsOf = (bytes: Uint8Array, columns: number) => {
	const lines = new TextLines(bytes, columns);
	return Array.from({length: lines.count}, (_, row) => {
		const wrappedRow = lines.at(row);
		if (!wrappedRow) throw new Error(`There is no row ${row}.`);
		return wrappedRow;
	});
};

const textsOf = (text: string, columns: number) => rowsOf(Buffer.from(text), columns).map(row => row.text);

describe('rows of wrapped text', () => {
	test('fill the available columns, and the rest of the line follows', () => {
		expect(textsOf('abcdefgh\nij\n', 3)).toEqual(['abc', 'def', 'gh', 'ij', '']);
		expect(rowsOf(Buffer.from('abcd\ne'), 3).map(({line, isContinuation}) => [line, isContinuation])).toEqual(
			[
				[1, false],
				[1, true],
				[2, false],
			],
		);
	});

	test('count wide characters, tabs and escapes as they are drawn', () => {
		expect(textsOf('名前名前x', 5)).toEqual(['名前', '名前x']);
		expect(textsOf('a\tb\tcd', 8)).toEqual(['a\tb\t', 'cd']);
		expect(textsOf('ab\u001bcd', 6)).toEqual(['ab\u001b', 'cd']);
	});

	test('keep a letter with its marks, and end at a line feed after a carriage return', () => {
		expect(textsOf('xxe\u0301e\u0301', 3)).toEqual(['xxe\u0301', 'e\u0301']);
		expect(textsOf('ab\r\ncd', 4)).toEqual(['ab\r', 'cd']);
	});

	test('are found by byte in an endless line', () => {
		const lines = new TextLines(Buffer.from('x'.repeat(1_000_000)), 70);
		lines.indexMore(1_000_000);
		expect(lines.findRowOfByte(700_000)).toBe(10_000);
		expect(lines.getRowOffset(10_000)).toBe(700_000);
	});
});

const oddPieces = [
	'a',
	'word ',
	'é',
	'e\u0301',
	'名',
	'\t',
	'\u001b[2J',
	'👩‍👩‍👧',
	'🇨🇭',
	'क्षि',
	'한',
	'\u202e',
	'\r',
	'\n',
	'ｶﾞ',
];

test('texts of all kinds come out complete, in rows that fit their columns', () => {
	const random = createSeededRandom(getTestSeed());
	const randomBelow = (end: number) => Math.floor(random() * end);
	for (let round = 0; round < 300; round++) {
		const text = Array.from(
			{length: 1 + randomBelow(80)},
			() => oddPieces[randomBelow(oddPieces.length)],
		).join('');
		const columns = 4 + randomBelow(40);
		const rows = rowsOf(Buffer.from(text), columns);
		let joinedText = '';
		for (const [rowIndex, row] of rows.entries())
			joinedText += (rowIndex > 0 && !row.isContinuation ? '\n' : '') + row.text;
		expect(joinedText).toBe(text);
		for (const row of rows) {
			const isSingleGrapheme = [...segmentGraphemes(row.text)].length <= 1;
			if (!isSingleGrapheme)
				expect(measureColumns(toDrawableLine(row.text)), JSON.stringify(row.text)).toBeLessThanOrEqual(
					columns,
				);
		}
	}
});

test('rows of bytes that are not UTF-8 begin at increasing offsets', () => {
	const random = createSeededRandom(getTestSeed());
	const randomBelow = (end: number) => Math.floor(random() * end);
	for (let round = 0; round < 100; round++) {
		const bytes = Buffer.from(Array.from({length: 200}, () => randomBelow(256)));
		const lines = new TextLines(bytes, 10);
		const {count} = lines;
		for (let row = 1; row < count; row++)
			expect(lines.getRowOffset(row)).toBeGreaterThan(lines.getRowOffset(row - 1));
	}
});
