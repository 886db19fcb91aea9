import {describe, expect, test} from 'vitest';
import {matchesNearlyAll} from '../../../source/firewall/expression/expressions.ts';
import {getRunCount} from '../../support/full.ts';
import {anyExpression, createChooser} from './any-expression.ts';

const zone = 'shop.example';

/** Conditions that nearly all ordinary requests to the zone match. */
const zoneConditions = [
	'http.host eq "shop.example"',
	'http.host eq "www.shop.example"',
	'http.host in {"shop.example" "www.shop.example"}',
	'http.host contains "shop.example"',
	'http.host contains "shop"',
	'ends_with(http.host, "shop.example")',
	'ends_with(http.host, ".shop.example")',
	'http.host wildcard "*shop.example"',
	'http.host wildcard "*.Shop.Example"',
	'http.host strict wildcard "*.shop.example"',
	String.raw`http.host matches "^(www\.)?shop\.example$"`,
	'lower(http.host) eq "shop.example"',
	'upper(http.host) eq "SHOP.EXAMPLE"',
	'http.host ne "api.shop.example"',
	'not http.host in {"api.shop.example" "other.example"}',
	'any(http.request.headers["host"][*] eq "shop.example")',
	'http.request.headers["host"][0] eq "shop.example"',
	'concat(http.host, http.request.uri.path) contains "shop.example/"',
	'starts_with(http.request.full_uri, "https://shop.example")',
	'starts_with(http.request.full_uri, "https://www.shop.example/")',
	'http.request.full_uri wildcard "https://shop.example/*"',
	'http.request.full_uri wildcard "http*://*shop.example/*"',
	'raw.http.request.full_uri contains "://shop.example/"',
	'ssl',
	'not not ssl',
	'http.request.method eq "GET"',
	'http.request.method in {"GET" "POST"}',
	'http.request.method ne "POST"',
	'not http.request.method in {"TRACE" "PUT"}',
	'cf.edge.server_port eq 443',
	'cf.edge.server_port in {80 443}',
	'cf.edge.server_port ne 80',
	'http.request.version in {"HTTP/2" "HTTP/3"}',
	'http.request.version ne "HTTP/1.0"',
	'cf.tls_version in {"TLSv1.2" "TLSv1.3"}',
	'http.user_agent contains "Mozilla/5.0"',
	'not http.user_agent contains "curl"',
	'not lower(http.user_agent) contains "sqlmap"',
	'http.request.uri.path ne "/admin"',
	'not starts_with(http.request.uri.path, "/admin")',
	'not ip.src.country in {"DE" "FR" "US" "CA" "GB"}',
	'not http.cookie contains "session=1"',
	'not len(http.request.uri.args["token"]) ge 0',
	'coalesce(http.request.uri.args["token"][0], "") eq ""',
	'cf.threat_score lt 10',
	'http.host eq "shop.example" and ssl and http.request.method eq "GET" and cf.edge.server_port eq 443',
	'http.host eq "shop.example" and http.request.uri.path ne "/admin" and not cf.client.bot',
	'http.host eq "shop.example" or ip.src eq 192.0.2.1',
] as const;

describe('matches all or nearly all traffic', () => {
	test.each([
		...zoneConditions,
		'true',
		'(true)',
		'not false',
		'true or ip.src eq 192.0.2.1',
		'ip.src eq 192.0.2.1 or true',
		'ip.src ne 192.0.2.1',
		'not ip.src eq 192.0.2.1',
		'not (ip.src eq 192.0.2.1)',
		'not (ip.src in {192.0.2.0/24 198.51.100.0/24})',
		'not ip.src in {192.0.2.0/24}',
		'not ip.src in $office',
		'not not true',
		'ip.src ne 192.0.2.1 or ip.src ne 192.0.2.2',
		'ip.src ne 192.0.2.1 and ip.src ne 192.0.2.2',
		'not http.host eq "a.example" and not http.host eq "b.example"',
		'http.host ne "a.example"',
		'not http.host in {"a.example" "b.example"}',
		'ip.src in {0.0.0.0/0}',
		'ip.src in {::/0}',
		'ip.src in {2000::/3}',
		'ip.src in {0.0.0.0/0 ::/0}',
		'ip.src in {0.0.0.0/1 128.0.0.0/1}',
		'ip.src in {0.0.0.0..255.255.255.255}',
		'ssl or not ssl',
		'ip.src eq 192.0.2.1 or not ip.src eq 192.0.2.1',
		'len(http.host) ge 0',
		'len(http.request.uri.path) gt 0',
		'len(http.user_agent) ge 1',
		'http.host contains ""',
		'http.host contains "."',
		'http.request.uri.path contains "/"',
		'http.request.full_uri contains "http"',
		'http.host wildcard "*"',
		'http.host strict wildcard "*"',
		'http.request.uri.path wildcard "/*"',
		'http.request.full_uri wildcard "*://*"',
		'http.host matches ".*"',
		'http.host matches ""',
		'http.host matches "^.*$"',
		'http.host matches "(.*)"',
		'http.host matches "(?i).+"',
		'http.request.uri.path matches "^/"',
		'http.request.uri.path matches r"^/.*"',
		'starts_with(http.request.uri.path, "/")',
		'starts_with(lower(http.host), "")',
		'lower(http.host) ne "a.example"',
		'http.host ge ""',
		'cf.threat_score ge 0',
		'cf.threat_score le 100',
		'not cf.client.bot',
		'not cf.bot_management.verified_bot',
		'ip.src.country ne "XX"',
		'not ip.src.country in {"DE" "FR"}',
		'ip.src.asnum ne 64496',
		'not any(http.request.headers["x-key"][*] eq "s")',
		'all(http.request.headers.names[*] ne "x-key")',
		'http.request.method ne "DELETE"',
		'len("abc") eq 3',
		'not some.new.field eq "a"',
		'some.new.field ne "a"',
	])('%s', expression => {
		expect(matchesNearlyAll(expression, zone)).toBe(true);
	});
});

