import {describe, expect, test} from 'vitest';
import {analyse} from '../../../source/firewall/expression/expressions.ts';

/** Mistakes that people made in rules of their own: each with a piece of the sentence, and the text after the correction. */
type Row = readonly [text: string, sentence: string, becomes: string | undefined];

const rows: Readonly<Record<string, readonly Row[]>> = {
	'fields of API Shield that do not exist': [
		[
			'cf.api_gateway.cf-risk-missing-auth',
			'is a label',
			'any(cf.web_asset.labels[*] eq "cf-risk-missing-auth")',
		],
		[
			'ssl and cf.api_gateway.cf-risk-sensitive',
			'is a label',
			'ssl and any(cf.web_asset.labels[*] eq "cf-risk-sensitive")',
		],
		[
			'cf.api_gateway.graphql_query_depth gt 5',
			'did you mean cf.api_gateway.graphql.query_depth?',
			'cf.api_gateway.graphql.query_depth gt 5',
		],
		[
			'cf.api_gateway.fallthrough_triggered',
			'did you mean cf.api_gateway.fallthrough_detected?',
			'cf.api_gateway.fallthrough_detected',
		],
		['cf.api_gateway.volumetric_abuse_detected', 'it has no equivalent', undefined],
		['cf.api_gateway.jwt_claims_valid', 'it has no equivalent', undefined],
	],
	'fields that are misspelt or shortened': [
		['host eq "a"', 'did you mean http.host?', 'http.host eq "a"'],
		['http.uri.path eq "/a"', 'did you mean http.request.uri.path?', 'http.request.uri.path eq "/a"'],
		['ip.geo.country eq "DE"', 'did you mean ip.src.country?', 'ip.src.country eq "DE"'],
		['ip.geoip.contry eq "DE"', 'did you mean ip.src.country?', 'ip.src.country eq "DE"'],
		['http.request.referer contains "a"', 'did you mean http.referer?', 'http.referer contains "a"'],
		[
			'http.headers["x"][0] eq "a"',
			'did you mean http.request.headers?',
			'http.request.headers["x"][0] eq "a"',
		],
		[
			'cis.bot_management.score lt 30',
			'did you mean cf.bot_management.score?',
			'cf.bot_management.score lt 30',
		],
		['cf.verified_bot', 'did you mean cf.client.bot?', 'cf.client.bot'],
		['ip.addr eq 192.0.2.1', 'did you mean ip.src?', 'ip.src eq 192.0.2.1'],
		['http.userAgent eq "a"', 'did you mean http.user_agent?', 'http.user_agent eq "a"'],
		[
			'any(http.request.cookies.names[*] eq "a")',
			'has_key(http.request.cookies, "…")',
			'has_key(http.request.cookies, "a")',
		],
		['http.request.cookies.names eq "a"', 'has_key(http.request.cookies, "…")', undefined],
		['ip.src.cou eq "DE"', 'did you mean ip.src.country?', 'ip.src.country eq "DE"'],
		['http.request.uri.pat eq "/"', 'did you mean http.request.uri.path?', 'http.request.uri.path eq "/"'],
		['ip.src.c eq "DE"', 'Unknown field ip.src.c (', undefined],
		['cf.edge.server eq 80', 'Unknown field cf.edge.server (', undefined],
		['score lt 5', 'Unknown field score (', undefined],
	],
	'functions that do not exist, and operators used as functions': [
		['rate(ip.src) gt 5', 'rate limiting rules', undefined],
		['rate_limit()', 'rate limiting rules', undefined],
		['exists(http.user_agent)', 'has_key(…)', 'http.user_agent ne ""'],
		['not exists(http.request.headers["x"])', 'has_key(…)', 'not has_key(http.request.headers, "x")'],
		['exists(http.request.headers["x"][0]) and ssl', 'has_key', 'has_key(http.request.headers, "x") and ssl'],
		['if(ssl, true, false)', 'use one rule per case', undefined],
		[
			'matches(http.request.uri.path, "^/a")',
			'matches is an operator',
			'http.request.uri.path matches "^/a"',
		],
		['not contains(lower(http.host), "a")', 'contains is an operator', 'not lower(http.host) contains "a"'],
		['length(http.host) gt 5', 'did you mean len?', 'len(http.host) gt 5'],
		['trim(http.host) eq "a"', 'at both ends of the pattern', undefined],
		['replace(http.host, "a", "b") eq "c"', 'regex_replace', undefined],
		['encode_base46(http.host) eq "a"', 'Unknown function encode_base46 (', undefined],
	],
	'functions between their arguments': [
		[
			'http.request.uri.path starts_with "/admin/"',
			'starts_with is a function',
			'starts_with(http.request.uri.path, "/admin/")',
		],
		[
			'not http.request.uri.path starts_with "/admin/"',
			'starts_with is a function',
			'not starts_with(http.request.uri.path, "/admin/")',
		],
		['http.host ends_with ".org"', 'ends_with is a function', 'ends_with(http.host, ".org")'],
	],
	'texts without quotes, or with the wrong ones': [
		['http.request.uri.path eq /login', 'Strings need double quotes: "', 'http.request.uri.path eq "/login"'],
		['http.host eq www.example.com', 'Strings need double quotes: "', 'http.host eq "www.example.com"'],
		['http.request.uri.path eq 5', 'Strings need double quotes: "', 'http.request.uri.path eq "5"'],
		[
			`http.request.headers['content-type'][0] eq "a"`,
			'straight double quotes',
			'http.request.headers["content-type"][0] eq "a"',
		],
		["http.request.uri contains 'cmd='", 'straight double quotes', 'http.request.uri contains "cmd="'],
		['http.host eq “a”', 'straight double quotes', 'http.host eq "a"'],
		[`http.host eq "a"'`, 'or the end of the expression', 'http.host eq "a"'],
		['http.host eq "a""', 'or the end of the expression', 'http.host eq "a"'],
	],
	'tokens (JWT)': [
		[
			'http.request.jwt.payload["id"][0] eq "a"',
			'did you mean http.request.jwt.claims?',
			'http.request.jwt.claims["id"][0] eq "a"',
		],
		['is_jwt_valid("id")', 'API Shield rules', undefined],
	],
	'sets, addresses and ranges': [
		['ip.src.country in {"RU", "KP"}', 'not commas', 'ip.src.country in {"RU" "KP"}'],
		['ip.src in 203.0.113.0/24', 'in braces', 'ip.src in {203.0.113.0/24}'],
		['ip.src == 203.0.113.0/24', 'contains many values', 'ip.src in {203.0.113.0/24}'],
		['ip.src in {"192.0.2.1" "192.0.2.2"}', 'without quotes', 'ip.src in {192.0.2.1 192.0.2.2}'],
		['ip.src not in {192.0.2.1}', 'before the whole condition', 'not ip.src in {192.0.2.1}'],
		['ip.src in {192.0.2.1 192.0.2.300}', 'Invalid IPv4 address', undefined],
		['http.host in {http.referer}', 'http.referer is a field', 'http.host eq http.referer'],
		['http.host in http.referer', 'http.referer is a field', 'http.host eq http.referer'],
		[
			'http.host in http.request.headers.names',
			'is a field',
			'has_value(http.request.headers.names, http.host)',
		],
		['http.host in {http.referer "a"}', 'http.referer is a field', undefined],
		['http.host contains http.referer', 'a literal value, not a field', undefined],
	],
	'Booleans and several values': [
		['cf.client.bot eq false', 'use it without a comparison', 'not cf.client.bot'],
		['cf.client.bot = "verified"', 'use it without a comparison', undefined],
		[
			'http.request.headers.names[*] == "x"',
			'use any(…) if one must match',
			'any(http.request.headers.names[*] == "x")',
		],
	],
	'texts that are joined with +': [
		['http.host + http.request.uri.path eq "a"', 'concat', 'concat(http.host, http.request.uri.path) eq "a"'],
		['http.host eq "a" + "b"', 'concat', 'http.host eq "ab"'],
		['http.host eq "a" + http.referer and ssl', 'concat', 'http.host eq concat("a", http.referer) and ssl'],
		['lower(http.host + "a") eq "b"', 'concat', 'lower(concat(http.host, "a")) eq "b"'],
		['concat(http.host + "a") eq "b"', 'concat', 'concat(http.host , "a") eq "b"'],
		['http.host + 1 eq "b"', 'concat', undefined],
	],
	'arguments in a wrong order, or too few of them': [
		[
			'is_timed_hmac_valid_v0(http.request.uri, "key", 100)',
			'4 to 6 arguments',
			'is_timed_hmac_valid_v0("key", http.request.uri, 100, http.request.timestamp.sec)',
		],
		[
			'is_timed_hmac_valid_v0("key", http.request.uri, http.request.timestamp.sec, 100, 8)',
			'must be a literal value',
			'is_timed_hmac_valid_v0("key", http.request.uri, 100, http.request.timestamp.sec, 8)',
		],
		['starts_with("a", http.host)', 'takes a field', 'starts_with(http.host, "a")'],
		['has_key("a", http.request.cookies)', 'takes a map', 'has_key(http.request.cookies, "a")'],
	],
	'one comparison after another': [
		['http.host in {"a"} ~ "b"', 'is already complete', 'http.host in {"a"} and http.host ~ "b"'],
		['http.host eq "a" ne "b"', 'is already complete', 'http.host eq "a" and http.host ne "b"'],
		[
			'http.host contains "a" not contains "b"',
			'is already complete',
			'http.host contains "a" and not http.host contains "b"',
		],
		['ip.src in {192.0.2.1} ~ "a"', 'is already complete', undefined],
		['not http.host eq "a" ne "b"', 'is already complete', undefined],
	],
	others: [
		['(http.request.uri.path ~ "^/a"', 'This parenthesis is not closed', '(http.request.uri.path ~ "^/a")'],
		['ssl # comment', "can't contain comments", 'ssl'],
		['http.host matches "(?<=a)b"', "can't look behind", undefined],
		['http.host matches "^(?!a)"', "can't look ahead", undefined],
	],
};

describe.each(Object.entries(rows))('%s', (_name, cases) => {
	test.each(cases)('%s', (text, sentence, expectedText) => {
		const {errors} = analyse(text);
		expect(errors.map(error => error.sentence)).toEqual([expect.stringContaining(sentence)]);
		const correction = errors[0]?.correction;
		const correctedText =
			correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end);
		expect(correctedText).toBe(expectedText);
		if (correctedText !== undefined) expect(analyse(correctedText).errors).toEqual([]);
	});
});

test('split needs a limit, which is offered in phases that have split', () => {
	const text = 'split(http.host, ",")[0] eq "a"';
	const context = {phase: 'http_custom_errors'} as const;
	const [error] = analyse(text, context).errors;
	expect(error?.correction).toEqual({span: {start: 0, end: 21}, text: 'split(http.host, ",", 64)'});
});
