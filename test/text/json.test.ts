import {describe, expect, test} from 'vitest';
import {JsonTooDeep, maxJsonDepth, parseJsonText} from '../../source/text/json.ts';

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('parseJsonText', () => {
	test.each([
		['lists', lists],
		['objects', objects],
		['lists in objects', (depth: number) => `{"a":"]]","b":${lists(depth - 1)}}`],
	])('reads %s up to the maximum depth, which can be written again, and none deeper', (_, nested) => {
		expect(JSON.stringify(parseJsonText(nested(maxJsonDepth)))).toBe(nested(maxJsonDepth));
		for (const depth of [maxJsonDepth + 1, 20_000, 1_000_000])
			expect(() => parseJsonText(nested(depth))).toThrow(JsonTooDeep);
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
		expect(() => parseJsonText(`["\\\\",${lists(maxJsonDepth)}]`)).toThrow(JsonTooDeep);
	});

	test('reads many sibling values', () => {
		expect(parseJsonText(`[${'[],'.repeat(5_000)}{}]`)).toHaveLength(5_001);
	});

	test('throws a syntax error if the text is not JSON', () => {
		for (const text of ['', '{', '['.repeat(20_000)]) expect(() => parseJsonText(text)).toThrow(SyntaxError);
	});
});
