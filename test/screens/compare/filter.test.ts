import {expect, test} from 'vitest';
import type {KeyDifference} from '../../../source/kv/transfer/difference.ts';
import {DifferenceList} from '../../../source/kv/transfer/difference-list.ts';
import {getVisibleDifferences} from '../../../source/screens/compare/state.ts';

const createDifference = (key: string): KeyDifference => ({kind: 'only in one', key, one: {}});
const createDifferences = (...keys: string[]): DifferenceList => {
	const list = new DifferenceList();
	for (const key of keys) list.push(createDifference(key));
	return list;
};

const keys = ['user:1', 'User:2', 'other', 'user:3'];
const differences = createDifferences(...keys);

function getVisibleKeys(filter: string): (string | undefined)[] {
	const visible = getVisibleDifferences({differences, filter});
	return Array.from({length: visible.length}, (_, row) => visible.at(row)?.key);
}

test('the filter keeps differences whose key contains the text, by smart case', () => {
	expect(getVisibleKeys('')).toHaveLength(4);
	expect(getVisibleKeys('user')).toEqual(['user:1', 'User:2', 'user:3']);
	expect(getVisibleKeys('User')).toEqual(['User:2']);
});

test('a filter with ^ keeps differences whose key starts with the text, in the same case', () => {
	expect(getVisibleKeys('^user:')).toEqual(['user:1', 'user:3']);
	expect(getVisibleKeys('^ser')).toEqual([]);
	expect(getVisibleKeys('^')).toHaveLength(4);
	expect(getVisibleKeys('\\^user')).toEqual([]);
});

test('differences that arrive later are filtered, too', () => {
	const growingList = createDifferences(...keys);
	expect(getVisibleDifferences({differences: growingList, filter: 'user'})).toHaveLength(3);
	growingList.push(createDifference('user:4'));
	expect(getVisibleDifferences({differences: growingList, filter: 'user'})).toHaveLength(4);
});

test('a difference is found at its filtered row', () => {
	const visible = getVisibleDifferences({differences, filter: 'user'});
	expect([0, 1, 2, 3].map(index => visible.findRow(index))).toEqual([0, 1, undefined, 2]);
	expect(visible.getIndex(2)).toBe(3);
	expect(visible.at(3)).toBeUndefined();
	expect(getVisibleDifferences({differences, filter: ''}).findRow(4)).toBeUndefined();
});
