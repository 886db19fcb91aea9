import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {analyse, matchesAddress, matchesNearlyAll} from '../../../source/firewall/expression/expressions.ts';
import {formatOwnAddressWarning, readOwnAddress} from '../../../source/firewall/rules/emergency-check.ts';
import {parseTargets, parseTargetWords} from '../../../source/firewall/rules/targets.ts';
import {getRunCount} from '../../support/full.ts';

describe('targets as typed', () => {
	test.each([
		['203.0.113.9', 'ip.src eq 203.0.113.9'],
		['2001:db8::1', 'ip.src eq 2001:db8::1'],
		['203.0.113.9 203.0.113.9', 'ip.src eq 203.0.113.9'],
		['10.0.0.0/8', 'ip.src in {10.0.0.0/8}'],
		['203.0.113.9, 10.0.0.0/8\n2001:db8::/32', 'ip.src in {203.0.113.9 10.0.0.0/8 2001:db8::/32}'],
		['192.0.2.1-192.0.2.9', 'ip.src in {192.0.2.1..192.0.2.9}'],
		['/wp-login.php', 'http.request.uri.path eq "/wp-login.php"'],
		['/a /b', 'http.request.uri.path in {"/a" "/b"}'],
		['/wp-admin/*', 'starts_with(http.request.uri.path, "/wp-admin/")'],
		['/a?b=1', 'http.request.uri eq "/a?b=1"'],
		['/a"b', 'http.request.uri.path eq "/a\\"b"'],
		['country:xx', 'ip.src.country eq "XX"'],
		['country:DE country:FR', 'ip.src.country in {"DE" "FR"}'],
		['asn:64500', 'ip.src.asnum eq 64500'],
		['AS64500 asn:64501', 'ip.src.asnum in {64500 64501}'],
		['203.0.113.9 asn:64500 # the second wave', 'ip.src eq 203.0.113.9 or ip.src.asnum eq 64500'],
		[
			'/a /b* /c?d',
			'http.request.uri.path eq "/a" or http.request.uri eq "/c?d" or starts_with(http.request.uri.path, "/b")',
		],
	])('%j gives %s', (text, expression) => {
		expect(parseTargets(text)).toEqual({kind: 'one', expression});
		expect(analyse(expression).errors).toEqual([]);
	});

	test.each([
		[
			'203.0.113.9 /wp-login.php',
			'ip.src eq 203.0.113.9 and http.request.uri.path eq "/wp-login.php"',
			'ip.src eq 203.0.113.9 or http.request.uri.path eq "/wp-login.php"',
		],
		[
			'country:XX /a',
			'ip.src.country eq "XX" and http.request.uri.path eq "/a"',
			'ip.src.country eq "XX" or http.request.uri.path eq "/a"',
		],
		[
			'203.0.113.9 asn:64500 /a /b/*',
			'(ip.src eq 203.0.113.9 or ip.src.asnum eq 64500) and (http.request.uri.path eq "/a" or starts_with(http.request.uri.path, "/b/"))',
			'ip.src eq 203.0.113.9 or ip.src.asnum eq 64500 or http.request.uri.path eq "/a" or starts_with(http.request.uri.path, "/b/")',
		],
	])('%j can mean both conditions, or either', (text, all, any) => {
		expect(parseTargets(text)).toEqual({kind: 'both', all, any});
		for (const expression of [all, any]) expect(analyse(expression).errors).toEqual([]);
	});

	test.each([
		'',
		'ssl',
		'ip.src eq 203.0.113.9',
		'http.host',
		'203.0.113',
		'a/b',
		'12:30',
		'country:Germany',
		'/a*b',
	])('%j is not a list of targets', text => {
		expect(parseTargets(text)).toBeUndefined();
	});

	test('the first word that is not understood is named', () => {
		expect(parseTargetWords(['203.0.113.9', 'example.com'])).toEqual({kind: 'unknown', word: 'example.com'});
	});

	test('any typed text gives an expression that parses, or an error about its values', () => {
		const words = fc.oneof(
			fc.ipV4(),
			fc.ipV6(),
			fc.string({maxLength: 8}).map(text => `/${text}`),
			fc.nat({max: 2 ** 31}).map(number => `asn:${number}`),
			fc.string({maxLength: 6}),
		);
		fc.assert(
			fc.property(fc.array(words, {minLength: 1, maxLength: 5}), all => {
				for (const expression of Object.values(parseTargets(all.join(' ')) ?? {}).slice(1))
					expect(analyse(expression).errors.map(({sentence}) => sentence)).toEqual([]);
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('networks that cover all addresses count as all traffic', () => {
		expect(matchesNearlyAll('ip.src in {0.0.0.0/0}', undefined)).toBe(true);
		expect(matchesNearlyAll('ip.src in {::/0}', undefined)).toBe(true);
		expect(matchesNearlyAll('ip.src in {10.0.0.0/8}', undefined)).toBe(false);
	});
});

describe("the user's own address", () => {
	const own = readOwnAddress({SSH_CONNECTION: '203.0.113.9 51000 192.0.2.1 22'});

	test.each([
		['ip.src eq 203.0.113.9', true],
		['ip.src in {203.0.113.0/24}', true],
		['ip.src in {203.0.113.0/24} or http.request.uri.path eq "/a"', true],
		['not ip.src in {198.51.100.0/24}', true],
		['ip.src eq 203.0.113.10', false],
		['ip.src eq 203.0.113.9 and http.request.uri.path eq "/a"', false],
		['ip.src.country eq "DE"', false],
	])('%s matches it: %s', (expression, isMet) => {
		expect(matchesAddress(expression, own ?? '', undefined)).toBe(isMet);
		const warning = formatOwnAddressWarning({action: 'block', filter: {expression}}, own, {
			name: 'shop.example',
		});
		expect(warning !== undefined).toBe(isMet);
		expect(
			formatOwnAddressWarning({action: 'log', filter: {expression}}, own, {name: 'shop.example'}),
		).toBeUndefined();
	});

	test('is unknown without SSH, and an invalid address matches nothing', () => {
		expect(readOwnAddress({})).toBeUndefined();
		expect(matchesAddress('ssl or not ssl', 'UNKNOWN', undefined)).toBe(false);
	});
});
