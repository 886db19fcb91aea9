import {describe, expect, test} from 'vitest';
import {
	analyse,
	type ExpressionProblem,
	formatEngineMessage,
	listCompletions,
} from '../../../../source/firewall/expression/expressions.ts';
import {measureCpuTime} from '../../../support/effort.ts';

const applyCorrection = (text: string, {correction}: ExpressionProblem): string | undefined =>
	correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end);

const listErrors = (text: string) =>
	analyse(text).errors.map(problem => [
		text.slice(problem.span.start, problem.span.end),
		applyCorrection(text, problem),
	]);

describe('a correction never covers a large share of all addresses', () => {
	test.each([
		['ip.src in {1.1.1.1/0}', '1.1.1.1'],
		['ip.src eq 0.0.0.1/0', '0.0.0.1'],
		['ip.src in {10.0.0.1/1}', '10.0.0.1'],
		['ip.src in {2001:db8::1/15}', '2001:db8::1'],
	])('%s', (text, markedText) => {
		expect(listErrors(text)).toEqual([[markedText, undefined]]);
	});
});

describe('a missing quote is one error', () => {
	test.each([
		['before a text', 'http.host eq a"', 'a"', 'http.host eq "a"'],
		[
			'before a text that others follow',
			'http.host eq a" and http.referer eq "b"',
			'a"',
			'http.host eq "a" and http.referer eq "b"',
		],
		['after the first value of a set', 'http.host in {"a "b" "c"}', '"', 'http.host in {"a" "b" "c"}'],
		['after a middle value of a set', 'http.host in {"a" "b "c"}', '"', 'http.host in {"a" "b" "c"}'],
		['after the last value of a set', 'http.host in {"a" "b}', '"', 'http.host in {"a" "b"}'],
		['before the first value of a set', 'http.host in {a" "b"}', 'a"', 'http.host in {"a" "b"}'],
		['before the last value of a set', 'http.host in {"a" b"}', 'b"', 'http.host in {"a" "b"}'],
		['a curly quote at the end instead of a straight one', 'http.host eq "a”', '"a”', 'http.host eq "a"'],
		['a curly quote in a set', 'http.host in {"a” "b"}', '"a”', 'http.host in {"a" "b"}'],
	])('%s', (_name, text, markedText, expectedText) => {
		expect(listErrors(text)).toEqual([[markedText, expectedText]]);
	});

	test.each([
		'http.host in {"a " "b"}',
		'http.host in {" a" "b "}',
		'http.host in {"a " r"b"}',
		'http.host in {"it\'s" "a b"}',
	])('no quote is missing in %s', text => {
		expect(listErrors(text)).toEqual([]);
	});
});

describe('addresses and numbers in notations of other tools', () => {
	test.each([
		['ip.src in {1.1.1.*}', '1.1.1.*', 'ip.src in {1.1.1.0/24}'],
		['ip.src in {2.2.2.2 1.1.*.* ::1}', '1.1.*.*', 'ip.src in {2.2.2.2 1.1.0.0/16 ::1}'],
		['ip.src eq 1.1.1.*', '1.1.1.*', 'ip.src in {1.1.1.0/24}'],
		['ip.src in {999.1.1.*}', '999.1.1.*', undefined],
		['ip.src in {[::1]}', '[::1]', 'ip.src in {::1}'],
		['ip.src eq [::1]', '[::1]', 'ip.src eq ::1'],
		['ip.src in {fe80::1%eth0}', 'fe80::1%eth0', 'ip.src in {fe80::1}'],
		['ip.src in {1.1.1.1-1.1.1.9}', '1.1.1.1-1.1.1.9', 'ip.src in {1.1.1.1..1.1.1.9}'],
		['ip.src eq 1.1.1.1-1.1.1.9', '1.1.1.1-1.1.1.9', 'ip.src in {1.1.1.1..1.1.1.9}'],
		['cf.edge.server_port eq -0x10', '-0x10', 'cf.edge.server_port eq -16'],
		['cf.edge.server_port in {-5..-1', '{', 'cf.edge.server_port in {-5..-1}'],
	])('%s', (text, markedText, expectedText) => {
		expect(listErrors(text)).toEqual([[markedText, expectedText]]);
	});

	test('a prefix length may have leading zeros', () => {
		expect(listErrors('ip.src in {10.0.0.0/024}')).toEqual([]);
	});
});

