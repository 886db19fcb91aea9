import {describe, expect, test} from 'vitest';
import {analyse, type ExpressionContext} from '../../../../source/firewall/expression/expressions.ts';

/** Returns the first warning of an expression, and the expression after its correction. */
function findFirstWarning(text: string, context?: ExpressionContext) {
	const {errors, warnings} = analyse(text, context);
	expect(errors).toEqual([]);
	const [first] = warnings;
	const {correction} = first ?? {};
	return {
		sentence: first?.sentence,
		becomes:
			correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end),
	};
}

/** An expression, a part of its warning, and the expression after the correction. */
type Row = readonly [text: string, sentence: string, becomes?: string];

const rows: Readonly<Record<string, readonly Row[]>> = {
	'missing values': [
		[
			'any(http.request.headers["x-a"][*] eq "")',
			'to match requests without it',
			'not has_key(http.request.headers, "x-a")',
		],
		[
			'http.request.headers["x-a"][0] eq ""',
			'A missing value is not empty',
			'not has_key(http.request.headers, "x-a")',
		],
		[
			'len(http.request.headers["x-a"][0]) eq 0',
			'A missing value is not empty',
			'not has_key(http.request.headers, "x-a")',
		],
	],
	'texts that a field may contain': [
		[
			'lower(http.request.headers["x-a"][0]) ne "ABC"',
			'this is always true if there is a value.',
			'lower(http.request.headers["x-a"][0]) ne "abc"',
		],
	],
	'values of a field': [
		['http.request.method eq "get"', 'upper case: this is never true', 'http.request.method eq "GET"'],
		['http.request.method ne "get"', 'this is always true', 'http.request.method ne "GET"'],
		['not http.request.method eq "get"', 'this is always true', 'not http.request.method eq "GET"'],
		[
			'http.request.method in {"GET" "post"}',
			'this value never matches',
			'http.request.method in {"GET" "POST"}',
		],
		['ip.src.country eq "UK"', 'code for this country is GB', 'ip.src.country eq "GB"'],
		['ip.src.country eq "de"', 'two capital letters', 'ip.src.country eq "DE"'],
		['ip.src.country in {"DE" "USA"}', 'is US', 'ip.src.country in {"DE" "US"}'],
		['ip.src.country eq "germany"', 'two capital letters', 'ip.src.country eq "DE"'],
		['ip.src.country eq "EU"', 'ip.src.is_in_european_union'],
		['ip.src.continent eq "Europe"', 'AF, AN, AS, EU, NA, OC, SA, T1'],
		['ip.src.subdivision_1_iso_code eq "ENG"', 'GB-ENG'],
		['ip.src.region_code eq "US-TX"', 'no country prefix', 'ip.src.region_code eq "TX"'],
		['http.request.version eq "2"', 'HTTP/2', 'http.request.version eq "HTTP/2"'],
		['http.request.version eq "HTTP/2.0"', 'HTTP/2', 'http.request.version eq "HTTP/2"'],
		['cf.waf.score.class eq "Attack"', 'attack, likely_attack', 'cf.waf.score.class eq "attack"'],
		[
			'cf.verified_bot_category eq "Monitoring"',
			'Values of cf.verified_bot_category',
			'cf.verified_bot_category eq "Monitoring & Analytics"',
		],
		['any(cf.llm.prompt.unsafe_topic_categories[*] eq "S1")', 'VIOLENCE_AND_WEAPONS'],
		[
			'http.request.body.mime eq "text/HTML; charset=utf-8"',
			'no parameters',
			'http.request.body.mime eq "text/html"',
		],
		[
			'http.request.uri.path.extension eq ".PHP"',
			'without the dot',
			'http.request.uri.path.extension eq "php"',
		],
		['http.request.uri.path.extension eq "/login"', 'without the dot', 'http.request.uri.path eq "/login"'],
		['http.request.uri.path.extension eq "php."', 'without the dot'],
	],
	'parts of a URL': [
		['http.request.uri.path eq "/a?b=1"', 'query is not part', 'http.request.uri eq "/a?b=1"'],
		[
			'starts_with(http.request.uri.path, "/a?b")',
			'query is not part',
			'starts_with(http.request.uri, "/a?b")',
		],
		['http.request.uri.path eq "example.com/x"', 'starts with /', 'http.request.uri.path eq "/x"'],
		[
			'starts_with(http.request.uri.path, "https://e.com/a")',
			'no scheme or host',
			'starts_with(http.request.uri.path, "/a")',
		],
		['http.request.uri.path wildcard "ftp://*"', 'no scheme or host'],
		[
			'starts_with(http.request.uri.path, "admin")',
			'starts with /',
			'starts_with(http.request.uri.path, "/admin")',
		],
		[
			'http.request.uri.path wildcard "admin/*"',
			'starts with /',
			'http.request.uri.path wildcard "/admin/*"',
		],
		['http.request.uri.path eq "/a b"', 'encoded', 'http.request.uri.path eq "/a%20b"'],
		['http.request.uri.path eq "/café"', 'encoded', 'http.request.uri.path eq "/caf%C3%A9"'],
		['http.request.uri eq "https://e.com/a"', 'start with /', 'http.request.uri eq "/a"'],
		['http.request.full_uri eq "/hello"', 'scheme', 'http.request.uri eq "/hello"'],
		['http.request.full_uri wildcard "/hello"', 'scheme', 'http.request.full_uri wildcard "*/hello"'],
		['http.request.full_uri eq "e.com/"', 'scheme', 'http.request.full_uri eq "https://e.com/"'],
		['http.request.full_uri eq "HTTPS://e.com/"', 'http://', 'http.request.full_uri eq "https://e.com/"'],
		['http.request.full_uri eq "ftp://e.com/"', 'http:// or https://'],
		['http.request.uri.path in {"^/a"}', 'starts with /', 'http.request.uri.path in {"/a"}'],
		['http.request.full_uri contains "a#b"', 'never sent', 'http.request.full_uri contains "a"'],
		[
			'http.request.uri.query eq "a=1#top"',
			'never sent: this is never true',
			'http.request.uri.query eq "a=1"',
		],
		['http.request.uri.query ne "a#b"', 'never sent: this is always true', 'http.request.uri.query ne "a"'],
		[
			'http.request.uri.query in {"a=1" "b#c"}',
			'never sent: this value never matches',
			'http.request.uri.query in {"a=1" "b"}',
		],
		['raw.http.request.uri.query contains "a#b"', 'never sent', 'raw.http.request.uri.query contains "a"'],
		['ends_with(http.request.uri.query, "a#b")', 'never sent', 'ends_with(http.request.uri.query, "a")'],
		['http.request.uri.query contains "#top"', 'never sent'],
		['http.request.uri.path contains "#top"', 'never sent'],
		['http.request.uri contains "#top"', 'never sent'],
		['http.request.full_uri contains "#top"', 'never sent'],
		['http.request.uri.query wildcard "*#*"', 'never sent'],
		['http.host eq "https://a.example/x"', 'no scheme or path', 'http.host eq "a.example"'],
	],
	'upper and lower case': [
		[
			'lower(http.host) eq "Example.com"',
			'lower(…) returns lower case: this is never',
			'lower(http.host) eq "example.com"',
		],
		['lower(http.user_agent) contains "Bot"', 'lower case', 'lower(http.user_agent) contains "bot"'],
		[
			'starts_with(lower(http.request.uri.path), "/Admin")',
			'lower case',
			'starts_with(lower(http.request.uri.path), "/admin")',
		],
		['upper(http.request.method) in {"get"}', 'this value never', 'upper(http.request.method) in {"GET"}'],
		['lower(http.host) eq r#"A"#', 'lower case', 'lower(http.host) eq r#"a"#'],
		['has_key(http.request.headers, "X-Foo")', 'are lower case', 'has_key(http.request.headers, "x-foo")'],
		['http.request.headers["X-Foo"][0] eq "a"', 'lower case', 'http.request.headers["x-foo"][0] eq "a"'],
	],
	'patterns in texts': [
		['http.user_agent eq "^curl/.*$"', 'need the matches operator', 'http.user_agent matches r#"^curl/.*$"#'],
		[
			'http.user_agent contains "Palo*Alto"',
			'* is a literal character',
			'http.user_agent wildcard "*Palo*Alto*"',
		],
	],
	numbers: [
		['cf.waf.score lt 0', 'between 1 and 100: this is never true'],
		['cf.waf.score le 100', 'this is always true'],
		['not cf.waf.score le 100', 'this is never true'],
		['cf.bot_management.score eq 200', 'never true'],
		['cf.edge.server_port in {80 70000}', 'this value never matches'],
		['http.request.timestamp.sec gt 1700000000000', 'never true'],
		['cf.waf.score gt 50', 'clean requests', 'cf.waf.score lt 50'],
	],
	'values that may be missing': [
		[
			'http.request.headers["x-token"][0] ne "s"',
			"requests without it don't match",
			'not http.request.headers["x-token"][0] eq "s"',
		],
		[
			'any(http.request.headers["x"][*] ne "s")',
			"requests without it don't match",
			'not any(http.request.headers["x"][*] eq "s")',
		],
		['http.request.jwt.claims["id"][0] eq "admin"', 'lookup_json_string'],
	],
	'conditions that are always or never true': [
		['http.host contains ""', 'always true'],
		['http.host wildcard "*"', 'always true'],
		['not http.host wildcard "*"', 'never true'],
	],
};

