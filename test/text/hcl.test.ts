import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createAttribute, formatHcl, formatHclString, type HclItem} from '../../source/text/hcl.ts';
import type {JsonValue} from '../../source/text/json.ts';
import {escapeLines} from '../../source/text/safe-text.ts';
import {getRunCount} from '../support/full.ts';
import {parseHcl} from '../support/hcl.ts';

/** Removes the template escapes, which the parser does not decode. */
const unescapeTemplates = (value: unknown): unknown => {
	if (typeof value === 'string') return value.replace(/([$%])\1\{/g, '$1{');
	if (Array.isArray(value)) return value.map(unescapeTemplates);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [unescapeTemplates(name), unescapeTemplates(one)]),
	);
};

const formatAndParse = async (items: readonly HclItem[]) =>
	unescapeTemplates(await parseHcl('x.tf', formatHcl(items)));

/** The text as HCL can represent it: well-formed, in NFC. */
const toHclText = (text: string) => text.toWellFormed().normalize('NFC');

const hostileText = fc.oneof(
	fc.string({unit: 'binary', maxLength: 30}),
	fc.string({
		unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', 'u', '~', '\u0301', 'e'),
		maxLength: 12,
	}),
	fc.string({unit: 'grapheme', maxLength: 20}),
);

describe('strings', () => {
	test('come out of the Terraform parser unchanged', async () => {
		await fc.assert(
			fc.asyncProperty(hostileText, async text => {
				expect(await formatAndParse([createAttribute('a', text)])).toEqual({a: toHclText(text)});
			}),
			{numRuns: getRunCount(400)},
		);
	});

	test('can all be keys of an object', async () => {
		await fc.assert(
			fc.asyncProperty(hostileText, async text => {
				expect(await formatAndParse([createAttribute('a', {[text]: 1})])).toEqual({
					a: {[toHclText(text)]: 1},
				});
			}),
			{numRuns: getRunCount(200)},
		);
	});

	test('have the start of a template escaped, and lookalikes kept', () => {
		expect(formatHclString('$' + '{a} %' + '{b} $a %b {c}')).toBe('"$$' + '{a} %%' + '{b} $a %b {c}"');
	});

	test('contain nothing that affects a terminal', () => {
		fc.assert(
			fc.property(hostileText, text => {
				const written = formatHclString(text);
				expect(escapeLines(written)).toBe(written);
				expect(written).not.toContain('\n');
			}),
		);
		expect(formatHclString('\u001b[2J\u202e\u{e0041}é')).toBe('"\\u001b[2J\\u202e\\U000e0041é"');
	});
});

describe('layout like that of `terraform fmt`', () => {
	test('aligns the equals signs of consecutive lines', () => {
		expect(
			formatHcl([
				createAttribute('a', 1),
				createAttribute('long', true),
				createAttribute('list', ['x', 'y']),
			]),
		).toBe('a    = 1\nlong = true\nlist = ["x", "y"]\n');
	});

	test('leaves a value of several lines out of the alignment', () => {
		const items = [
			createAttribute('a', 1),
			createAttribute('longest', {b: 1, cc: 'x'}),
			createAttribute('ddd', null),
		];
		expect(formatHcl(items)).toBe('a = 1\nlongest = {\n  b  = 1\n  cc = "x"\n}\nddd = null\n');
	});

	test('puts a blank line before a block unless it comes first', () => {
		const inner: HclItem = {kind: 'block', type: 'in', body: []};
		const block: HclItem = {
			kind: 'block',
			type: 'x',
			labels: ['a', 'b'],
			body: [createAttribute('c', 1), inner, inner],
		};
		expect(formatHcl([block, block])).toBe(
			['x "a" "b" {', '  c = 1', '', '  in {}', '', '  in {}', '}', '']
				.join('\n')
				.repeat(2)
				.replace('}\nx', '}\n\nx'),
		);
	});

	test('puts objects of a list on their own lines', () => {
		expect(formatHcl([createAttribute('rules', [{a: 1}, {b: []}])])).toBe(
			'rules = [\n  {\n    a = 1\n  },\n  {\n    b = []\n  },\n]\n',
		);
	});

	test('keeps any text of a comment inside it', async () => {
		const items: HclItem[] = [
			{kind: 'comment', lines: ['one\ntwo = 2', 'three\u2028']},
			createAttribute('a', 1),
		];
		expect(formatHcl(items)).toContain('# one\\ntwo = 2\n# three\\u2028\n');
		expect(await formatAndParse(items)).toEqual({a: 1});
	});
});

test('any value comes out of the parser unchanged', async () => {
	const value = fc.letrec<{any: JsonValue; leaf: JsonValue; object: JsonValue; list: JsonValue}>(tie => ({
		leaf: fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), fc.string({unit: 'grapheme-ascii'})),
		object: fc.dictionary(
			fc.string({unit: 'grapheme-ascii', maxLength: 6}),
			tie('any') as fc.Arbitrary<JsonValue>,
			{
				maxKeys: 4,
				noNullPrototype: true,
			},
		),
		list: fc.array(tie('any') as fc.Arbitrary<JsonValue>, {maxLength: 4}),
		any: fc.oneof({depthSize: 'small'}, tie('leaf'), tie('object'), tie('list')) as fc.Arbitrary<JsonValue>,
	})).any;
	await fc.assert(
		fc.asyncProperty(value, async one => {
			expect(await formatAndParse([createAttribute('a', one)])).toEqual({a: one});
		}),
		{numRuns: getRunCount(200)},
	);
});

test('a name that is invalid in HCL is refused', () => {
	for (const name of ['', '1a', 'a b', 'a"', 'a\n', 'ä='])
		expect(() => formatHcl([createAttribute(name, 1)])).toThrow('is not a valid name');
});
