import {describe, expect, test} from 'vitest';
import {
	analyse,
	formatEngineMessage,
	readEngineMessage,
} from '../../../source/firewall/expression/expressions.ts';
import type {Expression} from '../../../source/firewall/expression/grammar/tree.ts';

/*
 * What the service's open-source engine does, restated with our own fields. Where the engine marks the rest
 * of the line as well, ledge marks only the mistake; then only the start is compared.
 */

type Mistake = {
	readonly text: string;
	/** Line and column of the marked text, and its length if the engine marks only the mistake. */
	readonly at: readonly [line: number, column: number, length?: number];
	readonly engine: string;
};

const addressSyntaxMessage = "couldn't parse address in network: invalid IP address syntax";

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
	names: [
		{text: 'portal', at: [1, 1, 6], engine: 'unknown identifier'},
		{text: 'portal\n', at: [1, 1, 6], engine: 'unknown identifier'},
		{text: '\n\n    portal', at: [3, 5, 6], engine: 'unknown identifier'},
		{text: 'ssl or\n  not portal eq 4\nor ssl', at: [2, 7, 6], engine: 'unknown identifier'},
	],
	'right sides': [
		{
			text: 'cf.edge.server_port == 80 or\ncf.edge.server_port == true or\ncf.edge.server_port == 443',
			at: [2, 24],
			engine: 'expected digit',
		},
		{text: 'cf.edge.server_port in {"eighty"}', at: [1, 25], engine: 'expected digit'},
		{text: 'ip.src in {777}', at: [1, 12, 3], engine: addressSyntaxMessage},
		{text: 'ip.src eq 192.0.2.0/24', at: [1, 11, 12], engine: addressSyntaxMessage},
		{text: 'ip.src in 192.0.2.1', at: [1, 11], engine: 'expected literal "{"'},
		{text: 'http.host in "a"', at: [1, 14], engine: 'expected literal "{"'},
	],
	'bounds of integers': [
		{
			text: 'cf.edge.server_port lt 9223372036854775808',
			at: [1, 24, 19],
			engine: 'number too large to fit in target type while parsing with radix 10',
		},
		{
			text: 'cf.edge.server_port gt -9223372036854775809',
			at: [1, 24, 20],
			engine: 'number too small to fit in target type while parsing with radix 10',
		},
		{
			text: 'cf.edge.server_port eq 0778',
			at: [1, 24, 4],
			engine: 'invalid digit found in string while parsing with radix 8',
		},
	],
	'bounds of ranges': [
		{text: 'cf.edge.server_port in {443..80}', at: [1, 25, 7], engine: 'incompatible range bounds'},
		{text: 'cf.edge.server_port in {-1..-2}', at: [1, 25, 6], engine: 'incompatible range bounds'},
		{text: 'ip.src in {192.0.2.0..2001:db8::}', at: [1, 12, 21], engine: 'incompatible range bounds'},
		{text: 'ip.src in {2001:db8::..192.0.2.0}', at: [1, 12, 21], engine: 'incompatible range bounds'},
		{text: 'ip.src in {192.0.2.9..192.0.2.8}', at: [1, 12, 20], engine: 'incompatible range bounds'},
		{text: 'ip.src in {2001:db8::9..2001:db8::8}', at: [1, 12, 24], engine: 'incompatible range bounds'},
	],
	functions: [
		{text: 'lower(http.host, http.host) eq "a"', at: [1, 18], engine: 'invalid number of arguments'},
		{
			text: 'starts_with(http.host, http.request.headers.names[*])',
			at: [1, 24, 29],
			engine: 'invalid use of map each access operator',
		},
	],
	nesting: [
		{
			text: `${'('.repeat(129)}ssl${')'.repeat(129)}`,
			at: [1, 129],
			engine: 'maximum nesting depth exceeded (limit: 128)',
		},
		{
			text: `${'!'.repeat(129)}ssl`,
			at: [1, 129],
			engine: 'maximum nesting depth exceeded (limit: 128)',
		},
	],
};

describe.each(Object.entries(mistakes))('mistakes in %s', (_name, cases) => {
	test.each(cases)('$text', ({text, at: [line, column, length], engine}) => {
		const {errors} = analyse(text);
		expect(errors.map(error => [error.line, error.column, error.engineMessage])).toEqual([
			[line, column, engine],
		]);
		const [error] = errors;
		if (length !== undefined && error) expect(error.span.end - error.span.start).toBe(length);
	});
});

