import {describe, expect, test} from 'vitest';
import {analyse} from '../../../../source/firewall/expression/analyse.ts';
import type {Problem} from '../../../../source/firewall/expression/grammar/problem.ts';

const corrected = (text: string, {correction}: Problem): string | undefined =>
	correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end);

const told = (text: string) =>
	analyse(text).errors.map(problem => [
		text.slice(problem.span.start, problem.span.end),
		corrected(text, problem),
	]);

const names = 'http.request.headers.names[*]';
const signed = (rest: string) => `is_timed_hmac_valid_v0("key"${rest}, http.request.timestamp.sec, 8)`;

describe('one mistake around the arguments of a function is one error', () => {
	test.each([
		['a parenthesis that nothing closes', 'lower(http.host eq "a"', '(', 'lower(http.host) eq "a"'],
		['the same in parentheses', '(lower(http.host eq "a") and ssl', '(', '(lower(http.host) eq "a") and ssl'],
		[
			'one that nothing closes before the next condition',
			'starts_with(http.host, "a" and ssl',
			'(',
			'starts_with(http.host, "a") and ssl',
		],
		['a comparison within the parentheses', 'lower(http.host eq "a")', 'eq', 'lower(http.host) eq "a"'],
		['a comparison that is compared', 'lower(http.host eq "a") eq "b"', 'eq', undefined],
		['a name in upper case', `ANY(${names} eq "a")`, 'ANY', `any(${names} eq "a")`],
		['a name with one in upper case', `Any(${names} eq "a")`, 'Any', `any(${names} eq "a")`],
		[
			'a comma that is missing',
			signed(' http.request.uri, 3600'),
			'http.request.uri',
			signed(', http.request.uri, 3600'),
		],
		[
			'an argument that stands there twice',
			signed(', http.request.uri, http.request.uri, 3600'),
			'http.request.uri',
			undefined,
		],
		['two without a comma', 'lower(http.host ssl) eq "a"', 'ssl', 'lower(http.host, ssl) eq "a"'],
		['a semicolon', 'starts_with(http.host; "b")', ';', 'starts_with(http.host, "b")'],
		['two conditions', `any(${names} eq "a", ${names} eq "b")`, `${names} eq "b"`, undefined],
		['a condition of another kind', `all(${names} eq "a" and ssl)`, 'ssl', undefined],
		['concat of one', 'concat(http.host) eq "a"', 'concat(http.host)', undefined],
		[
			'concat of a list and a text',
			'concat(http.request.headers.names, http.host) eq "a"',
			'http.host',
			undefined,
		],
		[
			'an option with its letters turned',
			'url_decode(http.host, "ru") eq "a"',
			'"ru"',
			'url_decode(http.host, "ur") eq "a"',
		],
		['an option that is none', 'url_decode(http.host, "x") eq "a"', '"x"', undefined],
		['a text without quotes', 'starts_with(http.host, a)', 'a', 'starts_with(http.host, "a")'],
		['an end without quotes', 'ends_with(http.host, .com)', '.com', 'ends_with(http.host, ".com")'],
		['a star without quotes', 'ends_with(http.host, *.com)', '*.com', 'ends_with(http.host, "*.com")'],
		[
			'a field that is misspelled where a text could stand',
			'starts_with(http.host, http.hst)',
			'http.hst',
			'starts_with(http.host, http.host)',
		],
		[
			'a value of a map, as a field',
			'http.request.headers.User-Agent[0] eq "a"',
			'http.request.headers.User-Agent',
			'http.request.headers["user-agent"][0] eq "a"',
		],
		[
			'a field of nearly that name',
			'any(http.request.headers.name[*] eq "a")',
			'http.request.headers.name',
			'any(http.request.headers.names[*] eq "a")',
		],
		[
			'a raw string as an index',
			'http.request.headers[r"a"][0] eq "b"',
			'r"a"',
			'http.request.headers["a"][0] eq "b"',
		],
	])('%s', (_name, text, on, mended) => {
		expect(told(text)).toEqual([[on, mended]]);
	});
});

describe('what a function gives', () => {
	test.each([
		['concat gives a text when its first argument is a number', 'concat(5, http.host) eq "5a"'],
		[
			'concat gives a list of lists',
			'any(concat(http.request.headers.names, http.request.headers.names)[*] eq "a")',
		],
		['a name that is nearly right still has its type', 'lower(http.host) eq "a"'],
	])('%s', (_name, text) => {
		expect(told(text)).toEqual([]);
	});

	test('concat of a number and a text is no number', () => {
		expect(analyse('concat(5, http.host) eq 5').errors).toHaveLength(1);
	});
});

describe('positions', () => {
	test.each([
		['01', 1],
		['010', 8],
		['0x1', 1],
		['4294967295', 4_294_967_295],
	])('[%s] is the position %d', (written, position) => {
		const {tree, errors} = analyse(`http.request.headers["a"][${written}] eq "b"`);
		expect(errors).toEqual([]);
		expect(tree).toMatchObject({left: {indexes: [{kind: 'key'}, {kind: 'position', position}]}});
	});

	test.each(['4294967296', '-1', '0x100000000'])('[%s] is none, and no name', written => {
		expect(told(`http.request.headers["a"][${written}] eq "b"`)).toEqual([[written, undefined]]);
	});
});

describe('sentences', () => {
	test.each([
		['len(ssl) gt 5', 'len takes a text, a list or a map: ssl is of type Boolean.'],
		['lower(5) eq "a"', 'lower takes a field or what a function returns, not a value that is written out.'],
		[
			signed(', http.request.uri, 3600').replace('http.request.timestamp.sec', 'http.host'),
			'is_timed_hmac_valid_v0 takes a number as argument 4: http.host is of type String.',
		],
	])('%s', (text, sentence) => {
		expect(analyse(text).errors.map(error => error.sentence)).toEqual([sentence]);
	});
});
