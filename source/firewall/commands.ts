import {quoteShellWord} from '../service/curl.ts';
import type {FirewallZone, RuleSettings} from './rules/rule.ts';

/** Zone of a printed command, with the options that lead to its session. */
export type CommandZone = Pick<FirewallZone, 'id' | 'sessionOptions'>;

/**
 * Formats the command that creates a rule on an existing filter, for a creation that stopped between its two
 * calls. `confirmOptions`, here and below: `--confirm ZONE` if the command needs it, else empty.
 */
export const formatCreateRuleCommand = (
	zone: CommandZone,
	draft: RuleSettings,
	filterId: string,
	confirmOptions: readonly string[] = [],
): string =>
	formatFirewallCommand(
		zone,
		['rule', 'create'],
		['--filter-id', filterId, ...buildRuleOptions(draft), ...confirmOptions],
	);

/** Formats the command that deletes rules, and their filters if nothing else uses them. */
export const formatDeleteRuleCommand = (zone: CommandZone, ...ruleIds: readonly string[]): string =>
	formatFirewallCommand(zone, ['rule', 'delete', ...ruleIds]);

/** Builds the command-line options for the settings of a rule. */
export function buildRuleOptions(draft: RuleSettings): readonly string[] {
	const {action, products = [], priority, paused, description, ref} = draft;
	const args = ['--action', action];
	if (products.length > 0) args.push('--products', products.join(','));
	if (typeof priority === 'number') args.push('--priority', String(priority));
	if (paused) args.push('--paused');
	if (description) args.push('--description', description);
	if (ref) args.push('--ref', ref);
	return args;
}

/** Formats the command that deletes a filter, for a deletion that stopped after the rule. */
export const formatDeleteFilterCommand = (zone: CommandZone, filterId: string): string =>
	formatFirewallCommand(zone, ['filter', 'delete', filterId]);

export const formatFirewallListCommand = (zone: CommandZone, kind: 'filter' | 'rule'): string =>
	formatFirewallCommand(zone, [kind, 'list']);

export const formatFirewallGetCommand = (zone: CommandZone, kind: 'filter' | 'rule', id: string): string =>
	formatFirewallCommand(zone, [kind, 'get', id]);

/** Formats the command that resumes a paused filter. */
export const formatResumeFilterCommand = (
	zone: CommandZone,
	filterId: string,
	confirmOptions: readonly string[] = [],
): string => formatFirewallCommand(zone, ['filter', 'update', filterId], ['--no-paused', ...confirmOptions]);

export const formatResumeRuleCommand = (
	zone: CommandZone,
	ruleId: string,
	confirmOptions: readonly string[] = [],
): string => formatFirewallCommand(zone, ['rule', 'resume', ruleId], confirmOptions);

/** Formats the command that gives a rule another filter. */
export const formatExchangeFilterCommand = (
	zone: CommandZone,
	ruleId: string,
	filterId: string,
	confirmOptions: readonly string[] = [],
): string =>
	formatFirewallCommand(zone, ['rule', 'update', ruleId], ['--filter-id', filterId, ...confirmOptions]);

/** Formats the command that exports the firewall rules of a zone as custom rules. */
export const formatCustomRulesExportCommand = (zone: CommandZone): string =>
	formatFirewallCommand(zone, ['export'], ['--format', 'custom-rules']);

/** Formats a command on the custom rules of a zone. */
export const formatRulesCommand = (
	zone: CommandZone,
	args: readonly string[],
	options: readonly string[] = [],
): string => formatAreaCommand('rules', zone, args, options);

/** Formats a command on the managed rules of a zone. */
export const formatManagedCommand = (
	zone: CommandZone,
	args: readonly string[],
	options: readonly string[] = [],
): string => formatAreaCommand('managed', zone, args, options);

/** Formats a command on the filters or firewall rules of a zone. */
export const formatFirewallCommand = (
	zone: CommandZone,
	args: readonly string[],
	options: readonly string[] = [],
): string => formatAreaCommand('firewall', zone, args, options);

/** Session options follow the zone id directly: `qualifyAdvice` and its callers look for them there. */
const formatAreaCommand = (
	area: 'firewall' | 'rules' | 'managed',
	{id, sessionOptions = ''}: CommandZone,
	args: readonly string[],
	options: readonly string[],
): string =>
	`${formatShellWords(['ledge', area, ...args, '--zone-id', id])}${sessionOptions}${options.length > 0 ? ` ${formatShellWords(options)}` : ''}`;

const formatShellWords = (args: readonly string[]): string => args.map(quoteShellWord).join(' ');
