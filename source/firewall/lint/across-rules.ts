import {customPhase, managedPhase, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {sortKeys} from '../../text/json.ts';
import {capitalize} from '../../text/one-line.ts';
import {getRuleComparisonKey} from '../export/merge.ts';
import {impliesExpression} from '../expression/expressions.ts';
import {findEnd, formatEndTime, hasEnded} from '../rules/end-time.ts';
import {skipsLaterRules} from '../rules/skip.ts';
import {formatLintedRule, type LintedRule, type RuleGroup} from './rule-group.ts';
import type {RuleLintCode} from './rule-lints.ts';

/** A problem of a rule that its expression alone does not show. */
type RuleProblem = {
	readonly rule: LintedRule;
	readonly code: RuleLintCode;
	readonly level: 'warning' | 'hint';
	readonly sentence: string;
};

/**
 * Finds rules that do the same as an earlier one, never run because of one, or do nothing, and descriptions used
 * twice. `now`: seconds since 1970. That a rule never runs is proven, see `impliesExpression`.
 */
export function findRuleProblems(group: RuleGroup, now: number): readonly RuleProblem[] {
	const activeRules = group.rules.filter(one => isActive(one, now));
	return group.rules.flatMap(linted => [
		...(group.noun === 'filter' ? [] : (findIdle(linted, now) ?? findShadowing(group, linted, activeRules))),
		...findRepeatedDescription(group, linted),
	]);
}

const isActive = ({rule, unknownReason}: LintedRule, now: number): boolean =>
	unknownReason === undefined && rule.enabled !== false && !hasEnded(rule.expression, now);

/** Finds why a rule does nothing by itself; undefined for others. */
function findIdle(linted: LintedRule, now: number): readonly RuleProblem[] | undefined {
	const {rule, unknownReason} = linted;
	if (unknownReason !== undefined) return [];
	if (rule.enabled === false)
		return [
			{
				rule: linted,
				code: 'L202',
				level: 'hint',
				sentence: 'The rule is paused, so it does nothing.',
			},
		];
	const end = findEnd(rule.expression);
	return end !== undefined && hasEnded(rule.expression, now)
		? [
				{
					rule: linted,
					code: 'L203',
					level: 'hint',
					sentence: `The rule ended ${formatEndTime(end)}, so it does nothing.`,
				},
			]
		: undefined;
}

/** Finds the first earlier rule that does the same, or else keeps this one from running. */
function findShadowing(
	group: RuleGroup,
	linted: LintedRule,
	activeRules: readonly LintedRule[],
): readonly RuleProblem[] {
	if (!terminatingPhases.has(group.phase)) return [];
	const key = getEffectKey(linted.rule);
	const twin = activeRules.find(
		other => other.position < linted.position && getEffectKey(other.rule) === key,
	);
	if (twin)
		return [
			{
				rule: linted,
				code: 'L200',
				level: 'warning',
				sentence: `The same as ${formatLintedRule(group, twin)}: the same action on the same requests.`,
			},
		];
	// A rate limit acts only when it is exceeded.
	if (group.phase === rateLimitPhase) return [];
	const shadow = activeRules.find(
		other =>
			runsBefore(other, linted) &&
			endsEvaluation(other.rule) &&
			impliesExpression(linted.rule.expression, other.rule.expression),
	);
	return shadow
		? [
				{
					rule: linted,
					code: 'L201',
					level: 'warning',
					sentence: `The rule never runs: ${formatLintedRule(group, shadow)} ${describeShadow(shadow.rule)} first.`,
				},
			]
		: [];
}

/**
 * Phases in which a rule can end the evaluation. In others, such as rewrites or settings, all matching rules run and
 * later ones override earlier ones, so that even a repeated rule can make a difference.
 */
const terminatingPhases: ReadonlySet<string> = new Set([
	customPhase,
	rateLimitPhase,
	managedPhase,
	'http_request_dynamic_redirect',
]);

function runsBefore(one: LintedRule, other: LintedRule): boolean {
	const [listIndex, otherListIndex] = [one.listIndex, other.listIndex];
	if (one.position >= other.position || listIndex === 'unknown') return false;
	return listIndex === undefined || (typeof otherListIndex === 'number' && listIndex < otherListIndex);
}

/** A challenge does not count: a visitor who has passed one reaches the later rules. */
const endsEvaluation = (rule: RulesetRule): boolean =>
	rule.action === 'block' || rule.action === 'redirect' || skipsLaterRules(rule);

const describeShadow = ({action}: RulesetRule): string =>
	action === 'skip'
		? 'lets all of its requests through'
		: `${action === 'redirect' ? 'redirects' : 'blocks'} all of its requests`;

/** Returns the same text for rules that do the same; rate limits count, too. */
const getEffectKey = (rule: RulesetRule): string =>
	`${getRuleComparisonKey(rule)} ${JSON.stringify(sortKeys(rule.ratelimit ?? null))}`;

function findRepeatedDescription(group: RuleGroup, linted: LintedRule): readonly RuleProblem[] {
	const {description} = linted.rule;
	const other =
		description &&
		group.rules.find(one => one.position < linted.position && one.rule.description === description);
	return other
		? [
				{
					rule: linted,
					code: 'L204',
					level: 'hint',
					sentence: `${capitalize(group.noun)} ${other.position} has the same description, so events and lists don't tell them apart.`,
				},
			]
		: [];
}
