import {describe, expect, test} from 'vitest';
import {analyse} from '../../../../source/firewall/expression/expressions.ts';
import {getRunCount} from '../../../support/full.ts';
import {checkClaims} from './check-claims.ts';

/** Lists the codes for constant parts of an expression, each with the part that it marks. */
const listResults = (text: string): readonly string[] => {
	const {errors, warnings, hints} = analyse(text);
	expect(errors).toEqual([]);
	return [...warnings, ...hints].flatMap(({code, span}) =>
		/^L(?:03[12]|14\d)$/.test(code ?? '') ? [`${code} ${text.slice(span.start, span.end)}`] : [],
	);
};

const header = 'http.request.headers["x"][0]';

describe('never true', () => {
	test.each([
		'http.host eq "a" and http.host in {"b" "c"}',
		'http.host eq "a" and not http.host in {"a" "c"}',
		'cf.waf.score lt 20 and cf.waf.score gt 30',
		'ip.src.asnum in {1..9} and ip.src.asnum in {10..20 30}',
		'ip.src in {10.0.0.0/8} and not ip.src in {10.0.0.0/8}',
		'ip.src in {10.0.0.0/8 ::/8} and ip.src in {11.0.0.0/8 100::/8}',
		'ssl and not ssl',
		'http.host eq "ab" and starts_with(http.host, "b")',
		'http.host eq "ab" and not http.host contains "b"',
		'starts_with(http.host, "a") and starts_with(http.host, "b")',
		'http.host contains "abc" and not http.host contains "b"',
		'http.host wildcard "A*" and http.host strict wildcard "b*"',
		'http.host matches "^a" and http.host eq "b"',
		'http.host lt "b" and http.host ge "c"',
		'lower(http.host) eq "a" and http.host eq "B"',
		'len(http.host) gt 5 and http.host eq "abc"',
		`${header} eq "a" and not ${header} ne "b"`,
		'ssl xor ssl',
	])('%s', text => {
		expect(listResults(text)).toEqual([`L140 ${text}`]);
	});

	test('names the two conditions, wherever they are', () => {
		const text = 'http.host eq "a" and (ssl and (not http.host ne "b"))';
		const [warning] = analyse(text).warnings;
		expect(warning?.sentence).toBe(
			'This is never true: no request matches both http.host eq "a" and not http.host ne "b".',
		);
		expect(listResults('ssl and http.host eq "a" and cf.client.bot and http.host eq "b"')).toEqual([
			'L032 http.host eq "a" and cf.client.bot and http.host eq "b"',
		]);
	});

	test('by three conditions, none of which excludes another', () => {
		const text = 'cf.waf.score ne 50 and cf.waf.score ge 50 and cf.waf.score le 50';
		expect(listResults(text)).toEqual([`L140 ${text}`]);
	});
});

describe('always true', () => {
	test.each([
		'not http.host eq "a" or http.host ne "b"',
		'cf.waf.score lt 50 or cf.waf.score in {50..100}',
		'ssl or not ssl',
		'ssl xor not ssl',
		'ip.src in {0.0.0.0/0} or ip.src in {::/0}',
		'ip.src in {0.0.0.0/0 ::/0}',
		`not ${header} eq "a" or not ${header} eq "b"`,
	])('%s', text => {
		expect(listResults(text)).toEqual([`L141 ${text}`]);
	});
});

describe('a part', () => {
	test.each([
		['ssl or (http.host eq "a" and http.host eq "b")', 'L032 http.host eq "a" and http.host eq "b"'],
		['http.host eq "a" and (ssl or http.host eq "b")', 'L142 http.host eq "b"'],
		['ssl and (http.host ne "a" or http.host ne "b")', 'L031 http.host ne "a" or http.host ne "b"'],
		['not (http.host eq "a" and http.host eq "b")', 'L032 http.host eq "a" and http.host eq "b"'],
		['http.host eq "a" and http.host ne "b"', 'L144 http.host ne "b"'],
		['http.host contains "a" or http.host contains "ab"', 'L144 http.host contains "ab"'],
		[
			'any((http.request.headers.names[*] eq "a" and http.request.headers.names[*] eq "b"))',
			'L032 http.request.headers.names[*] eq "a" and http.request.headers.names[*] eq "b"',
		],
	])('%s', (text, result) => {
		expect(listResults(text)).toEqual([result]);
	});
});

describe('neither', () => {
	test.each([
		// Without the header, ne is false, and not eq is true.
		`${header} ne "a" or ${header} ne "b"`,
		`not ${header} eq "a" and not ${header} ne "a"`,
		// Each may be about another value.
		'any(http.request.headers["x"][*] eq "a") and any(http.request.headers["x"][*] eq "b")',
		'http.request.headers["x"][0] eq "a" and http.request.headers["x"][1] eq "b"',
		'http.host eq "a" and http.referer eq "b"',
		'lower(http.host) eq "a" and http.host eq "A"',
		'http.host wildcard "A*" and http.host eq "abc"',
		// The same bytes, written in two ways.
		'http.host eq "\\xc3\\xa4" and http.host eq "ä"',
		'ip.src.asnum eq 9007199254740993 and ip.src.asnum ne 9007199254740992 and ssl',
		'http.host ne http.referer or http.host ne "a"',
	])('%s', text => {
		expect(listResults(text).filter(result => !result.startsWith('L144'))).toEqual([]);
	});
});

test('any and all have the result of their conditions, except over nothing', () => {
	const never = 'http.cookie eq "a" and http.cookie eq "b"'.replaceAll(
		'http.cookie',
		'http.request.headers["x"][*]',
	);
	expect(listResults(`all((${never})) or ssl`)).toEqual([`L032 ${never}`]);
	expect(listResults(`all((${never}))`)).toEqual([`L032 ${never}`]);
	expect(listResults(`any((${never}))`)).toEqual([`L032 ${never}`]);
});

test('is not reported twice where a value has a warning of its own', () => {
	expect(listResults('http.request.method eq "get" and ssl')).toEqual([]);
	expect(listResults('cf.waf.score gt 100')).toEqual([]);
});

test('no claim is wrong for a request, and nearly all that is constant is found', () => {
	const {falseClaims, missed, constantCount, claimCount} = checkClaims(20_261_128, getRunCount(6_000), 60);
	expect(falseClaims).toEqual([]);
	expect(claimCount).toBeGreaterThan(getRunCount(3_000));
	expect(1 - missed.length / constantCount).toBeGreaterThanOrEqual(0.9);
}, 60_000);
