import {quoted} from '../service/curl.ts';
import type {FirewallZone, RuleSettings} from './rules/rule.ts';

/** Zone of a printed command, with the options that lead to its session. */
export type CommandZone = Pick<FirewallZone, 'id' | 'way'>;

/**
 * Formats the command that creates a draft's rule on an existing filter, for a creation that stopped between
 * its two calls. `confirm` is `--confirm ZONE` where the command needs it, here and below.
 */
export const continuation = (
	zone: CommandZone,
	draft: RuleSettings,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['rule', 'create'], ['--filter-id', filterId, ...settingWords(draft), ...confirm]);

/** Formats the command that deletes a rule, and its filter if nothing else uses it. */
export const ruleDeletion = (zone: CommandZone, ruleId: string): string =>
	command(zone, ['rule', 'delete', ruleId]);

/** Builds the command-line options for the settings of a rule. */
export function settingWords(draft: RuleSettings): readonly string[] {
	const {action, products = [], priority, paused, description, ref} = draft;
	const words = ['--action', action];
	if (products.length > 0) words.push('--products', products.join(','));
	if (typeof priority === 'number') words.push('--priority', String(priority));
	if (paused) words.push('--paused');
	if (description) words.push('--description', description);
	if (ref) words.push('--ref', ref);
	return words;
}

/** Formats the command that deletes a filter, for a deletion that stopped after the rule. */
export const filterDeletion = (zone: CommandZone, filterId: string): string =>
	command(zone, ['filter', 'delete', filterId]);

export const listing = (zone: CommandZone, what: 'filter' | 'rule'): string => command(zone, [what, 'list']);

export const showing = (zone: CommandZone, what: 'filter' | 'rule', id: string): string =>
	command(zone, [what, 'get', id]);

/** Formats the command that resumes a paused filter. */
export const filterResumption = (
	zone: CommandZone,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['filter', 'update', filterId], ['--no-paused', ...confirm]);

export const ruleResumption = (zone: CommandZone, ruleId: string, confirm: readonly string[] = []): string =>
	command(zone, ['rule', 'resume', ruleId], confirm);

/** Formats the command that gives a rule another filter. */
export const filterExchange = (
	zone: CommandZone,
	ruleId: string,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['rule', 'update', ruleId], ['--filter-id', filterId, ...confirm]);

/** Formats the command that exports the firewall rules of a zone as custom rules. */
export const customRulesExport = (zone: CommandZone): string =>
	command(zone, ['export'], ['--format', 'custom-rules']);

/** Formats a command on the custom rules of a zone. */
export const rulesCommand = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('rules', zone, words, options);

/** Formats a command on the managed rules of a zone. */
export const managedCommand = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('managed', zone, words, options);

/** Formats a command on the filters or firewall rules of a zone. */
export const command = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('firewall', zone, words, options);

/** Session options follow the zone id directly: `qualifyAdvice` and its callers look for them there. */
const inArea = (
	area: 'firewall' | 'rules' | 'managed',
	{id, way = ''}: CommandZone,
	words: readonly string[],
	options: readonly string[],
): string =>
	`${inShell(['ledge', area, ...words, '--zone-id', id])}${way}${options.length > 0 ? ` ${inShell(options)}` : ''}`;

const inShell = (words: readonly string[]): string => words.map(quoted).join(' ');
