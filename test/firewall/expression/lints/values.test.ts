import {describe, expect, test} from 'vitest';
import {findLints} from './find-lints.ts';

/** An expression, the code of its lint, a part of the sentence, and the expression after the correction. */
type Row = readonly [text: string, code: string, sentence: string, becomes?: string];

const rows: Readonly<Record<string, readonly Row[]>> = {
	'values twice in a set': [
		['http.host in {"a" "b" "a"}', 'L100', '"a" is in this set already', 'http.host in {"a" "b"}'],
		['http.host in {"a" r"a"}', 'L100', 'r"a" is in this set already', 'http.host in {"a"}'],
		['ip.src.asnum in {7 64 7 64 7}', 'L100', 'same goes for 2 more values', 'ip.src.asnum in {7 64}'],
		['cf.edge.server_port in {80 0x50}', 'L100', '0x50', 'cf.edge.server_port in {80}'],
		[
			'ip.src in {2606:4700::1 9.9.9.9 2606:4700:0::0001}',
			'L100',
			'2606:4700:0::0001',
			'ip.src in {2606:4700::1 9.9.9.9}',
		],
		['ip.src in {9.9.9.9 9.9.9.9/32}', 'L100', '9.9.9.9/32', 'ip.src in {9.9.9.9}'],
		['cf.edge.server_port in {1..9 443 1..9}', 'L100', '1..9', 'cf.edge.server_port in {1..9 443}'],
		[
			'any(http.request.headers["x"][*] in {"a" "a"})',
			'L100',
			'"a"',
			'any(http.request.headers["x"][*] in {"a"})',
		],
	],
	'values that another one contains': [
		['ip.src in {9.9.9.9 9.0.0.0/8}', 'L101', '9.9.9.9 is part of 9.0.0.0/8', 'ip.src in {9.0.0.0/8}'],
		[
			'ip.src in {9.0.0.0/8  9.8.0.0/16\n9.9.9.9 8.8.8.8}',
			'L101',
			'1 more value',
			'ip.src in {9.0.0.0/8 8.8.8.8}',
		],
		['ip.src in {9.9.9.1..9.9.9.7 9.9.9.0/24}', 'L101', '9.9.9.0/24', 'ip.src in {9.9.9.0/24}'],
		['ip.src.asnum in {100 50..200}', 'L101', '100 is part of 50..200', 'ip.src.asnum in {50..200}'],
		['ip.src.asnum in {60..70 50..200 -5}', 'L101', '60..70', 'ip.src.asnum in {50..200 -5}'],
	],
	'ranges that overlap': [
		[
			'ip.src.asnum in {50..100 7 80..200}',
			'L102',
			'together they are 50..200',
			'ip.src.asnum in {50..200 7}',
		],
		['ip.src.asnum in {80..200 50..100}', 'L102', 'together they are 50..200', 'ip.src.asnum in {50..200}'],
		[
			'ip.src in {9.9.9.0/24 9.9.9.200..9.9.10.9}',
			'L102',
			'9.9.9.0..9.9.10.9',
			'ip.src in {9.9.9.0..9.9.10.9}',
		],
	],
	'anchors in plain text': [
		['http.request.uri.path in {"/a" "/b$"}', 'L103', '$ is an ordinary character'],
		['http.request.uri.path eq "/b$"', 'L103', '$ is an ordinary character'],
		['http.user_agent in {"^curl"}', 'L103', '^ is an ordinary character'],
		['starts_with(http.host, "^www")', 'L103', '^ is an ordinary character'],
		['ends_with(http.request.uri.path, ".php$")', 'L103', '$ is an ordinary character'],
	],
	'unlikely values': [
		['http.request.method eq "GETT"', 'L104', 'did you mean GET?', 'http.request.method eq "GET"'],
		['http.request.method in {"GET" "FROBNICATE"}', 'L104', 'although a client may send it.'],
		['cf.tls_version in {"SSLv3" "TLSv1"}', 'L105', 'no longer accepts SSLv3'],
		['cf.waf.score eq 100', 'L108', 'not scored'],
		['cf.llm.prompt.injection_score in {99..99 100}', 'L108', 'not scored'],
		['http.request.timestamp.sec gt 4102444800', 'L109', 'in the year 2100'],
		[
			'http.request.jwt.claims.iat.sec["a"][0] lt 1700000000000',
			'L109',
			'looks like milliseconds',
			'http.request.jwt.claims.iat.sec["a"][0] lt 1700000000',
		],
	],
	'bounds of substring': [
		['substring(http.host, 10, 5) eq "a"', 'L110', 'always empty', 'substring(http.host, 5, 10) eq "a"'],
		['substring(http.host, -2, -4) eq "a"', 'L110', 'always empty', 'substring(http.host, -4, -2) eq "a"'],
		['substring(lower(http.host), 5, 5) eq "a"', 'L110', 'always empty'],
	],
	'names and values of a map': [
		[
			'any(lower(http.request.headers.names[*])[*] eq "x-a") and ssl and any(http.request.headers.values[*] eq "b")',
			'L117',
			'http.request.headers["…"] has the values of one name',
		],
		[
			'(any(http.request.uri.args.values[*] contains "b")) and any(http.request.uri.args.names[*] eq "a")',
			'L117',
			'http.request.uri.args["…"]',
		],
	],
	'raw fields': [
		['raw.http.request.uri.path eq "/login"', 'L111', 'Use http.request.uri.path to match them too'],
		['starts_with(raw.http.request.uri, "/login")', 'L111', 'Use http.request.uri to'],
		['raw.http.request.full_uri contains "https://a.example/b"', 'L111', 'Use http.request.full_uri'],
	],
};

