import {expect, test} from 'vitest';
import type {Difference} from '../../../source/kv/transfer/difference.ts';
import {nextOpen, visibleDifferences} from '../../../source/screens/compare/state.ts';

const differences = ['user:1', 'User:2', 'other', 'user:3'].map(
	key => ({kind: 'only in one', key}) as Difference,
);

const keysOf = (filter: string) => visibleDifferences({differences, filter}).map(({key}) => key);

test('the filter leaves the differences of keys with a text in their names, by smart case', () => {
	expect(keysOf('')).toHaveLength(4);
	expect(keysOf('user')).toEqual(['user:1', 'User:2', 'user:3']);
	expect(keysOf('User')).toEqual(['User:2']);
});

test('what comes in later is narrowed, too', () => {
	const found = [...differences];
	expect(visibleDifferences({differences: found, filter: 'user'})).toHaveLength(3);
	found.push({kind: 'only in one', key: 'user:4'} as Difference);
	expect(visibleDifferences({differences: found, filter: 'user'})).toHaveLength(4);
});

test('after a merge the cursor goes to the next difference that is shown and not merged', () => {
	const merged = new Map([['User:2', 'one' as const]]);
	expect(nextOpen({differences, filter: 'user', merged, cursor: 0})).toBe(2);
	expect(nextOpen({differences, filter: 'user', merged, cursor: 2})).toBe(2);
});
