import {describe, expect, it} from 'vitest';
import {analyse, type ExpressionProblem} from '../../../source/firewall/expression/expressions.ts';

const applyCorrection = (text: string, {correction}: ExpressionProblem): string | undefined =>
	correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end);

const describeProblems = (text: string, problems: readonly ExpressionProblem[]) =>
	problems.map(problem => ({
		at: `${problem.line}:${problem.column}`,
		markedText: text.slice(problem.span.start, problem.span.end),
		corrected: applyCorrection(text, problem),
	}));

describe('an error with its position and correction', () => {
	it.each([
		['ssl == true', '1:5', '== true', 'ssl'],
		['ssl eq false', '1:5', 'eq false', 'not ssl'],
		['not ssl != true', '1:9', '!= true', 'not not ssl'],
		['ip.src == 10.0.0.0/8', '1:11', '10.0.0.0/8', 'ip.src in {10.0.0.0/8}'],
		['ip.src ne 10.0.0.1/8', '1:11', '10.0.0.1/8', 'not ip.src in {10.0.0.0/8}'],
		['ip.src in {10.0.0.1/8}', '1:12', '10.0.0.1', 'ip.src in {10.0.0.0/8}'],
		['ip.src in {1.1.1.1, 2.2.2.2,3.3.3.3}', '1:19', ',', 'ip.src in {1.1.1.1 2.2.2.2 3.3.3.3}'],
		['ip.src in 10.0.0.0/8', '1:11', '10.0.0.0/8', 'ip.src in {10.0.0.0/8}'],
		['ip.src in (10.0.0.0/8, ::1)', '1:11', '(', 'ip.src in {10.0.0.0/8 ::1}'],
		['ip.src not in {::1}', '1:8', 'not in', 'not ip.src in {::1}'],
		['ip.addr eq ::1', '1:1', 'ip.addr', 'ip.src eq ::1'],
		['ip.src eq "::1"', '1:11', '"::1"', 'ip.src eq ::1'],
		['http.host\teq "a"', '1:10', '\t', 'http.host eq "a"'],
		['http.host EQ "a"', '1:11', 'EQ', 'http.host eq "a"'],
		['ssl AND ssl', '1:5', 'AND', 'ssl and ssl'],
		['NOT ssl', '1:1', 'NOT', 'not ssl'],
		['http.host = "a"', '1:11', '=', 'http.host == "a"'],
		['http.host =~ "a"', '1:11', '=~', 'http.host ~ "a"'],
		["http.host eq 'a'", '1:14', "'a'", 'http.host eq "a"'],
		['http.host eq “a”', '1:14', '“a”', 'http.host eq "a"'],
		['http.host eq "a', '1:14', '"', 'http.host eq "a"'],
		['(http.host eq "a)', '1:15', '"', '(http.host eq "a")'],
		['http.host eq "a and http.referer eq "b"', '1:14', '"', 'http.host eq "a" and http.referer eq "b"'],
		['http.host eq "a\\nb"', '1:16', '\\n', 'http.host eq "a\\x0Ab"'],
		['http.host eq example.com', '1:14', 'example.com', 'http.host eq "example.com"'],
		['http.host eq 80', '1:14', '80', 'http.host eq "80"'],
		['http.host ends_with ".org"', '1:11', 'ends_with', 'ends_with(http.host, ".org")'],
		['contains(http.host, "a")', '1:1', 'contains', 'http.host contains "a"'],
		['http.host not contains "a"', '1:11', 'not contains', 'not http.host contains "a"'],
		['http.host strict  wildcard "a"', '1:11', 'strict  wildcard', 'http.host strict wildcard "a"'],
		['http.host eq "a" "b"', '1:18', '"b"', 'http.host in {"a" "b"}'],
		['http.host eq "a" or "b"', '1:21', '"b"', 'http.host eq "a" or http.host eq "b"'],
		[
			'http.host contains "a" or contains "b"',
			'1:27',
			'contains',
			'http.host contains "a" or http.host contains "b"',
		],
		['http.host contains {"a"}', '1:11', 'contains', 'http.host contains "a"'],
		['http.host eq {"a" "b"}', '1:11', 'eq', 'http.host in {"a" "b"}'],
		['http.host eq $list', '1:14', '$list', 'http.host in $list'],
		['http.host in $Some-List', '1:14', '$Some-List', 'http.host in $some_list'],
		['http.host in {"a" "b"', '1:14', '{', 'http.host in {"a" "b"}'],
		['(ssl and )', '1:10', ')', '(ssl )'],
		['()', '1:2', ')', undefined],
		['http.host wildcard "**"', '1:21', '**', 'http.host wildcard "*"'],
		['"a" eq http.host', '1:1', '"a"', 'http.host eq "a"'],
		['http.host contains http.referer', '1:20', 'http.referer', undefined],
		['http.hots eq "a"', '1:1', 'http.hots', 'http.host eq "a"'],
		['cf.edge.server_port in {9..3}', '1:25', '9..3', 'cf.edge.server_port in {3..9}'],
		['cf.edge.server_port in {1-5}', '1:25', '1-5', 'cf.edge.server_port in {1..5}'],
		['cf.edge.server_port eq 1..5', '1:24', '1..5', 'cf.edge.server_port in {1..5}'],
		['cf.edge.server_port eq 1..-3', '1:24', '1..-3', 'cf.edge.server_port in {-3..1}'],
		['cf.edge.server_port eq -1..-5', '1:24', '-1..-5', 'cf.edge.server_port in {-5..-1}'],
		['cf.edge.server_port eq "80"', '1:24', '"80"', 'cf.edge.server_port eq 80'],
		['cf.edge.server_port eq 089', '1:24', '089', 'cf.edge.server_port eq 89'],
		['cf.edge.server_port eq 9223372036854775808', '1:24', '9223372036854775808', undefined],
		['ip.src lt ::1', '1:8', 'lt', undefined],
		['ssl and', '1:8', '', 'ssl'],
		['and ssl', '1:1', 'and', 'ssl'],
		['ssl and and and ssl', '1:9', 'and', 'ssl and ssl'],
		['ssl ssl', '1:5', 'ssl', 'ssl and ssl'],
		['ssl, ssl', '1:4', ',', 'ssl and ssl'],
		['ssl & ssl', '1:5', '&', 'ssl && ssl'],
		['((ssl and ssl', '1:1', '(', '((ssl and ssl))'],
		['(ssl))', '1:6', ')', '(ssl)'],
		['http.host', '1:1', 'http.host', undefined],
		['http.host eq', '1:13', '', undefined],
		['true and ssl', '1:1', 'true', undefined],
		['', '1:1', '', undefined],
		['http.request.headers["x"] eq "a"', '1:27', 'eq', 'any(http.request.headers["x"][*] eq "a")'],
		['any(http.request.headers["x"] eq "a")', '1:31', 'eq', 'any(http.request.headers["x"][*] eq "a")'],
		['http.request.headers.names[*] eq "a"', '1:27', '[*]', 'any(http.request.headers.names[*] eq "a")'],
		['http.request.headers[x][0] eq "a"', '1:22', 'x', 'http.request.headers["x"][0] eq "a"'],
		['http.request.headers ["x"][0] eq "a"', '1:21', ' ', 'http.request.headers["x"][0] eq "a"'],
		['http.request.headers["x"][0 eq "a"', '1:26', '[', 'http.request.headers["x"][0] eq "a"'],
		['http.host[0] eq "a"', '1:10', '[0]', undefined],
		['any(ssl)', '1:5', 'ssl', undefined],
		['starts_with(http.host "a")', '1:23', '"a"', 'starts_with(http.host, "a")'],
		['starts_with("a", "a")', '1:13', '"a"', undefined],
		['startswith(http.host, "a")', '1:1', 'startswith', 'starts_with(http.host, "a")'],
		['lower(http.host, "a") eq "a"', '1:18', '"a"', undefined],
		['cidr(ip.src, 33, 64) eq ::1', '1:14', '33', 'cidr(ip.src, 32, 64) eq ::1'],
		[
			'concat(http.host, http.request.headers.names[*]) eq "a"',
			'1:19',
			'http.request.headers.names[*]',
			undefined,
		],
		['regex_replace(http.host, "a", "b") eq "c"', '1:1', 'regex_replace', undefined],
		['http.response.code eq 200', '1:1', 'http.response.code', undefined],
	])('%s', (text, at, markedText, expectedCorrection) => {
		const {errors} = analyse(text);
		const [error] = describeProblems(text, errors).filter(
			one => one.markedText !== '[0]' || markedText === '[0]',
		);
		expect({count: errors.length, at: error?.at, on: error?.markedText}).toEqual({
			count: 1,
			at,
			on: markedText,
		});
		if (expectedCorrection !== undefined) expect(error?.corrected).toBe(expectedCorrection);
	});
});

