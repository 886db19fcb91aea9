import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseDocument} from '../../source/settings/document.ts';
import {parseJsonLayout} from '../../source/settings/json-layout.ts';
import {createPositionFinder, findLayoutItem} from '../../source/settings/layout.ts';
import {listTomlStatements} from '../../source/settings/toml-layout.ts';
import {getRunCount} from '../support/full.ts';
import {jsonDocument} from './support/json-documents.ts';
import {tomlDocument} from './support/toml-documents.ts';

describe.each([
	{format: 'TOML', documents: tomlDocument},
	{format: 'JSON', documents: jsonDocument},
])('the line of every binding in a $format file', ({documents}) => {
	test('is the line it was written on', async () => {
		await fc.assert(
			fc.asyncProperty(documents, async ({text, format, entries}) => {
				const document = await parseDocument(text, format, 'file');
				for (const [environment, list] of entries) {
					const path = environment === '' ? ['kv_namespaces'] : ['env', environment, 'kv_namespaces'];
					const lines = list.map((_, index) => document.findPosition([...path, index]).line);
					expect(lines).toEqual(list.map(({line}) => line));
				}
			}),
			{numRuns: getRunCount(500)},
		);
	});
});

describe('listTomlStatements', () => {
	test('finds headers, lists of tables and dotted keys with their full path', () => {
		const text = `a.b = 1
"c d".'e' = "x" # c
[t]
u = [1,
 2]
[[l]]
[l.s]
v = 1
[[l]]
[[l.m]]
w = """
[no]"""
[[l.m]]
"\\u0041\\x42\\U00000043\\n" = ''
`;
		const statements = listTomlStatements(text).map(({path, start, end}) => [path, text.slice(start, end)]);
		expect(statements).toEqual([
			[['a', 'b'], 'a.b = 1'],
			[['c d', 'e'], `"c d".'e' = "x"`],
			[['t'], '[t]'],
			[['t', 'u'], 'u = [1,\n 2]'],
			[['l', 0], '[[l]]'],
			[['l', 0, 's'], '[l.s]'],
			[['l', 0, 's', 'v'], 'v = 1'],
			[['l', 1], '[[l]]'],
			[['l', 1, 'm', 0], '[[l.m]]'],
			[['l', 1, 'm', 0, 'w'], 'w = """\n[no]"""'],
			[['l', 1, 'm', 1], '[[l.m]]'],
			[['l', 1, 'm', 1, 'ABC\n'], `"\\u0041\\x42\\U00000043\\n" = ''`],
		]);
	});
});

describe('parseJsonLayout', () => {
	test('finds each value among comments, even where a dotted path cannot', () => {
		const text = '{ // x\n "a": [1, /* , */ {"b\\u0063": true}, ], "a.b": null}';
		const layout = parseJsonLayout(text);
		const textAt = (path: (string | number)[]) => {
			const item = findLayoutItem(layout, path);
			return item && text.slice(item.value.start, item.value.end);
		};
		expect(textAt(['a'])).toBe('[1, /* , */ {"b\\u0063": true}, ]');
		expect(textAt(['a', 1, 'bc'])).toBe('true');
		expect(textAt(['a.b'])).toBe('null');
		expect(textAt(['a', 2])).toBeUndefined();
		expect(textAt(['a', 'b'])).toBeUndefined();
	});
});

test('positions count lines and columns from 1', () => {
	const findPosition = createPositionFinder('ab\r\ncd\n');
	expect([0, 3, 4, 5, 7].map(findPosition)).toEqual([
		{line: 1, column: 1},
		{line: 1, column: 4},
		{line: 2, column: 1},
		{line: 2, column: 2},
		{line: 3, column: 1},
	]);
});
