import {quoted} from '../service/curl.ts';
import type {FirewallZone, RuleSettings} from './rules/rule.ts';

/** The zone of a command, and the options that lead to where it is. */
export type CommandZone = Pick<FirewallZone, 'id' | 'way'>;

/**
 * The shell command that makes the rule of a draft on an existing filter: the way on after a creation that stopped between
 * its two calls. `confirm` is `--confirm ZONE` where the command needs it, here and below.
 */
export const continuation = (
	zone: CommandZone,
	draft: RuleSettings,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['rule', 'create'], ['--filter-id', filterId, ...settingWords(draft), ...confirm]);

/** The shell command that deletes a rule, and its filter where nothing else uses it. */
export const ruleDeletion = (zone: CommandZone, ruleId: string): string =>
	command(zone, ['rule', 'delete', ruleId]);

/** The options for the settings of a rule. */
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

/** The shell command that deletes a filter: the way on after a deletion that stopped behind the rule. */
export const filterDeletion = (zone: CommandZone, filterId: string): string =>
	command(zone, ['filter', 'delete', filterId]);

/** The shell command that lists the rules or filters of a zone. */
export const listing = (zone: CommandZone, what: 'filter' | 'rule'): string => command(zone, [what, 'list']);

/** The shell command that shows one rule or filter. */
export const showing = (zone: CommandZone, what: 'filter' | 'rule', id: string): string =>
	command(zone, [what, 'get', id]);

/** The shell command that puts a paused filter in force again. */
export const filterResumption = (
	zone: CommandZone,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['filter', 'update', filterId], ['--no-paused', ...confirm]);

/** The shell command that puts a paused rule in force again. */
export const ruleResumption = (zone: CommandZone, ruleId: string, confirm: readonly string[] = []): string =>
	command(zone, ['rule', 'resume', ruleId], confirm);

/** The shell command that replaces the filter of a rule. */
export const filterExchange = (
	zone: CommandZone,
	ruleId: string,
	filterId: string,
	confirm: readonly string[] = [],
): string => command(zone, ['rule', 'update', ruleId], ['--filter-id', filterId, ...confirm]);

/** The shell command that shows the firewall rules of a zone as custom rules. */
export const customRulesExport = (zone: CommandZone): string =>
	command(zone, ['export'], ['--format', 'custom-rules']);

/** The shell command that acts on the custom rules of a zone. */
export const rulesCommand = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('rules', zone, words, options);

/** The shell command that acts on the managed rules in force in a zone. */
export const managedCommand = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('managed', zone, words, options);

/** The shell command that acts on the filters or firewall rules of a zone. */
export const command = (
	zone: CommandZone,
	words: readonly string[],
	options: readonly string[] = [],
): string => inArea('firewall', zone, words, options);

/** The options that lead to the zone stand right behind its id: there everything that qualifies commands looks for them. */
const inArea = (
	area: 'firewall' | 'rules' | 'managed',
	{id, way = ''}: CommandZone,
	words: readonly string[],
	options: readonly string[],
): string =>
	`${inShell(['ledge', area, ...words, '--zone-id', id])}${way}${options.length > 0 ? ` ${inShell(options)}` : ''}`;

const inShell = (words: readonly string[]): string => words.map(quoted).join(' ');