describe('patterns in slashes', () => {
	test.each([
		['http.host matches /a/i', '/a/i', 'http.host matches "(?i)a"'],
		[String.raw`http.host matches /^(a|b)\/$/`, String.raw`/^(a|b)\/$/`, 'http.host matches "^(a|b)/$"'],
		['http.request.uri.path matches /api/', '/api/', undefined],
		['http.request.uri.path matches /api/v1', '/api/v1', 'http.request.uri.path matches "/api/v1"'],
	])('%s', (text, markedText, expectedText) => {
		expect(listErrors(text)).toEqual([[markedText, expectedText]]);
	});
});

describe('strings', () => {
	test('a lone surrogate cannot be sent', () => {
		const text = 'http.host eq "a\ud800b"';
		expect(analyse(text).errors).toMatchObject([{span: {start: 15, end: 16}}]);
		expect(analyse('http.host eq "a😀b"').errors).toEqual([]);
	});

	test('an error message shortens a long row of #', () => {
		const [error] = analyse(`http.host eq r${'#'.repeat(4000)}"a`).errors;
		expect(error?.sentence.length).toBeLessThan(100);
		expect(error?.correction).toBeUndefined();
	});
});

describe('the message of the engine', () => {
	test.each([
		['ip.src in {10.0.0.1/24}', '10.0.0.1', 'host part of address was not zero'],
		[
			'ip.src in {10.0.0.0/100}',
			'10.0.0.0/100',
			'invalid length for network: Network length 100 is too long for Ipv4 (maximum: 32)',
		],
		[
			'ip.src in {10.0.0.0/}',
			'10.0.0.0/',
			"couldn't parse length in network: cannot parse integer from empty string",
		],
		['ip.src eq "a"', '"a"', 'expected IP address character'],
		['ip.src eq xyz', 'xyz', 'expected IP address character'],
	])('is given for %s', (text, markedText, engine) => {
		const {errors} = analyse(text);
		expect(errors.map(error => [text.slice(error.span.start, error.span.end), error.engineMessage])).toEqual([
			[markedText, engine],
		]);
	});

	test('places an error at the very start, before a line feed, on the first line', () => {
		const problem: ExpressionProblem = {
			severity: 'error',
			span: {start: 0, end: 0},
			line: 1,
			column: 1,
			sentence: 'x',
		};
		expect(formatEngineMessage('\nssl', problem)).toBe('Filter parsing error (1:1):\n\n^ x\n');
	});
});

describe('completions', () => {
	test('are not offered for a huge text', () => {
		const text = 'http.host '.repeat(100_000);
		expect(listCompletions(text, text.length).items).toEqual([]);
		expect(listCompletions('http.hos', 8).items.length).toBeGreaterThan(0);
	});
});

describe('a text of the maximum length', () => {
	test.each([
		['spaces in an unclosed string', `http.host in {"a${' '.repeat(60_000)}`],
		['backslashes in an unclosed string', `http.host eq "${'\\'.repeat(60_000)}x`],
		['spaces before the next value', `http.host in {"a${' '.repeat(60_000)}"b"}`],
	])('takes no more than linear time: %s', (_name, text) => {
		expect(analyse(text).errors.length).toBeGreaterThan(0);
		expect(measureCpuTime(() => analyse(text))).toBeLessThan(1000);
	});

	test('takes no more than linear time for completions in a long set', () => {
		const text = `http.host in {${'"a" '.repeat(16_000)}`;
		expect(listCompletions(text, text.length).items.length).toBeGreaterThan(0);
		expect(measureCpuTime(() => listCompletions(text, text.length))).toBeLessThan(1000);
	});
});