describe('operators that a type does not support are marked themselves', () => {
	const operators = ['eq', 'ne', 'ge', 'le', 'gt', 'lt', 'in'];
	const listFields = [
		'http.request.headers.names',
		'http.request.headers',
		'cf.bot_management.detection_ids',
	];
	test.each(
		listFields.flatMap(field => operators.map(operator => [field, operator] as const)),
	)('%s %s', (field, operator) => {
		const value = field.startsWith('cf') ? '4' : '"a"';
		const {errors} = analyse(`${field} ${operator} ${operator === 'in' ? `{${value}}` : value}`);
		expect(errors).toHaveLength(1);
		expect(errors[0]?.engineMessage).toMatch(/^cannot perform this operation on type /);
		expect(errors[0]?.span).toEqual({start: field.length + 1, end: field.length + 3});
	});
});

describe('expressions that the engine accepts', () => {
	test.each([
		['white space is spaces, line feeds and carriage returns', '\r\n ssl\r\n and\n\r not ssl \n'],
		['no spaces around symbols', 'cf.edge.server_port>=80&&!ssl'],
		['no space before a value in quotes', 'http.host contains"a"or ssl'],
		['a space before the parenthesis of a function', 'lower (http.host) eq "a"'],
		['spaces within an index', 'http.request.headers[ "a" ][ 0 ] eq "b"'],
		['each bound of a range has its own notation', 'cf.edge.server_port in {012..0x1f}'],
		['a range of one', 'cf.edge.server_port in {80..80}'],
		['a minus sign, after which a leading zero is decimal', 'cf.edge.server_port gt -010'],
		['hex letters of either case', 'cf.edge.server_port eq 0xAbC'],
		['networks with no bits and with all bits', 'ip.src in {0.0.0.0/0 192.0.2.1/32 ::/0 ::1/128 ::/10}'],
		['IPv4 within IPv6', 'ip.src in {::ffff:192.0.2.2/127 ::ffff:192.0.2.7}'],
		['bytes with any of three separators', 'http.host contains 01:2e:f3-77.12'],
		['all escapes of a string', String.raw`http.host eq "s\\t\"r\x0A\000t\x80\377"`],
		['a line break in a string', 'http.host eq "a\nb"'],
		['a tab in a string', 'http.host eq "a\tb"'],
		['an empty raw string', 'http.host eq r""'],
		['quotes and fewer # in a raw string', 'http.host eq r###"a##"##""###'],
		['a raw string with 255 #', `http.host eq r${'#'.repeat(255)}"a"${'#'.repeat(255)}`],
		['a quote in a class of a pattern', String.raw`http.host matches "[a-z\"\]]+\d{1,10}\""`],
		['a bare quote in a class of a pattern', 'http.host matches "[^"]+"'],
		['lists with digits, _ and dots', 'ip.src in $team_1.office and ip.src in $hello1234567890'],
		['several [*]', 'any(http.request.headers[*][*] eq "a")'],
		['a function over each value', 'all(lower(http.request.headers.names[*])[*] ne "a")'],
		[
			'conditions in parentheses within any',
			'any((http.request.headers.names[*] eq "a" or http.request.headers.names[*] eq "b"))',
		],
		[
			'conditions after not within any',
			'any(not http.request.headers.names[*] eq "a" and http.request.headers.names[*] ne "b")',
		],
		['128 levels', `${'('.repeat(64)}${'not '.repeat(63)}lower(http.host) eq "a"${')'.repeat(64)}`],
		[
			'many nested groups in a row',
			Array.from({length: 9}, () => `${'('.repeat(100)}ssl${')'.repeat(100)}`).join(' or '),
		],
	])('%s', (_name, text) => {
		expect(analyse(text).errors).toEqual([]);
	});
});

