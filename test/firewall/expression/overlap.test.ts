import {expect, test} from 'vitest';
import {findOverlap} from '../../../source/firewall/expression/expressions.ts';

const buildPartialOverlap = (isWhole: boolean, ...addresses: string[]) => ({
	kind: 'some',
	addresses,
	isWhole,
});

test.each([
	['ip.src eq 198.51.100.7', 'ip.src in {198.51.100.0/24}', {kind: 'all'}],
	['ip.src eq 198.51.100.7', 'ip.src in {192.0.2.0/24}', {kind: 'none'}],
	['ip.src in {198.51.100.0/24}', 'ip.src eq 198.51.100.7', buildPartialOverlap(true, '198.51.100.7')],
	[
		'ip.src in {198.51.100.7 198.51.100.9}',
		'ip.src eq 198.51.100.9',
		buildPartialOverlap(true, '198.51.100.9'),
	],
	[
		'ip.src in {198.51.100.0/24}',
		'not ip.src eq 198.51.100.7',
		buildPartialOverlap(true, 'part of 198.51.100.0/24'),
	],
	['ip.src in {2001:db8::/32}', 'ip.src in {2001:db8:1::/48}', buildPartialOverlap(true, '2001:db8:1::/48')],
	['ip.src eq 198.51.100.7', 'ip.src.country eq "DE"', {kind: 'possible'}],
	[
		'ip.src eq 198.51.100.7',
		'ip.src eq 198.51.100.7 and http.host eq "a.example"',
		buildPartialOverlap(false, '198.51.100.7'),
	],
	['ip.src eq 198.51.100.7', 'ip.src eq 198.51.100.8 and http.host eq "a.example"', {kind: 'none'}],
	['ip.src eq 198.51.100.7', 'true', {kind: 'all'}],
	[
		'ip.src eq 198.51.100.7',
		'http.request.uri.path contains "health"',
		buildPartialOverlap(false, '198.51.100.7'),
	],
	['http.request.uri.path eq "/a"', 'http.request.uri.path eq "/b"', {kind: 'none'}],
	['http.request.uri.path eq "/a"', 'http.request.uri.path eq "/a"', {kind: 'all'}],
	['http.request.uri.path eq "/wp-login.php"', 'ends_with(http.request.uri.path, ".php")', {kind: 'all'}],
	['http.request.uri.path eq "/a"', 'http.request.uri contains "/a?key="', buildPartialOverlap(false)],
	[
		'http.request.uri.path eq "/a"',
		'ip.src in {203.0.113.0/24}',
		buildPartialOverlap(true, '203.0.113.0/24'),
	],
	['ip.src.asnum eq 64500', 'ip.src in {198.51.100.0/24}', {kind: 'possible'}],
	['ip.src.country eq "DE"', 'ip.src.country eq "FR"', {kind: 'none'}],
	['ip.src.country in {"DE" "FR"}', 'ip.src.country eq "FR"', buildPartialOverlap(false)],
	[
		'http.request.full_uri wildcard "https://a.example/x/*"',
		'http.host eq "a.example"',
		buildPartialOverlap(false),
	],
	['http.user_agent contains "curl"', 'http.user_agent eq "curl"', buildPartialOverlap(false)],
	['http.host contains "shop"', 'starts_with(http.host, "shop")', buildPartialOverlap(false)],
	['ip.src in $office and ssl', 'ip.src in $office', {kind: 'all'}],
	['ip.src eq 198.51.100.7 and ip.src.country eq "DE"', 'ip.src.country eq "DE"', {kind: 'all'}],
	[
		'http.request.uri.path eq "/a"',
		'any(http.request.headers["x-key"][*] eq "k")',
		buildPartialOverlap(false),
	],
	['ip.src eq 198.51.100.7', 'ip.src in $office', {kind: 'possible'}],
	[
		'http.request.uri.path contains "q"',
		'http.request.uri.path matches "^/secret[0-9]+$"',
		{kind: 'possible'},
	],
	['ip.src eq 198.51.100.7', 'not even an expression', {kind: 'possible'}],
	['ip.src eq 198.51.100.7', 'ip.src in $office and ip.src in {192.0.2.0/24}', {kind: 'none'}],
])('of the requests that %s matches, %s matches %j', (one, other, overlap) => {
	expect(findOverlap(one, other)).toEqual(overlap);
});

test('very many addresses are compared without trying all pairs', () => {
	const set = (third: number) =>
		`ip.src in {${Array.from({length: 200}, (_, last) => `198.51.${third}.${last}`).join(' ')}}`;
	expect(findOverlap(set(100), set(101))).toEqual({kind: 'none'});
	expect(findOverlap(set(100), set(100))).toEqual({kind: 'all'});
});
