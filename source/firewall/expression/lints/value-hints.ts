import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Hints on URLs, addresses and scores: valid comparisons that match other requests than they seem to. */
export const valueHints = [
	{
		code: 'L060',
		level: 'hint',
		title: 'Extension at the end of a URL',
		explanation:
			'A query string may follow the extension. Use http.request.uri.path, which has none, or http.request.uri.path.extension.',
		example: {
			wrong: 'ends_with(http.request.uri, ".php")',
			right: 'ends_with(http.request.uri.path, ".php")',
		},
		page: pages.fields,
	},
	{
		code: 'L064',
		level: 'hint',
		title: 'Scheme and host in http.request.uri',
		explanation:
			'http.request.uri is the path with the query, without scheme and host. Use http.request.full_uri, unless you look for a URL in the query.',
		example: {
			wrong: 'http.request.uri contains "https://example.com/a"',
			right: 'http.request.full_uri contains "https://example.com/a"',
		},
		page: pages.fields,
	},
	{
		code: 'L065',
		level: 'hint',
		title: 'Path that normalization changes',
		explanation:
			'If the zone normalizes URLs, paths contain no double slashes or dot segments, and only the necessary encoding. Use raw.http.request.uri.path for the path as it was sent.',
		example: {
			wrong: 'http.request.uri.path contains "/../"',
			right: 'raw.http.request.uri.path contains "/../"',
		},
		page: pages.normalization,
	},
	{
		code: 'L070',
		level: 'hint',
		title: 'Query string that starts with ?',
		explanation:
			'The query string does not include the ? between path and query, so that this looks for a second one.',
		example: {
			wrong: 'http.request.uri.query contains "?a=1"',
			right: 'http.request.uri.query contains "a=1"',
		},
		page: pages.fields,
	},
	{
		code: 'L071',
		level: 'hint',
		title: 'Space in a parameter',
		explanation:
			'Parameters are not decoded: a space is sent as + or %20. Use url_decode to compare the decoded value.',
		example: {
			wrong: 'any(http.request.uri.args["q"][*] eq "a b")',
			right: 'any(url_decode(http.request.uri.args["q"][*])[*] eq "a b")',
		},
		page: pages.functions,
	},
	{
		code: 'L073',
		level: 'hint',
		title: 'Case of the email risk',
		explanation:
			'The documentation writes the levels of cf.fraud.email_risk in different cases. Compare lower(cf.fraud.email_risk) with a lower-case level.',
		example: {wrong: 'cf.fraud.email_risk eq "High"', right: 'lower(cf.fraud.email_risk) eq "high"'},
		page: pages.fields,
	},
	{
		code: 'L074',
		level: 'hint',
		title: 'Address that no visitor has',
		explanation:
			'Requests come from public addresses; private, loopback, link-local and multicast ones never arrive.',
		example: {wrong: 'ip.src in {10.0.0.0/8}', right: 'ip.src in {1.1.1.0/24}'},
		page: pages.fields,
	},
	{
		code: 'L075',
		level: 'hint',
		title: '0 means not measured',
		explanation:
			'The field is 0 if nothing was measured, so that a comparison with a maximum also matches these requests. Add a condition that it is greater than 0.',
		example: {
			wrong: 'cf.timings.client_tcp_rtt_msec lt 10',
			right: 'cf.timings.client_tcp_rtt_msec gt 0 and cf.timings.client_tcp_rtt_msec lt 10',
		},
		page: pages.fields,
	},
	{
		code: 'L076',
		level: 'hint',
		title: 'Capitals in a pattern for lower(…)',
		explanation:
			'lower returns no capitals, so that capitals in the pattern match nothing. Write the pattern in lower case, or start it with (?i).',
		example: {
			wrong: 'lower(http.user_agent) matches "^Bot"',
			right: 'lower(http.user_agent) matches "^bot"',
		},
		page: pages.operators,
	},
	{
		code: 'L125',
		level: 'hint',
		title: 'URL in a path',
		explanation:
			'A path has no scheme and host of its own, so that it only contains a URL if that is a part of it: /fetch/https://example.com. Use http.request.full_uri to compare the URL of the request.',
		example: {
			wrong: 'http.request.uri.path contains "https://example.com/a"',
			right: 'http.request.full_uri contains "https://example.com/a"',
		},
		page: pages.fields,
	},
] as const satisfies readonly Lint[];
