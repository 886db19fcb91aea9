import {Failure} from '../../failure.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {JsonObject} from '../../text/json.ts';
import {getRuleOrdering, sortForEvaluation} from './order.ts';
import {isRuleActive, type Rule, type RuleDraft} from './rule.ts';

/** Products replaced by phases of rulesets: a skip names both. */
const successorPhases: Readonly<Record<string, string>> = {
	waf: 'http_request_firewall_managed',
	rateLimit: 'http_ratelimit',
};

/** Firewall rule actions with the same name in custom rules. */
const sharedActions: ReadonlySet<string> = new Set([
	'block',
	'challenge',
	'js_challenge',
	'managed_challenge',
	'log',
]);

/**
 * Converts a firewall rule to a custom rule of the Rulesets API (see docs/service.md#firewall-rules). Fails
 * with `not_found` if the expression is unknown: the filter is deleted or only its id is known.
 */
export function toCustomRule(rule: Rule | RuleDraft): RulesetRule {
	const {filter, action, products, ref} = rule;
	if (!('expression' in filter))
		throw new Failure(
			'not_found',
			"The rule can't be converted to a custom rule: its expression is unknown.",
			{
				why:
					'deleted' in filter
						? `Its filter ${filter.id} was deleted.`
						: `Only the id of its filter is known: ${filter.id}.`,
				next: 'Specify an expression.',
			},
		);
	const description = rule.description || filter.description;
	return {
		...translateAction(action, products ?? []),
		expression: filter.expression,
		...(description && {description}),
		...(ref && {ref}),
		enabled: !(rule.paused || filter.paused),
	};
}

function translateAction(
	action: string,
	products: readonly string[],
): Pick<RulesetRule, 'action' | 'action_parameters' | 'logging'> {
	switch (action) {
		case 'allow':
			return buildSkip({ruleset: 'current'});
		case 'bypass':
			return buildSkip(buildBypassParameters(products));
		default:
			return {action};
	}
}

const buildSkip = (parameters: JsonObject) => ({
	action: 'skip',
	action_parameters: parameters,
	logging: {enabled: true},
});

function buildBypassParameters(products: readonly string[]): JsonObject {
	const phases = products.flatMap(product => successorPhases[product] ?? []);
	return {products, ...(phases.length > 0 && {phases})};
}

/** Converted rules in evaluation order. */
type TranslatedRules = {
	readonly rules: readonly RulesetRule[];
	/** What could not be converted, and what needs review. */
	readonly notes: readonly string[];
	/** Custom rule by firewall rule id; two firewall rules can share one. */
	readonly customRuleById: ReadonlyMap<string, RulesetRule>;
};

/** Converts all firewall rules of a zone to equivalent custom rules. */
export function toCustomRules(rules: readonly Rule[]): TranslatedRules {
	const notes: string[] = [];
	const customRuleById = new Map<string, RulesetRule>();
	const orderedRules = sortForEvaluation(rules);
	if (getRuleOrdering(rules) === 'undecided' && orderedRules.some((rule, index) => rule !== rules[index]))
		notes.push(
			'No rule has a priority, so the rules are ordered by action (log, bypass, allow, challenges, block). Compare them if the zone runs its rules in list order.',
		);
	const customRules: RulesetRule[] = [];
	const usedReferences = new Set<string>();
	const joinedPairs = findJoinedPairs(orderedRules);
	for (const rule of orderedRules) {
		if ('deleted' in rule.filter) {
			notes.push(`Skipped rule ${rule.id} (${rule.action}): its filter ${rule.filter.id} was deleted.`);
			continue;
		}
		if (joinedPairs.joinedBypasses.has(rule)) continue;
		const bypassRule = joinedPairs.bypassByAllow.get(rule);
		if (bypassRule)
			notes.push(
				`Merged rules ${bypassRule.id} (bypass) and ${rule.id} (allow) on the same filter into one skip rule.`,
			);
		if (!sharedActions.has(rule.action) && rule.action !== 'allow' && rule.action !== 'bypass')
			notes.push(
				`Rule ${rule.id} has the action ${rule.action}, which ledge doesn't know: it is kept unchanged.`,
			);
		const {ref, ...ruleWithoutRef} = toCustomRule(rule);
		const parameters = bypassRule && {
			action_parameters: {ruleset: 'current', ...buildBypassParameters(bypassRule.products ?? [])},
		};
		const customRule: RulesetRule = {
			...ruleWithoutRef,
			...parameters,
			...(ref !== undefined && claimReference(ref, rule) && {ref}),
		};
		customRules.push(customRule);
		customRuleById.set(rule.id, customRule);
		if (bypassRule) customRuleById.set(bypassRule.id, customRule);
	}
	return {rules: customRules, notes, customRuleById};

	/**
	 * Claims a reference for a rule. They are unique within a ruleset: false, with a note, if another rule
	 * has it.
	 */
	function claimReference(ref: string, {id}: Rule): boolean {
		if (usedReferences.has(ref)) {
			notes.push(`Dropped the reference "${ref}" of rule ${id}: another rule already has it.`);
			return false;
		}
		usedReferences.add(ref);
		return true;
	}
}

/**
 * Finds bypass and allow rules on one filter that become one skip rule. Only if nothing between them can end
 * evaluation, since the bypass moves down to the allow. `joinedBypasses` are the bypass rules that are not
 * converted by themselves.
 */
function findJoinedPairs(orderedRules: readonly Rule[]): {
	bypassByAllow: Map<Rule, Rule>;
	joinedBypasses: Set<Rule>;
} {
	const pairs = {bypassByAllow: new Map<Rule, Rule>(), joinedBypasses: new Set<Rule>()};
	orderedRules.forEach((rule, index) => {
		if (rule.action !== 'bypass' || 'deleted' in rule.filter) return;
		for (const laterRule of orderedRules.slice(index + 1)) {
			const isPartner =
				laterRule.action === 'allow' &&
				laterRule.filter.id === rule.filter.id &&
				laterRule.paused === rule.paused &&
				!pairs.bypassByAllow.has(laterRule);
			if (isPartner) {
				pairs.bypassByAllow.set(laterRule, rule);
				pairs.joinedBypasses.add(rule);
				return;
			}
			if (endsEvaluation(laterRule)) return;
		}
	});
	return pairs;
}

const endsEvaluation = (rule: Rule): boolean =>
	isRuleActive(rule) && rule.action !== 'log' && rule.action !== 'bypass';
