import {isDeepStrictEqual} from 'node:util';
import {findOverlap} from '../firewall/expression/expressions.ts';
import {hasEnded} from '../firewall/rules/end-time.ts';
import {findCustomRuleWeakening} from '../firewall/rules/name-reasons.ts';
import {formatRate, parseRateLimit} from '../firewall/rules/rate-limit.ts';
import {skipsLaterRules} from '../firewall/rules/skip.ts';
import {listRuleChanges, type RuleChange} from '../rulesets/difference.ts';
import type {RulesetRule} from '../rulesets/ruleset.ts';
import {formatQuantity} from '../text/figures.ts';

const isActive = ({enabled, expression}: RulesetRule): boolean => enabled !== false && !hasEnded(expression);
const letsThrough = (rule: RulesetRule): boolean => isActive(rule) && rule.action === 'skip';
const stops = (rule: RulesetRule): boolean =>
	isActive(rule) && rule.action !== 'skip' && rule.action !== 'log';

/**
 * Describes how one change of a custom rule or rate limit reduces protection, as sentences; empty if it does
 * not. `before` and `after`: all rules of the phase, for the order.
 */
export function describeRuleReductions(
	change: RuleChange,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] {
	const {rule} = change;
	switch (change.kind) {
		case 'added':
			return letsThrough(rule) ? ['Matching requests skip that protection.'] : [];
		case 'removed':
			return stops(rule) ? ['Requests it stopped get through, unless another rule stops them.'] : [];
		case 'moved':
			return describeOvertaking(rule, before, after);
		case 'changed':
			return describeWeakening(change.before, rule);
		default:
			return change satisfies never;
	}
}

function describeWeakening(before: RulesetRule, after: RulesetRule): readonly string[] {
	// A paused rule that let requests through reduces nothing.
	const weakening =
		stops(before) || letsThrough(after) ? findCustomRuleWeakening({label: ''}, [before], [after]) : undefined;
	if (weakening) return [weakening.effect];
	if (letsThrough(after) && !letsThrough(before)) return ['Matching requests skip that protection.'];
	return [
		...describeExpressionChange(before, after),
		...(stops(before) && stops(after) ? describeLooserLimit(before, after) : []),
	];
}

function describeExpressionChange(before: RulesetRule, after: RulesetRule): readonly string[] {
	if (before.expression === after.expression) return [];
	if (stops(before) && stops(after))
		return findOverlap(before.expression, after.expression).kind === 'all'
			? []
			: ['It may stop fewer requests: its expression changes.'];
	if (letsThrough(before) && letsThrough(after))
		return findOverlap(after.expression, before.expression).kind === 'all'
			? []
			: ['It may let more requests through: its expression changes.'];
	return [];
}

function describeLooserLimit(before: RulesetRule, after: RulesetRule): readonly string[] {
	const [old, current] = [parseRateLimit(before), parseRateLimit(after)];
	const [oldRate, currentRate] = [computeRate(old), computeRate(current)];
	const [oldTimeout, currentTimeout] = [old.timeout ?? 0, current.timeout ?? 0];
	const countsOtherwise =
		old.countingExpression !== current.countingExpression ||
		!isDeepStrictEqual(old.characteristics, current.characteristics) ||
		!isDeepStrictEqual(old.unknownFields, current.unknownFields);
	return [
		...(currentRate > oldRate
			? [`It allows more: ${formatRate(old) ?? 'nothing'} → ${formatRate(current) ?? 'any number'}.`]
			: []),
		...(currentTimeout < oldTimeout ? [`It acts for less time: ${oldTimeout} s → ${currentTimeout} s.`] : []),
		...(countsOtherwise ? ['It may count fewer requests: what it counts changes.'] : []),
	];
}

/** Requests per second; infinite if something else is limited. */
const computeRate = ({requests, period}: ReturnType<typeof parseRateLimit>): number =>
	requests === undefined || period === undefined ? Number.POSITIVE_INFINITY : requests / period;

/** Describes a rule that lets requests past rules that it did not precede before, or the reverse. */
function describeOvertaking(
	rule: RulesetRule,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] {
	const precedes = (rules: readonly RulesetRule[], one: RulesetRule, other: RulesetRule): boolean => {
		const [index, otherIndex] = [one, other].map(({id}) => rules.findIndex(candidate => candidate.id === id));
		return index !== undefined && otherIndex !== undefined && index >= 0 && index < otherIndex;
	};
	const isNewlyBefore = (one: RulesetRule, other: RulesetRule): boolean =>
		precedes(after, one, other) && precedes(before, other, one);
	if (isActive(rule) && skipsLaterRules(rule)) {
		const overtaken = after.filter(other => stops(other) && isNewlyBefore(rule, other));
		return overtaken.length === 0
			? []
			: [`Matching requests now skip ${formatQuantity(overtaken.length, 'rule')} that ran before it.`];
	}
	if (!stops(rule)) return [];
	const overtaking = after.filter(
		other => isActive(other) && skipsLaterRules(other) && isNewlyBefore(other, rule),
	);
	return overtaking.length === 0
		? []
		: [`${formatQuantity(overtaking.length, 'rule')} that let requests through now run before it.`];
}

/** Finds how a change of rate limits reduces protection, as sentences that name the rules. */
export const findRateLimitReductions = (
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] =>
	listRuleChanges(before, after).flatMap(change => {
		const {description, expression} = change.rule;
		return describeRuleReductions(change, before, after).map(
			sentence => `Rate limit ${description || expression}: ${sentence}`,
		);
	});
