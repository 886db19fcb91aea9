import {buildRuleOptions, type CommandZone, formatFirewallCommand} from '../commands.ts';
import {findEmergencyZoneNameReasons} from './emergency-name.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** Zone of a printed command; its name appears in commands that need confirmation. */
type NamedZone = CommandZone & Pick<FirewallZone, 'name'>;

type EmergencySettings = RuleSettings & {readonly filter: {readonly expression: string}};

/**
 * Formats the command that creates a draft in one call, or as a custom rule if firewall rules are retired.
 */
export const formatEmergencyCommand = (
	zone: NamedZone,
	draft: RuleSettings,
	expression: string,
	extraOptions: readonly string[] = [],
): string =>
	formatFirewallCommand(
		zone,
		['emergency'],
		[
			'--expression',
			expression,
			...buildRuleOptions(draft),
			...extraOptions,
			...buildEmergencyConfirmOptions(zone, {...draft, filter: {expression}}),
		],
	);

/** Builds `--confirm ZONE` if the zone's name must be confirmed for the draft. */
export const buildEmergencyConfirmOptions = (zone: NamedZone, draft: EmergencySettings): readonly string[] =>
	findEmergencyZoneNameReasons(zone, {after: draft}).length > 0 ? ['--confirm', zone.name] : [];

/** Formats the command that creates a draft as a custom rule, even if firewall rules are available. */
export const formatCustomRuleCommand = (
	zone: NamedZone,
	{filter: {expression}, priority, ...draft}: EmergencySettings,
): string => formatEmergencyCommand(zone, draft, expression, ['--custom-rule']);
