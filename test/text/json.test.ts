import {describe, expect, test} from 'vitest';
import {JsonTooDeep, maxJsonDepth, parseJsonText} from '../../source/text/json.ts';

const nestLists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('parseJsonText', () => {
	test.each([
		['lists', nestLists],
		['objects', nestObjects],
		['lists in objects', (depth: number) => `{"a":"]]","b":${nestLists(depth - 1)}}`],
	])('reads and writes %s up to the maximum depth, and refuses deeper ones', (_, nestValues) => {
		expect(JSON.stringify(parseJsonText(nestValues(maxJsonDepth)))).toBe(nestValues(maxJsonDepth));
		for (const depth of [maxJsonDepth + 1, 20_000, 1_000_000])
			expect(() => parseJsonText(nestValues(depth))).toThrow(JsonTooDeep);
	});

	test('ignores brackets in strings, whatever their quotes and backslashes', () => {
		for (const string of [
			'['.repeat(5_000),
			`"${'{'.repeat(5_000)}`,
			`\\${'['.repeat(5_000)}\\`,
			'\\"[\\\\'.repeat(2_000),
		]) {
			const text = JSON.stringify({[string]: [string]});
			expect(parseJsonText(text)).toEqual({[string]: [string]});
		}
		expect(() => parseJsonText(`["\\\\",${nestLists(maxJsonDepth)}]`)).toThrow(JsonTooDeep);
	});

	test('reads many sibling values', () => {
		expect(parseJsonText(`[${'[],'.repeat(5_000)}{}]`)).toHaveLength(5_001);
	});

	test('throws a syntax error if the text is not JSON', () => {
		for (const text of ['', '{', '['.repeat(20_000)]) expect(() => parseJsonText(text)).toThrow(SyntaxError);
	});
});