describe.each(Object.entries(rows))('%s', (_, cases) => {
	test.each(cases.map(([text, sentence, becomes]) => ({text, sentence, becomes})))('$text', row => {
		const {text, sentence, becomes} = row;
		const found = findFirstWarning(text);
		expect(found.sentence).toContain(sentence);
		expect(found.becomes).toBe(becomes);
		// The corrected expression has no warnings.
		if (becomes !== undefined) expect(analyse(becomes)).toMatchObject({errors: [], warnings: []});
	});
});

test.each([
	'http.request.method eq "GET"',
	'ip.src.country in {"DE" "T1" "XX" "XK"}',
	'lower(http.host) wildcard "ABC*"',
	'http.request.uri.path contains "admin"',
	'http.request.uri.path wildcard "*.php"',
	'ends_with(http.request.uri.path, "admin")',
	'http.request.full_uri wildcard "http*://e.com/*"',
	'cf.verified_bot_category ne ""',
	'cf.bot_management.score eq 0',
	'cf.waf.score lt 20',
	'not http.request.headers["x"][0] eq "s"',
	'http.request.headers["x"][0] contains ""',
	'cf.tls_client_auth.cert_verified and not cf.tls_client_auth.cert_revoked',
	'http.host contains "$"',
	'http.request.uri.path eq "/a%20b/c+d"',
	'http.request.uri.query contains "a=%23top"',
	'http.request.uri.path contains "/."',
	'starts_with(http.request.uri.path, "/.")',
	String.raw`http.request.uri.path matches "\.php$" or http.request.uri.path matches "^/\./"`,
	String.raw`http.request.uri.path wildcard r"/a\*b"`,
	'http.request.uri.path contains "/..a" or raw.http.request.uri.path contains "/../"',
	'lower(http.host) matches r"^(?i)ABC" or lower(http.host) matches r"[A-Z]\\D\\x{AB}"',
	'cf.client.bot and cf.verified_bot_category eq "Security"',
])('%s has no warning', text => {
	expect(analyse(text)).toMatchObject({errors: [], warnings: [], hints: []});
});

