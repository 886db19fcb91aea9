import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of the values in a set, and of values that are unlikely to be meant. */
export const valueLints = [
	{
		code: 'L100',
		level: 'warning',
		title: 'Duplicate value in a set',
		explanation:
			'A set contains the same value twice, perhaps written in another way, such as an address with and without leading zeros. The second one has no effect: remove it.',
		example: {
			wrong: 'http.host in {"a.example" "b.example" "a.example"}',
			right: 'http.host in {"a.example" "b.example"}',
		},
		page: pages.values,
	},
	{
		code: 'L101',
		level: 'warning',
		title: 'Value of a set is part of another one',
		explanation:
			'A network or range of the set contains the value already, so that it has no effect. Remove it, or the larger one if that is too large.',
		example: {wrong: 'ip.src in {8.8.0.0/16 8.8.8.8}', right: 'ip.src in {8.8.0.0/16}'},
		page: pages.values,
	},
	{
		code: 'L102',
		level: 'hint',
		title: 'Ranges of a set overlap',
		explanation: 'Two ranges of the set have values in common. Write one range for both.',
		example: {
			wrong: 'cf.edge.server_port in {8000..8100 8080..8443}',
			right: 'cf.edge.server_port in {8000..8443}',
		},
		page: pages.values,
	},
	{
		code: 'L103',
		level: 'hint',
		title: 'Anchor of a regular expression in plain text',
		explanation:
			'In regular expressions, ^ and $ mark the start and end. Other operators and functions compare them as ordinary characters. Use matches, or leave them out.',
		example: {
			wrong: 'ends_with(http.request.uri.path, ".php$")',
			right: 'ends_with(http.request.uri.path, ".php")',
		},
		page: pages.operators,
	},
	{
		code: 'L104',
		level: 'hint',
		title: 'Unknown request method',
		explanation:
			'The method is not registered, so it may be misspelt. Clients can send any method: ignore this if yours do.',
		example: {wrong: 'http.request.method eq "GETT"', right: 'http.request.method eq "GET"'},
		page: pages.fields,
	},
	{
		code: 'L105',
		level: 'hint',
		title: 'TLS version that the service refuses',
		explanation:
			'The service accepts no connections with SSL, only with TLS 1.0 and later, so that this matches nothing.',
		example: {wrong: 'cf.tls_version eq "SSLv3"', right: 'cf.tls_version eq "TLSv1"'},
		page: pages.fields,
	},
	{
		code: 'L106',
		level: 'hint',
		title: 'Media type without a subtype',
		explanation: 'A media type consists of a type and a subtype, such as text/html.',
		example: {
			wrong: 'http.response.content_type.media_type eq "html"',
			right: 'http.response.content_type.media_type eq "text/html"',
			context: {phase: 'http_response_headers_transform'},
		},
		page: pages.fields,
	},
	{
		code: 'L107',
		level: 'hint',
		title: 'Unusual status code',
		explanation:
			'HTTP defines the status codes from 100 to 599. Few origins send others: check that the number is right.',
		example: {
			wrong: 'http.response.code eq 999',
			right: 'http.response.code eq 599',
			context: {phase: 'http_response_headers_transform'},
		},
		page: pages.fields,
	},
	{
		code: 'L108',
		level: 'hint',
		title: 'Score of requests that were not scored',
		explanation:
			'Scores are from 1 (certainly an attack) to 99 (clean). 100 means that the request was not scored, which is not the same as clean.',
		example: {wrong: 'cf.waf.score eq 100', right: 'cf.waf.score lt 20'},
		page: pages.fields,
	},
	{
		code: 'L109',
		level: 'hint',
		title: 'Time in milliseconds, or in a distant year',
		explanation:
			'The field is in seconds since 1970, but the value looks like milliseconds, or is in the year 2100 or later. Divide by 1000, or check the number.',
		example: {
			wrong: 'http.request.timestamp.sec lt 4102444800',
			right: 'http.request.timestamp.sec lt 1893456000',
		},
		page: pages.fields,
	},
	{
		code: 'L110',
		level: 'warning',
		title: 'End of a substring is not after its start',
		explanation:
			'The first number of substring is the start, the second one the end, not a length. If the end is not greater, the result is always empty.',
		example: {
			wrong: 'substring(http.host, 4, 2) eq "ab"',
			right: 'substring(http.host, 2, 4) eq "ab"',
		},
		page: pages.functions,
	},
	{
		code: 'L111',
		level: 'hint',
		title: 'Raw field with an ordinary value',
		explanation:
			'A raw field holds the address as sent: //, /./ and encodings such as %61 (a) stay. Requests for the same page can be written in such ways, and then do not match. Use the field without raw. unless you need what was sent.',
		example: {wrong: 'raw.http.request.uri.path eq "/admin"', right: 'http.request.uri.path eq "/admin"'},
		page: pages.fields,
	},
] as const satisfies readonly Lint[];
