import {expect, test} from 'vitest';
import {
	createKeyNameFilter,
	getFilterPrefix,
	parseKeyFilter,
} from '../../../source/kv/key-index/key-filter.ts';

test.each([
	['', {kind: 'none'}],
	['^', {kind: 'none'}],
	['user', {kind: 'text', text: 'user'}],
	['us^er', {kind: 'text', text: 'us^er'}],
	['^user:', {kind: 'prefix', prefix: 'user:'}],
	['^^', {kind: 'prefix', prefix: '^'}],
	['^\\^', {kind: 'prefix', prefix: '\\^'}],
	['\\^user', {kind: 'text', text: '^user'}],
	['\\^', {kind: 'text', text: '^'}],
	['\\user', {kind: 'text', text: '\\user'}],
])('%j is the filter %j', (typed, filter) => {
	expect(parseKeyFilter(typed)).toEqual(filter);
	expect(getFilterPrefix(typed)).toBe('prefix' in filter ? filter.prefix : undefined);
});

test('a prefix matches the start and the case of a name, a text any part in any case', () => {
	const names = ['user:1', 'User:2', 'my user'];
	expect(names.filter(createKeyNameFilter('^user'))).toEqual(['user:1']);
	expect(names.filter(createKeyNameFilter('user'))).toEqual(names);
	expect(names.filter(createKeyNameFilter('^'))).toEqual(names);
});
