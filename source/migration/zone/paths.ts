import {encodePathSegment, getZonePath} from '../../service/path-segment.ts';

/** Paths of the previous managed rules and of their migration, relative to the base URL. */
export const getCheckPath = (zoneId: string): string => `${getZonePath(zoneId)}/waf_migration/check`;
export const getProposalPath = (zoneId: string): string => `${getZonePath(zoneId)}/waf_migration/config`;
export const getStatusPath = (zoneId: string): string => `${getZonePath(zoneId)}/waf_migration/status`;

export const getWafSettingPath = (zoneId: string): string => `${getZonePath(zoneId)}/settings/waf`;
export const getPageRulesPath = (zoneId: string): string => `${getZonePath(zoneId)}/pagerules`;

export const getPackagesPath = (zoneId: string): string => `${getZonePath(zoneId)}/firewall/waf/packages`;
export const getGroupsPath = (zoneId: string, id: string): string =>
	`${getPackagesPath(zoneId)}/${encodePathSegment(id, 'a package')}/groups`;
export const getWafRulesPath = (zoneId: string, id: string): string =>
	`${getPackagesPath(zoneId)}/${encodePathSegment(id, 'a package')}/rules`;

export const getOverridesPath = (zoneId: string): string => `${getZonePath(zoneId)}/firewall/waf/overrides`;
export const getOverridePath = (zoneId: string, id: string): string =>
	`${getOverridesPath(zoneId)}/${encodePathSegment(id, 'an override')}`;
