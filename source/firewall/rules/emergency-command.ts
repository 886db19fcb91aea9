import {type CommandZone, command, settingWords} from '../continuation.ts';
import {findEmergencyReasons} from './emergency-name.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** A zone that a printed command is for; its name is in commands that need it. */
type NamedZone = CommandZone & Pick<FirewallZone, 'name'>;

type EmergencyWords = RuleSettings & {readonly filter: {readonly expression: string}};

/** Which rules a command is about: firewall rules, or custom rules, which exist beside them under other ids. */
type RuleForm = 'firewall rule' | 'custom rule';

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

/** The shell command that adds the addresses of a draft to an existing block rule. */
export const addressesAddition = (
	zone: NamedZone,
	draft: EmergencyWords,
	ruleId: string,
	form: RuleForm,
): string =>
	command(
		zone,
		['emergency'],
		[
			'--expression',
			draft.filter.expression,
			'--add-to',
			ruleId,
			...(form === 'custom rule' ? ['--custom-rule'] : []),
			...nameWords(zone, draft),
		],
	);

/** The shell command that puts a draft in force in the place of a paused rule. */
export const replacementCommand = (
	zone: NamedZone,
	{filter: {expression}, priority, ...draft}: EmergencyWords,
	ruleId: string,
	form: RuleForm,
): string =>
	form === 'custom rule'
		? emergencyCommand(zone, draft, expression, ['--replace', ruleId, '--custom-rule'])
		: emergencyCommand(zone, {...draft, priority}, expression, ['--replace', ruleId]);
