import {customRuleCommand} from './emergency-command.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';

/** Whether a rule leads requests around the managed rules, as far as it was meant: the previous version only. */
export const bypassesWaf = ({action, products}: Pick<Rule, 'action' | 'products'>): boolean =>
	action === 'bypass' && products?.includes('waf') === true;

/** What a bypass of the managed rules does in a zone that has migrated, as a mark in lists. */
export const withoutEffect = 'no effect on the new managed rules';

/** The same as a warning, with what has an effect. */
export function wafBypassWarning(draft: RuleDraft, zone: FirewallZone): string {
	const what = `${zone.name} has migrated: bypassing waf has ${withoutEffect}.`;
	const {filter} = draft;
	if (!('expression' in filter)) return `${what} A skip rule has: a custom rule in their place.`;
	return `${what} A skip rule has: ${customRuleCommand(zone, {...draft, filter})}`;
}
