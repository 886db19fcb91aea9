import {Failure} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';

export const filtersPath = (zone: string): string => `/zones/${segment('zone', zone)}/filters`;

export const filterPath = (zone: string, id: string): string =>
	`${filtersPath(zone)}/${segment('filter', id, zone)}`;

export const rulesPath = (zone: string): string => `/zones/${segment('zone', zone)}/firewall/rules`;

export const rulePath = (zone: string, id: string): string =>
	`${rulesPath(zone)}/${segment('rule', id, zone)}`;

/** Ids are never taken as they are: an id that would lead to another path is refused before anything is sent. */
function segment(what: 'zone' | 'filter' | 'rule', id: string, zone = ''): string {
	if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
	const list = what === 'zone' ? ledge('zones') : ledge('firewall', what, 'list', '--zone-id', zone);
	throw new Failure('usage', `"${id}" cannot be the id of a ${what}.`, {
		next: advice`See \`${list}\` for the ids there are.`,
	});
}
