import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of values that a field never has. */
export const fieldValueLints = [
	{
		code: 'L033',
		level: 'warning',
		title: 'Value that the field never has',
		explanation:
			'The documentation lists the values of the field, or describes their form, and this is not one of them. The comparison gives the same result for every request.',
		example: {wrong: 'http.request.version eq "HTTP/2.0"', right: 'http.request.version eq "HTTP/2"'},
		page: pages.fields,
	},
	{
		code: 'L034',
		level: 'warning',
		title: 'Wrong case for lower(…) or upper(…)',
		explanation:
			'lower returns lower case and upper returns capitals, so that a value in the other case never matches.',
		example: {wrong: 'lower(http.host) eq "Example.com"', right: 'lower(http.host) eq "example.com"'},
		page: pages.functions,
	},
	{
		code: 'L035',
		level: 'warning',
		title: 'Regular expression compared as text',
		explanation:
			'Only matches reads a value as a regular expression; eq and ne compare it character by character.',
		example: {
			wrong: 'http.request.uri.path eq "^/admin.*$"',
			right: 'http.request.uri.path matches "^/admin.*$"',
		},
		page: pages.operators,
	},
	{
		code: 'L036',
		level: 'warning',
		title: 'Text that no path contains',
		explanation:
			'A path starts with /, is percent-encoded, and contains no query or fragment. Compare the part of the URL that contains the text.',
		example: {wrong: 'http.request.uri.path eq "login"', right: 'http.request.uri.path eq "/login"'},
		page: pages.fields,
	},
	{
		code: 'L037',
		level: 'warning',
		title: 'Text that no host or full URL contains',
		explanation:
			'A host has no scheme or path; a full URL starts with its scheme. Compare the field that contains the text.',
		example: {wrong: 'http.host eq "https://example.com"', right: 'http.host eq "example.com"'},
		page: pages.fields,
	},
	{
		code: 'L038',
		level: 'warning',
		title: 'Not the code of a country',
		explanation: 'Countries are codes of two capital letters (ISO 3166-1): "DE", not "de" or "Germany".',
		example: {wrong: 'ip.src.country eq "Germany"', right: 'ip.src.country eq "DE"'},
		page: pages.fields,
	},
	{
		code: 'L039',
		level: 'warning',
		title: 'Wrong case for the field',
		explanation:
			'All values of the field are in lower case, or all in capitals, and comparisons are case-sensitive.',
		example: {wrong: 'http.request.method eq "post"', right: 'http.request.method eq "POST"'},
		page: pages.fields,
	},
	{
		code: 'L042',
		level: 'warning',
		title: 'Number that the field never has',
		explanation:
			'No value of the field is on one side of the number, or equals it, so that the comparison gives the same result for every request.',
		example: {wrong: 'cf.waf.score gt 100', right: 'cf.waf.score lt 20'},
		page: pages.fields,
	},
	{
		code: 'L044',
		level: 'warning',
		title: 'TLS version in another form',
		explanation:
			'Versions are strings such as TLSv1.2, and are compared by order as strings. One in another form is below or above all of them.',
		example: {wrong: 'cf.tls_version lt "1.2"', right: 'cf.tls_version lt "TLSv1.2"'},
		page: pages.fields,
	},
	{
		code: 'L045',
		level: 'warning',
		title: 'High scores, which mean clean requests',
		explanation:
			'A low score means an attack, and 100 that the request was not scored. A rule for high scores acts on clean requests. Give a maximum, too, if you mean a range of scores.',
		example: {wrong: 'cf.waf.score gt 20', right: 'cf.waf.score gt 20 and cf.waf.score lt 50'},
		page: pages.attackScore,
	},
	{
		code: 'L046',
		level: 'warning',
		title: 'Header name with capitals',
		explanation:
			'Names of headers are in lower case in http.request.headers, whatever the client sent: a name with capitals never matches.',
		example: {
			wrong: 'any(http.request.headers["X-Token"][*] eq "a")',
			right: 'any(http.request.headers["x-token"][*] eq "a")',
		},
		page: pages.fields,
	},
	{
		code: 'L047',
		level: 'warning',
		title: 'Claims of a token compared as text',
		explanation:
			'The claims of a token are a single JSON string, which never equals the value of one claim. Extract the claim with lookup_json_string.',
		example: {
			wrong: 'http.request.jwt.claims["00000000-0000-0000-0000-000000000000"][0] eq "admin"',
			right:
				'lookup_json_string(http.request.jwt.claims["00000000-0000-0000-0000-000000000000"][0], "role") eq "admin"',
		},
		page: pages.functions,
	},
] as const satisfies readonly Lint[];
