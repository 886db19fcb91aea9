import {describe, expect, test} from 'vitest';
import {analyse, type ExpressionProblem} from '../../../source/firewall/expression/expressions.ts';

const findErrors = (text: string): readonly ExpressionProblem[] => analyse(text).errors;
const formatProblems = (problems: readonly ExpressionProblem[]): string[] =>
	problems.map(({line, column, sentence}) => `${line}:${column} ${sentence}`);

const applyCorrection = (text: string, {correction}: ExpressionProblem): string =>
	correction
		? text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end)
		: text;

/** Expressions that the service accepts, by the feature of the language that they use. */
const validExpressions: Readonly<Record<string, readonly string[]>> = {
	'examples of the documentation': [
		'http.request.uri.path contains "/admin" and ip.src ne 10.0.0.1',
		'true',
		'false',
		'(http.host eq "www.example.com")',
		'ip.src in {10.0.0.0/8}',
	],
	'operators in both notations': [
		'http.host eq "a"',
		'http.host == "a"',
		'http.host ne "a"',
		'http.host != "a"',
		'http.host lt "a"',
		'http.host < "a"',
		'http.host le "a"',
		'http.host <= "a"',
		'http.host gt "a"',
		'http.host > "a"',
		'http.host ge "a"',
		'http.host >= "a"',
		'http.host contains "a"',
		'http.host matches "^a+$"',
		'http.host ~ "^a+$"',
		'http.host wildcard "*.example.com"',
		'http.host strict wildcard "*.example.com"',
		'cf.edge.server_port & 1',
		'cf.edge.server_port bitwise_and 1',
	],
	'logic in both notations': [
		'ssl and cf.client.bot',
		'ssl && cf.client.bot',
		'ssl or cf.client.bot',
		'ssl || cf.client.bot',
		'ssl xor cf.client.bot',
		'ssl ^^ cf.client.bot',
		'not ssl',
		'!ssl',
		'not not ssl',
		'!(ssl)',
		'ssl and not (cf.client.bot or http.host eq "a") xor ssl',
	],
	'strings and their escapes': [
		String.raw`http.user_agent eq "a \"quoted\" word"`,
		String.raw`http.user_agent eq "back\\slash"`,
		String.raw`http.user_agent eq "\x41\x7f"`,
		String.raw`http.user_agent eq "\101\000"`,
		'http.user_agent eq ""',
		'http.user_agent eq "ü 名前 🙂"',
		'http.user_agent eq r"no \\escapes\\ here"',
		'http.user_agent eq r#"with "quotes" in it"#',
		'http.user_agent eq r##"with "# in it"##',
		'http.request.uri.path eq "a#b"',
	],
	'regular expressions': [
		String.raw`http.request.uri.path matches "^/a\.php$"`,
		String.raw`http.request.uri.path matches "\d{2,3}\s[[:alpha:]]+"`,
		'http.request.uri.path matches r"(?i)^/wp-(admin|login)"',
		String.raw`http.request.uri.path matches "say \"hi\""`,
		'http.request.uri.path matches "(?P<name>a|b)+?"',
	],
	wildcards: [
		'http.request.full_uri wildcard "https://*.example.com/*"',
		String.raw`http.request.full_uri wildcard r"a\*b"`,
		'http.request.full_uri strict wildcard ""',
	],
	integers: [
		'cf.edge.server_port eq 80',
		'cf.edge.server_port eq 0',
		'cf.edge.server_port eq -1',
		'cf.edge.server_port eq 0x1F90',
		'cf.edge.server_port eq 0120',
		'cf.edge.server_port eq 9223372036854775807',
		'cf.edge.server_port eq -9223372036854775808',
		'cf.edge.server_port in {80 443 8000..8009}',
		'cf.edge.server_port in {-5..-1}',
	],
	addresses: [
		'ip.src eq 192.0.2.1',
		'ip.src ne 2001:db8::1',
		'ip.src eq ::1',
		'ip.src eq ::ffff:192.0.2.1',
		'ip.src in {192.0.2.0/24 2001:db8::/32}',
		'ip.src in {192.0.2.1..192.0.2.9}',
		'ip.src in {2001:db8::1..2001:db8::ff}',
		'ip.src in {0.0.0.0/0}',
		'ip.src in {192.0.2.7}',
	],
	'sets and lists': [
		'http.host in {"a" "b"}',
		'http.host in { "a" }',
		'http.host in {"a"  "b"\n"c"}',
		'ip.src in $office',
		'ip.src in $cf.open_proxies',
		'ip.src.asnum in $bad_networks',
		'not ip.src in $office',
	],
	'maps and arrays': [
		'http.request.headers["user-agent"][0] eq "curl"',
		'any(http.request.headers["accept"][*] contains "json")',
		'all(http.request.headers.names[*] ne "x-bad")',
		'any(http.request.uri.args["q"][*] in {"a" "b"})',
		'len(http.request.headers["cookie"]) gt 1',
		'len(http.request.headers) gt 10',
		'http.request.cookies["session"][0] eq "x"',
		'any(lower(http.request.headers["x"][*])[*] eq "y")',
		'any(not http.request.headers.names[*] eq "x")',
	],
	functions: [
		'lower(http.host) eq "a"',
		'upper(http.host) eq "A"',
		'starts_with(http.request.uri.path, "/api")',
		'ends_with(http.host, ".example.com")',
		'not ends_with(http.host, ".example.com")',
		'concat(http.host, http.request.uri.path) eq "a/b"',
		'concat("a", http.host, "b") eq "axb"',
		'len(http.user_agent) lt 10',
		'substring(http.host, 0, 3) eq "www"',
		'substring(http.host, -4) eq ".com"',
		'url_decode(http.request.uri.query) contains "<script"',
		'url_decode(http.request.uri.query, "ur") contains "<script"',
		'remove_bytes(http.host, "\\x00") eq "a"',
		'decode_base64(http.request.uri.query) contains "x"',
		'cidr(ip.src, 24, 64) eq 192.0.2.0',
		'cidr6(ip.src, 64) eq 2001:db8::',
		'join(http.request.headers["x"], ",") eq "a,b"',
		'lookup_json_string(http.request.uri.query, "a", "b") eq "c"',
		'lookup_json_integer(http.request.uri.query, "a", 0) eq 3',
		'lower(url_decode(http.request.uri.path)) contains "/etc/"',
		'is_timed_hmac_valid_v0("key", http.request.uri, 3600, http.request.timestamp.sec, 8)',
		'starts_with(lower(http.host), "a") and ssl',
	],
	'with and without white space': [
		'http.host eq "a"and ssl',
		'http.host eq "a"\nand\r\nssl',
		'(ssl)and(ssl)',
		'  ssl  ',
		'http.host=="a"',
		'cf.edge.server_port>=80&&cf.edge.server_port<=90',
		'ip.src in{192.0.2.1}',
		'lower( http.host )eq"a"',
	],
};

