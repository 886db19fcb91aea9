import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import words from '../words.json' with {type: 'json'};

type Line = {readonly file: string; readonly number: number; readonly text: string};

const root = resolve(import.meta.dirname, '../..');
const patterns = words.patterns.map(({find, write, ...options}) => ({
	find: new RegExp(find, 'case' in options ? '' : 'i'),
	write,
}));
const exceptions: readonly {readonly in: string; readonly text: string; readonly because: string}[] =
	words.exceptions;

/** All lines that people read: code with its comments and messages, which the help is made of, and the documentation. */
const lines = [...filesBelow('source', /\.(tsx?|cjs)$/), ...filesBelow('docs', /\.md$/), 'readme.md'].flatMap(
	file => linesOf(file, readFileSync(join(root, file), 'utf8')),
);

function filesBelow(folder: string, name: RegExp): string[] {
	if (!existsSync(join(root, folder))) return [];
	return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
		.map(file => `${folder}/${file.replaceAll('\\', '/')}`)
		.filter(file => name.test(file));
}

function linesOf(file: string, text: string): Line[] {
	return text.split('\n').map((line, at) => ({file, number: at + 1, text: line}));
}

/** What of these lines should be written in another way, and how. */
const found = (all: readonly Line[]): string[] =>
	all.flatMap(({file, number, text}) =>
		patterns
			.filter(({find}) => find.test(text) && !isException(file, text))
			.map(({find, write}) => `${file}:${number}: ${find.exec(text)?.[0]} (write: ${write}) ${text.trim()}`),
	);

const isException = (file: string, line: string): boolean =>
	exceptions.some(({in: where, text}) => file === where && line.includes(text));

describe('the words of source, help and documentation', () => {
	test('are plain', () => {
		expect(found(lines)).toEqual([]);
	});

	test('have no exception that is not needed, and each has its reason', () => {
		for (const {in: where, text, because} of exceptions) {
			expect(because, text).not.toBe('');
			const covered = lines.filter(line => line.file === where && line.text.includes(text));
			expect(
				covered.some(line => patterns.some(({find}) => find.test(line.text))),
				text,
			).toBe(true);
		}
	});

	test.each([
		'/** Gives the key. */',
		'/** A file that is no archive. */',
		'the list is read anew',
		'the value stands in the file',
		'go on with resume',
		'readonly told: boolean',
		'const takeIn = 1;',
		'written by the peer',
	])('that are foreign are found: %s', text => {
		expect(found(linesOf('source/planted.ts', text))).toHaveLength(1);
	});
});
