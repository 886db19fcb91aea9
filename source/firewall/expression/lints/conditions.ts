import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of conditions that are always or never true, or do the opposite of what they seem to. */
export const conditionLints = [
	{
		code: 'L030',
		level: 'warning',
		title: 'Both sides are the same',
		explanation: 'A field that is compared with itself gives the same result for every request.',
		example: {wrong: 'http.host eq http.host', right: 'http.host eq "example.com"'},
		page: pages.operators,
	},
	{
		code: 'L031',
		level: 'warning',
		title: 'ne joined by or: always true',
		explanation:
			'A field always differs from at least one of two values, so that a rule with this condition acts on all requests. To exclude both, use and, or not … in.',
		example: {
			wrong: 'http.host ne "a.example" or http.host ne "b.example"',
			right: 'not http.host in {"a.example" "b.example"}',
		},
		page: pages.expressions,
	},
	{
		code: 'L032',
		level: 'warning',
		title: 'eq joined by and: never true',
		explanation:
			'A field has only one value and cannot equal two different ones. To match either, use or, or in.',
		example: {
			wrong: 'http.host eq "a.example" and http.host eq "b.example"',
			right: 'http.host in {"a.example" "b.example"}',
		},
		page: pages.expressions,
	},
	{
		code: 'L041',
		level: 'warning',
		title: 'Pattern that every string matches',
		explanation:
			'The value or pattern matches any text, so that the comparison is always true: alone or joined by or, the rule acts on all requests. Write the text that you look for.',
		example: {wrong: 'http.host contains ""', right: 'http.host contains "example"'},
		page: pages.operators,
	},
	{
		code: 'L043',
		level: 'warning',
		title: 'Length compared with a negative number',
		explanation: 'A length is 0 or more, so that the comparison is the same for every request.',
		example: {wrong: 'len(http.host) ge 0', right: 'len(http.host) gt 3'},
		page: pages.functions,
	},
	{
		code: 'L048',
		level: 'warning',
		title: 'ne is false for a missing value',
		explanation:
			'Comparisons with a header, cookie or parameter that the request lacks are false, also with ne. To match requests without it too, use not … eq; otherwise require it with has_key.',
		example: {
			wrong: 'http.request.headers["x-token"][0] ne "secret"',
			right: 'not http.request.headers["x-token"][0] eq "secret"',
		},
		page: pages.values,
	},
	{
		code: 'L049',
		level: 'warning',
		title: 'A missing value is not empty',
		explanation:
			'Comparing with an empty string only matches requests that have the header, cookie or parameter with an empty value. To match requests without it, use not has_key; otherwise require it with has_key.',
		example: {
			wrong: 'http.request.headers["x-token"][0] eq ""',
			right: 'not has_key(http.request.headers, "x-token")',
		},
		page: pages.functions,
	},
	{
		code: 'L050',
		level: 'warning',
		title: 'all(…) is true without any value',
		explanation:
			'all is true if there is no value to check, so that a rule that lets requests through also matches requests without the header. Require the header with has_key.',
		example: {
			wrong: 'all(http.request.headers["x-token"][*] eq "secret")',
			right:
				'(has_key(http.request.headers, "x-token") and all(http.request.headers["x-token"][*] eq "secret"))',
			context: {letsThrough: true},
		},
		page: pages.functions,
	},
	{
		code: 'L051',
		level: 'hint',
		title: 'Revoked certificates count as verified',
		explanation:
			'cf.tls_client_auth.cert_verified is also true for a client certificate that was revoked. Check cf.tls_client_auth.cert_revoked too, unless another rule does.',
		example: {
			wrong: 'not cf.tls_client_auth.cert_verified',
			right: 'not (cf.tls_client_auth.cert_verified and not cf.tls_client_auth.cert_revoked)',
		},
		page: pages.revokedCertificates,
	},
	{
		code: 'L077',
		level: 'hint',
		title: 'Bot category joined by or with cf.client.bot',
		explanation:
			'Only verified bots have a category, and cf.client.bot already matches all of them: joined by or, the condition on the category has no effect. Keep the one that you mean: all verified bots, or those of the category.',
		example: {
			wrong: 'cf.client.bot or cf.verified_bot_category eq "Search Engine Crawler"',
			right: 'cf.verified_bot_category eq "Search Engine Crawler"',
		},
		page: pages.fields,
	},
	{
		code: 'L078',
		level: 'hint',
		title: 'Several any(…) on the events of an address',
		explanation:
			'The fields of cf.intel combine the values of all events of an address. Each any(…) may match another event, so that the conditions together do not describe one event.',
		example: {
			wrong: 'any(cf.intel.ip.datasets[*] eq "ddos") and any(cf.intel.ip.target_countries[*] eq "DE")',
			right: 'any(cf.intel.ip.target_countries[*] eq "DE")',
		},
		page: pages.fields,
	},
	{
		code: 'L117',
		level: 'hint',
		title: 'Name and value that need not belong together',
		explanation:
			'One condition looks at all names and the other at all values, so that a request with the name and the value in different headers matches, too. Take the values of one name by its key.',
		example: {
			wrong:
				'any(http.request.headers.names[*] contains "token") and any(http.request.headers.values[*] eq "a")',
			right: 'any(http.request.headers["x-token"][*] eq "a")',
		},
		page: pages.fields,
	},
] as const satisfies readonly Lint[];