describe('an oddity that the service accepts', () => {
	it.each([
		['cf.edge.server_port eq 010', '010', 'cf.edge.server_port eq 8'],
		['notssl', 'notssl', 'not ssl'],
		['ip.geoip.country eq "DE"', 'ip.geoip.country', 'ip.src.country eq "DE"'],
		['http.host eq "*.a"', '"*.a"', 'http.host wildcard "*.a"'],
		['http.host ne "*.a"', '"*.a"', 'not http.host wildcard "*.a"'],
		['http.host in {"*.a" "b"}', '"*.a"', '(http.host wildcard "*.a" or http.host eq "b")'],
		['http.request.headers["Accept"][0] eq "a"', '"Accept"', 'http.request.headers["accept"][0] eq "a"'],
		['cf.threat_score gt 10', 'cf.threat_score', undefined],
	])('%s', (text, markedText, expectedCorrection) => {
		const {errors, warnings} = analyse(text);
		expect(errors).toEqual([]);
		expect(describeProblems(text, warnings).map(warning => [warning.markedText, warning.corrected])).toEqual([
			[markedText, expectedCorrection],
		]);
	});

	it('a dot in a pattern that matches any character', () => {
		const text = 'http.host matches "a.com"';
		const {warnings} = analyse(text, {plan: 'business'});
		expect(describeProblems(text, warnings).map(warning => warning.corrected)).toEqual([
			'http.host matches "a\\.com"',
		]);
	});
});

