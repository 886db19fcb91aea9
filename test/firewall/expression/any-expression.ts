import {formatType} from '../../../source/firewall/expression/expressions.ts';
import {fields} from '../../../source/firewall/expression/vocabulary/fields.ts';
import {defaultPhase} from '../../../source/firewall/expression/vocabulary/phases.ts';
import {getVerdict} from '../../../source/firewall/expression/vocabulary/verdict.ts';

/** Draws an integer from 0 up to, and not including, `below`. */
export type Choose = (below: number) => number;

/** Draws pseudo-random numbers, the same in every run with the same seed (mulberry32). */
export function createChooser(seed: number): Choose {
	let state = seed >>> 0;
	return below => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const usableFields = fields.filter(field => getVerdict(field, defaultPhase).kind !== 'error');
const listFieldNames = (type: string): readonly string[] =>
	usableFields.filter(field => field.type && formatType(field.type) === type).map(field => field.name);

const strings = listFieldNames('String');
const integers = listFieldNames('Integer');
const booleans = listFieldNames('Boolean');
const addresses = listFieldNames('IP');
const arrays = listFieldNames('Array<String>');
const integerArrays = listFieldNames('Array<Integer>');
const maps = listFieldNames('Map<Array<String>>');

const chooseOne = <Thing>(choose: Choose, things: readonly Thing[]): Thing => {
	const thing = things[choose(things.length)];
	if (thing === undefined) throw new RangeError('nothing to choose from');
	return thing;
};
const chooseMany = <Thing>(choose: Choose, maxCount: number, make: () => Thing): Thing[] =>
	Array.from({length: 1 + choose(maxCount)}, make);

/** A well-typed expression that the service would accept on the Enterprise plan. */
export function anyExpression(choose: Choose, depth = 3): string {
	const parts = chooseMany(choose, 3, () => condition(choose, depth));
	return parts.reduce(
		(text, part) =>
			`${text}${space(choose)}${chooseOne(choose, ['and', 'or', 'xor', '&&', '||', '^^'])}${space(choose)}${part}`,
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
				return `${chooseOne(choose, ['any', 'all'])}(${elementCondition(choose)})`;
			default:
		}
	return comparison(choose);
}

function elementCondition(choose: Choose): string {
	switch (choose(5)) {
		case 0:
			return `${chooseOne(choose, arrays)}[*] ${stringOperation(choose)}`;
		case 1:
			return `${chooseOne(choose, maps)}[${mapKey(choose)}][*] ${stringOperation(choose)}`;
		case 2:
			return `lower(${chooseOne(choose, arrays)}[*])[*] ${stringOperation(choose)}`;
		case 3:
			return `${chooseOne(choose, integerArrays)}[*] ${numberOperation(choose)}`;
		default:
			return `(starts_with(${chooseOne(choose, arrays)}[*], ${quoted(choose)}) or not ${chooseOne(choose, arrays)}[*] ${stringOperation(choose)})`;
	}
}

function comparison(choose: Choose): string {
	switch (choose(8)) {
		case 0:
			return chooseOne(choose, booleans);
		case 1:
			return `${chooseOne(choose, integers)}${space(choose)}${numberOperation(choose)}`;
		case 2:
			return `${chooseOne(choose, addresses)}${space(choose)}${addressOperation(choose)}`;
		case 3:
			return `${chooseOne(choose, maps)}["x"][${arrayIndex(choose)}]${space(choose)}${stringOperation(choose)}`;
		case 4:
			return `${chooseOne(choose, ['starts_with', 'ends_with'])}(${stringValue(choose)},${blank(choose)}${quoted(choose)})`;
		case 5:
			return `len(${chooseOne(choose, [...strings, ...arrays])})${space(choose)}${numberOperation(choose)}`;
		default:
			return `${stringValue(choose)}${space(choose)}${stringOperation(choose)}`;
	}
}

function stringValue(choose: Choose): string {
	const field = chooseOne(choose, strings);
	switch (choose(8)) {
		case 0:
			return `lower(${field})`;
		case 1:
			return `upper(url_decode(${blank(choose)}${field}))`;
		case 2:
			return `concat(${field}, "/", ${chooseOne(choose, strings)})`;
		case 3:
			return `substring(${field}, ${choose(9)}, -1)`;
		case 4:
			return `lookup_json_string(${field}, "a", ${choose(4)})`;
		default:
			return field;
	}
}

function stringOperation(choose: Choose): string {
	switch (choose(6)) {
		case 0:
			return `in {${blank(choose)}${chooseMany(choose, 4, () => quoted(choose)).join(space(choose))}${blank(choose)}}`;
		case 1:
			return `in $${chooseOne(choose, ['blocked', 'cf.malware', 'list_2'])}`;
		case 2:
			return `${chooseOne(choose, ['matches', '~'])} ${chooseOne(choose, ['"^/a[0-9\\"]+$"', 'r"\\d+"', '"\\\\.php$"', 'r#"a"b"#'])}`;
		case 3:
			return `${chooseOne(choose, ['wildcard', 'strict wildcard'])} ${chooseOne(choose, ['"*"', '"/a/*.php"', 'r"\\*x*"'])}`;
		case 4:
			return `contains ${chooseOne(choose, ['0a:1b:2c', '00-ff', quoted(choose)])}`;
		default:
			return `${chooseOne(choose, ['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='])}${withSpaceBefore(choose, quoted(choose))}`;
	}
}

const quoted = (choose: Choose): string =>
	chooseOne(choose, [
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

/** Keys of maps are in plain quotes; raw strings are not allowed. */
const mapKey = (choose: Choose): string =>
	chooseOne(choose, ['""', '"a"', '"ä😀"', '"\\x41\\101\\\\ \\""', '"{1 2}"']);

const arrayIndex = (choose: Choose): string => chooseOne(choose, ['0', '7', '017', '0x1F']);

const integerLiteral = (choose: Choose): string =>
	chooseOne(choose, ['0', '1', '-7', '443', '0x1F', '017', '9223372036854775807', '-9223372036854775808']);

function numberOperation(choose: Choose): string {
	switch (choose(4)) {
		case 0:
			return `in {${blank(choose)}${chooseMany(choose, 4, () => chooseOne(choose, [integerLiteral(choose), '1..5', '-3..0x10'])).join(space(choose))}}`;
		case 1:
			return `in $ports`;
		case 2:
			return `${chooseOne(choose, ['&', 'bitwise_and'])} ${integerLiteral(choose)}`;
		default:
			return `${chooseOne(choose, ['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='])} ${integerLiteral(choose)}`;
	}
}

const addressTexts = ['192.0.2.1', '::1', '2001:db8::', '::ffff:192.0.2.1'];

function addressOperation(choose: Choose): string {
	switch (choose(3)) {
		case 0:
			return `in {${chooseMany(choose, 4, () => chooseOne(choose, [...addressTexts, '10.0.0.0/8', '2001:db8::/32', '192.0.2.1..192.0.2.9', '::1..::2'])).join(space(choose))}}`;
		case 1:
			return `in $blocked`;
		default:
			return `${chooseOne(choose, ['eq', 'ne', '==', '!='])} ${chooseOne(choose, addressTexts)}`;
	}
}

/** Separates an operator from a raw string; before other values, the space is optional. */
const withSpaceBefore = (choose: Choose, value: string): string =>
	value.startsWith('r') ? ` ${value}` : blank(choose) + value;

const space = (choose: Choose): string => chooseOne(choose, [' ', ' ', ' ', '  ', '\n', '\r\n ']);
const blank = (choose: Choose): string => chooseOne(choose, ['', '', '', ' ', '\n']);

/** Pieces of the language, of similar languages, and of none. */
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

/** Text that is rarely an expression: pieces in a row, or a valid expression with changes. */
export function createMalformedText(choose: Choose): string {
	if (choose(2) === 0)
		return chooseMany(choose, 24, () => chooseOne(choose, pieces) + (choose(3) === 0 ? '' : ' ')).join('');
	return mutateText(choose, anyExpression(choose, 2));
}

/** Makes one to three changes to a text. */
export function mutateText(choose: Choose, text: string): string {
	let changed = text;
	for (let change = 1 + choose(3); change > 0; change--) {
		const from = choose(changed.length + 1);
		const to = Math.min(changed.length, from + choose(6));
		const inserted = choose(3) === 0 ? '' : chooseOne(choose, pieces);
		changed = changed.slice(0, from) + inserted + changed.slice(choose(2) === 0 ? from : to);
	}
	return changed;
}