describe('expressions that the engine rejects', () => {
	test.each([
		['a tab between words', 'ssl\tand ssl'],
		['a raw string with 256 #', `http.host eq r${'#'.repeat(256)}"a"${'#'.repeat(256)}`],
		['fewer # at the end of a raw string', 'http.host eq r##"a"#'],
		['a string that ends in a backslash', 'http.host eq "abc\\'],
		['an octal escape beyond a byte', String.raw`http.host eq "\400"`],
		['hex digits in a decimal number', 'cf.edge.server_port eq 10fe'],
		['a minus sign before a hex number', 'cf.edge.server_port eq -0x10'],
		['five parts of an address', 'ip.src in {192.0.2.0.0/24}'],
		['more bits than an address has', 'ip.src in {192.0.2.0/100}'],
		['bits that are not a number', 'ip.src in {::/.1}'],
		['bytes as a pattern', 'http.host wildcard 61:20:71'],
		['one byte by itself', 'http.host eq 01'],
		['space before an index', 'http.request.headers ["a"][0] eq "b"'],
		['a negative index', 'http.request.headers["a"][-1] eq "b"'],
		[
			'several conditions within any without parentheses',
			'any(http.request.headers.names[*] eq "a" or http.request.headers.names[*] eq "b")',
		],
		['a condition for each value and another', 'any((http.request.headers.names[*] eq "a" and ssl))'],
		['a condition for each value outside any and all', 'http.request.headers.names[*] eq "a"'],
		['two spaces within strict wildcard', 'http.host strict  wildcard "a"'],
		['a function within 128 levels', `${'('.repeat(128)}lower(http.host) eq "a"${')'.repeat(128)}`],
	])('%s', (_name, text) => {
		expect(analyse(text).errors).toHaveLength(1);
	});
});

/** Formats an expression with parentheses around each operation. */
function formatGrouped(text: string, expression: Expression | undefined): string {
	if (!expression) return '';
	switch (expression.kind) {
		case 'logical':
			return `(${expression.operands.map(one => formatGrouped(text, one)).join(` ${expression.operator} `)})`;
		case 'not':
			return `(not ${formatGrouped(text, expression.operand)})`;
		case 'group':
			return formatGrouped(text, expression.inner);
		default:
			return text.slice(expression.start, expression.end);
	}
}

describe('operator precedence', () => {
	test.each([
		['ssl or ssl and ssl', '(ssl or (ssl and ssl))'],
		['ssl and ssl or ssl', '((ssl and ssl) or ssl)'],
		['ssl xor ssl or ssl', '((ssl xor ssl) or ssl)'],
		['ssl or ssl xor ssl and ssl', '(ssl or (ssl xor (ssl and ssl)))'],
		['ssl and ssl xor ssl and ssl', '((ssl and ssl) xor (ssl and ssl))'],
		['ssl && ssl and ssl', '(ssl and ssl and ssl)'],
		['not ssl and ssl', '((not ssl) and ssl)'],
		['! not !ssl || ssl', '((not (not (not ssl))) or ssl)'],
		['not http.host eq "a" xor ssl', '((not http.host eq "a") xor ssl)'],
		['(ssl or ssl) and ssl', '((ssl or ssl) and ssl)'],
	])('%s', (text, expected) => {
		expect(formatGrouped(text, analyse(text).tree)).toBe(expected);
	});
});

describe('reading messages of the engine', () => {
	const lines = 'cf.edge.server_port == 80 or\ncf.edge.server_port == true or\nssl';
	test.each([
		[
			'a marked text up to the end of its line',
			lines,
			'(2:24)',
			' '.repeat(23),
			'^^^^^^^',
			'true or',
			'expected digit',
		],
		[
			'a marked text without length',
			'ssl',
			'(1:4)',
			'   ',
			'^',
			'',
			'expected value of type Bool, but got Array(Bool)',
		],
		[
			'a marked text that begins with a space',
			'ssl in {0}',
			'(1:4)',
			'   ',
			'^^^^^^^',
			' in {0}',
			'unrecognised input',
		],
		[
			'columns that count bytes',
			'http.host eq "é" and portal',
			'(1:23)',
			' '.repeat(22),
			'^^^^^^',
			'portal',
			'unknown identifier',
		],
	])('%s', (_name, text, position, indent, carets, markedText, sentence) => {
		const quotedLine = text.split('\n')[Number(position.charAt(1)) - 1] ?? '';
		const read = readEngineMessage(
			`Filter parsing error ${position}:\n${quotedLine}\n${indent}${carets} ${sentence}\n`,
			text,
		);
		expect(read && text.slice(read.span.start, read.span.end)).toBe(markedText);
		expect(read?.sentence).toBe(sentence);
	});

	test('only the line of the mistake is shown, with carets under the mistake', () => {
		const text = 'ssl and\n  portal\nor ssl';
		const [error] = analyse(text).errors;
		expect(error && formatEngineMessage(text, error)).toBe(
			'Filter parsing error (2:3):\n  portal\n  ^^^^^^ unknown identifier\n',
		);
	});

	test('an empty span gets one caret', () => {
		const text = 'http.host eq';
		const [error] = analyse(text).errors;
		expect(error && formatEngineMessage(text, error)).toBe(
			`Filter parsing error:\n\`http.host eq\`\n${' '.repeat(13)}^ unrecognised input\n`,
		);
	});
});
