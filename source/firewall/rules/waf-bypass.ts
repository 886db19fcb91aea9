import {formatCustomRuleCommand} from './emergency-command.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';

/** True if a rule bypasses the managed rules. Such a rule affects only their previous version. */
export const bypassesWaf = ({action, products}: Pick<Rule, 'action' | 'products'>): boolean =>
	action === 'bypass' && products?.includes('waf') === true;

/** Mark in lists for a bypass of managed rules in a migrated zone. */
export const noEffectText = 'no effect on the new managed rules';

/** Formats the warning about a draft, with the command that creates a skip rule that does work. */
export function formatWafBypassWarning(draft: RuleDraft, zone: FirewallZone): string {
	const explanation = `${zone.name} has migrated: bypassing waf has ${noEffectText}.`;
	const {filter} = draft;
	if (!('expression' in filter))
		return `${explanation} To skip those, create a custom rule with the skip action.`;
	return `${explanation} To skip those, create a skip rule: ${formatCustomRuleCommand(zone, {...draft, filter})}`;
}
