import {isDeepStrictEqual} from 'node:util';
import type {RulesetRule} from './ruleset.ts';

/** A difference between two states of a ruleset; places count from 1. */
export type RuleChange =
	| {readonly kind: 'added'; readonly rule: RulesetRule; readonly place: number}
	| {readonly kind: 'removed'; readonly rule: RulesetRule; readonly place: number}
	| {
			readonly kind: 'changed';
			readonly before: RulesetRule;
			readonly rule: RulesetRule;
			readonly place: number;
	  }
	| {readonly kind: 'moved'; readonly rule: RulesetRule; readonly from: number; readonly place: number};

/** True if two rules are equal apart from their ids and what the service adds. */
export const isEquivalentRule = (one: RulesetRule, other: RulesetRule): boolean =>
	isDeepStrictEqual(normaliseRule(one), normaliseRule(other));

/** True if an existing rule equals a sent one, whatever its id. */
export const isSentRule = (sent: RulesetRule, there: RulesetRule): boolean =>
	isEquivalentRule({...sent, ...(there.id !== undefined && {id: there.id})}, there);

/** Fills in the service's defaults, for comparison. */
function normaliseRule({id, ref, action, action_parameters: given = {}, ...rule}: RulesetRule) {
	const {expression, description = '', enabled = true, logging, ...others} = rule;
	const {version, ...parameters} = given;
	return {
		action,
		// The service adds the newest version of a managed ruleset by itself.
		parameters: version === undefined || version === 'latest' ? parameters : given,
		expression,
		description,
		enabled,
		logging: logging?.enabled ?? action === 'skip',
		ref: ref === id ? undefined : ref,
		others,
	};
}

/**
 * True if two states have the same rules in the same order. A rule without an id equals any identical rule.
 */
export const areRulesEqual = (one: readonly RulesetRule[], other: readonly RulesetRule[]): boolean =>
	one.length === other.length &&
	one.every((rule, index) => {
		const there = other[index];
		if (!there) return false;
		const isNew = rule.id === undefined || there.id === undefined;
		return (isNew || rule.id === there.id) && isEquivalentRule(rule, there);
	});

/**
 * Lists the changes between two states of a ruleset, matched by id: removed rules first, then the others in
 * their new order, with as few moves as possible.
 */
export function listRuleChanges(
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly RuleChange[] {
	const placesBefore = new Map(before.map(({id}, index) => [id, index]));
	const kept = new Set(after.map(({id}) => id));
	const changes: RuleChange[] = before.flatMap((rule, index) =>
		kept.has(rule.id) ? [] : [{kind: 'removed', rule, place: index + 1} as const],
	);
	const common = after.filter(({id}) => placesBefore.has(id));
	const still = findLongestRise(common.map(({id}) => placesBefore.get(id) ?? 0));
	for (const [index, rule] of after.entries()) {
		const place = index + 1;
		const from = placesBefore.get(rule.id);
		const was = from === undefined ? undefined : before[from];
		if (from === undefined || !was) {
			changes.push({kind: 'added', rule, place});
			continue;
		}
		if (!isEquivalentRule(was, rule)) changes.push({kind: 'changed', before: was, rule, place});
		if (!still.has(from)) changes.push({kind: 'moved', rule, from: from + 1, place});
	}
	return changes;
}

/** Finds the longest increasing subsequence; all other numbers have moved. Each number occurs once. */
export function findLongestRise(numbers: readonly number[]): ReadonlySet<number> {
	/** Per length, the index of the smallest number that ends a subsequence of it. */
	const ends: number[] = [];
	const previous: (number | undefined)[] = [];
	numbers.forEach((number, index) => {
		let length = ends.findIndex(end => (numbers[end] ?? 0) >= number);
		if (length < 0) length = ends.length;
		previous[index] = length > 0 ? ends[length - 1] : undefined;
		ends[length] = index;
	});
	const found = new Set<number>();
	for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(numbers[at] ?? 0);
	return found;
}

/**
 * Finds changes by others that a write has overwritten: rules they added that are gone, and rules they
 * changed, removed or moved that now differ. `before` is the state they started from, `theirs` their result,
 * `now` the state after a write that did not know of it.
 */
export function findOverwrittenChanges(
	before: readonly RulesetRule[],
	theirs: readonly RulesetRule[],
	now: readonly RulesetRule[],
): readonly RuleChange[] {
	const currentById = new Map(now.map(rule => [rule.id, rule]));
	const isUndone = (change: RuleChange): boolean => {
		const there = currentById.get(change.rule.id);
		switch (change.kind) {
			case 'added':
				return !there;
			case 'removed':
				return there !== undefined;
			case 'changed':
				return !there || !isEquivalentRule(there, change.rule);
			case 'moved':
				return there !== undefined && !hasSameOrder(theirs, now, change.rule);
		}
	};
	return listRuleChanges(before, theirs).filter(isUndone);
}

/** True if the rules before this one are the same in both lists, among the rules that both have. */
function hasSameOrder(
	one: readonly RulesetRule[],
	other: readonly RulesetRule[],
	{id}: RulesetRule,
): boolean {
	const listPrecedingIds = (rules: readonly RulesetRule[], among: readonly RulesetRule[]) => {
		const ids = new Set(among.map(rule => rule.id));
		return new Set(
			rules
				.slice(
					0,
					rules.findIndex(rule => rule.id === id),
				)
				.map(rule => rule.id)
				.filter(there => ids.has(there)),
		);
	};
	return isDeepStrictEqual(listPrecedingIds(one, other), listPrecedingIds(other, one));
}
