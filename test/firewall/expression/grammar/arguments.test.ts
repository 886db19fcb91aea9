import {describe, expect, test} from 'vitest';
import {analyse, type ExpressionProblem} from '../../../../source/firewall/expression/expressions.ts';

const applyCorrection = (text: string, {correction}: ExpressionProblem): string | undefined =>
	correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end);

const listErrors = (text: string) =>
	analyse(text).errors.map(problem => [
		text.slice(problem.span.start, problem.span.end),
		applyCorrection(text, problem),
	]);

const names = 'http.request.headers.names[*]';
const buildHmacCall = (rest: string) => `is_timed_hmac_valid_v0("key"${rest}, http.request.timestamp.sec, 8)`;

describe('one mistake in the arguments of a function is one error', () => {
	test.each([
		['an unclosed parenthesis', 'lower(http.host eq "a"', '(', 'lower(http.host) eq "a"'],
		['the same in parentheses', '(lower(http.host eq "a") and ssl', '(', '(lower(http.host) eq "a") and ssl'],
		[
			'an unclosed one before the next condition',
			'starts_with(http.host, "a" and ssl',
			'(',
			'starts_with(http.host, "a") and ssl',
		],
		['a comparison within the parentheses', 'lower(http.host eq "a")', 'eq', 'lower(http.host) eq "a"'],
		['a comparison that is compared', 'lower(http.host eq "a") eq "b"', 'eq', undefined],
		['a name in upper case', `ANY(${names} eq "a")`, 'ANY', `any(${names} eq "a")`],
		['a name with one capital letter', `Any(${names} eq "a")`, 'Any', `any(${names} eq "a")`],
		[
			'a comma that is missing',
			buildHmacCall(' http.request.uri, 3600'),
			'http.request.uri',
			buildHmacCall(', http.request.uri, 3600'),
		],
		[
			'an argument given twice',
			buildHmacCall(', http.request.uri, http.request.uri, 3600'),
			'http.request.uri',
			undefined,
		],
		['two without a comma', 'lower(http.host ssl) eq "a"', 'ssl', 'lower(http.host, ssl) eq "a"'],
		['a semicolon', 'starts_with(http.host; "b")', ';', 'starts_with(http.host, "b")'],
		['two conditions', `any(${names} eq "a", ${names} eq "b")`, `${names} eq "b"`, undefined],
		['a condition that is not for each value', `all(${names} eq "a" and ssl)`, 'ssl', undefined],
		['concat of one', 'concat(http.host) eq "a"', 'concat(http.host)', undefined],
		[
			'concat of a list and a text',
			'concat(http.request.headers.names, http.host) eq "a"',
			'http.host',
			undefined,
		],
		[
			'an option with its letters swapped',
			'url_decode(http.host, "ru") eq "a"',
			'"ru"',
			'url_decode(http.host, "ur") eq "a"',
		],
		['an unknown option', 'url_decode(http.host, "x") eq "a"', '"x"', undefined],
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
			'a field with almost the right name',
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
	])('%s', (_name, text, markedText, expectedText) => {
		expect(listErrors(text)).toEqual([[markedText, expectedText]]);
	});
});

describe('the result of a function', () => {
	test.each([
		['coalesce returns the type of its arguments', 'coalesce(cf.edge.server_port, 443) gt 80'],
		[
			'coalesce of a looked-up integer is a number',
			'hash_in_range(0, 100, cf.random_seed) lt 10 and ' +
				'coalesce(lookup_json_integer(cf.hostname.metadata, "a"), 0) ge 5',
		],
		['a length of a fallback', 'len(coalesce(http.request.headers["x"][0], "")) gt 5'],
		['a prefix written as bytes', 'starts_with(http.request.uri.path, 2f:61)'],
		['a name in a map', 'has_key(http.request.headers, "x-a")'],
		['a name that is looked up', 'has_key(http.request.headers, lower(http.host))'],
		['a value in a list', 'has_value(http.request.headers.names, http.host)'],
		['a number in a list', 'has_value(cf.bot_management.detection_ids, 7)'],
		['a value under a name', 'has_value(http.request.headers["x-a"], "v")'],
		[
			'concat joins lists into one list',
			'any(concat(http.request.headers.names, http.request.headers.names)[*] eq "a")',
		],
		['a name that is nearly right still has its type', 'lower(http.host) eq "a"'],
	])('%s', (_name, text) => {
		expect(listErrors(text)).toEqual([]);
	});

	test('concat takes no numbers', () => {
		expect(analyse('concat(5, http.host) eq "5"').errors).toHaveLength(1);
	});

	test.each([
		['of text and number', 'coalesce(http.host, 5) eq "5"'],
		['of one value', 'coalesce(http.host) eq "5"'],
		['of a value that the list cannot hold', 'has_value(http.request.headers.names, 5)'],
		['of a key of a list', 'has_key(http.request.headers.names, "a")'],
		['of a key that is a number', 'has_key(http.request.headers, 5)'],
		[
			'of lists of two types',
			'any(concat(http.request.headers.names, cf.bot_management.detection_ids)[*] eq 5)',
		],
		['of 33 texts', `concat(${Array.from({length: 33}, () => 'http.host').join(', ')}) eq "a"`],
		['of no field to hash', 'hash_in_range(0, 100) lt 5'],
	])('gives one error %s', (_name, text) => {
		expect(analyse(text).errors).toHaveLength(1);
	});

	test('concat takes 32 texts', () => {
		expect(listErrors(`concat(${Array.from({length: 32}, () => 'http.host').join(', ')}) eq "a"`)).toEqual(
			[],
		);
	});

	test.each([
		['a map has a length', 'len(http.request.headers) gt 5', 'http.request.headers'],
		['lower of a literal', 'lower("A") eq "a"', '"A"'],
		['a prefix that is a field', 'starts_with(http.host, http.referer)', 'http.referer'],
	])('a case that the documentation leaves open is a warning: %s', (_name, text, markedText) => {
		const {errors, warnings} = analyse(text);
		expect(errors).toEqual([]);
		expect(warnings.map(({span}) => text.slice(span.start, span.end))).toEqual([markedText]);
		expect(warnings[0]?.sentence).toMatch(/^It is not documented whether /);
	});

	test.each([
		['a separator without text', 'split(http.host, "", 5)[0] eq "a"', 'http_custom_errors'],
		['a separator that is a field', 'split(http.host, http.referer, 5)[0] eq "a"', 'http_custom_errors'],
		[
			'parameters of another field',
			'remove_query_args(http.host, "a") eq "b"',
			'http_response_cache_settings',
		],
	] as const)('one error in other phases: %s', (_name, text, phase) => {
		expect(analyse(text, {phase}).errors).toHaveLength(1);
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

	test.each(['4294967296', '-1', '0x100000000'])('[%s] is neither a position nor a name', written => {
		expect(listErrors(`http.request.headers["a"][${written}] eq "b"`)).toEqual([[written, undefined]]);
	});
});

describe('error messages', () => {
	test.each([
		['len(ssl) gt 5', 'len takes a string or an array: ssl is of type Boolean.'],
		['lower(5) eq "a"', 'lower takes a string: 5 is of type Integer.'],
		[
			buildHmacCall(', http.request.uri, 3600').replace('http.request.timestamp.sec', 'http.host'),
			'is_timed_hmac_valid_v0 takes a number as argument 4: http.host is of type String.',
		],
	])('%s', (text, sentence) => {
		expect(analyse(text).errors.map(error => error.sentence)).toEqual([sentence]);
	});
});
