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

const rewriteOnly = 'only in rewrite and redirect rules';

/** Every function of the language, those of other rules too. */
export const functions: readonly ExpressionFunction[] = [
	{
		name: 'any',
		about: 'whether a condition holds for at least one of several values',
		parameters: [conditions],
		returns: boolean,
	},
	{
		name: 'all',
		about: 'whether a condition holds for each of several values',
		parameters: [conditions],
		returns: boolean,
	},
	{
		name: 'lower',
		about: 'text in lower case',
		parameters: [fieldOf(string)],
		returns: string,
	},
	{
		name: 'upper',
		about: 'text in upper case',
		parameters: [fieldOf(string)],
		returns: string,
	},
	{
		name: 'starts_with',
		about: 'whether a text begins with another',
		parameters: [fieldOf(string), text('beginning')],
		returns: boolean,
	},
	{
		name: 'ends_with',
		about: 'whether a text ends with another',
		parameters: [fieldOf(string), text('end')],
		returns: boolean,
	},
	{
		name: 'len',
		about: 'bytes of a text, or how many values there are',
		parameters: [{name: 'value', types: [string, bytes, ...collections]}],
		returns: integer,
	},
	{
		name: 'concat',
		about: 'texts or lists, one behind the other',
		parameters: [
			{name: 'value', types: ['any']},
			{name: 'value', types: ['any'], repeated: true},
		],
		returns: 'first',
	},
	{
		name: 'substring',
		about: 'part of a text, by bytes; negative counts from its end',
		parameters: [
			fieldOf(string),
			{name: 'start', types: [integer]},
			{name: 'end', types: [integer], optional: true},
		],
		returns: string,
	},
	{
		name: 'join',
		about: 'values in one text, with something between them',
		parameters: [{name: 'list', types: [arrayOf(string)]}, text('separator')],
		returns: string,
	},
	{
		name: 'url_decode',
		about: 'text with its %XX and + decoded; "r" again and again, "u" with %uXXXX',
		parameters: [fieldOf(string), literal('option', string, {optional: true, oneOf: ['r', 'u', 'ur']})],
		returns: string,
	},
	{
		name: 'decode_base64',
		about: 'the decoded Base64 text',
		parameters: [fieldOf(string)],
		returns: string,
	},
	{
		name: 'remove_bytes',
		about: 'text without some bytes',
		parameters: [fieldOf(string, bytes), {name: 'text', types: [string, bytes]}],
		returns: 'first',
	},
	{
		name: 'lookup_json_string',
		about: 'a text inside a JSON text',
		parameters: [fieldOf(string), keys],
		returns: string,
	},
	{
		name: 'lookup_json_integer',
		about: 'a number inside a JSON text',
		parameters: [fieldOf(string), keys],
		returns: integer,
	},
	{
		name: 'cidr',
		about: 'network of an address, by its bits in IPv4 and in IPv6',
		parameters: [
			fieldOf(ip),
			literal('IPv4 prefix', integer, {least: 1, most: 32}),
			literal('IPv6 prefix', integer, {least: 1, most: 128}),
		],
		returns: ip,
	},
	{
		name: 'cidr6',
		about: 'network of an IPv6 address, by its bits',
		parameters: [fieldOf(ip), literal('IPv6 prefix', integer, {least: 1, most: 128})],
		returns: ip,
	},
	{
		name: 'is_timed_hmac_valid_v0',
		about: 'whether a signature with a time in it is right, and not too old',
		parameters: [
			literal('key', string),
			text('message and MAC'),
			literal('lifetime', integer),
			{name: 'now', types: [integer]},
			literal('separator length', integer, {optional: true}),
			literal('flag', string, {optional: true, oneOf: ['', 's']}),
		],
		returns: boolean,
		plan: 'pro',
	},
	{
		name: 'split',
		about: 'parts of a text between separators',
		parameters: [fieldOf(string), text('separator'), literal('limit', integer, {least: 1, most: 128})],
		returns: arrayOf(string),
		elsewhere: 'only in rules for responses and custom errors',
	},
	{
		name: 'regex_replace',
		about: 'text with what a regular expression matches replaced',
		parameters: [text('source'), literal('regex', string), text('replacement')],
		returns: string,
		elsewhere: rewriteOnly,
	},
	{
		name: 'wildcard_replace',
		about: 'text with what a wildcard pattern matches replaced',
		parameters: [
			text('source'),
			literal('pattern', string),
			text('replacement'),
			literal('flag', string, {optional: true, oneOf: ['s']}),
		],
		returns: string,
		elsewhere: rewriteOnly,
	},
	{
		name: 'remove_query_args',
		about: 'query without some of its parameters',
		parameters: [fieldOf(string), {name: 'parameter', types: [string], repeated: true}],
		returns: string,
		elsewhere: rewriteOnly,
	},
	{
		name: 'to_string',
		about: 'a number, truth value or address as text',
		parameters: [{name: 'value', types: [integer, boolean, ip]}],
		returns: string,
		elsewhere: rewriteOnly,
	},
	{
		name: 'uuidv4',
		about: 'a random id, made of random bytes',
		parameters: [{name: 'source', types: [bytes]}],
		returns: string,
		elsewhere: rewriteOnly,
	},
	{
		name: 'bit_slice',
		about: 'some bits of a packet as a number',
		parameters: [{name: 'protocol', types: ['any']}, literal('start', integer), literal('length', integer)],
		returns: integer,
		elsewhere: 'only in rules of the network firewall',
	},
];

const byName: ReadonlyMap<string, ExpressionFunction> = new Map(functions.map(one => [one.name, one]));

export const functionNamed = (name: string): ExpressionFunction | undefined => byName.get(name);
