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
		example: {wrong: 'ip.src in {}', right: 'ip.src in {192.0.2.1}'},
		page: pages.values,
	},
] as const satisfies readonly Lint[];