describe.each(Object.entries(rows))('%s', (_, cases) => {
	test.each(
		cases.map(([text, code, sentence, becomes]) => ({text, code, sentence, becomes})),
	)('$text', row => {
		const {text, code, sentence, becomes} = row;
		const found = findLints(text).find(lint => lint.code === code);
		expect(found?.sentence).toContain(sentence);
		expect(found?.becomes).toBe(becomes);
		if (becomes !== undefined) expect(findLints(becomes).map(lint => lint.code)).not.toContain(code);
	});
});

test.each([
	'http.host in {"a" "A"}',
	'ip.src in {9.9.9.0/24 9.9.8.0/24 ::909:909}',
	'ip.src.asnum in {1..5 6..9 0}',
	'http.request.uri.query contains "price=$"',
	'http.request.method in {"PROPFIND" "PURGE"}',
	'http.request.method contains "GET"',
	'cf.waf.score lt 100',
	'cf.bot_management.score eq 100 or ssl',
	'http.request.timestamp.sec lt 1893456000',
	'substring(http.host, 2, -1) eq "a"',
	'substring(http.host, -3, 2) eq "a"',
	'substring(http.host, -3) eq "a"',
	'any(http.request.headers.names[*] eq "a") or any(http.request.headers.values[*] eq "b")',
	'any(http.request.headers.names[*] eq "a") and any(http.request.uri.args.values[*] eq "b")',
	'raw.http.request.uri.path contains "/../"',
	'raw.http.request.uri.path contains "%2f"',
	'raw.http.request.uri.path ne http.request.uri.path',
	'raw.http.request.uri.path eq "/a" and not http.request.uri.path eq "/a"',
])('no lint of these kinds in %s', text => {
	const codes = findLints(text).map(({code}) => code ?? '');
	expect(codes.filter(code => /^L1(0\d|1[017])$/.test(code))).toEqual([]);
});

test.each([
	['192.0.0.9', 'protocols'],
	['100.64.0.0/10', 'NAT'],
	['198.18.3.0/24', 'benchmarks'],
	['192.88.99.1', '6to4'],
	['240.0.0.0..240.0.0.9', 'future use'],
	['203.0.113.0/24', 'documentation'],
	['2001:db8::/48', 'documentation'],
	['0.0.0.0', 'not a public IP address'],
	['::', 'not a public IP address'],
])('no visitor comes from %s', (address, reason) => {
	const sentences = findLints(`ip.src in {${address}}`).map(({sentence}) => sentence);
	expect(sentences).toEqual([expect.stringContaining(`No visitor comes from ${address}: it`)]);
	expect(sentences[0]).toContain(reason);
});

test.each([
	'0.0.0.0/0',
	'192.0.0.0/8',
	'9.9.9.9..10.0.0.9',
	'2001::/16',
])('visitors may come from %s', address => {
	expect(findLints(`ip.src in {${address}}`)).toEqual([]);
});

describe('values that a response never has', () => {
	const context = {phase: 'http_response_headers_transform'} as const;

	test.each([
		['http.response.code eq 1200', 'between 100 and 999: this is never true'],
		['http.response.code in {200 99}', 'this value never matches'],
		['cf.response.1xxx_code eq 500', 'this is never true'],
		['http.response.content_type.media_type eq "html"', 'two parts'],
		['http.response.code eq 999', 'Status codes'],
	])('%s', (text, sentence) => {
		expect(findLints(text, context).map(lint => lint.sentence)).toEqual([expect.stringContaining(sentence)]);
	});

	test.each([
		'cf.response.1xxx_code eq 0',
		'http.response.code eq 530',
		'http.response.code ge 600',
	])('nothing about %s', text => {
		expect(findLints(text, context)).toEqual([]);
	});
});

test.each([
	[
		'raw.http.request.uri.path.extension eq ".Js"',
		'what follows the last dot',
		'raw.http.request.uri.path.extension eq "Js"',
	],
	[
		'raw.http.request.uri.path.extension eq "/Login"',
		'what follows the last dot',
		'raw.http.request.uri.path eq "/Login"',
	],
	['http.request.body.mime eq "texthtml"', 'two parts', undefined],
	['ip.geoip.country eq "de"', 'two capital letters', 'ip.geoip.country eq "DE"'],
])('%s never matches', (text, sentence, becomes) => {
	const found = findLints(text).find(lint => lint.sentence.includes('never true'));
	expect(found?.sentence).toContain(sentence);
	expect(found?.becomes).toBe(becomes);
});
