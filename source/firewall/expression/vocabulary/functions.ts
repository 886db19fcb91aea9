import type {ExpressionFunction, Parameter} from './entries.ts';
import type {Phase} from './phases.ts';
import type {ValueType} from './value-type.ts';
import {arrayOf, boolean, bytes, integer, ip, mapOf, string, stringsByName} from './value-type.ts';

const arrays: readonly ValueType[] = [
	...[string, bytes, integer, boolean, ip].map(arrayOf),
	arrayOf(arrayOf(string)),
	arrayOf(arrayOf(integer)),
];
const maps: readonly ValueType[] = [
	stringsByName,
	mapOf(arrayOf(integer)),
	...[string, bytes, integer, boolean, ip].map(mapOf),
];

/** Types that hold single values, not lists. */
const plainArrays = arrays.filter(type => 'of' in type && !('of' in type.of));
const plainMaps = maps.filter(type => 'of' in type && !('of' in type.of));

const fieldOf = (...types: ValueType[]): Parameter => ({name: 'field', types, only: 'field'});
/** A field, or a literal with a warning: whether literals are accepted is not documented. */
const ratherFieldOf = (...types: ValueType[]): Parameter => ({...fieldOf(...types), lenient: true});
const literal = (name: string, type: ValueType, more: Partial<Parameter> = {}): Parameter => ({
	name,
	types: [type],
	only: 'literal',
	...more,
});
const text = (name: string): Parameter => ({name, types: [string]});
/** A prefix length of an address; that it must be a literal is not documented. */
const bits = (name: string, most: number): Parameter =>
	literal(name, integer, {least: 1, most, lenient: true});
/** The only fields from which query parameters can be removed. */
const queries = ['http.request.uri.query', 'raw.http.request.uri.query'] as const;
const conditions: Parameter = {name: 'condition', types: [arrayOf(boolean)]};
/** Names and positions that lead into a JSON text. */
const keys: Parameter = {name: 'key', types: [string, integer], repeated: true};

/** Phases that build values for the response or for the forwarded request. */
const inHeaderValues = [
	'http_request_transform.value',
	'http_request_late_transform.value',
	'http_response_headers_transform.value',
] as const satisfies readonly Phase[];
const inRewrites: readonly Phase[] = [
	...inHeaderValues,
	'http_request_dynamic_redirect.value',
	'http_response_cache_settings',
	'http_response_cache_settings.value',
];
const inHeaderRules = [
	'http_request_late_transform',
	'http_request_late_transform.value',
	'http_response_headers_transform',
	'http_response_headers_transform.value',
] as const satisfies readonly Phase[];
const inTransforms = [
	'http_request_transform',
	'http_request_transform.value',
	...inHeaderRules,
] as const satisfies readonly Phase[];
const inSecurityRules = [
	'http_request_firewall_custom',
	'http_ratelimit',
] as const satisfies readonly Phase[];
const inTokenRules: readonly Phase[] = ['http_request_api_gateway_early', 'http_request_api_gateway_late'];

const functionOf = (
	name: string,
	about: string,
	parameters: readonly Parameter[],
	returns: ExpressionFunction['returns'],
	more: Omit<ExpressionFunction, 'name' | 'about' | 'parameters' | 'returns'> = {},
): ExpressionFunction => ({name, about, parameters, returns, ...more});

