import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure, isFailure} from '../../../source/failure.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {type Element, Splitter} from '../../../source/kv/bulk/splitter.ts';
import {getRunCount} from '../../support/full.ts';

const options = {
	label: '"load.json"',
	elementsNoun: 'key-value objects',
	elementExample: '{"key": "a", "value": "b"}',
};

/** Splits bytes that arrive in chunks, cut at the given positions. */
function split(bytes: Uint8Array, cuts: readonly number[] = []): Element[] {
	const splitter = new Splitter(options);
	const found: Element[] = [];
	let from = 0;
	for (const cut of [...cuts].sort((one, other) => one - other)) {
		const to = Math.min(Math.max(cut, from), bytes.length);
		// A separate chunk, overwritten afterwards: the splitter must not keep a reference to it.
		const chunk = Buffer.from(bytes.subarray(from, to));
		found.push(...splitter.push(chunk));
		chunk.fill(0xff);
		from = to;
	}
	found.push(...splitter.push(Buffer.from(bytes.subarray(from))));
	found.push(...splitter.finish());
	return found;
}

const splitIntoTexts = (source: string): string[] => split(Buffer.from(source)).map(({text}) => text);

function getFailureText(source: string | Uint8Array, cuts: readonly number[] = []): string {
	try {
		split(typeof source === 'string' ? Buffer.from(source) : source, cuts);
	} catch (error) {
		if (isFailure(error, 'input_malformed', 'limit')) return `${error.message} ${error.details.why}`;
		throw error;
	}
	return expect.unreachable('it was taken');
}

const cuts = fc.array(fc.nat(400), {maxLength: 30});
const oddText = fc.string({
	unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', '\n', 'a', 'é', '名', '😀', '\u0000', '\u2028'),
	maxLength: 120,
});
const json = fc.oneof(
	fc.jsonValue(),
	oddText,
	fc.record({key: oddText, value: oddText, metadata: fc.dictionary(oddText, oddText, {maxKeys: 3})}),
);

describe('elements of an array', () => {
	test('are what JSON.parse returns for the whole, wherever chunks are cut', () => {
		fc.assert(
			fc.property(
				fc.array(json, {maxLength: 8}),
				cuts,
				fc.constantFrom(undefined, 1, '\t'),
				(items, cutPositions, indent) => {
					const source = Buffer.from(JSON.stringify(items, null, indent));
					expect(split(source, cutPositions).map(({text}) => JSON.parse(text))).toEqual(
						JSON.parse(source.toString()),
					);
				},
			),
			{numRuns: getRunCount(500)},
		);
	});

	test('are the same if every byte comes alone', () => {
		const source = Buffer.from('\ufeff [ {"a\\\\":"\\"]}"} ,\n"x\\\\", 12,null , [[]],{} ]\r\n');
		const elements = split(source);
		expect(split(source, [...source.keys()])).toEqual(elements);
		expect(elements.map(({text}) => text)).toEqual([
			'{"a\\\\":"\\"]}"}',
			'"x\\\\"',
			'12',
			'null',
			'[[]]',
			'{}',
		]);
	});

	test('have a number, a line and a size in bytes', () => {
		const found = split(Buffer.from('[\n{"key":"é"},\n\n{\n"key":"b"\n}, 3]'));
		expect(found.map(({number, line, bytes}) => ({number, line, bytes}))).toEqual([
			{number: 1, line: 2, bytes: 12},
			{number: 2, line: 4, bytes: 13},
			{number: 3, line: 6, bytes: 1},
		]);
	});

	test('may be none', () => {
		expect(splitIntoTexts(' [ \n ] ')).toEqual([]);
	});

	test('end correctly after long strings full of backslashes', () => {
		const items = [1, 47, 48, 49, 50, 51, 200].flatMap(length => [
			'x'.repeat(length),
			'\\'.repeat(length),
			`${'x'.repeat(length)}\\"`,
			`"${'\\"'.repeat(length)}`,
		]);
		const source = Buffer.from(JSON.stringify(items));
		for (let at = 0; at < source.length; at += 7) {
			expect(split(source, [at, at + 1]).map(({text}) => JSON.parse(text))).toEqual(items);
		}
	});

	test('report whether they are UTF-8', () => {
		const source = Buffer.from('["\ufffd","?","ok"]');
		source[source.indexOf('?')] = 0xe9;
		expect(split(source).map(({isValidUtf8}) => isValidUtf8)).toEqual([true, false, true]);
	});
});

