import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {maxRowBytes, TextLines, type TextRow} from '../../source/text/byte-lines.ts';

const linesOf = (text: string): TextLines => new TextLines(Buffer.from(text));

function rowsOf(lines: TextLines): TextRow[] {
	return Array.from({length: lines.count}, (_, row) => lines.at(row) as TextRow);
}

/** The text that the rows show, with a line feed before each row that is not a continuation. */
const joinRows = (rows: readonly TextRow[]): string =>
	rows.map((row, rowIndex) => (rowIndex > 0 && !row.isContinuation ? `\n${row.text}` : row.text)).join('');

/** Texts with long lines, short lines, runs of empty ones, and characters of every width. */
const someText = fc
	.array(
		fc.oneof(
			fc.string({unit: 'binary', maxLength: 20}),
			fc.constantFrom('\n', '\n\n\n', '\r\n', 'a'.repeat(511), '\u00e9'.repeat(400), '\u{1f600}'.repeat(300)),
			fc.integer({min: 0, max: 600}).map(size => 'x'.repeat(size)),
		),
		{maxLength: 30},
	)
	.map(pieces => pieces.join(''));

describe('the rows of a text', () => {
	it('are its lines, numbered from 1', () => {
		expect(rowsOf(linesOf('one\n\nthree'))).toEqual([
			{line: 1, isContinuation: false, text: 'one'},
			{line: 2, isContinuation: false, text: ''},
			{line: 3, isContinuation: false, text: 'three'},
		]);
	});

	it('show a final line feed as an empty last line, and no bytes as one empty line', () => {
		expect(rowsOf(linesOf('a\n')).map(row => row.text)).toEqual(['a', '']);
		expect(rowsOf(linesOf(''))).toEqual([{line: 1, isContinuation: false, text: ''}]);
	});

	it('hold a line of the maximum size in one row, and a longer one in several', () => {
		expect(rowsOf(linesOf(`${'x'.repeat(maxRowBytes)}\ny`)).map(row => row.line)).toEqual([1, 2]);
		expect(rowsOf(linesOf(`${'x'.repeat(maxRowBytes + 1)}\ny`))).toEqual([
			{line: 1, isContinuation: false, text: 'x'.repeat(maxRowBytes)},
			{line: 1, isContinuation: true, text: 'x'},
			{line: 2, isContinuation: false, text: 'y'},
		]);
	});

	it('show bytes that are not UTF-8 as U+FFFD, however many there are', () => {
		expect(new TextLines(Uint8Array.of(0x61, 0xff, 0x62)).at(0)?.text).toBe('a\ufffdb');
		const rows = rowsOf(new TextLines(Buffer.alloc(2000, 0x80)));
		expect(joinRows(rows)).toBe('\ufffd'.repeat(2000));
	});

	it('together make up the text, none too long and no character halved', () => {
		fc.assert(
			fc.property(someText, text => {
				const rows = rowsOf(linesOf(text));
				expect(joinRows(rows)).toBe(text);
				for (const row of rows) expect(Buffer.byteLength(row.text)).toBeLessThanOrEqual(maxRowBytes);
				expect(rows.at(-1)?.line).toBe(text.split('\n').length);
			}),
		);
	});

	it('are the same in whatever order they are read', () => {
		fc.assert(
			fc.property(someText, fc.array(fc.nat(300)), (text, order) => {
				const expected = rowsOf(linesOf(text));
				const lines = linesOf(text);
				for (const row of order) expect(lines.at(row)).toEqual(expected[row]);
			}),
		);
	});

	it('do not exist before the first or after the last', () => {
		const lines = linesOf('a\nb');
		expect([lines.at(-1), lines.at(2)]).toEqual([undefined, undefined]);
	});
});

describe('the index', () => {
	const large = Buffer.from('some line\n'.repeat(100_000));

	it('reads no further than the requested rows need', () => {
		const lines = new TextLines(large);
		expect(lines.at(20)?.line).toBe(21);
		expect(lines.isComplete).toBe(false);
		expect(lines.knownRows).toBeLessThan(10_000);
	});

	it('can be built in slices', () => {
		const lines = new TextLines(large);
		let slices = 0;
		while (!lines.indexMore(100_000)) slices++;
		expect(slices).toBe(10);
		expect(lines.knownRows).toBe(100_001);
		expect(lines.count).toBe(100_001);
	});
});

describe('findRowOfLine', () => {
	it('returns the first row of the line, or the last row of all', () => {
		fc.assert(
			fc.property(someText, fc.integer({min: 1, max: 80}), (text, line) => {
				const rows = rowsOf(linesOf(text));
				const expected = rows.findIndex(row => row.line === line);
				expect(linesOf(text).findRowOfLine(line)).toBe(expected < 0 ? rows.length - 1 : expected);
			}),
		);
	});

	it('reads on to a line that is not indexed yet', () => {
		const lines = linesOf('line\n'.repeat(50_000));
		expect(lines.findRowOfLine(40_000)).toBe(39_999);
		expect(lines.findRowOfLine(1)).toBe(0);
	});
});
