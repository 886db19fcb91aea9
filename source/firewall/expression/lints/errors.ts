import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Kinds of errors: the service rejects such expressions. */
export const errorLints = [
	{
		code: 'E001',
		level: 'error',
		title: 'Syntax error',
		explanation:
			'The text does not have the structure of an expression: an operator, a quote or a parenthesis is missing or too many. The correction, if there is one, is what was probably meant.',
		example: {wrong: 'http.host eq example.com', right: 'http.host eq "example.com"'},
		page: pages.expressions,
	},
	{
		code: 'E002',
		level: 'error',
		title: 'Invalid type, value or argument',
		explanation:
			'The structure is right, but an operator, a value or an argument does not fit the type of the field or function.',
		example: {wrong: 'len(ssl) gt 5', right: 'len(http.host) gt 5'},
		page: pages.operators,
	},
	{
		code: 'E003',
		level: 'error',
		title: 'Unknown field or function',
		explanation:
			'No field or function had this name when the lists of ledge were made. If the service has a new one, --allow-unknown makes this a warning.',
		example: {wrong: 'http.hots eq "example.com"', right: 'http.host eq "example.com"'},
		page: pages.fields,
	},
	{
		code: 'E004',
		level: 'error',
		title: 'Not available in this kind of rule',
		explanation:
			'The field or function exists, but not in rules of this phase. If the service has changed, --allow-unknown makes this a warning.',
		example: {
			wrong: 'sha256(http.host) eq "00"',
			right: 'http.host eq "example.com"',
		},
		page: pages.phases,
	},
	{
		code: 'E005',
		level: 'error',
		title: 'Not available on the plan of the zone',
		explanation:
			'The field, function, operator or list needs a higher plan than the zone has. If the service has changed, --allow-unknown makes this a warning.',
		example: {
			wrong: 'http.host matches "^shop[.]"',
			right: 'starts_with(http.host, "shop.")',
			context: {plan: 'pro'},
		},
		page: pages.operators,
	},
	{
		code: 'E006',
		level: 'error',
		title: 'Expression too long',
		explanation:
			'An expression can have at most 4,096 characters. Use a list of the account for many values, or several rules.',
		example: {
			wrong: `http.host in {"a.example"${' '.repeat(4096)}"b.example"}`,
			right: 'http.host in {"a.example" "b.example"}',
		},
		page: pages.expressions,
	},
	{
		code: 'E007',
		level: 'error',
		title: 'Invalid regular expression',
		explanation:
			'The engine uses the syntax of Rust: no look-around and no back-references. Escape brackets and repetition signs that are meant literally.',
		example: {wrong: 'http.host matches "^(shop"', right: 'http.host matches "^(shop)"'},
		page: pages.operators,
	},
	{
		code: 'E008',
		level: 'error',
		title: 'Response or packet field in rules for requests',
		explanation:
			'The field describes a response, or a network packet, which does not exist yet when such a rule runs. Use a kind of rule that runs later, or a field of the request.',
		example: {wrong: 'http.response.code eq 404', right: 'http.request.uri.path eq "/missing"'},
		page: pages.phases,
	},
] as const satisfies readonly Lint[];
