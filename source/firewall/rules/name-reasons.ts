import {changesBetween} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {type Acting, findNameReasons, type RuleWrite} from './broad-rule.ts';
import {evaluationOrder} from './order.ts';
import type {Rule} from './rule.ts';
import {skippedBy} from './skip.ts';

type NamedZone = {readonly name: string};

const toActing = (rule: RulesetRule): Acting => ({
	id: rule.id,
	action: rule.action,
	products: rule.action === 'skip' ? skippedBy(rule) : undefined,
	paused: rule.enabled === false,
	filter: {expression: rule.expression},
});

/** Sentences why changing the custom rules from `before` to `after` needs the zone's name; none if it does not. */
export function findCustomRuleReasons(
	zone: NamedZone,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] {
	const changes = changesBetween(before, after).flatMap((change): RuleWrite[] => {
		const {kind, rule} = change;
		if (kind === 'moved') return [];
		if (kind === 'removed') return [{before: toActing(rule)}];
		return [
			{
				before: kind === 'changed' ? toActing(change.before) : undefined,
				after: toActing(rule),
			},
		];
	});
	return findNameReasons(zone, changes, {
		before: before.map(toActing),
		after: after.map(toActing),
	});
}

type ActingFirewallRule = Acting & Pick<Rule, 'id'> & {readonly priority?: number | null | undefined};

/** The same for firewall rules. Needs all rules of the zone, for their order; new rules in `after` do not count. */
export function findFirewallRuleReasons(
	zone: NamedZone,
	before: readonly ActingFirewallRule[],
	after: readonly ActingFirewallRule[],
): readonly string[] {
	const changes = before.map(rule => ({before: rule, after: after.find(({id}) => id === rule.id)}));
	return findNameReasons(zone, changes, {before: evaluationOrder(before), after: evaluationOrder(after)});
}
