import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of expressions that can be written more clearly, with the same meaning. */
export const styleLints = [
	{
		code: 'L120',
		level: 'hint',
		title: 'Different logical operators without parentheses',
		explanation:
			'not binds first, then and, then xor, then or, which is easy to overlook. Put parentheses around the part that comes first.',
		example: {
			wrong: 'ssl and http.host eq "a.example" or cf.client.bot',
			right: '(ssl and http.host eq "a.example") or cf.client.bot',
		},
		page: pages.operators,
	},
	{
		code: 'L121',
		level: 'hint',
		title: 'Two notations of operators',
		explanation:
			'Operators can be written as words (and, eq) or as signs (&&, ==). Both mean the same: use one notation in an expression.',
		example: {wrong: 'ssl && http.host eq "a.example"', right: 'ssl and http.host eq "a.example"'},
		page: pages.operators,
	},
	{
		code: 'L122',
		level: 'hint',
		title: 'Double negation',
		explanation: 'Two negations cancel each other out, so that neither is needed.',
		example: {wrong: 'not not ssl', right: 'ssl'},
		page: pages.operators,
	},
	{
		code: 'L123',
		level: 'hint',
		title: 'Negated comparison',
		explanation:
			'The opposite operator says the same as not in front of the comparison, and is easier to read. Not so for values that may be missing, such as headers: those are not reported.',
		example: {wrong: 'not http.host eq "a.example"', right: 'http.host ne "a.example"'},
		page: pages.operators,
	},
	{
		code: 'L124',
		level: 'hint',
		title: 'Several comparisons that a set can replace',
		explanation:
			'One comparison with a set is shorter than several with eq joined by or, and matches the same requests.',
		example: {
			wrong: 'http.host eq "a.example" or http.host eq "b.example" or http.host eq "c.example"',
			right: 'http.host in {"a.example" "b.example" "c.example"}',
		},
		page: pages.operators,
	},
] as const satisfies readonly Lint[];
