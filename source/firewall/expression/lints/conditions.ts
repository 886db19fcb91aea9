import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of conditions that do not fit together. */
export const conditionLints = [
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
