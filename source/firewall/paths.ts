import {encodePathSegment, getZonePath} from '../service/path-segment.ts';
import {buildCommand} from '../text/advice.ts';

export const getFiltersPath = (zone: string): string => `${getZonePath(zone)}/filters`;

export const getFilterPath = (zone: string, id: string): string =>
	`${getFiltersPath(zone)}/${encodePathSegment(id, 'a filter', formatListCommand('filter', zone))}`;

export const getFirewallRulesPath = (zone: string): string => `${getZonePath(zone)}/firewall/rules`;

export const getFirewallRulePath = (zone: string, id: string): string =>
	`${getFirewallRulesPath(zone)}/${encodePathSegment(id, 'a rule', formatListCommand('rule', zone))}`;

const formatListCommand = (kind: 'filter' | 'rule', zone: string) =>
	buildCommand('firewall', kind, 'list', '--zone-id', zone);
