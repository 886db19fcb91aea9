import {encodePathSegment, getZonePath} from '../../service/path-segment.ts';

/** Paths of the previous managed rules and of their migration, relative to the base URL. */
export const getCheckPath = (zone: string): string => `${getZonePath(zone)}/waf_migration/check`;
export const getProposalPath = (zone: string): string => `${getZonePath(zone)}/waf_migration/config`;
export const getStatusPath = (zone: string): string => `${getZonePath(zone)}/waf_migration/status`;

export const getWafSettingPath = (zone: string): string => `${getZonePath(zone)}/settings/waf`;
export const getPageRulesPath = (zone: string): string => `${getZonePath(zone)}/pagerules`;

export const getPackagesPath = (zone: string): string => `${getZonePath(zone)}/firewall/waf/packages`;
export const getGroupsPath = (zone: string, id: string): string =>
	`${getPackagesPath(zone)}/${encodePathSegment(id, 'a package')}/groups`;
export const getWafRulesPath = (zone: string, id: string): string =>
	`${getPackagesPath(zone)}/${encodePathSegment(id, 'a package')}/rules`;

export const getOverridesPath = (zone: string): string => `${getZonePath(zone)}/firewall/waf/overrides`;
export const getOverridePath = (zone: string, id: string): string =>
	`${getOverridesPath(zone)}/${encodePathSegment(id, 'an override')}`;