test('a rule that lets requests pass is checked for matching too much', () => {
	const all = 'all(http.request.headers["x"][*] eq "s")';
	expect(analyse(all).warnings).toEqual([]);
	expect(findFirstWarning(all, {letsThrough: true})).toEqual({
		sentence:
			'all(…) is also true for requests without any value. Add has_key(http.request.headers, "x") to require one.',
		becomes: `(has_key(http.request.headers, "x") and ${all})`,
	});
	expect(analyse('cf.waf.score gt 50', {letsThrough: true}).warnings).toEqual([]);
});

test.each([
	['http.user_agent contains "bot"', 'lower(http.user_agent)'],
	['cf.tls_client_auth.cert_verified', 'revoked'],
	['http.request.uri.query contains "..\\\\windows"', 'need the matches operator'],
	['http.request.uri.query eq "?a=1"', 'looks for a second one'],
	['starts_with(raw.http.request.uri.query, "?a")', 'looks for a second one'],
	['http.request.uri.query contains ".*"', 'need the matches operator'],
	['http.user_agent contains "curl\\\\."', 'need the matches operator'],
	['any(http.request.headers["accept"][*] eq "text/.*")', 'need the matches operator'],
	['http.request.uri.query contains "/*"', '* is a literal character here'],
	['http.request.uri contains "/*!50000"', '* is a literal character here'],
	['any(http.request.headers["accept"][*] eq "*/*")', '* is a literal character here'],
	['lower(http.request.body.raw) contains "/*"', '* is a literal character here'],
	['http.request.uri.query in {"a=*"}', '* is a literal character in a set'],
	['http.request.uri.path contains "https://a.example/b"', 'looks for another URL in it'],
	['ends_with(raw.http.request.uri.path, "https://a.example")', 'looks for another URL in it'],
	['http.host eq "Example.com"', 'lower(http.host)'],
	['http.host eq "example.com:8443"', 'port'],
	['http.cookie eq "a=b"', 'whole header'],
	['http.x_forwarded_for eq "192.0.2.1"', 'all proxies'],
	['http.referer eq "example.com"', 'full URL'],
	['any(http.request.headers.names[*] eq "X-Foo")', 'has_key'],
	['http.request.uri.args["q"][0] eq "red apples"', 'url_decode'],
	['ip.src in {10.0.0.0/8 203.0.113.9}', 'No visitor comes from 10.0.0.0/8'],
	['ip.src eq ::1', 'No visitor'],
	['cf.timings.client_tcp_rtt_msec lt 20', 'not measured'],
	['http.request.uri.path contains "/../"', 'raw.http.request.uri.path'],
	['http.request.uri.path eq "/a//b"', 'raw.http.request.uri.path'],
	['http.request.uri.path eq "/%41dmin"', 'raw.http.request.uri.path'],
	['http.request.uri.path contains "%2f"', 'raw.http.request.uri.path'],
	['http.request.uri.path in {"/a" "/%41dmin"}', 'raw.http.request.uri.path'],
	['starts_with(http.request.uri.path, "//")', 'raw.http.request.uri.path'],
	['ends_with(http.request.uri.path, "/.")', 'raw.http.request.uri.path'],
	['http.request.uri.path contains "/.."', 'raw.http.request.uri.path'],
	['lower(http.host) matches "^ABC"', '(?i)'],
	['http.request.uri.path matches "/a/*"', 'With wildcard, * matches any text'],
	['cf.client.bot or cf.verified_bot_category eq "Security"', 'Only verified bots'],
	[
		'any(cf.intel.ip.datasets[*] eq "ddos") and any(cf.intel.ip.attacker_countries[*] eq "FR")',
		'a different event',
	],
])('%s gives a hint, not a warning', (text, sentence) => {
	const {errors, warnings, hints} = analyse(text, {phase: 'http_request_firewall_custom'});
	expect({errors, warnings: warnings.filter(one => !one.sentence.includes('documented'))}).toEqual({
		errors: [],
		warnings: [],
	});
	expect(hints.map(hint => hint.sentence).join(' ')).toContain(sentence);
});

