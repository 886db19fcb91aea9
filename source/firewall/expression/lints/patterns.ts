import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of regular expressions. */
export const patternLints = [
	{
		code: 'L112',
		level: 'hint',
		title: 'Regular expression that matches any character',
		explanation:
			'The pattern matches every string that is not empty. Compare with ne "" instead: it needs no regular expression. Those need the Business plan or higher, and a rule can have 64.',
		example: {wrong: 'http.referer matches ".+"', right: 'http.referer ne ""'},
		page: pages.operators,
	},
	{
		code: 'L113',
		level: 'hint',
		title: 'Regular expression for fixed strings',
		explanation:
			'A pattern with both anchors and without special characters matches exactly one string: eq does the same without a regular expression. For alternatives, use in.',
		example: {
			wrong: 'http.host matches "^www\\.example\\.com$"',
			right: 'http.host eq "www.example.com"',
		},
		page: pages.operators,
	},
	{
		code: 'L114',
		level: 'hint',
		title: 'Two backslashes in a regular expression',
		explanation:
			'Strings after matches keep their backslashes: two of them match a backslash, and the character after them is not escaped. Write one to escape a character.',
		example: {
			wrong: 'http.request.uri.path matches "\\\\.js$"',
			right: 'http.request.uri.path matches "\\.js$"',
		},
		page: pages.values,
	},
	{
		code: 'L115',
		level: 'hint',
		title: 'Unescaped question mark before a query',
		explanation:
			'In a regular expression, ? makes the character before it optional. To match the question mark before a query, escape it.',
		example: {
			wrong: 'http.request.uri matches "^/find?q="',
			right: 'http.request.uri matches "^/find\\?q="',
		},
		page: pages.operators,
	},
	{
		code: 'L116',
		level: 'hint',
		title: 'Unescaped dot in the pattern of a host name',
		explanation:
			'In a regular expression, a dot matches any character, so that the pattern also matches other host names. Escape the dot.',
		example: {
			wrong: 'http.host matches "^(api|cdn).example\\.com/?$"',
			right: 'http.host matches "^(api|cdn)\\.example\\.com/?$"',
		},
		page: pages.operators,
	},
	{
		code: 'L118',
		level: 'hint',
		title: 'Text that looks like a regular expression',
		explanation:
			'Only matches reads a value as a regular expression; this looks for the text character by character, which may be meant in a query, a header or a body.',
		example: {
			wrong: 'http.user_agent contains "curl/.*"',
			right: 'http.user_agent matches "curl/.*"',
		},
		page: pages.operators,
	},
	{
		code: 'L119',
		level: 'hint',
		title: '* as a literal character of a query, header or body',
		explanation:
			'Only wildcard reads * as any text; this looks for the character itself, which such values may contain. Use wildcard if it stands for any text.',
		example: {
			wrong: 'http.request.uri.query contains "id=*"',
			right: 'http.request.uri.query wildcard "*id=*"',
		},
		page: pages.operators,
	},
] as const satisfies readonly Lint[];
