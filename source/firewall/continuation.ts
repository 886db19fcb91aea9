import {quoted} from '../service/curl.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** The shell command that makes the rule of a draft on a filter that is there: the way on after a creation that stopped between its two calls. */
export const continuation = (zone: Pick<FirewallZone, 'id'>, draft: RuleSettings, filterId: string): string =>
	command(['rule', 'create', '--zone-id', zone.id, '--filter-id', filterId, ...settingWords(draft)]);

/** The shell command that puts a draft in force in one call, or, where firewall rules are gone, as a custom rule. */
export const emergencyCommand = (
	zone: Pick<FirewallZone, 'id'>,
	draft: RuleSettings,
	expression: string,
): string => command(['emergency', '--zone-id', zone.id, '--expression', expression, ...settingWords(draft)]);

/** The shell command that puts a draft in force as a custom rule, also where there are firewall rules. */
export const customRuleCommand = (
	zone: Pick<FirewallZone, 'id'>,
	{filter: {expression}, ...draft}: RuleSettings & {readonly filter: {readonly expression: string}},
): string => `${emergencyCommand(zone, draft, expression)} --custom-rule`;

/** The shell command that deletes a rule, and its filter where nothing else uses it. */
export const ruleDeletion = (zone: Pick<FirewallZone, 'id'>, ruleId: string): string =>
	command(['rule', 'delete', ruleId, '--zone-id', zone.id]);

function settingWords(draft: RuleSettings): readonly string[] {
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
export const filterDeletion = (zone: Pick<FirewallZone, 'id'>, filterId: string): string =>
	command(['filter', 'delete', filterId, '--zone-id', zone.id]);

/** The shell command that lists the rules or filters of a zone. */
export const listing = (zone: Pick<FirewallZone, 'id'>, what: 'filter' | 'rule'): string =>
	command([what, 'list', '--zone-id', zone.id]);

/** The shell command that shows one rule or filter. */
export const showing = (zone: Pick<FirewallZone, 'id'>, what: 'filter' | 'rule', id: string): string =>
	command([what, 'get', id, '--zone-id', zone.id]);

/** The shell command that puts a paused filter in force again. */
export const filterResumption = (zone: Pick<FirewallZone, 'id'>, filterId: string): string =>
	command(['filter', 'update', filterId, '--zone-id', zone.id, '--no-paused']);

/** The shell command that puts a paused rule in force again. */
export const ruleResumption = (zone: Pick<FirewallZone, 'id'>, ruleId: string): string =>
	command(['rule', 'resume', ruleId, '--zone-id', zone.id]);

/** The shell command that gives a rule another filter. */
export const filterExchange = (zone: Pick<FirewallZone, 'id'>, ruleId: string, filterId: string): string =>
	command(['rule', 'update', ruleId, '--zone-id', zone.id, '--filter-id', filterId]);

/** The shell command that shows the firewall rules of a zone as custom rules. */
export const customRulesExport = (zone: Pick<FirewallZone, 'id'>): string =>
	command(['export', '--zone-id', zone.id, '--format', 'custom-rules']);

const command = (words: readonly string[]): string => ['ledge', 'firewall', ...words].map(quoted).join(' ');
