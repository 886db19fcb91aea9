import {pathSegment, zonePath} from '../../service/path-segment.ts';

/** Paths of the previous managed rules and of their migration, relative to the base URL. */
export const checkPath = (zone: string): string => `${zonePath(zone)}/waf_migration/check`;
export const proposalPath = (zone: string): string => `${zonePath(zone)}/waf_migration/config`;
export const statusPath = (zone: string): string => `${zonePath(zone)}/waf_migration/status`;

export const wafSettingPath = (zone: string): string => `${zonePath(zone)}/settings/waf`;
export const pageRulesPath = (zone: string): string => `${zonePath(zone)}/pagerules`;

export const packagesPath = (zone: string): string => `${zonePath(zone)}/firewall/waf/packages`;
export const groupsPath = (zone: string, id: string): string =>
	`${packagesPath(zone)}/${pathSegment(id, 'a package')}/groups`;
export const wafRulesPath = (zone: string, id: string): string =>
	`${packagesPath(zone)}/${pathSegment(id, 'a package')}/rules`;

export const overridesPath = (zone: string): string => `${zonePath(zone)}/firewall/waf/overrides`;
export const overridePath = (zone: string, id: string): string =>
	`${overridesPath(zone)}/${pathSegment(id, 'an override')}`;
