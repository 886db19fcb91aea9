import type {ExpressionFunction, Parameter} from './entries.ts';
import type {Phase} from './phases.ts';
import type {ValueType} from './value-type.ts';
import {
	booleanType,
	bytesType,
	headerMapType,
	integerType,
	ipType,
	stringType,
	toArrayType,
	toMapType,
} from './value-type.ts';

const arrayTypes: readonly ValueType[] = [
	...[stringType, bytesType, integerType, booleanType, ipType].map(toArrayType),
	toArrayType(toArrayType(stringType)),
	toArrayType(toArrayType(integerType)),
];
const mapTypes: readonly ValueType[] = [
	headerMapType,
	toMapType(toArrayType(integerType)),
	...[stringType, bytesType, integerType, booleanType, ipType].map(toMapType),
];

/** Types that hold single values, not lists. */
const plainArrayTypes = arrayTypes.filter(type => 'of' in type && !('of' in type.of));
const plainMapTypes = mapTypes.filter(type => 'of' in type && !('of' in type.of));

const acceptField = (...types: ValueType[]): Parameter => ({name: 'field', types, requiredKind: 'field'});
/** A field, or a literal with a warning: whether literals are accepted is not documented. */
const preferField = (...types: ValueType[]): Parameter => ({...acceptField(...types), lenient: true});
const acceptLiteral = (name: string, type: ValueType, extra: Partial<Parameter> = {}): Parameter => ({
	name,
	types: [type],
	requiredKind: 'literal',
	...extra,
});
const acceptText = (name: string): Parameter => ({name, types: [stringType]});
/** A prefix length of an address; that it must be a literal is not documented. */
const acceptPrefixBits = (name: string, maxBits: number): Parameter =>
	acceptLiteral(name, integerType, {minValue: 1, maxValue: maxBits, lenient: true});
/** The only fields from which query parameters can be removed. */
const queryFields = ['http.request.uri.query', 'raw.http.request.uri.query'] as const;
const conditionParameter: Parameter = {name: 'condition', types: [toArrayType(booleanType)]};
/** A name or a position on the way into a JSON text. */
const jsonKeyParameter: Parameter = {name: 'key', types: [stringType, integerType], repeated: true};

/** Phases that build values for the response or for the forwarded request. */
const headerValuePhases = [
	'http_request_transform.value',
	'http_request_late_transform.value',
	'http_response_headers_transform.value',
] as const satisfies readonly Phase[];
const rewritePhases: readonly Phase[] = [
	...headerValuePhases,
	'http_request_dynamic_redirect.value',
	'http_response_cache_settings',
	'http_response_cache_settings.value',
];
const headerRulePhases = [
	'http_request_late_transform',
	'http_request_late_transform.value',
	'http_response_headers_transform',
	'http_response_headers_transform.value',
] as const satisfies readonly Phase[];
const transformPhases = [
	'http_request_transform',
	'http_request_transform.value',
	...headerRulePhases,
] as const satisfies readonly Phase[];
const securityPhases = ['http_request_firewall_custom', 'http_ratelimit'] as const satisfies readonly Phase[];
const tokenPhases: readonly Phase[] = ['http_request_api_gateway_early', 'http_request_api_gateway_late'];

const defineFunction = (
	name: string,
	about: string,
	parameters: readonly Parameter[],
	returns: ExpressionFunction['returns'],
	extra: Omit<ExpressionFunction, 'name' | 'about' | 'parameters' | 'returns'> = {},
): ExpressionFunction => ({name, about, parameters, returns, ...extra});

