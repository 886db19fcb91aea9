import type {ExpressionFunction, Parameter} from './entries.ts';
import type {ValueType} from './value-type.ts';
import {arrayOf, boolean, bytes, integer, ip, mapOf, string, stringsByName} from './value-type.ts';

/** The types of fields that hold several values. */
const collections: readonly ValueType[] = [
	arrayOf(string),
	arrayOf(integer),
	arrayOf(arrayOf(string)),
	stringsByName,
	mapOf(arrayOf(integer)),
	mapOf(integer),
];

const fieldOf = (...types: ValueType[]): Parameter => ({name: 'field', types, only: 'field'});
const literal = (name: string, type: ValueType, more: Partial<Parameter> = {}): Parameter => ({
	name,
	types: [type],
	only: 'literal',
	...more,
});
const text = (name: string): Parameter => ({name, types: [string]});
const conditions: Parameter = {name: 'condition', types: [arrayOf(boolean)]};
/** Names and positions on the way into a JSON text. */
const keys: Parameter = {name: 'key', types: [string, integer], repeated: true};

const inRewrites = {elsewhere: 'only in rewrite and redirect rules'};

const functionOf = (
	name: string,
	about: string,
	parameters: readonly Parameter[],
	returns: ExpressionFunction['returns'],
	more: Pick<ExpressionFunction, 'plan' | 'elsewhere'> = {},
): ExpressionFunction => ({name, about, parameters, returns, ...more});

/** Every function of the language, those of other rules too. */
export const functions: readonly ExpressionFunction[] = [
	functionOf('any', 'whether a condition holds for at least one of several values', [conditions], boolean),
	functionOf('all', 'whether a condition holds for each of several values', [conditions], boolean),
	functionOf('lower', 'text in lower case', [fieldOf(string)], string),
	functionOf('upper', 'text in upper case', [fieldOf(string)], string),
	functionOf(
		'starts_with',
		'whether a text begins with another',
		[fieldOf(string), text('beginning')],
		boolean,
	),
	functionOf('ends_with', 'whether a text ends with another', [fieldOf(string), text('end')], boolean),
	functionOf(
		'len',
		'bytes of a text, or how many values there are',
		[{name: 'value', types: [string, bytes, ...collections]}],
		integer,
	),
	functionOf(
		'concat',
		'texts or lists, one behind the other',
		[
			{name: 'value', types: ['any']},
			{name: 'value', types: ['any'], repeated: true},
		],
		'first',
	),
	functionOf(
		'substring',
		'part of a text, by bytes; negative counts from its end',
		[fieldOf(string), {name: 'start', types: [integer]}, {name: 'end', types: [integer], optional: true}],
		string,
	),
	functionOf(
		'join',
		'values in one text, with something between them',
		[{name: 'list', types: [arrayOf(string)]}, text('separator')],
		string,
	),
	functionOf(
		'url_decode',
		'text with its %XX and + decoded; "r" again and again, "u" with %uXXXX',
		[fieldOf(string), literal('option', string, {optional: true, oneOf: ['r', 'u', 'ur']})],
		string,
	),
	functionOf('decode_base64', 'the decoded Base64 text', [fieldOf(string)], string),
	functionOf(
		'remove_bytes',
		'text without some bytes',
		[fieldOf(string, bytes), {name: 'text', types: [string, bytes]}],
		'first',
	),
	functionOf('lookup_json_string', 'a text inside a JSON text', [fieldOf(string), keys], string),
	functionOf('lookup_json_integer', 'a number inside a JSON text', [fieldOf(string), keys], integer),
	functionOf(
		'cidr',
		'network of an address, by its bits in IPv4 and in IPv6',
		[
			fieldOf(ip),
			literal('IPv4 prefix', integer, {least: 1, most: 32}),
			literal('IPv6 prefix', integer, {least: 1, most: 128}),
		],
		ip,
	),
	functionOf(
		'cidr6',
		'network of an IPv6 address, by its bits',
		[fieldOf(ip), literal('IPv6 prefix', integer, {least: 1, most: 128})],
		ip,
	),
	functionOf(
		'is_timed_hmac_valid_v0',
		'whether a signature with a time in it is right, and not too old',
		[
			literal('key', string),
			text('message and MAC'),
			literal('lifetime', integer),
			{name: 'now', types: [integer]},
			literal('separator length', integer, {optional: true}),
			literal('flag', string, {optional: true, oneOf: ['', 's']}),
		],
		boolean,
		{plan: 'pro'},
	),
	functionOf(
		'split',
		'parts of a text between separators',
		[fieldOf(string), text('separator'), literal('limit', integer, {least: 1, most: 128})],
		arrayOf(string),
		{elsewhere: 'only in rules for responses and custom errors'},
	),
	functionOf(
		'regex_replace',
		'text with what a regular expression matches replaced',
		[text('source'), literal('regex', string), text('replacement')],
		string,
		inRewrites,
	),
	functionOf(
		'wildcard_replace',
		'text with what a wildcard pattern matches replaced',
		[
			text('source'),
			literal('pattern', string),
			text('replacement'),
			literal('flag', string, {optional: true, oneOf: ['s']}),
		],
		string,
		inRewrites,
	),
	functionOf(
		'remove_query_args',
		'query without some of its parameters',
		[fieldOf(string), {name: 'parameter', types: [string], repeated: true}],
		string,
		inRewrites,
	),
	functionOf(
		'to_string',
		'a number, truth value or address as text',
		[{name: 'value', types: [integer, boolean, ip]}],
		string,
		inRewrites,
	),
	functionOf(
		'uuidv4',
		'a random id, made of random bytes',
		[{name: 'source', types: [bytes]}],
		string,
		inRewrites,
	),
	functionOf(
		'bit_slice',
		'some bits of a packet as a number',
		[{name: 'protocol', types: ['any']}, literal('start', integer), literal('length', integer)],
		integer,
		{elsewhere: 'only in rules of the network firewall'},
	),
];

const byName: ReadonlyMap<string, ExpressionFunction> = new Map(functions.map(one => [one.name, one]));

export const functionNamed = (name: string): ExpressionFunction | undefined => byName.get(name);
