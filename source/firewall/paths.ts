import {pathSegment, zonePath} from '../service/path-segment.ts';
import {ledge} from '../text/advice.ts';

export const filtersPath = (zone: string): string => `${zonePath(zone)}/filters`;

export const filterPath = (zone: string, id: string): string =>
	`${filtersPath(zone)}/${pathSegment(id, 'a filter', listing('filter', zone))}`;

export const rulesPath = (zone: string): string => `${zonePath(zone)}/firewall/rules`;

export const rulePath = (zone: string, id: string): string =>
	`${rulesPath(zone)}/${pathSegment(id, 'a rule', listing('rule', zone))}`;

const listing = (what: 'filter' | 'rule', zone: string) => ledge('firewall', what, 'list', '--zone-id', zone);
