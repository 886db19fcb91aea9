import {changesBetween} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {type Acting, findNameReasons, type RuleWrite} from './broad-rule.ts';
import {evaluationOrder} from './order.ts';
import type {Rule} from './rule.ts';
import {skippedBy} from './skip.ts';

type NamedZone = {readonly name: string};

const actingCustomRule = (rule: RulesetRule): Acting => ({
	id: rule.id,
	action: rule.action,
	products: rule.action === 'skip' ? skippedBy(rule) : undefined,
	paused: rule.enabled === false,
	filter: {expression: rule.expression},
});

/** Why making `after` of the custom rules `before` needs the zone's name, in sentences; none if it does not. */
export function findCustomRuleReasons(
	zone: NamedZone,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] {
	const changes = changesBetween(before, after).flatMap((change): RuleWrite[] => {
		const {kind, rule} = change;
		if (kind === 'moved') return [];
		if (kind === 'removed') return [{before: actingCustomRule(rule)}];
		return [
			{
				before: kind === 'changed' ? actingCustomRule(change.before) : undefined,
				after: actingCustomRule(rule),
			},
		];
	});
	return findNameReasons(zone, changes, {
		before: before.map(actingCustomRule),
		after: after.map(actingCustomRule),
	});
}

type ActingFirewallRule = Acting & Pick<Rule, 'id'> & {readonly priority?: number | null | undefined};

/** The same for firewall rules. All of a zone show which of them go before others. */
export function findFirewallRuleReasons(
	zone: NamedZone,
	before: readonly ActingFirewallRule[],
	after: readonly ActingFirewallRule[],
): readonly string[] {
	const changes = before.map(rule => ({before: rule, after: after.find(({id}) => id === rule.id)}));
	return findNameReasons(zone, changes, {before: evaluationOrder(before), after: evaluationOrder(after)});
}
