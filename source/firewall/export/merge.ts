import {Failure} from '../../failure.ts';
import {insertAtPosition} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {zonePlanNames} from '../../service/plan.ts';
import {sortKeys} from '../../text/json.ts';
import {canonicalize} from '../expression/expressions.ts';
import {maxRulesByPlan} from '../limits.ts';
import type {DraftZone} from '../rules/checks.ts';
import {checkCustomRule} from '../rules/custom-checks.ts';
import {formatCustomRuleAction} from '../rules/custom-rule-words.ts';

/** Existing custom rules merged with those made of firewall rules. */
export type MergeResult = {
	readonly rules: readonly RulesetRule[];
	readonly addedRules: readonly RulesetRule[];
	/** New rules that were not added, each with the equivalent existing rule. */
	readonly presentRules: readonly {readonly rule: RulesetRule; readonly existingRule: RulesetRule}[];
	readonly notes: readonly string[];
};

/**
 * Adds rules to the existing ones in their order: at the end, or before the rule with the id `anchorId`.
 * Skips rules that are equivalent to an existing one, so merging twice adds nothing.
 */
export function mergeCustomRules(
	existingRules: readonly RulesetRule[],
	newRules: readonly RulesetRule[],
	anchorId?: string | undefined,
): MergeResult {
	const addedRules: RulesetRule[] = [];
	const presentRules: {rule: RulesetRule; existingRule: RulesetRule}[] = [];
	const notes: string[] = [];
	const usedReferences = new Set(existingRules.map(({ref}) => ref));
	const unmatchedRulesByKey = Map.groupBy(existingRules, getRuleComparisonKey);
	for (const rule of newRules) {
		// Two equivalent firewall rules need two custom rules, so each existing rule counts for one of them.
		const equivalentRule = unmatchedRulesByKey.get(getRuleComparisonKey(rule))?.shift();
		if (equivalentRule) {
			presentRules.push({rule, existingRule: equivalentRule});
			continue;
		}
		if (rule.ref !== undefined && usedReferences.has(rule.ref)) {
			notes.push(`Dropped the reference "${rule.ref}": another custom rule already has it.`);
			const {ref: _, ...ruleWithoutRef} = rule;
			addedRules.push(ruleWithoutRef);
		} else addedRules.push(rule);
	}
	const position = anchorId === undefined ? {after: ''} : {before: anchorId};
	let rules = existingRules;
	for (const rule of addedRules) rules = insertAtPosition(rules, rule, position);
	return {rules, addedRules, presentRules, notes};
}

/** Cache: parsing expressions is slow. */
const comparisonKeys = new WeakMap<RulesetRule, string>();

/** Returns a comparison key: equal for rules with the same action, requests and enabled state. */
export function getRuleComparisonKey(rule: RulesetRule): string {
	const cachedKey = comparisonKeys.get(rule);
	if (cachedKey !== undefined) return cachedKey;
	const {action, action_parameters: parameters = {}, expression, enabled = true} = rule;
	const newKey = JSON.stringify([
		action,
		sortKeys(parameters),
		canonicalize(expression) ?? expression,
		enabled,
	]);
	comparisonKeys.set(rule, newKey);
	return newKey;
}

/** A rule of a merge, with its position from 1. */
export type MergedRule = {readonly rule: RulesetRule; readonly position: number; readonly isNew: boolean};

/** Lists all rules after the merge, in order of evaluation. */
export function listMergedRules({rules, addedRules}: MergeResult): readonly MergedRule[] {
	const addedSet = new Set(addedRules);
	return rules.map((rule, index) => ({rule, position: index + 1, isNew: addedSet.has(rule)}));
}

/** Formats a custom rule on one line: its action and its requests. Not escaped for the terminal. */
export const formatMergedRule = (rule: RulesetRule): string =>
	`${formatCustomRuleAction(rule)}${rule.enabled === false ? ' (paused)' : ''}  ${rule.description ? `${rule.description}: ` : ''}${rule.expression}`;

/** Why a merge cannot be sent: one of its new rules, or the number of rules. */
export type MergeProblem = {readonly rule?: RulesetRule | undefined; readonly failure: Failure};

/**
 * Finds everything that the service would refuse: more rules than the plan of the zone allows, and new rules
 * that are invalid as custom rules. If there are none, the merge can be sent. Makes no calls.
 */
export function findMergeProblems(
	{rules, addedRules}: MergeResult,
	zone: DraftZone,
): readonly MergeProblem[] {
	const maxRules = zone.plan && maxRulesByPlan[zone.plan];
	const quotaProblems: MergeProblem[] =
		zone.plan && maxRules !== undefined && addedRules.length > 0 && rules.length > maxRules
			? [
					{
						failure: new Failure(
							'plan_lacks',
							`Rule limit reached: the zone can't have ${rules.length} custom rules.`,
							{
								why: `The ${zonePlanNames[zone.plan]} plan allows ${maxRules}, including paused rules.`,
								left: 'Nothing was sent.',
								next: 'Delete rules you no longer need, or upgrade the plan of the zone.',
							},
						),
					},
				]
			: [];
	const ruleProblems = addedRules.flatMap((rule): MergeProblem[] => {
		// Names unknown to ledge may be newer: the zone that the rules come from accepted them. Its plan may be
		// another one.
		const finding = [
			...checkCustomRule(rule, {...zone, allowUnknown: true}),
			...checkCustomRule(rule, zone).filter(({failure}) => failure.code === 'plan_lacks'),
		].find(({severity}) => severity === 'error');
		if (!finding) return [];
		const why = [`In this rule: ${formatMergedRule(rule)}`, finding.failure.details.why];
		return [
			{
				rule,
				failure: finding.failure.withDetails({
					why: why.filter(Boolean).join('\n'),
					left: 'Nothing was sent.',
				}),
			},
		];
	});
	return [...quotaProblems, ...ruleProblems];
}