/** Every function of the language, including those for other kinds of rules. */
export const functions: readonly ExpressionFunction[] = [
	defineFunction(
		'any',
		'whether a condition is true for at least one of several values',
		[conditionParameter],
		booleanType,
	),
	defineFunction(
		'all',
		'whether a condition is true for all of several values',
		[conditionParameter],
		booleanType,
	),
	defineFunction('lower', 'string in lower case', [preferField(stringType)], stringType),
	defineFunction('upper', 'string in upper case', [preferField(stringType)], stringType),
	defineFunction(
		'starts_with',
		'whether a string starts with another',
		[
			acceptField(stringType),
			{name: 'prefix', types: [stringType, bytesType], requiredKind: 'literal', lenient: true},
		],
		booleanType,
	),
	defineFunction(
		'ends_with',
		'whether a string ends with another',
		[
			acceptField(stringType),
			{name: 'suffix', types: [stringType, bytesType], requiredKind: 'literal', lenient: true},
		],
		booleanType,
	),
	defineFunction(
		'has_key',
		'whether a map contains a key',
		[{name: 'map', types: mapTypes}, acceptText('key')],
		booleanType,
	),
	defineFunction(
		'has_value',
		'whether an array or a map contains a value',
		[
			{name: 'values', types: [...plainArrayTypes, ...plainMapTypes]},
			{name: 'value', types: [booleanType, integerType, stringType, bytesType, ipType]},
		],
		booleanType,
		{argumentRelation: 'element'},
	),
	defineFunction(
		'len',
		'length of a string in bytes, or of an array',
		[{name: 'value', types: [stringType, bytesType, ...arrayTypes], unclearTypes: mapTypes}],
		integerType,
	),
	defineFunction(
		'coalesce',
		"the first value that isn't missing",
		[
			{name: 'value', types: ['any']},
			{name: 'fallback', types: ['any'], repeated: true},
		],
		'first',
		{argumentRelation: 'one type'},
	),
	defineFunction(
		'concat',
		'strings or arrays joined together',
		[
			{name: 'value', types: [stringType, bytesType, ...arrayTypes]},
			{name: 'value', types: [stringType, bytesType, ...arrayTypes], repeated: true},
		],
		'first',
		{argumentRelation: 'one kind', maxArguments: 32, oncePerExpression: ['http_request_transform.value']},
	),
	defineFunction(
		'substring',
		'part of a string, in bytes; negative counts from the end',
		[
			acceptField(stringType, bytesType),
			{name: 'start', types: [integerType]},
			{name: 'end', types: [integerType], optional: true},
		],
		stringType,
	),
	defineFunction(
		'join',
		'values joined into one string with a separator',
		[{name: 'array', types: [toArrayType(stringType)]}, acceptText('separator')],
		stringType,
		{phases: [...transformPhases, 'http_request_firewall_custom', 'http_custom_errors']},
	),
	defineFunction(
		'url_decode',
		'string with %XX and + decoded; "r" repeatedly, "u" with %uXXXX',
		[preferField(stringType), acceptLiteral('option', stringType, {optional: true, oneOf: ['r', 'u', 'ur']})],
		stringType,
	),
	defineFunction('decode_base64', 'the decoded Base64 string', [acceptField(stringType)], stringType, {
		phases: [
			...transformPhases,
			...securityPhases,
			'http_response_cache_settings',
			'http_response_cache_settings.value',
		],
	}),
	defineFunction(
		'encode_base64',
		'string as Base64; "u" URL-safe, "p" with padding',
		[
			{name: 'value', types: [stringType, bytesType]},
			acceptLiteral('flags', stringType, {optional: true, oneOf: ['u', 'p', 'up']}),
		],
		stringType,
		{phases: headerRulePhases},
	),
	defineFunction(
		'remove_bytes',
		'string without the given bytes',
		[acceptField(stringType, bytesType), {name: 'text', types: [stringType, bytesType]}],
		'first',
	),
	defineFunction(
		'lookup_json_string',
		'a string in a JSON document',
		[preferField(stringType), jsonKeyParameter],
		stringType,
	),
	defineFunction(
		'lookup_json_integer',
		'a number in a JSON document',
		[preferField(stringType), jsonKeyParameter],
		integerType,
	),
	defineFunction(
		'hash_in_range',
		'a number in a range, the same for equal values',
		[
			{name: 'low', types: [integerType]},
			{name: 'high', types: [integerType]},
			{name: 'field', types: ['any'], requiredKind: 'field', lenient: true, repeated: true},
		],
		integerType,
	),
	defineFunction(
		'cidr',
		'network of an IP address, by IPv4 and IPv6 prefix length',
		[acceptField(ipType), acceptPrefixBits('IPv4 prefix', 32), acceptPrefixBits('IPv6 prefix', 128)],
		ipType,
		{phases: securityPhases},
	),
	defineFunction(
		'cidr6',
		'network of an IPv6 address, by prefix length',
		[acceptField(ipType), acceptPrefixBits('IPv6 prefix', 128)],
		ipType,
		{phases: securityPhases},
	),
	defineFunction(
		'is_timed_hmac_valid_v0',
		'whether a timestamped signature is valid and not expired',
		[
			acceptLiteral('key', stringType),
			acceptText('message and MAC'),
			acceptLiteral('lifetime', integerType),
			{name: 'now', types: [integerType]},
			acceptLiteral('separator length', integerType, {optional: true}),
			acceptLiteral('flag', stringType, {optional: true, oneOf: ['', 's']}),
		],
		booleanType,
		{plan: 'pro'},
	),
	defineFunction(
		'is_jwt_present',
		'whether the request has a token (JWT)',
		[acceptText('token configuration')],
		booleanType,
		{plan: 'enterprise', addOn: true, phases: tokenPhases},
	),
	defineFunction(
		'is_jwt_valid',
		'whether the token (JWT) of the request is valid',
		[acceptText('token configuration')],
		booleanType,
		{plan: 'enterprise', addOn: true, phases: tokenPhases},
	),
	defineFunction(
		'split',
		'a string split at a separator',
		[
			preferField(stringType),
			acceptLiteral('separator', stringType, {nonEmpty: true}),
			acceptLiteral('limit', integerType, {minValue: 1, maxValue: 128}),
		],
		toArrayType(stringType),
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
	defineFunction(
		'regex_replace',
		'string with the match of a regular expression replaced',
		[acceptText('source'), acceptLiteral('regex', stringType), acceptText('replacement')],
		stringType,
		{phases: rewritePhases, oncePerExpression: true},
	),
	defineFunction(
		'wildcard_replace',
		'string with the match of a wildcard pattern replaced',
		[
			acceptField(stringType),
			acceptLiteral('pattern', stringType),
			acceptText('replacement'),
			acceptLiteral('flag', stringType, {optional: true, oneOf: ['s']}),
		],
		stringType,
		{phases: rewritePhases, oncePerExpression: true},
	),
	defineFunction(
		'remove_query_args',
		'query string without the given parameters',
		[
			{name: 'field', types: [stringType], requiredKind: 'field', fields: queryFields},
			{name: 'parameter', types: [stringType], repeated: true},
		],
		stringType,
		{phases: [...headerValuePhases, 'http_response_cache_settings', 'http_response_cache_settings.value']},
	),
	defineFunction(
		'to_string',
		'a number, Boolean or address as a string',
		[{name: 'value', types: [integerType, booleanType, ipType]}],
		stringType,
		{phases: rewritePhases},
	),
	defineFunction(
		'sha256',
		'SHA-256 of a string, 32 bytes',
		[{name: 'value', types: [stringType, bytesType]}],
		bytesType,
		{
			plan: 'enterprise',
			addOn: true,
			phases: headerValuePhases,
		},
	),
	defineFunction(
		'uuidv4',
		'a random UUID, from random bytes',
		[{name: 'source', types: [bytesType]}],
		stringType,
		{
			phases: headerValuePhases,
		},
	),
	defineFunction(
		'bit_slice',
		'some bits of a packet as a number',
		[
			{name: 'protocol', types: ['any']},
			acceptLiteral('start', integerType, {minValue: 0, maxValue: 2040}),
			acceptLiteral('length', integerType, {minValue: 1, maxValue: 32}),
		],
		integerType,
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

export const findFunction = (name: string): ExpressionFunction | undefined => byName.get(name);
