import {Failure} from '../../failure.ts';
import {advice, ledge} from '../../text/advice.ts';

/** Paths of the previous managed rules and of their migration; below the base URL. */
const zonePath = (zone: string, ...segments: readonly string[]): string =>
	['', 'zones', segment('a zone', zone), ...segments].join('/');

export const checkPath = (zone: string): string => zonePath(zone, 'waf_migration', 'check');
export const proposalPath = (zone: string): string => zonePath(zone, 'waf_migration', 'config');
export const statusPath = (zone: string): string => zonePath(zone, 'waf_migration', 'status');

export const wafSettingPath = (zone: string): string => zonePath(zone, 'settings', 'waf');
export const pageRulesPath = (zone: string): string => zonePath(zone, 'pagerules');

export const packagesPath = (zone: string): string => zonePath(zone, 'firewall', 'waf', 'packages');
export const groupsPath = (zone: string, id: string): string =>
	`${packagesPath(zone)}/${segment('a package', id)}/groups`;
export const wafRulesPath = (zone: string, id: string): string =>
	`${packagesPath(zone)}/${segment('a package', id)}/rules`;

export const overridesPath = (zone: string): string => zonePath(zone, 'firewall', 'waf', 'overrides');
export const overridePath = (zone: string, id: string): string =>
	`${overridesPath(zone)}/${segment('an override', id)}`;

/** Ids are never taken as they are: an id that would lead to another path is refused before anything is sent. */
function segment(what: 'a zone' | 'a package' | 'an override', id: string): string {
	if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id.toWellFormed());
	throw new Failure('usage', `"${id}" cannot be the id of ${what}.`, {
		next: what === 'a zone' ? advice`See \`${ledge('zones')}\` for the ids there are.` : undefined,
	});
}
