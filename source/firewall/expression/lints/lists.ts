import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of the lists of an account, which expressions use as `$name`. */
export const accountListLints = [
	{
		code: 'L052',
		level: 'warning',
		title: 'List used with another kind of field',
		explanation:
			'Lists contain IP addresses, hostnames (for http.host) or AS numbers (for ip.src.asnum). Write the values in braces.',
		example: {
			wrong: 'http.user_agent in $bad_agents',
			right: 'http.user_agent in {"BadBot/1.0" "BadBot/2.0"}',
		},
		page: pages.lists,
	},
	{
		code: 'L053',
		level: 'warning',
		title: 'Unknown managed list',
		explanation: 'The service has no managed list with this name in its documentation.',
		example: {wrong: 'ip.src in $cf.anonymiser', right: 'ip.src in $cf.anonymizer'},
		page: pages.managedLists,
	},
	{
		code: 'L054',
		level: 'warning',
		title: 'Managed list used with a field that is no address',
		explanation: 'All managed lists contain IP addresses: use them with ip.src.',
		example: {wrong: 'http.host in $cf.malware', right: 'ip.src in $cf.malware'},
		page: pages.managedLists,
	},
	{
		code: 'L055',
		level: 'warning',
		title: 'Dot in the name of a list',
		explanation: 'Only managed lists, which start with cf., have a dot in their name.',
		example: {wrong: 'ip.src in $office.addresses', right: 'ip.src in $office_addresses'},
		page: pages.lists,
	},
	{
		code: 'L056',
		level: 'warning',
		title: 'List that the account does not have',
		explanation:
			'The account has no list with this name, so that the service rejects the rule. Create the list first, or correct the name.',
		example: {
			wrong: 'ip.src in $ofice',
			right: 'ip.src in $office',
			context: {lists: [{name: 'office', kind: 'ip'}]},
		},
		page: pages.lists,
	},
	{
		code: 'L057',
		level: 'warning',
		title: 'List of another kind',
		explanation: 'The account has a list with this name, but its items are of another kind than the field.',
		example: {
			wrong: 'http.host in $office',
			right: 'ip.src in $office',
			context: {lists: [{name: 'office', kind: 'ip'}]},
		},
		page: pages.lists,
	},
] as const satisfies readonly Lint[];