describe.each(Object.entries(validExpressions))('valid: %s', (_name, expressions) => {
	test.each(expressions)('%s', expression => {
		expect(formatProblems(findErrors(expression))).toEqual([]);
	});
});

type Invalid = {
	readonly text: string;
	/** Line and column of the one error. */
	readonly at: readonly [number, number];
	readonly engine?: string;
	/** The text after its correction. */
	readonly correctedText?: string;
};

const invalidExpressions: Readonly<Record<string, readonly Invalid[]>> = {
	'empty or incomplete expressions': [
		{text: '', at: [1, 1]},
		{text: '   ', at: [1, 4]},
		{text: 'http.host', at: [1, 1]},
		{text: 'http.host eq', at: [1, 13]},
		{text: 'ssl and', at: [1, 8]},
		{text: 'and ssl', at: [1, 1]},
		{text: 'not', at: [1, 4]},
		{text: '(ssl', at: [1, 1]},
		{text: 'ssl)', at: [1, 4]},
		{text: '()', at: [1, 2]},
		{text: 'ssl ssl', at: [1, 5]},
		{text: 'ssl and and ssl', at: [1, 9]},
	],
	names: [
		{text: 'http.hst eq "a"', at: [1, 1], engine: 'unknown identifier', correctedText: 'http.host eq "a"'},
		{text: 'ssl and htp.host eq "a"', at: [1, 9], engine: 'unknown identifier'},
		{
			text: 'ip.addr eq 192.0.2.1',
			at: [1, 1],
			engine: 'unknown identifier',
			correctedText: 'ip.src eq 192.0.2.1',
		},
		{
			text: 'lowr(http.host) eq "a"',
			at: [1, 1],
			engine: 'unknown identifier',
			correctedText: 'lower(http.host) eq "a"',
		},
		{text: 'ssl\nand\nhttp.hst eq "a"', at: [3, 1], engine: 'unknown identifier'},
		{text: 'http.host eq "ü名🙂" and http.hst eq "a"', at: [1, 24], engine: 'unknown identifier'},
		{text: 'http.response.code eq 200', at: [1, 1]},
		{text: 'regex_replace(http.host, "a", "b") eq "c"', at: [1, 1]},
	],
	'syntax of other tools': [
		{text: 'ssl\tand cf.client.bot', at: [1, 4], correctedText: 'ssl and cf.client.bot'},
		{text: 'http.host in {"a","b"}', at: [1, 18], correctedText: 'http.host in {"a" "b"}'},
		{text: 'ssl == true', at: [1, 5], correctedText: 'ssl'},
		{text: 'ssl eq false', at: [1, 5], correctedText: 'not ssl'},
		{text: 'ip.src == 10.0.0.0/8', at: [1, 11], correctedText: 'ip.src in {10.0.0.0/8}'},
		{text: 'ssl AND cf.client.bot', at: [1, 5], correctedText: 'ssl and cf.client.bot'},
		{text: 'http.host EQ "a"', at: [1, 11], correctedText: 'http.host eq "a"'},
		{text: 'NOT ssl', at: [1, 1], correctedText: 'not ssl'},
		{text: 'http.host ends_with ".com"', at: [1, 11], correctedText: 'ends_with(http.host, ".com")'},
	],
	strings: [
		{
			text: 'http.host eq "a',
			at: [1, 14],
			engine: 'could not find an ending quote',
			correctedText: 'http.host eq "a"',
		},
		{text: 'http.host eq r#"a"', at: [1, 14], engine: 'could not find an ending quote'},
		{text: "http.host eq 'a'", at: [1, 14], correctedText: 'http.host eq "a"'},
		{text: String.raw`http.host eq "a\n"`, at: [1, 16], engine: 'expected ", xHH or OOO after \\'},
		{text: String.raw`http.host eq "a\x4"`, at: [1, 16]},
		{text: 'http.host eq example.com', at: [1, 14], correctedText: 'http.host eq "example.com"'},
		{text: 'http.host eq 5', at: [1, 14]},
		{text: 'http.host = "a"', at: [1, 11], correctedText: 'http.host == "a"'},
	],
	integers: [
		{text: 'cf.edge.server_port eq "80"', at: [1, 24], correctedText: 'cf.edge.server_port eq 80'},
		{text: 'cf.edge.server_port eq x', at: [1, 24], engine: 'expected digit'},
		{
			text: 'cf.edge.server_port eq 9223372036854775808',
			at: [1, 24],
			engine: 'number too large to fit in target type while parsing with radix 10',
		},
		{text: 'cf.edge.server_port eq 089', at: [1, 24]},
		{text: 'cf.edge.server_port in {9..1}', at: [1, 25], engine: 'incompatible range bounds'},
		{text: 'cf.edge.server_port eq 80..90', at: [1, 24]},
	],
	addresses: [
		{
			text: 'ip.src == 34',
			at: [1, 11],
			engine: "couldn't parse address in network: invalid IP address syntax",
		},
		{text: 'ip.src eq "192.0.2.1"', at: [1, 11], correctedText: 'ip.src eq 192.0.2.1'},
		{text: 'ip.src in {192.0.2.1/24}', at: [1, 12], correctedText: 'ip.src in {192.0.2.0/24}'},
		{text: 'ip.src in {192.0.2.9..192.0.2.1}', at: [1, 12], engine: 'incompatible range bounds'},
		{text: 'ip.src in {192.0.2.1..2001:db8::1}', at: [1, 12]},
		{text: 'ip.src in {192.0.2.0/33}', at: [1, 12]},
		{text: 'ip.src in {192.0.2.256}', at: [1, 12]},
	],
	'sets and lists': [
		{
			text: 'http.host in "a"',
			at: [1, 14],
			engine: 'expected literal "{"',
			correctedText: 'http.host in {"a"}',
		},
		{text: 'http.host in {"a" 5}', at: [1, 19]},
		{text: 'http.host in {"a"', at: [1, 14]},
		{text: 'ip.src in $Office', at: [1, 11], engine: 'invalid list name "Office"'},
		{text: 'ip.src in $.office', at: [1, 11], engine: 'invalid list name ".office"'},
		{text: 'ip.src in $office.', at: [1, 11], engine: 'invalid list name "office."'},
	],
	'maps and arrays': [
		{text: 'http.request.headers["a"] eq "b"', at: [1, 27]},
		{
			text: 'http.request.headers[0] eq "b"',
			at: [1, 21],
			engine: 'cannot access index 0 for type Map<Array<String>>',
		},
		{text: 'http.host[0] eq "b"', at: [1, 10], engine: 'cannot access index 0 for type String'},
		{text: 'http.request.headers["a"][*] eq "b"', at: [1, 26]},
		{text: 'any(http.host eq "a")', at: [1, 5]},
		{text: 'any(ssl)', at: [1, 5]},
	],
	functions: [
		{text: 'lower() eq "a"', at: [1, 1], engine: 'invalid number of arguments'},
		{text: 'lower(http.host, http.host) eq "a"', at: [1, 18]},
		{text: 'lower(cf.edge.server_port) eq "a"', at: [1, 7]},
		{text: 'lower(http.host', at: [1, 6]},
		{text: 'starts_with("a", "b")', at: [1, 13]},
		{text: 'cidr(ip.src, 33, 64) eq 192.0.2.0', at: [1, 14]},
		{text: 'starts_with(http.host, "a") eq "b"', at: [1, 29]},
		{text: 'lower(http.host)', at: [1, 1]},
		{text: 'url_decode(http.host, "x") eq "a"', at: [1, 23]},
	],
	patterns: [
		{text: 'http.host matches "(a"', at: [1, 20]},
		{text: 'http.host matches "a(?=b)"', at: [1, 21]},
		{text: String.raw`http.host matches "(a)\1"`, at: [1, 23]},
		{text: 'http.host matches "*a"', at: [1, 20]},
		{text: 'http.host wildcard "a**b"', at: [1, 22], engine: 'wildcard contains a double star'},
	],
};

