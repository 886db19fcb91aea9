import {expect, test} from 'vitest';
import {
	createKeyNameFilter,
	getFilterPrefix,
	getNoMatchAdvice,
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
	['!', {kind: 'none'}],
	['!user', {kind: 'text', text: 'user', isInverse: true}],
	['\\!user', {kind: 'text', text: '!user'}],
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

test('a text after ! keeps the names without it', () => {
	const names = ['user:1', 'User:2', 'my user', '!user', 'other'];
	expect(names.filter(createKeyNameFilter('!user'))).toEqual(['other']);
	expect(names.filter(createKeyNameFilter('!User'))).toEqual(['user:1', 'my user', '!user', 'other']);
	expect(names.filter(createKeyNameFilter('\\!user'))).toEqual(['!user']);
});

test('a filter that looks like a regular expression is explained, another one is not', () => {
	for (const typed of ['^ff:.*', 'a.+', 'user:\\d', '[a-z]x', 'end$'])
		expect(getNoMatchAdvice(typed), typed).toContain('not regular expressions');
	for (const typed of ['^ff:', 'a.b', 'user*', '!x', '$1'])
		expect(getNoMatchAdvice(typed), typed).toBe('esc clears the filter');
});