test('a raw path may contain a URL, and characters without their encoding', () => {
	for (const text of [
		'raw.http.request.uri.path contains "/fetch/https://"',
		'raw.http.request.uri.path contains "/é"',
	])
		expect(analyse(text).warnings).toEqual([]);
});

describe('a sign that the field never contains is a warning, not a hint', () => {
	test.each([
		['http.user_agent eq "^curl/.*$"', 'L035'],
		['http.host eq "*.example.com"', 'L006'],
		['http.host contains "*.example.com"', 'L006'],
		['http.request.full_uri eq "https://example.com/*"', 'L006'],
		['http.request.uri.path in {"/a/*"}', 'L006'],
		['http.request.body.mime eq "text/*"', 'L006'],
	])('%s', (text, code) => {
		expect(analyse(text).warnings.map(warning => warning.code)).toContain(code);
	});
});

describe('what is certain only for requests with a value says so', () => {
	const header = 'http.request.headers["x"]';
	const topics = 'cf.llm.prompt.unsafe_topic_categories[*]';

	test.each([
		[`lower(${header}[0]) ne "A"`, 'always true if there is a value'],
		[`not lower(${header}[0]) ne "A"`, 'never true if there is a value'],
		[`lower(${header}[0]) eq "A"`, 'never true.'],
		[`not lower(${header}[0]) eq "A"`, 'always true.'],
		[`not upper(${header}[0]) contains "a"`, 'always true.'],
		[`any(lower(${header}[*])[*] ne "A")`, 'always true if there is a value'],
		[`any(lower(${header}[*])[*] eq "A")`, 'never true.'],
		[`any(not lower(${header}[*])[*] eq "A")`, 'always true if there is a value'],
		[`not any(lower(${header}[*])[*] ne "A")`, 'never true if there is a value'],
		[`not any(lower(${header}[*])[*] eq "A")`, 'always true.'],
		[`all(lower(${header}[*])[*] eq "A")`, 'never true if there is a value'],
		[`all(lower(${header}[*])[*] ne "A")`, 'always true.'],
		[`not all(lower(${header}[*])[*] eq "A")`, 'always true if there is a value'],
		['any(lower(http.request.headers.names[*])[*] ne "A")', 'always true if there is a value'],
		['any(starts_with(lower(http.request.headers.names[*])[*], "A"))', 'never true.'],
		['all(starts_with(lower(http.request.headers.names[*])[*], "A"))', 'never true if there is a value'],
		['lower(http.request.headers.names[0]) ne "A"', 'always true if there is a value'],
		['lower(http.request.cookies["x"][0]) ne "A"', 'always true if there is a value'],
		['lower(http.request.uri.args["x"][0]) ne "A"', 'always true if there is a value'],
		['lower(http.host) ne "A"', 'always true.'],
		[`all(${topics} eq "S14")`, 'never true if there is a value'],
		[`any(${topics} ne "S14")`, 'always true if there is a value'],
		[`any(${topics} contains "")`, 'always true if there is a value'],
		[`all(${topics} contains "")`, 'always true.'],
		['all(len(http.request.headers.names[*])[*] lt 0)', 'never true if there is a value'],
		[`${header}[0] eq ${header}[0]`, 'always true if there is a value'],
		[`${header}[0] lt ${header}[0]`, 'never true.'],
		['http.host eq http.host', 'always true.'],
	])('%s', (text, sentence) => {
		expect(`${findFirstWarning(text).sentence}`).toContain(sentence);
	});
});