describe.each(Object.entries(invalidExpressions))('invalid: %s', (_name, cases) => {
	test.each(cases)('$text', ({text, at: [line, column], engine, correctedText}) => {
		const errors = findErrors(text);
		expect(formatProblems(errors)).toHaveLength(1);
		const [error] = errors;
		expect({line: error?.line, column: error?.column}).toEqual({line, column});
		if (engine !== undefined) expect(error?.engineMessage).toBe(engine);
		if (correctedText !== undefined) expect(error && applyCorrection(text, error)).toBe(correctedText);
	});
});

const operators = [
	'eq',
	'ne',
	'lt',
	'le',
	'gt',
	'ge',
	'contains',
	'matches',
	'wildcard',
	'strict wildcard',
	'in',
	'&',
];

/** The operators that a type has, with a field of the type and a value to compare it with. */
const operatorsByType: Readonly<
	Record<string, {field: string; value: string; validOperators: readonly string[]}>
> = {
	String: {
		field: 'http.host',
		value: '"a"',
		validOperators: operators.filter(operator => operator !== '&'),
	},
	Integer: {
		field: 'cf.edge.server_port',
		value: '7',
		validOperators: ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', '&'],
	},
	IP: {field: 'ip.src', value: '192.0.2.1', validOperators: ['eq', 'ne', 'in']},
	Boolean: {field: 'ssl', value: '1', validOperators: []},
	'Array<String>': {field: 'http.request.headers.names', value: '"a"', validOperators: []},
	'Map<Array<String>>': {field: 'http.request.headers', value: '"a"', validOperators: []},
};