describe('a feature that the plan lacks', () => {
	it('is reported once if the plan is known', () => {
		const text = 'http.host matches "a" or http.host matches "b"';
		expect(analyse(text)).toMatchObject({errors: [], warnings: []});
		expect(analyse(text, {plan: 'pro'}).errors.map(({sentence}) => sentence)).toEqual([
			'matches (a regular expression) needs the Business plan or higher and is not available on the Pro plan.',
		]);
		expect(analyse(text, {plan: 'business'})).toMatchObject({errors: [], warnings: []});
		const score = 'cf.bot_management.score lt 5 or cf.bot_management.score gt 90';
		expect(analyse(score)).toMatchObject({errors: [], warnings: []});
		expect(analyse(score, {plan: 'enterprise'}).hints.map(({sentence}) => sentence)).toEqual([
			'cf.bot_management.score needs a paid add-on to the plan.',
		]);
	});
});

describe('limits', () => {
	const nested = (depth: number) => `${'('.repeat(depth)}ssl${')'.repeat(depth)}`;

	it('allows parentheses, not and functions to nest 128 deep, and no deeper', () => {
		expect(analyse(nested(128)).errors).toEqual([]);
		const {errors} = analyse(nested(129));
		expect(errors).toMatchObject([
			{engineMessage: 'maximum nesting depth exceeded (limit: 128)', column: 129},
		]);
		const mixed = `${'not ('.repeat(63)}starts_with(lower(http.host), "a")${')'.repeat(63)}`;
		expect(analyse(mixed).errors).toEqual([]);
		expect(analyse(`not ${mixed}`).errors).toHaveLength(1);
	});

	it('survives a hundred thousand parentheses', () => {
		expect(analyse('('.repeat(100_000)).errors).toHaveLength(1);
	});

	it('accepts 4096 characters, warns about text that is longer only in bytes, and reports the length of longer text', () => {
		const text = `http.host eq "${'a'.repeat(4096 - 15)}"`;
		expect(analyse(text)).toMatchObject({errors: [], warnings: []});
		const longer = text.replace('a"', 'ab"');
		expect(analyse(longer).errors).toMatchObject([
			{sentence: 'The expression has 4097 characters: the limit is 4096.', span: {start: 4096, end: 4097}},
		]);
		const wider = text.replace('a"', 'ä"');
		expect(analyse(wider)).toMatchObject({
			errors: [],
			warnings: [
				{
					sentence:
						'The expression has 4097 bytes (4096 characters). The limit is 4096; it is not documented whether it counts characters or bytes.',
				},
			],
		});
		expect(analyse(wider, {isMigrated: true}).errors).toMatchObject([
			{sentence: 'The expression has 4097 bytes (4096 characters): the migration limit is 4096 bytes.'},
		]);
		const astral = text.replace('aaaa"', '𝒳bbbb"');
		expect(analyse(astral).errors).toMatchObject([
			{sentence: 'The expression has 4097 characters (4100 bytes): the limit is 4096.', span: {start: 4097}},
		]);
	});

	it('accepts 64 regular expressions, and marks the next one', () => {
		const buildManyMatches = (count: number) =>
			Array.from({length: count}, (_, at) => `http.host matches "a${at}"`).join(' or ');
		expect(analyse(buildManyMatches(64), {plan: 'business'}).errors).toEqual([]);
		expect(analyse(buildManyMatches(65), {plan: 'business'}).errors).toMatchObject([
			{
				sentence: 'Too many regular expressions: a rule can have at most 64.',
				span: {start: buildManyMatches(65).lastIndexOf('matches')},
			},
		]);
	});
});

