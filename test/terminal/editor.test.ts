import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {dropAddedLineEnd, editBytes} from '../../source/terminal/editor.ts';
import {createScratchFolder} from '../support/ledge.ts';

const getSavedText = (before: string, after: string): string =>
	Buffer.from(dropAddedLineEnd(Buffer.from(before), Buffer.from(after))).toString();

describe('the line end added by an editor', () => {
	test.each([
		['a line without line feed', 'a', 'b\n', 'b'],
		['several lines', 'a\nb', 'a\nc\n', 'a\nc'],
		['an empty value', '', 'a\n', 'a'],
		['an empty value that stays empty', '', '\n', ''],
		['lines that end with CRLF', 'a\r\nb', 'a\r\nc\r\n', 'a\r\nc'],
		['a lone carriage return at the end', 'a\r', 'a\r\n', 'a\r'],
		['one of two line feeds', 'a', 'a\n\n', 'a\n'],
	])('is dropped: %s', (_what, before, after, expected) => {
		expect(getSavedText(before, after)).toBe(expected);
	});

	test.each([
		['the value ended with one', 'a\n', 'b\n'],
		['the value ended with CRLF', 'a\r\nb\r\n', 'a\r\nc\r\n'],
		['the editor added none', 'a', 'b'],
		['the final line feed was removed', 'a\n', 'a'],
		['a carriage return alone', 'a', 'a\r'],
	])('stays: %s', (_what, before, after) => {
		expect(getSavedText(before, after)).toBe(after);
	});

	test('is dropped from any bytes that had none, which restores them', () => {
		fc.assert(
			fc.property(fc.uint8Array(), bytes => {
				const endsWithLineFeed = bytes.at(-1) === 10;
				const after = endsWithLineFeed ? bytes : Uint8Array.from([...bytes, 10]);
				expect([...dropAddedLineEnd(bytes, after)]).toEqual([...bytes]);
			}),
		);
	});
});

describe('editBytes', () => {
	const createEditor = (script: string) => {
		const program = join(createScratchFolder(), 'editor.cjs');
		writeFileSync(program, `const fs = require('node:fs'); const file = process.argv[2]; ${script}`);
		return {...process.env, VISUAL: '', EDITOR: `${process.execPath} ${program}`};
	};

	test('returns a value without the line feed added by the editor', async () => {
		const env = createEditor("fs.appendFileSync(file, 'd\\n');");
		expect(Buffer.from(await editBytes(Buffer.from('abc'), env)).toString()).toBe('abcd');
	});

	test('rescues the text in the same way if the editor fails, but not if only a line feed was added', async () => {
		const rescued: string[] = [];
		const keepSaved = (content: Uint8Array) => {
			rescued.push(Buffer.from(content).toString());
			return undefined;
		};
		const editAndFail = (text: string) =>
			editBytes(Buffer.from('abc'), createEditor(`fs.appendFileSync(file, '${text}'); process.exit(1);`), {
				keepSaved,
			});
		await expect(editAndFail('\\n')).rejects.toMatchObject({code: 'editor_failed'});
		expect(rescued).toEqual([]);
		await expect(editAndFail('d\\n')).rejects.toMatchObject({code: 'editor_failed'});
		expect(rescued).toEqual(['abcd']);
	});
});
