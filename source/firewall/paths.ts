import {Failure} from '../failure.ts';

/** What ids in paths are of, and the command that lists those there are. */
const lists = {
	zone: 'ledge zones',
	filter: 'ledge firewall filter list',
	rule: 'ledge firewall rule list',
} as const;

export const filtersPath = (zone: string): string => `/zones/${segment('zone', zone)}/filters`;

export const filterPath = (zone: string, id: string): string =>
	`${filtersPath(zone)}/${segment('filter', id)}`;

export const rulesPath = (zone: string): string => `/zones/${segment('zone', zone)}/firewall/rules`;

export const rulePath = (zone: string, id: string): string => `${rulesPath(zone)}/${segment('rule', id)}`;

/** Ids are never taken as they are: one that would lead to another path is refused before anything is sent. */
function segment(what: keyof typeof lists, id: string): string {
	if (id === '' || id === '.' || id === '..')
		throw new Failure('usage', `"${id}" cannot be the id of a ${what}.`, {
			next: `See \`${lists[what]}\` for the ids there are.`,
		});
	return encodeURIComponent(id);
}