describe('the list of errors', () => {
	it('contains all of them, each once', () => {
		const text =
			'htp.host eq \'a\' AND ip.src in {1.1.1.1, 2.2.2.2} or (ssl == true and cf.edge.server_port eq "80"';
		expect(describeProblems(text, analyse(text).errors).map(({markedText}) => markedText)).toEqual([
			'htp.host',
			"'a'",
			'AND',
			',',
			'(',
			'== true',
			'"80"',
		]);
	});

	it('counts \\r\\n as one line break, and an emoji as one character', () => {
		const text = 'http.host eq "😀" or\r\n http.hots eq "b"';
		expect(analyse(text).errors).toMatchObject([{line: 2, column: 2}]);
		expect(analyse('http.host eq "😀" or http.hots eq "b"').errors).toMatchObject([{line: 1, column: 21}]);
	});
});

describe('the parser', () => {
	it('gives not precedence over and, and over xor, xor over or', () => {
		const {tree} = analyse('ssl or not ssl and ssl xor ssl');
		expect(tree).toMatchObject({
			kind: 'logical',
			operator: 'or',
			operands: [
				{kind: 'bare'},
				{
					operator: 'xor',
					operands: [
						{operator: 'and', operands: [{kind: 'not', operand: {kind: 'bare'}}, {kind: 'bare'}]},
						{kind: 'bare'},
					],
				},
			],
		});
	});

	it('reads each form of literal', () => {
		const parseRightSide = (text: string) => {
			const {tree, errors} = analyse(text);
			expect(errors).toEqual([]);
			return tree?.kind === 'comparison' ? tree.right : undefined;
		};
		expect(parseRightSide('http.host eq "a\\"\\\\\\x41\\101"')).toMatchObject({
			kind: 'string',
			value: 'a"\\AA',
		});
		expect(parseRightSide('http.host eq r##"a"#\\"##')).toMatchObject({value: 'a"#\\', form: {raw: 2}});
		expect(parseRightSide('http.host matches "a\\"[\\"]\\."')).toMatchObject({value: 'a"[\\"]\\.'});
		expect(parseRightSide('http.host eq 0a:1b-2C')).toMatchObject({kind: 'bytes', value: [10, 27, 44]});
		expect(parseRightSide('cf.edge.server_port eq 0x1F')).toMatchObject({value: 31n, form: 'hex'});
		expect(parseRightSide('cf.edge.server_port eq -5')).toMatchObject({value: -5n, form: 'decimal'});
		expect(parseRightSide('cf.edge.server_port eq 017')).toMatchObject({value: 15n, form: 'octal'});
		expect(parseRightSide('ip.src eq ::1')).toMatchObject({kind: 'address', version: 6});
		expect(parseRightSide('ip.src in {10.0.0.0/8 1.1.1.1..1.1.1.9}')).toMatchObject({
			items: [
				{kind: 'network', bits: 8},
				{kind: 'range', first: {text: '1.1.1.1'}, last: {text: '1.1.1.9'}},
			],
		});
		expect(parseRightSide('ip.src in $cf.malware')).toMatchObject({kind: 'list', name: 'cf.malware'});
	});

	it('accepts true and false as whole expressions', () => {
		expect(analyse('true').tree).toMatchObject({kind: 'bare', operand: {kind: 'boolean', value: true}});
		expect(analyse(' false\n').errors).toEqual([]);
	});

	it('lists fields and functions once, in the order of the text', () => {
		const {fields, functions} = analyse('lower(http.host) eq "a" and ssl and lower(http.host) ne "b"');
		expect({fields, functions}).toEqual({fields: ['http.host', 'ssl'], functions: ['lower']});
	});

	it('gives the kind of each token', () => {
		const text = 'not lower(http.host) eq "a" or ip.src in $b';
		const visibleTokens = analyse(text).tokens.filter(({kind}) => kind !== 'space');
		expect(visibleTokens.map(({start, end, kind}) => [text.slice(start, end), kind])).toEqual([
			['not', 'logical'],
			['lower', 'function'],
			['(', 'punctuation'],
			['http.host', 'field'],
			[')', 'punctuation'],
			['eq', 'operator'],
			['"a"', 'string'],
			['or', 'logical'],
			['ip.src', 'field'],
			['in', 'operator'],
			['$b', 'list'],
		]);
	});
});