describe.each(Object.entries(operatorsByType))('operators of the type %s', (_type, {
	field,
	value,
	validOperators,
}) => {
	test.each(operators)('%s', operator => {
		const right = operator === 'in' ? `{${value}}` : value;
		const errors = findErrors(`${field} ${operator} ${right}`);
		if (validOperators.includes(operator)) expect(formatProblems(errors)).toEqual([]);
		else {
			expect(errors).toHaveLength(1);
			expect(errors[0]?.column).toBe(field.length + 2);
		}
	});
});

describe('limits', () => {
	const nested = (depth: number, open: string, close: string) =>
		`${open.repeat(depth)}ssl${close.repeat(depth)}`;

	test('parentheses nest 128 deep, but not 129', () => {
		expect(formatProblems(findErrors(nested(128, '(', ')')))).toEqual([]);
		const errors = findErrors(nested(129, '(', ')'));
		expect(errors).toHaveLength(1);
		expect(errors[0]?.engineMessage).toBe('maximum nesting depth exceeded (limit: 128)');
		expect(errors[0]?.column).toBe(129);
	});

	test('negations nest 128 deep, but not 129', () => {
		expect(formatProblems(findErrors(nested(128, 'not ', '')))).toEqual([]);
		const errors = findErrors(nested(129, 'not ', ''));
		expect(errors.map(({engineMessage}) => engineMessage)).toEqual([
			'maximum nesting depth exceeded (limit: 128)',
		]);
	});

	test('an expression has at most 4,096 characters', () => {
		const prefix = 'http.user_agent eq "';
		const buildLongExpression = (characters: number) =>
			`${prefix}${'x'.repeat(characters - prefix.length - 1)}"`;
		expect(buildLongExpression(4096)).toHaveLength(4096);
		expect(formatProblems(findErrors(buildLongExpression(4096)))).toEqual([]);
		const errors = findErrors(buildLongExpression(4097));
		expect(errors).toHaveLength(1);
		expect(errors[0]?.sentence).toContain('4097');
		expect(errors[0]?.column).toBe(4097);
	});
});