describe('elements on separate lines', () => {
	test('are what JSON.parse returns for each line, wherever chunks are cut', () => {
		const line = fc.record({key: oddText, value: json});
		fc.assert(
			fc.property(
				fc.array(line, {minLength: 1, maxLength: 8}),
				cuts,
				fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n'),
				fc.boolean(),
				(items, cutPositions, separator, endsWithSeparator) => {
					const source =
						items.map(item => JSON.stringify(item)).join(separator) + (endsWithSeparator ? separator : '');
					expect(split(Buffer.from(source), cutPositions).map(({text}) => JSON.parse(text))).toEqual(
						JSON.parse(JSON.stringify(items)),
					);
				},
			),
			{numRuns: getRunCount(500)},
		);
	});

	test('are counted without empty lines, which still count as lines', () => {
		const found = split(Buffer.from('\n{"a":1}\n\n  \n{"b":2}'), [1, 11, 12]);
		expect(found.map(({number, line}) => [number, line])).toEqual([
			[1, 2],
			[2, 5],
		]);
	});

	test('may be plain strings', () => {
		expect(splitIntoTexts('"a"\n"b"\n')).toEqual(['"a"', '"b"']);
	});
});

describe('errors in the structure', () => {
	test.each([
		['', 'It is empty.'],
		[' \n\t', 'It contains only white space.'],
		['[', 'The array is not closed after entry 0'],
		['[{"a":1}', 'The array is not closed after entry 1'],
		['[{"a":1},', 'The array is not closed after entry 1'],
		['[1,\n{"a":"b', 'It ends in the middle of entry 2, on line 2.'],
		['[1,\n]', 'There is a comma after the last entry (1), before the "]" on line 2.'],
		['[1\n2]', 'A comma is missing after entry 1: there is "2" on line 2.'],
		['[,1]', 'There is "," where entry 1 should start, on line 1.'],
		['[1,,2]', 'There is "," where entry 2 should start'],
		['[1}', 'A comma is missing after entry 1: there is "}"'],
		['[] x', 'There is "x" after the end of the array, on line 1.'],
		['[1]\n[2]', 'There is "[" after the end of the array, on line 2.'],
		['{\n  "key": "a",\n  "value": "b"\n}', 'Expected an array of key-value objects but got an object.'],
		['{"a": {\n"b": "}"}}', 'Expected an array of key-value objects but got an object.'],
		['key,value\na,b', 'It starts with "k" on line 1.'],
		['\n\n12', 'It starts with "1" on line 3.'],
	])('%j', (source, expected) => {
		expect(getFailureText(source)).toContain(expected);
		expect(getFailureText(source, [1, 2, 3, 4, 5, 6, 7, 8])).toContain(expected);
		expect(getFailureText(source)).toContain('"load.json" is not a JSON array of key-value objects.');
	});

	test('names what a line may hold', () => {
		const splitter = new Splitter({label: '"names"', ...keysFormat});
		const push = () => splitter.push(Buffer.from('user:1\nuser:2\n'));
		expect(push).toThrow(
			expect.objectContaining({
				next: 'It should contain a JSON array of keys in double quotes, or one per line, such as "user:1"',
			}),
		);
	});

	test('text in UTF-16 is named as such', () => {
		expect(getFailureText(Buffer.from('\ufeff[]', 'utf16le'))).toContain('UTF-16');
	});

	test('an element above the maximum size stops the reading before the element ends', () => {
		const splitter = new Splitter({...options, maxElementBytes: 1000});
		splitter.push(Buffer.from('[1,\n{"a":"'));
		const push = () => {
			for (let piece = 0; piece < 20; piece++) splitter.push(Buffer.alloc(100, 0x61));
		};
		expect(push).toThrow('Entry 2 of "load.json" is too large.');
	});

	test('garbage gives elements or a failure, and nothing else', () => {
		const garbage = fc.array(
			fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '\n', ' ', 'a', '1', '\u0000', 'é'),
			{maxLength: 60},
		);
		fc.assert(
			fc.property(garbage, fc.constantFrom('', '[', '{"'), cuts, (pieces, start, cutPositions) => {
				const source = Buffer.from(start + pieces.join(''));
				let numbers: number[] = [];
				try {
					numbers = split(source, cutPositions).map(({number}) => number);
				} catch (error) {
					expect(error).toBeInstanceOf(Failure);
				}
				expect(numbers).toEqual(numbers.map((_, index) => index + 1));
			}),
			{numRuns: getRunCount(2000)},
		);
	});
});
