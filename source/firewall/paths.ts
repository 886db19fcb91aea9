import {encodePathSegment, getZonePath} from '../service/path-segment.ts';
import {buildCommand} from '../text/advice.ts';

export const getFiltersPath = (zoneId: string): string => `${getZonePath(zoneId)}/filters`;

export const getFilterPath = (zoneId: string, id: string): string =>
	`${getFiltersPath(zoneId)}/${encodePathSegment(id, 'a filter', formatListCommand('filter', zoneId))}`;

export const getFirewallRulesPath = (zoneId: string): string => `${getZonePath(zoneId)}/firewall/rules`;

export const getFirewallRulePath = (zoneId: string, id: string): string =>
	`${getFirewallRulesPath(zoneId)}/${encodePathSegment(id, 'a rule', formatListCommand('rule', zoneId))}`;

const formatListCommand = (kind: 'filter' | 'rule', zoneId: string) =>
	buildCommand('firewall', kind, 'list', '--zone-id', zoneId);
