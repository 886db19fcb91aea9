import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {listChanges} from '../rules/changed-rule.ts';
import {toCustomRules} from '../rules/custom-rule.ts';
import {type Deletion, type DeletionPlan, planDeletions} from '../rules/delete-rule.ts';
import {sortForEvaluation} from '../rules/order.ts';
import {isRuleActive, type Rule} from '../rules/rule.ts';
import {readRuleById} from '../rules/rules.ts';
import type {KeptRule} from './kept-rules.ts';
import {getRuleComparisonKey} from './merge.ts';

/** Firewall rules as read before the conversion, and the custom rules made of them, by firewall rule id. */
type ReplacedRules = {readonly read: readonly Rule[]; readonly custom: ReadonlyMap<string, RulesetRule>};

/** The deletion plan for firewall rules that were converted to custom rules. */
export type OldRulesPlan = {
	readonly source: ReplacedRules;
	/**
	 * The last evaluated rule comes first. So the remaining firewall rules decide as before at any moment,
	 * and custom rules replace the deleted ones.
	 */
	readonly plans: readonly DeletionPlan[];
	readonly kept: readonly KeptRule[];
};

/** The outcome for one firewall rule. */
type OldRuleResult =
	| {readonly state: 'tried'; readonly rule: Rule; readonly deletion: Deletion}
	| ({readonly state: 'kept'} & KeptRule)
	/** Someone else deleted it. */
	| {readonly state: 'gone'; readonly rule: Rule};

/**
 * Plans the deletion of the firewall rules that were converted. Keeps each rule that changed since it was
 * read, or whose custom rule is not among `existingRules` (same action, expression and enabled state).
 */
export function planOldRuleDeletion(
	read: readonly Rule[],
	currentRules: readonly Rule[],
	existingRules: readonly RulesetRule[],
): OldRulesPlan {
	const source = {read, custom: toCustomRules(read).byRule};
	const deletable: Rule[] = [];
	const keptRules: KeptRule[] = [];
	for (const rule of sortForEvaluation(currentRules).toReversed()) {
		const reason = findKeepReason(source, rule, existingRules) ?? findLockout(rule, keptRules);
		if (reason === undefined) deletable.push(rule);
		else keptRules.push({rule, reason});
	}
	return {source, plans: planDeletions(deletable, currentRules, 'delete'), kept: keptRules};
}

/**
 * Deletes the planned rules one by one with `remove`, and yields each outcome. Reads the rule and the custom
 * rules again right before each deletion, and keeps a rule that may no longer be deleted. Ends after a failed
 * deletion.
 */
export async function* deleteOldRules(
	client: Client,
	zone: string,
	{source, plans, kept: alreadyKept}: OldRulesPlan,
	{signal, remove}: {readonly signal: AbortSignal; remove(plan: DeletionPlan): Promise<Deletion>},
): AsyncGenerator<OldRuleResult> {
	const keptRules = [...alreadyKept];
	for (const plan of plans) {
		const {rule} = plan;
		// A dry run has created no custom rules, so there is nothing to check.
		const current = client.dryRun
			? rule
			: await readIfPresent(() => readRuleById(client, zone, rule.id, signal));
		if (!current) {
			yield {state: 'gone', rule};
			continue;
		}
		const reason =
			findLockout(rule, keptRules) ??
			(client.dryRun
				? undefined
				: findKeepReason(
						source,
						current,
						(await readRulesetEntryPoint(client, zone, customPhase, signal))?.rules ?? [],
					));
		if (reason !== undefined) {
			keptRules.push({rule: current, reason});
			yield {state: 'kept', rule: current, reason};
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

/** Returns why a firewall rule must be kept; undefined if it is unchanged and its custom rule exists. */
function findKeepReason(
	{read, custom}: ReplacedRules,
	current: Rule,
	existingRules: readonly RulesetRule[],
): string | undefined {
	const original = read.find(({id}) => id === current.id);
	if (!original) return 'it was created after the rules were read';
	if ('deleted' in current.filter)
		return `its filter ${current.filter.id} was deleted, so no custom rule replaces it`;
	const changes = listChanges(original, current);
	if (changes.length > 0) return `someone else changed it after it was read: ${changes.join(', ')}`;
	const customRule = custom.get(current.id);
	if (customRule && includesRule(existingRules, customRule)) return undefined;
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
function findLockout(rule: Rule, keptRules: readonly KeptRule[]): string | undefined {
	if (!isRuleActive(rule) || (rule.action !== 'allow' && rule.action !== 'bypass')) return undefined;
	const stoppingRule = keptRules.find(
		({rule: keptRule}) => isRuleActive(keptRule) && !['allow', 'bypass', 'log'].includes(keptRule.action),
	);
	return stoppingRule && `it lets requests past rule ${stoppingRule.rule.id}, which is kept`;
}
