import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {listChangedProperties} from '../rules/changed-rule.ts';
import {toCustomRules} from '../rules/custom-rule.ts';
import {type Deletion, type DeletionPlan, planDeletions} from '../rules/delete-rule.ts';
import {hasEnded} from '../rules/end-time.ts';
import {sortForEvaluation} from '../rules/order.ts';
import {isRuleActive, type Rule} from '../rules/rule.ts';
import {readRuleById} from '../rules/rules.ts';
import type {KeptRule} from './kept-rules.ts';
import {getRuleComparisonKey} from './merge.ts';

/** Firewall rules as read before the conversion, and the custom rules made of them, by firewall rule id. */
type ReplacedRules = {
	readonly firewallRules: readonly Rule[];
	readonly customRulesById: ReadonlyMap<string, RulesetRule>;
};

/** The deletion plan for firewall rules that were converted to custom rules. */
export type OldRulesPlan = {
	readonly replacedRules: ReplacedRules;
	/**
	 * The last evaluated rule comes first. So the remaining firewall rules decide as before at any moment,
	 * and custom rules replace the deleted ones.
	 */
	readonly deletionPlans: readonly DeletionPlan[];
	readonly keptRules: readonly KeptRule[];
};

/** The outcome for one firewall rule. */
type OldRuleResult =
	| {readonly state: 'tried'; readonly rule: Rule; readonly deletion: Deletion}
	| ({readonly state: 'kept'} & KeptRule)
	/** Someone else deleted it. */
	| {readonly state: 'gone'; readonly rule: Rule};

/**
 * Plans the deletion of the firewall rules that were converted. Keeps each rule that changed since it was
 * read, or whose custom rule is not among `existingRules` (same action, expression and enabled state); one that
 * has ended needs none.
 */
export function planOldRuleDeletion(
	firewallRules: readonly Rule[],
	currentRules: readonly Rule[],
	existingRules: readonly RulesetRule[],
): OldRulesPlan {
	const replacedRules = {firewallRules, customRulesById: toCustomRules(firewallRules).customRuleById};
	const deletableRules: Rule[] = [];
	const keptRules: KeptRule[] = [];
	for (const rule of sortForEvaluation(currentRules).toReversed()) {
		const reason = findKeepReason(replacedRules, rule, existingRules) ?? findLockoutReason(rule, keptRules);
		if (reason === undefined) deletableRules.push(rule);
		else keptRules.push({rule, reason});
	}
	return {replacedRules, deletionPlans: planDeletions(deletableRules, currentRules, 'delete'), keptRules};
}

/**
 * Deletes the planned rules one by one with `remove`, and yields each outcome. Reads the rule and the custom
 * rules again right before each deletion, and keeps a rule that may no longer be deleted. Ends after a failed
 * deletion.
 */
export async function* deleteOldRules(
	client: Client,
	zoneId: string,
	{replacedRules, deletionPlans, keptRules: alreadyKept}: OldRulesPlan,
	{signal, remove}: {readonly signal: AbortSignal; remove(plan: DeletionPlan): Promise<Deletion>},
): AsyncGenerator<OldRuleResult> {
	const keptRules = [...alreadyKept];
	for (const plan of deletionPlans) {
		const {rule} = plan;
		// A dry run has created no custom rules, so there is nothing to check.
		const currentRule = client.dryRun
			? rule
			: await readIfPresent(() => readRuleById(client, zoneId, rule.id, signal));
		if (!currentRule) {
			yield {state: 'gone', rule};
			continue;
		}
		const reason =
			findLockoutReason(rule, keptRules) ??
			(client.dryRun
				? undefined
				: findKeepReason(
						replacedRules,
						currentRule,
						(await readRulesetEntryPoint(client, zoneId, customPhase, signal))?.rules ?? [],
					));
		if (reason !== undefined) {
			keptRules.push({rule: currentRule, reason});
			yield {state: 'kept', rule: currentRule, reason};
			continue;
		}
		const deletion = await remove(plan);
		if (deletion.state === 'nothing' && isAbsent(deletion.failure)) {
			yield {state: 'gone', rule};
			continue;
		}
		yield {state: 'tried', rule, deletion};
		if (deletion.state !== 'deleted') return;
	}
}

/** Returns why a firewall rule must be kept; undefined if it is unchanged, and has ended or its custom rule exists. */
function findKeepReason(
	{firewallRules, customRulesById}: ReplacedRules,
	currentRule: Rule,
	existingRules: readonly RulesetRule[],
): string | undefined {
	const originalRule = firewallRules.find(({id}) => id === currentRule.id);
	if (!originalRule) return 'it was created after the rules were read';
	if ('deleted' in currentRule.filter)
		return `its filter ${currentRule.filter.id} was deleted, so no custom rule replaces it`;
	const changes = listChangedProperties(originalRule, currentRule);
	if (changes.length > 0) return `someone else changed it after it was read: ${changes.join(', ')}`;
	const customRule = customRulesById.get(currentRule.id);
	if (customRule && (hasEnded(customRule.expression) || includesRule(existingRules, customRule)))
		return undefined;
	return 'the custom rule that replaces it was deleted or changed';
}

/** True if one of `rules` is equivalent to `target`. Compares equal texts first, since parsing is slow. */
function includesRule(rules: readonly RulesetRule[], target: RulesetRule): boolean {
	const isEquivalent = (rule: RulesetRule) => getRuleComparisonKey(rule) === getRuleComparisonKey(target);
	return (
		rules.filter(({expression}) => expression === target.expression).some(isEquivalent) ||
		rules.some(isEquivalent)
	);
}

/**
 * Returns why deleting a rule would lock visitors out, or undefined: it lets requests past a kept rule, which
 * would then stop them although custom rules let them through.
 */
function findLockoutReason(rule: Rule, keptRules: readonly KeptRule[]): string | undefined {
	if (!isRuleActive(rule) || (rule.action !== 'allow' && rule.action !== 'bypass')) return undefined;
	const stoppingRule = keptRules.find(
		({rule: keptRule}) => isRuleActive(keptRule) && !['allow', 'bypass', 'log'].includes(keptRule.action),
	);
	return stoppingRule && `it lets requests past rule ${stoppingRule.rule.id}, which is kept`;
}