const narrowConditions = [
	'ip.src eq 192.0.2.1',
	'ip.src in {192.0.2.0/24 198.51.100.0/24 2001:db8::/32}',
	'ip.src in {10.0.0.0/8}',
	'ip.src in $office',
	'http.host eq "admin.example.com"',
	'http.host in {"a.example" "b.example"}',
	'http.host eq "api.shop.example"',
	'http.host eq "shop.example.invalid"',
	'starts_with(http.request.full_uri, "https://api.shop.example")',
	'http.request.method eq "POST"',
	'http.request.uri.path eq "/"',
	'http.cookie contains "session=1"',
	'http.user_agent contains "Firefox"',
	'http.request.headers["x-key"][0] ne "s"',
	'http.request.version eq "HTTP/1.0"',
	'http.request.uri.path eq "/admin"',
	'http.request.uri.path contains "/wp-login"',
	'starts_with(http.request.uri.path, "/admin")',
	'ends_with(http.request.uri.path, ".php")',
	'http.request.uri.path matches "^/api/v[0-9]+/"',
	'http.user_agent contains "sqlmap"',
	'http.request.uri.path wildcard "/admin/*"',
	'ip.src.country eq "XX"',
	'ip.src.asnum in {64496 64511}',
	'cf.client.bot',
	'cf.threat_score gt 90',
	'http.request.method eq "DELETE"',
	'any(http.request.headers.names[*] eq "x-key")',
	'lower(http.host) eq "a.example"',
	'len(http.request.uri.path) gt 2000',
] as const;

describe('matches part of the traffic', () => {
	test.each([
		...narrowConditions,
		'not ssl',
		'false',
		'http.host ne "shop.example" and http.host ne "www.shop.example"',
		'not http.host contains "shop.example"',
		'http.request.method ne "GET"',
		'cf.edge.server_port ne 443',
		'http.host eq "shop.example" and http.request.uri.path eq "/admin"',
		'ssl and ip.src.country eq "DE"',
		'not (http.host eq "shop.example" or http.host eq "www.shop.example")',
		'not true',
		'ip.src in {0.0.0.0/1}',
		'http.request.uri.path eq "/admin" and ip.src ne 192.0.2.1',
		'http.host eq "a.example" and not ip.src in {192.0.2.0/24}',
		'not cf.edge.server_port in {80 443}',
		'not http.request.method in {"GET" "POST" "HEAD"}',
		'cf.bot_management.score lt 30',
		'http.referer ne ""',
		'ip.src eq 192.0.2.1 and ip.src ne 192.0.2.1',
	])('%s', expression => {
		expect(matchesNearlyAll(expression, zone)).toBe(false);
	});

	test('anything joined by "and" to a narrow condition', () => {
		const choose = createChooser(17);
		for (let round = 0; round < getRunCount(1000); round++) {
			const other = anyExpression(choose);
			for (const one of [
				narrowConditions[choose(narrowConditions.length)],
				narrowConditions[choose(narrowConditions.length)],
			])
				expect
					.soft(matchesNearlyAll(`(${other}) and ${one}`, undefined), `(${other}) and ${one}`)
					.toBe(false);
		}
	});
});

test('a zone in capitals or with non-ASCII letters matches the host of its requests', () => {
	expect(matchesNearlyAll('http.host eq "shop.example"', 'Shop.Example')).toBe(true);
	expect(matchesNearlyAll('http.host eq "xn--bcher-kva.example"', 'bücher.example')).toBe(true);
	expect(matchesNearlyAll('http.host eq "bücher.example"', 'bücher.example')).toBe(true);
});

test('without a zone, no host counts as its own', () => {
	expect(matchesNearlyAll('http.host eq "shop.example"', undefined)).toBe(false);
	expect(matchesNearlyAll('http.host ne "shop.example"', undefined)).toBe(true);
	expect(matchesNearlyAll('ssl', undefined)).toBe(true);
});

describe('any expression', () => {
	test('is always true when joined by "or" with its opposite', () => {
		const choose = createChooser(18);
		for (let round = 0; round < getRunCount(1000); round++) {
			const one = anyExpression(choose);
			expect.soft(matchesNearlyAll(`(${one}) or not (${one})`, undefined), one).toBe(true);
			expect.soft(matchesNearlyAll(`(${one}) or true`, undefined), one).toBe(true);
			expect.soft(matchesNearlyAll(`(${one}) and not (${one})`, undefined), one).toBe(false);
		}
	});

	// Trying every way to match would exceed the time limit of the test.
	test.each([
		['matches "(.|.|.|.|.|.|.|.|.|.)*x"', false],
		[`matches "${'.*'.repeat(30)}x"`, false],
		[`wildcard "${'*p'.repeat(30)}"`, false],
		[`strict wildcard "${'*a*p'.repeat(30)}"`, false],
		['matches "(((.+)+)+)+$"', true],
		[`matches "(${'a?'.repeat(40)})"`, true],
	])('is decided quickly even if its condition has too many ways to match: %s', (condition, expected) => {
		expect(matchesNearlyAll(`http.request.full_uri ${condition}`, undefined)).toBe(expected);
	});

	test('may test more than the beginning of a value', () => {
		expect(matchesNearlyAll('http.request.full_uri matches "^https?://.{10,}"', undefined)).toBe(true);
	});
});
