import {expect, test} from 'vitest';
import {findClosestName, formatDidYouMean, formatNameList} from '../../source/text/closest-name.ts';

test.each([
	{word: 'stagign', names: ['production', 'staging'], closest: 'staging'},
	{word: 'SESSION', names: ['SESSIONS', 'CACHE'], closest: 'SESSIONS'},
	{word: 'kv', names: ['KV', 'kw'], closest: 'KV'},
	{word: 'kv', names: ['CACHE'], closest: undefined},
	{word: 'anything', names: [], closest: undefined},
])('for "$word" the closest of $names is $closest', ({word, names, closest}) => {
	expect(findClosestName(word, names)).toBe(closest);
	expect(formatDidYouMean(word, names)).toBe(closest === undefined ? '' : `Did you mean "${closest}"? `);
});

test('a list of names shows a dozen and counts the rest', () => {
	const names = Array.from({length: 15}, (_, index) => `n${index}`);
	expect(formatNameList(names)).toMatch(/^"n0", .*"n11" and 3 more$/);
	expect(formatNameList(['a', 'b'])).toBe('"a", "b"');
});