describe('a condition beside another one', () => {
	const header = 'http.request.headers["x"]';
	const time = 'cf.timings.client_tcp_rtt_msec';
	const findCodes = (text: string) => {
		const {errors, warnings, hints} = analyse(text, {letsThrough: text.startsWith('all')});
		expect(errors).toEqual([]);
		return [...warnings, ...hints].map(({code}) => code);
	};

	test.each([
		['L045', 'cf.waf.score gt 20', ['lt 50', 'le 50', 'in {1..50}'].map(part => `cf.waf.score ${part}`)],
		['L045', 'cf.waf.score.sqli ge 20', ['not cf.waf.score.sqli ge 50']],
		['L048', `${header}[0] ne "s"`, ['has_key(http.request.headers, "x")', `len(${header}[0]) gt 0`]],
		['L048', `any(${header}[*] ne "s")`, [`${header}[0] contains "a"`, `starts_with(${header}[0], "a")`]],
		['L049', `${header}[0] eq ""`, ['has_key(http.request.headers, "x")']],
		['L049', `len(${header}[0]) eq 0`, ['has_key(http.request.headers, "x")']],
		['L050', `all(${header}[*] eq "s")`, ['has_key(http.request.headers, "x")', `any(${header}[*] ne "")`]],
		[
			'L075',
			`${time} lt 9`,
			[`${time} gt 0`, `${time} ge 1`, `${time} ne 0`, `not ${time} eq 0`, `not ${time} le 0`],
		],
	])('silences %s: %s', (code, text, besides) => {
		expect(findCodes(text)).toContain(code);
		for (const beside of besides) {
			expect(findCodes(`${text} and ${beside}`)).not.toContain(code);
			expect(findCodes(`${text} and (ssl or http.host eq "a") and (${beside} and ssl)`)).not.toContain(code);
			expect(findCodes(`${text} or not (${beside})`)).not.toContain(code);
			expect(findCodes(`${text} and (ssl or ${beside})`)).toContain(code);
			expect(findCodes(`${text} or ${beside}`)).toContain(code);
		}
	});

	test.each([
		['L045', 'cf.waf.score gt 20 and cf.waf.score.sqli lt 50'],
		['L045', 'cf.waf.score gt 20 and not cf.waf.score lt 50'],
		['L048', `${header}[0] ne "s" and has_key(http.request.headers, "y")`],
		['L048', `${header}[0] ne "s" and not has_key(http.request.headers, "x")`],
		['L048', `${header}[0] ne "s" and ${header}[0] ne "t"`],
		['L048', `any(${header}[*] ne "s") and any(${header}[*] ne "t")`],
		['L075', `not ${time} ge 9`],
		['L048', `${header}[0] ne "s" xor has_key(http.request.headers, "x")`],
		['L050', `all(${header}[*] eq "s") and all(${header}[*] ne "")`],
		['L075', `${time} lt 9 and ${time} ge 0`],
		['L075', `${time} lt 9 and ${time} lt 5`],
	])('does not silence %s without saying enough: %s', (code, text) => {
		expect(findCodes(text)).toContain(code);
	});
});

describe('a list that is not in the account', () => {
	const lists = [
		{name: 'office', kind: 'ip'},
		{name: 'crawlers', kind: 'asn'},
	];

	test.each([
		['ip.src in $ofice', 'There is no list $ofice in this account.', '$office'],
		['ip.src in $unrelated_name', 'There is no list $unrelated_name in this account.', undefined],
		['ip.src in $crawlers', '$crawlers is a list of the kind asn; this needs one of the kind ip.', undefined],
	])('is a warning, no error, if the lists are known: %s', (expression, sentence, correction) => {
		const {errors, warnings} = analyse(expression, {lists});
		expect(errors).toEqual([]);
		expect(warnings.map(problem => [problem.sentence, problem.correction?.text])).toEqual([
			[sentence, correction],
		]);
		expect(analyse(expression)).toMatchObject({warnings: [], hints: []});
	});

	test.each([
		'ip.src in $office',
		'ip.src.asnum in $crawlers',
		'ip.src in $cf.vpn',
	])('no warning for %s', expression => {
		expect(analyse(expression, {lists}).warnings).toEqual([]);
	});
});