describe('all errors are reported, not only the first', () => {
	test.each<[string, readonly string[]]>([
		['http.hst eq "a" and ip.src == 10.0.0.0/8', ['1:1', '1:31']],
		['ssl == true or http.host in {"a","b"}', ['1:5', '1:33']],
		['(http.hst eq "a") and (ip.sr eq 192.0.2.1)\nor cf.edge.server_port eq "x"', ['1:2', '1:24', '2:27']],
		['lower(http.hst) eq "a" and cidr(ip.src, 99, 64) eq 192.0.2.0', ['1:7', '1:41']],
		['http.host eq "a" AND ssl OR NOT ssl', ['1:18', '1:26', '1:29']],
	])('%s', (text, positions) => {
		expect(findErrors(text).map(({line, column}) => `${line}:${column}`)).toEqual(positions);
	});
});

describe('warnings are not errors', () => {
	test.each<[string, number, string?]>([
		['cf.edge.server_port eq 0120', 24, 'cf.edge.server_port eq 80'],
		['ip.geoip.country eq "DE"', 1, 'ip.src.country eq "DE"'],
		['http.host eq "*.example.com"', 14, 'http.host wildcard "*.example.com"'],
		['http.host matches "^www.example$"', 24, String.raw`http.host matches "^www\.example$"`],
	])('%s', (text, column, correctedText) => {
		const {errors, warnings} = analyse(text, {plan: 'enterprise'});
		expect(formatProblems(errors)).toEqual([]);
		expect(warnings.map(warning => warning.column)).toEqual([column]);
		const [warning] = warnings;
		if (correctedText !== undefined) expect(warning && applyCorrection(text, warning)).toBe(correctedText);
	});

	test.each<[string, string, 'errors' | 'warnings']>([
		['http.host matches "a"', 'pro', 'errors'],
		['http.host matches "a"', 'business', 'warnings'],
		['cf.waf.score lt 20', 'business', 'errors'],
		['http.request.cookies["a"][0] eq "b"', 'free', 'errors'],
	])('%s on the plan %s', (text, plan, kind) => {
		const {errors} = analyse(text, {plan: plan as 'pro'});
		expect(errors.length > 0).toBe(kind === 'errors');
	});

	test('without a plan, nothing is reported about plans', () => {
		const {errors, warnings} = analyse('http.host matches "a"');
		expect(formatProblems(errors)).toEqual([]);
		expect(formatProblems(warnings)).toEqual([]);
	});
});
