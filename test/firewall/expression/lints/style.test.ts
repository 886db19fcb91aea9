import {expect, test} from 'vitest';
import {findLints} from './find-lints.ts';

test.each([
	['ssl and cf.client.bot or http.host eq "a"', 'L120', '(ssl and cf.client.bot) or http.host eq "a"'],
	['ssl\n or cf.client.bot and ssl', 'L120', 'ssl\n or (cf.client.bot and ssl)'],
	[
		'ssl and cf.client.bot xor ssl or not ssl and ssl',
		'L120',
		'((ssl and cf.client.bot) xor ssl) or (not ssl and ssl)',
	],
	['not (ssl && ssl || ssl)', 'L120', 'not ((ssl && ssl) || ssl)'],
	['ssl && http.host eq "a"', 'L121', 'ssl and http.host eq "a"'],
	['!ssl and http.host=="a"', 'L121', 'not ssl and http.host eq "a"'],
	['(!!ssl)&&http.host ne "&&"', 'L121', '(not not ssl) and http.host ne "&&"'],
	['cf.edge.server_port>=-5&&ssl xor ssl', 'L121', 'cf.edge.server_port ge -5 and ssl xor ssl'],
	['not not ssl', 'L122', 'ssl'],
	['not (not (ssl or cf.client.bot))', 'L122', '(ssl or cf.client.bot)'],
	['!(!ssl) && ssl', 'L122', 'ssl && ssl'],
	['not not not ssl', 'L122', 'not ssl'],
	[
		'any(not not http.request.headers.names[*] eq "a" or (http.request.headers.names[*] eq "b"))',
		'L122',
		'any((http.request.headers.names[*] eq "a") or (http.request.headers.names[*] eq "b"))',
	],
	['not http.host eq "a"', 'L123', 'http.host ne "a"'],
	['!(http.host == "a")', 'L123', 'http.host != "a"'],
	['not cf.edge.server_port lt 80', 'L123', 'cf.edge.server_port ge 80'],
	['not ip.src ne 9.9.9.9', 'L123', 'ip.src eq 9.9.9.9'],
	['http.host eq "a" or http.host eq "b" or http.host eq "c"', 'L124', 'http.host in {"a" "b" "c"}'],
	[
		'ssl or (http.host == "a") or (http.host == "b") or (http.host == r"c") or ssl',
		'L124',
		'ssl or (http.host in {"a" "b" r"c"}) or ssl',
	],
	[
		'any((http.request.headers.names[*] eq "a") or (http.request.headers.names[*] eq "b") or (http.request.headers.names[*] eq "c"))',
		'L124',
		'any(http.request.headers.names[*] in {"a" "b" "c"})',
	],
	['ip.src eq 1.1.1.1 or ip.src eq ::1 or ip.src eq 9.9.9.9', 'L124', 'ip.src in {1.1.1.1 ::1 9.9.9.9}'],
	['http.host eq "a" or http.host eq "b" or ssl or http.host eq "c"', 'L124', undefined],
])('%s', (text, code, becomes) => {
	const found = findLints(text).find(lint => lint.code === code);
	expect(found).toBeDefined();
	expect(found?.becomes).toBe(becomes);
	if (becomes !== undefined) expect(findLints(becomes).map(lint => lint.code)).not.toContain(code);
});

test.each([
	'ssl and cf.client.bot and http.host eq "a"',
	'ssl and (cf.client.bot or http.host eq "a")',
	'not ssl and http.host contains "a == b && c"',
	'!ssl && http.host == "a" && http.host contains "and"',
	'not http.request.headers["x"][0] eq "a"',
	'not any(http.request.headers["x"][*] eq "a")',
	'not http.host in {"a"}',
	'not cf.bot_management.score lt 30',
	'not http.request.uri.path eq raw.http.request.uri.path',
	'not not_a_field eq "a"',
	'http.host eq "a" or http.host eq "b"',
	'http.host eq "a" or http.user_agent eq "b" or http.referer eq "c/"',
	'http.host ne "a" and http.host ne "b" and http.host ne "c"',
])('no style hint in %s', text => {
	expect(findLints(text, {allowUnknown: true}).filter(({code}) => code?.startsWith('L12'))).toEqual([]);
});

test('parentheses are asked for once, however deep the operators are', () => {
	const codes = findLints('ssl and ssl xor ssl or ssl and ssl xor ssl or (ssl and ssl or ssl)').map(
		({code}) => code,
	);
	expect(codes.filter(code => code === 'L120')).toHaveLength(2);
});
