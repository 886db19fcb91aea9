import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of how values and operators are written. */
export const notationLints = [
	{
		code: 'L001',
		level: 'warning',
		title: 'Octal number',
		explanation:
			'A number that starts with 0 is octal: 010 means 8. Write the decimal number, without leading zeros.',
		example: {wrong: 'cf.edge.server_port eq 0443', right: 'cf.edge.server_port eq 443'},
		page: pages.values,
	},
	{
		code: 'L002',
		level: 'warning',
		title: 'No space after a keyword',
		explanation:
			'The service finds keywords without looking for the end of a word, so it accepts one that is glued to what follows. People overlook it: add a space.',
		example: {wrong: 'notssl', right: 'not ssl'},
		page: pages.expressions,
	},
	{
		code: 'L003',
		level: 'warning',
		title: 'No space between the values of a set',
		explanation: 'The service accepts values without a space between them, but they are easy to misread.',
		example: {
			wrong: 'http.host in {"a.example""b.example"}',
			right: 'http.host in {"a.example" "b.example"}',
		},
		page: pages.values,
	},
	{
		code: 'L004',
		level: 'warning',
		title: 'Invisible character in a string',
		explanation:
			'The string contains a character that is not visible, such as a zero-width space from a web page. It only matches requests with the same character: type the string again.',
		example: {wrong: 'http.host eq "a.example\u200b"', right: 'http.host eq "a.example"'},
		page: pages.values,
	},
	{
		code: 'L005',
		level: 'warning',
		title: 'Empty set',
		explanation: 'No value is in an empty set, so the comparison is never true. List at least one value.',
		example: {wrong: 'http.host in {}', right: 'http.host in {"a.example"}'},
		page: pages.values,
	},
	{
		code: 'L006',
		level: 'warning',
		title: '* compared as a literal character',
		explanation:
			'Only wildcard reads * as any text. Other operators look for the character itself, so the comparison does not match what it seems to.',
		example: {wrong: 'http.host eq "*.example.com"', right: 'http.host wildcard "*.example.com"'},
		page: pages.operators,
	},
	{
		code: 'L007',
		level: 'warning',
		title: 'Wildcard pattern with a dot as a regular expression',
		explanation:
			'In a regular expression, * repeats the character before it, and a dot matches any character. Use wildcard for patterns in which * stands for any text.',
		example: {
			wrong: 'http.request.uri.path matches "/files/*/a.zip"',
			right: 'http.request.uri.path wildcard "/files/*/a.zip"',
		},
		page: pages.operators,
	},
	{
		code: 'L008',
		level: 'hint',
		title: 'Wildcard pattern as a regular expression',
		explanation:
			'In a regular expression, * repeats the character before it. Use wildcard for patterns in which * stands for any text.',
		example: {
			wrong: 'http.request.uri.path matches "/files/*"',
			right: 'http.request.uri.path wildcard "/files/*"',
		},
		page: pages.operators,
	},
	{
		code: 'L009',
		level: 'warning',
		title: 'Unescaped dot in a regular expression',
		explanation:
			'A dot matches any character, so the pattern also matches other names: example.com matches exampleXcom. Escape the dot to match only a dot.',
		example: {wrong: 'http.host matches r"example.com"', right: 'http.host matches r"example\\.com"'},
		page: pages.operators,
	},
	{
		code: 'L010',
		level: 'warning',
		title: 'More than 4,096 bytes',
		explanation:
			'The expression has at most 4,096 characters, but more bytes. It is not documented which of the two the service counts.',
		example: {
			wrong: `http.host in {"${'é'.repeat(2100)}"}`,
			right: 'http.host in {"é"}',
		},
		page: pages.expressions,
	},
] as const satisfies readonly Lint[];
