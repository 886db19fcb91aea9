import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Hints on headers and cookies: valid comparisons that match less than they seem to. */
export const headerHints = [
	{
		code: 'L061',
		level: 'hint',
		title: 'Case-sensitive search in the user agent',
		explanation:
			'contains is case-sensitive, and browsers and bots capitalize their names. Compare lower(http.user_agent) to match all spellings.',
		example: {
			wrong: 'http.user_agent contains "curl"',
			right: 'lower(http.user_agent) contains "curl"',
		},
		page: pages.operators,
	},
	{
		code: 'L062',
		level: 'hint',
		title: 'Host with capitals',
		explanation:
			'Browsers send the host in lower case, and comparisons are case-sensitive. Compare lower(http.host) with a lower-case name.',
		example: {wrong: 'http.host eq "Example.com"', right: 'lower(http.host) eq "example.com"'},
		page: pages.fields,
	},
	{
		code: 'L063',
		level: 'hint',
		title: 'Host with a port',
		explanation:
			'It is not documented whether http.host includes the port. List the host with and without it.',
		example: {
			wrong: 'http.host eq "example.com:8080"',
			right: 'http.host in {"example.com" "example.com:8080"}',
		},
		page: pages.fields,
	},
	{
		code: 'L066',
		level: 'hint',
		title: 'Whole Cookie header compared with one cookie',
		explanation:
			'http.cookie contains all cookies of the request, so that it rarely equals one of them. Use http.request.cookies["name"]; contains also finds longer names and values.',
		example: {
			wrong: 'http.cookie eq "session=1"',
			right: 'any(http.request.cookies["session"][*] eq "1")',
		},
		page: pages.fields,
	},
	{
		code: 'L067',
		level: 'hint',
		title: 'Whole X-Forwarded-For header compared with one address',
		explanation:
			'The header lists the addresses of all proxies in between. Use ip.src for the address of the visitor. contains finds an address in the header, but also in longer ones (192.0.2.1 in 192.0.2.10), and visitors can send any header: do not let requests through because of it.',
		example: {
			wrong: 'http.x_forwarded_for eq "192.0.2.1"',
			right: 'http.x_forwarded_for contains "192.0.2.1"',
		},
		page: pages.fields,
	},
	{
		code: 'L068',
		level: 'hint',
		title: 'Referer compared with a host',
		explanation:
			'The referer is a full URL, such as https://example.com/page. starts_with with the whole beginning of the URL is exact; contains also finds the host elsewhere, such as in the query. Visitors can send any referer: do not let requests through because of it.',
		example: {
			wrong: 'http.referer eq "example.com"',
			right: 'starts_with(http.referer, "https://example.com/")',
		},
		page: pages.fields,
	},
	{
		code: 'L069',
		level: 'hint',
		title: 'Case of header names',
		explanation:
			'http.request.headers.names keeps the case in which names were sent. Use has_key with a lower-case name, which finds all spellings.',
		example: {
			wrong: 'any(http.request.headers.names[*] eq "X-Token")',
			right: 'has_key(http.request.headers, "x-token")',
		},
		page: pages.fields,
	},
	{
		code: 'L072',
		level: 'hint',
		title: 'Any language as *',
		explanation: 'http.request.accepted_languages leaves out the * of the header, so that it never equals *.',
		example: {
			wrong: 'any(http.request.accepted_languages[*] eq "*")',
			right: 'any(http.request.accepted_languages[*] eq "de")',
			context: {phase: 'http_request_transform'},
		},
		page: pages.fields,
	},
] as const satisfies readonly Lint[];