/** Every function of the language, including those for other kinds of rules. */
export const functions: readonly ExpressionFunction[] = [
	functionOf('any', 'whether a condition holds for at least one of several values', [conditions], boolean),
	functionOf('all', 'whether a condition holds for each of several values', [conditions], boolean),
	functionOf('lower', 'text in lower case', [ratherFieldOf(string)], string),
	functionOf('upper', 'text in upper case', [ratherFieldOf(string)], string),
	functionOf(
		'starts_with',
		'whether a text begins with another',
		[fieldOf(string), {name: 'beginning', types: [string, bytes], only: 'literal', lenient: true}],
		boolean,
	),
	functionOf(
		'ends_with',
		'whether a text ends with another',
		[fieldOf(string), {name: 'end', types: [string, bytes], only: 'literal', lenient: true}],
		boolean,
	),
	functionOf('has_key', 'whether a map has a name', [{name: 'map', types: maps}, text('key')], boolean),
	functionOf(
		'has_value',
		'whether a list or a map has a value',
		[
			{name: 'values', types: [...plainArrays, ...plainMaps]},
			{name: 'value', types: [boolean, integer, string, bytes, ip]},
		],
		boolean,
		{related: 'element'},
	),
	functionOf(
		'len',
		'bytes of a text, or how many values there are',
		[{name: 'value', types: [string, bytes, ...arrays], unclearTypes: maps}],
		integer,
	),
	functionOf(
		'coalesce',
		'the first value that is not missing',
		[
			{name: 'value', types: ['any']},
			{name: 'fallback', types: ['any'], repeated: true},
		],
		'first',
		{related: 'one type'},
	),
	functionOf(
		'concat',
		'texts or lists, one behind the other',
		[
			{name: 'value', types: [string, bytes, ...arrays]},
			{name: 'value', types: [string, bytes, ...arrays], repeated: true},
		],
		'first',
		{related: 'one kind', most: 32, once: ['http_request_transform.value']},
	),
	functionOf(
		'substring',
		'part of a text, by bytes; negative counts from its end',
		[
			fieldOf(string, bytes),
			{name: 'start', types: [integer]},
			{name: 'end', types: [integer], optional: true},
		],
		string,
	),
	functionOf(
		'join',
		'values in one text, with something between them',
		[{name: 'list', types: [arrayOf(string)]}, text('separator')],
		string,
		{phases: [...inTransforms, 'http_request_firewall_custom', 'http_custom_errors']},
	),
	functionOf(
		'url_decode',
		'text with its %XX and + decoded; "r" again and again, "u" with %uXXXX',
		[ratherFieldOf(string), literal('option', string, {optional: true, oneOf: ['r', 'u', 'ur']})],
		string,
	),
	functionOf('decode_base64', 'the decoded Base64 text', [fieldOf(string)], string, {
		phases: [
			...inTransforms,
			...inSecurityRules,
			'http_response_cache_settings',
			'http_response_cache_settings.value',
		],
	}),
	functionOf(
		'encode_base64',
		'text as Base64; "u" for addresses, "p" with padding',
		[
			{name: 'value', types: [string, bytes]},
			literal('flags', string, {optional: true, oneOf: ['u', 'p', 'up']}),
		],
		string,
		{phases: inHeaderRules},
	),
	functionOf(
		'remove_bytes',
		'text without some bytes',
		[fieldOf(string, bytes), {name: 'text', types: [string, bytes]}],
		'first',
	),
	functionOf('lookup_json_string', 'a text inside a JSON text', [ratherFieldOf(string), keys], string),
	functionOf('lookup_json_integer', 'a number inside a JSON text', [ratherFieldOf(string), keys], integer),
	functionOf(
		'hash_in_range',
		'a number from a range, the same for the same values',
		[
			{name: 'low', types: [integer]},
			{name: 'high', types: [integer]},
			{name: 'field', types: ['any'], only: 'field', lenient: true, repeated: true},
		],
		integer,
	),
	functionOf(
		'cidr',
		'network of an address, by its bits in IPv4 and in IPv6',
		[fieldOf(ip), bits('IPv4 prefix', 32), bits('IPv6 prefix', 128)],
		ip,
		{phases: inSecurityRules},
	),
	functionOf(
		'cidr6',
		'network of an IPv6 address, by its bits',
		[fieldOf(ip), bits('IPv6 prefix', 128)],
		ip,
		{phases: inSecurityRules},
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
		'is_jwt_present',
		'whether the request has a token (JWT)',
		[text('token configuration')],
		boolean,
		{plan: 'enterprise', addOn: true, phases: inTokenRules},
	),
	functionOf(
		'is_jwt_valid',
		'whether the token (JWT) of the request is valid',
		[text('token configuration')],
		boolean,
		{plan: 'enterprise', addOn: true, phases: inTokenRules},
	),
	functionOf(
		'split',
		'parts of a text between separators',
		[
			ratherFieldOf(string),
			literal('separator', string, {nonEmpty: true}),
			literal('limit', integer, {least: 1, most: 128}),
		],
		arrayOf(string),
		{
			phases: [
				'http_response_headers_transform',
				'http_response_headers_transform.value',
				'http_custom_errors',
				'http_response_cache_settings',
				'http_response_cache_settings.value',
			],
		},
	),
	functionOf(
		'regex_replace',
		'text with what a regular expression matches replaced',
		[text('source'), literal('regex', string), text('replacement')],
		string,
		{phases: inRewrites, once: true},
	),
	functionOf(
		'wildcard_replace',
		'text with what a wildcard pattern matches replaced',
		[
			fieldOf(string),
			literal('pattern', string),
			text('replacement'),
			literal('flag', string, {optional: true, oneOf: ['s']}),
		],
		string,
		{phases: inRewrites, once: true},
	),
	functionOf(
		'remove_query_args',
		'query without some of its parameters',
		[
			{name: 'field', types: [string], only: 'field', fields: queries},
			{name: 'parameter', types: [string], repeated: true},
		],
		string,
		{phases: [...inHeaderValues, 'http_response_cache_settings', 'http_response_cache_settings.value']},
	),
	functionOf(
		'to_string',
		'a number, truth value or address as text',
		[{name: 'value', types: [integer, boolean, ip]}],
		string,
		{phases: inRewrites},
	),
	functionOf('sha256', 'SHA-256 of a text, 32 bytes', [{name: 'value', types: [string, bytes]}], bytes, {
		plan: 'enterprise',
		addOn: true,
		phases: inHeaderValues,
	}),
	functionOf('uuidv4', 'a random id, made of random bytes', [{name: 'source', types: [bytes]}], string, {
		phases: inHeaderValues,
	}),
	functionOf(
		'bit_slice',
		'some bits of a packet as a number',
		[
			{name: 'protocol', types: ['any']},
			literal('start', integer, {least: 0, most: 2040}),
			literal('length', integer, {least: 1, most: 32}),
		],
		integer,
		{
			phases: [
				'ddos_l4',
				'magic_transit',
				'magic_transit_managed',
				'magic_transit_ratelimit',
				'magic_transit_ids_managed',
			],
		},
	),
];

const byName: ReadonlyMap<string, ExpressionFunction> = new Map(functions.map(one => [one.name, one]));

export const functionNamed = (name: string): ExpressionFunction | undefined => byName.get(name);
