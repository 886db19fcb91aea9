import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of conditions that have the same result for every request. */
export const resultLints = [
	{
		code: 'L140',
		level: 'warning',
		title: 'Never true',
		explanation:
			'The conditions exclude each other, so the rule never acts. If one of them is enough, join them with or.',
		example: {
			wrong: 'cf.edge.server_port lt 80 and cf.edge.server_port gt 443',
			right: 'cf.edge.server_port lt 80 or cf.edge.server_port gt 443',
		},
		page: pages.expressions,
	},
	{
		code: 'L141',
		level: 'warning',
		title: 'Always true',
		explanation:
			'Every request matches at least one of the conditions, so the rule acts on all traffic. If all of them are required, join them with and.',
		example: {
			wrong: 'ip.src.asnum lt 100 or ip.src.asnum ge 50',
			right: 'ip.src.asnum lt 50 or ip.src.asnum ge 100',
		},
		page: pages.expressions,
	},
	{
		code: 'L142',
		level: 'warning',
		title: 'Part that is never true',
		explanation:
			'A part of the expression matches no request, or none that the conditions beside it match. Correct the part, or remove it.',
		example: {
			wrong: 'ssl or (cf.edge.server_port lt 80 and cf.edge.server_port gt 443)',
			right: 'ssl or cf.edge.server_port lt 80',
		},
		page: pages.expressions,
	},
	{
		code: 'L143',
		level: 'warning',
		title: 'Part that is always true',
		explanation: 'Every request matches a part of the expression. Correct the part, or remove it.',
		example: {
			wrong: 'ssl and (ip.src.asnum lt 100 or ip.src.asnum ge 50)',
			right: 'ssl and (ip.src.asnum lt 50 or ip.src.asnum ge 100)',
		},
		page: pages.expressions,
	},
	{
		code: 'L144',
		level: 'hint',
		title: 'Part without effect',
		explanation:
			'The expression matches the same requests without this part, because of a condition beside it. Remove the part, or correct it if something else is meant.',
		example: {
			wrong: 'http.host eq "a.example" and http.host ne "b.example"',
			right: 'http.host eq "a.example"',
		},
		page: pages.expressions,
	},
] as const satisfies readonly Lint[];
