import {formatType} from '../../../source/firewall/expression/expressions.ts';
import {fields} from '../../../source/firewall/expression/vocabulary/fields.ts';
import {defaultPhase} from '../../../source/firewall/expression/vocabulary/phases.ts';
import {getVerdict} from '../../../source/firewall/expression/vocabulary/verdict.ts';

/** Numbers from 0 up to, and not including, `below`. */
export type Choose = (below: number) => number;

/** Numbers that look random and are the same in every run with the same seed (mulberry32). */
export function chooser(seed: number): Choose {
	let state = seed >>> 0;
	return below => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const usable = fields.filter(field => getVerdict(field, defaultPhase).kind !== 'error');
const named = (type: string): readonly string[] =>
	usable.filter(field => field.type && formatType(field.type) === type).map(field => field.name);

const strings = named('String');
const integers = named('Integer');
const booleans = named('Boolean');
const addresses = named('IP');
const arrays = named('Array<String>');
const integerArrays = named('Array<Integer>');
const maps = named('Map<Array<String>>');

const one = <Thing>(choose: Choose, things: readonly Thing[]): Thing => {
	const thing = things[choose(things.length)];
	if (thing === undefined) throw new RangeError('nothing to choose from');
	return thing;
};
const many = <Thing>(choose: Choose, most: number, make: () => Thing): Thing[] =>
	Array.from({length: 1 + choose(most)}, make);

/** A well-typed expression that the service would take on the Enterprise plan. */
export function anyExpression(choose: Choose, depth = 3): string {
	const parts = many(choose, 3, () => condition(choose, depth));
	return parts.reduce(
		(text, part) =>
			`${text}${space(choose)}${one(choose, ['and', 'or', 'xor', '&&', '||', '^^'])}${space(choose)}${part}`,
	);
}

function condition(choose: Choose, depth: number): string {
	if (depth > 0)
		switch (choose(8)) {
			case 0:
				return `(${blank(choose)}${anyExpression(choose, depth - 1)}${blank(choose)})`;
			case 1:
				return `not ${condition(choose, depth - 1)}`;
			case 2:
				return `!${blank(choose)}${condition(choose, depth - 1)}`;
			case 3:
				return `${one(choose, ['any', 'all'])}(${forEach(choose)})`;
			default:
		}
	return comparison(choose);
}

function forEach(choose: Choose): string {
	switch (choose(5)) {
		case 0:
			return `${one(choose, arrays)}[*] ${text(choose)}`;
		case 1:
			return `${one(choose, maps)}[${key(choose)}][*] ${text(choose)}`;
		case 2:
			return `lower(${one(choose, arrays)}[*])[*] ${text(choose)}`;
		case 3:
			return `${one(choose, integerArrays)}[*] ${number(choose)}`;
		default:
			return `(starts_with(${one(choose, arrays)}[*], ${quoted(choose)}) or not ${one(choose, arrays)}[*] ${text(choose)})`;
	}
}

function comparison(choose: Choose): string {
	switch (choose(8)) {
		case 0:
			return one(choose, booleans);
		case 1:
			return `${one(choose, integers)}${space(choose)}${number(choose)}`;
		case 2:
			return `${one(choose, addresses)}${space(choose)}${address(choose)}`;
		case 3:
			return `${one(choose, maps)}["x"][${position(choose)}]${space(choose)}${text(choose)}`;
		case 4:
			return `${one(choose, ['starts_with', 'ends_with'])}(${stringValue(choose)},${blank(choose)}${quoted(choose)})`;
		case 5:
			return `len(${one(choose, [...strings, ...arrays])})${space(choose)}${number(choose)}`;
		default:
			return `${stringValue(choose)}${space(choose)}${text(choose)}`;
	}
}

function stringValue(choose: Choose): string {
	const field = one(choose, strings);
	switch (choose(8)) {
		case 0:
			return `lower(${field})`;
		case 1:
			return `upper(url_decode(${blank(choose)}${field}))`;
		case 2:
			return `concat(${field}, "/", ${one(choose, strings)})`;
		case 3:
			return `substring(${field}, ${choose(9)}, -1)`;
		case 4:
			return `lookup_json_string(${field}, "a", ${choose(4)})`;
		default:
			return field;
	}
}

function text(choose: Choose): string {
	switch (choose(6)) {
		case 0:
			return `in {${blank(choose)}${many(choose, 4, () => quoted(choose)).join(space(choose))}${blank(choose)}}`;
		case 1:
			return `in $${one(choose, ['blocked', 'cf.malware', 'list_2'])}`;
		case 2:
			return `${one(choose, ['matches', '~'])} ${one(choose, ['"^/a[0-9\\"]+$"', 'r"\\d+"', '"\\\\.php$"', 'r#"a"b"#'])}`;
		case 3:
			return `${one(choose, ['wildcard', 'strict wildcard'])} ${one(choose, ['"*"', '"/a/*.php"', 'r"\\*x*"'])}`;
		case 4:
			return `contains ${one(choose, ['0a:1b:2c', '00-ff', quoted(choose)])}`;
		default:
			return `${one(choose, ['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='])}${behind(choose, quoted(choose))}`;
	}
}

const quoted = (choose: Choose): string =>
	one(choose, [
		'""',
		'"a"',
		'"example.com"',
		'"ä😀"',
		'"\\x41\\101\\\\ \\""',
		'r"C:\\"',
		'r##"a"#b"##',
		'"and or not"',
		'"{1 2}"',
		'"ends in space "',
	]);

/** The names of values stand in plain quotes: raw strings are no names. */
const key = (choose: Choose): string =>
	one(choose, ['""', '"a"', '"ä😀"', '"\\x41\\101\\\\ \\""', '"{1 2}"']);

const position = (choose: Choose): string => one(choose, ['0', '7', '017', '0x1F']);

const digits = (choose: Choose): string =>
	one(choose, ['0', '1', '-7', '443', '0x1F', '017', '9223372036854775807', '-9223372036854775808']);

function number(choose: Choose): string {
	switch (choose(4)) {
		case 0:
			return `in {${blank(choose)}${many(choose, 4, () => one(choose, [digits(choose), '1..5', '-3..0x10'])).join(space(choose))}}`;
		case 1:
			return `in $ports`;
		case 2:
			return `${one(choose, ['&', 'bitwise_and'])} ${digits(choose)}`;
		default:
			return `${one(choose, ['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='])} ${digits(choose)}`;
	}
}

const addressTexts = ['192.0.2.1', '::1', '2001:db8::', '::ffff:192.0.2.1'];

function address(choose: Choose): string {
	switch (choose(3)) {
		case 0:
			return `in {${many(choose, 4, () => one(choose, [...addressTexts, '10.0.0.0/8', '2001:db8::/32', '192.0.2.1..192.0.2.9', '::1..::2'])).join(space(choose))}}`;
		case 1:
			return `in $blocked`;
		default:
			return `${one(choose, ['eq', 'ne', '==', '!='])} ${one(choose, addressTexts)}`;
	}
}

/** A keyword and a raw string must not run together. */
const behind = (choose: Choose, value: string): string =>
	value.startsWith('r') ? ` ${value}` : blank(choose) + value;

const space = (choose: Choose): string => one(choose, [' ', ' ', ' ', '  ', '\n', '\r\n ']);
const blank = (choose: Choose): string => one(choose, ['', '', '', ' ', '\n']);

/** Pieces of the language, of its neighbours and of nothing at all. */
const pieces = [
	...[
		'(',
		')',
		'{',
		'}',
		'[',
		']',
		'[*]',
		',',
		' ',
		'  ',
		'\n',
		'\t',
		'"',
		"'",
		'`',
		'“',
		'”',
		'\\',
		'$',
		'$list',
		'*',
		';',
	],
	...[
		'and',
		'or',
		'xor',
		'not',
		'&&',
		'||',
		'^^',
		'!',
		'AND',
		'Not',
		'&',
		'|',
		'eq',
		'ne',
		'==',
		'=',
		'!=',
		'===',
		'<',
		'>=',
	],
	...[
		'contains',
		'matches',
		'~',
		'=~',
		'wildcard',
		'strict wildcard',
		'strict',
		'in',
		'IN',
		'true',
		'false',
		'TRUE',
		'is',
	],
	...[
		'http.host',
		'ip.src',
		'ssl',
		'cf.edge.server_port',
		'http.request.headers',
		'http.request.headers.names',
		'ip.addr',
	],
	...[
		'lower',
		'any',
		'all',
		'starts_with',
		'ends_with',
		'len',
		'concat',
		'nothing',
		'http.hsot',
		'ip.geoip.country',
	],
	...[
		'"a"',
		'"a.b"',
		'"[',
		'r"',
		'r#"',
		'r"x"',
		'"\\x4',
		'1',
		'010',
		'-',
		'1..5',
		'5..1',
		'0x',
		'10.0.0.0/8',
		'10.0.0.1/8',
		'::1',
	],
	...[
		'0a:1b',
		'99999999999999999999',
		'😀',
		'\u00a0',
		'\u0000',
		'\ud800',
		'é',
		'/path',
		'*.example.com',
		'a',
	],
];

/** Something that is hardly ever an expression: pieces in a row, or a good one with something changed in it. */
export function anyText(choose: Choose): string {
	if (choose(2) === 0)
		return many(choose, 24, () => one(choose, pieces) + (choose(3) === 0 ? '' : ' ')).join('');
	return broken(choose, anyExpression(choose, 2));
}

/** A text with one to three changes in it. */
export function broken(choose: Choose, text: string): string {
	let changed = text;
	for (let change = 1 + choose(3); change > 0; change--) {
		const from = choose(changed.length + 1);
		const to = Math.min(changed.length, from + choose(6));
		const between = choose(3) === 0 ? '' : one(choose, pieces);
		changed = changed.slice(0, from) + between + changed.slice(choose(2) === 0 ? from : to);
	}
	return changed;
}
