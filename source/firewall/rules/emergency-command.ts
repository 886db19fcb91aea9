import {type CommandZone, command, settingWords} from '../continuation.ts';
import {findEmergencyReasons} from './emergency-name.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** A zone that a printed command is for; its name is in commands that need it. */
type NamedZone = CommandZone & Pick<FirewallZone, 'name'>;

type EmergencyWords = RuleSettings & {readonly filter: {readonly expression: string}};

/** The shell command that puts a draft in force in one call, or, where firewall rules are gone, as a custom rule. */
export const emergencyCommand = (
	zone: NamedZone,
	draft: RuleSettings,
	expression: string,
	more: readonly string[] = [],
): string =>
	command(
		zone,
		['emergency'],
		[
			'--expression',
			expression,
			...settingWords(draft),
			...more,
			...nameWords(zone, {...draft, filter: {expression}}),
		],
	);

/** `--confirm ZONE`, for a draft that needs it. */
export const nameWords = (zone: NamedZone, draft: EmergencyWords): readonly string[] =>
	findEmergencyReasons(zone, {after: draft}).length > 0 ? ['--confirm', zone.name] : [];

/** The shell command that puts a draft in force as a custom rule, also where there are firewall rules. */
export const customRuleCommand = (
	zone: NamedZone,
	{filter: {expression}, priority, ...draft}: EmergencyWords,
): string => emergencyCommand(zone, draft, expression, ['--custom-rule']);
