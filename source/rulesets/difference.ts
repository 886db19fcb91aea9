import {isDeepStrictEqual} from 'node:util';
import type {RulesetRule} from './ruleset.ts';

/** A difference between two states of a ruleset; positions count from 1. */
export type RuleChange =
	| {readonly kind: 'added'; readonly rule: RulesetRule; readonly position: number}
	| {readonly kind: 'removed'; readonly rule: RulesetRule; readonly position: number}
	| {
			readonly kind: 'changed';
			readonly before: RulesetRule;
			readonly rule: RulesetRule;
			readonly position: number;
	  }
	| {
			readonly kind: 'moved';
			readonly rule: RulesetRule;
			readonly previousPosition: number;
			readonly position: number;
	  };

/** True if two rules are equal apart from their ids and what the service adds. */
export const isIdenticalRule = (one: RulesetRule, other: RulesetRule): boolean =>
	isDeepStrictEqual(normaliseRule(one), normaliseRule(other));

/** True if an existing rule equals a sent one, whatever its id. */
export const isSentRule = (sentRule: RulesetRule, existingRule: RulesetRule): boolean =>
	isIdenticalRule({...sentRule, ...(existingRule.id !== undefined && {id: existingRule.id})}, existingRule);

/** Fills in the service's defaults, for comparison. */
function normaliseRule({id, ref, action, action_parameters: actionParameters = {}, ...rule}: RulesetRule) {
	const {expression, description = '', enabled = true, logging, ...otherFields} = rule;
	const {version, ...parameters} = actionParameters;
	return {
		action,
		// The service adds the newest version of a managed ruleset by itself.
		parameters: version === undefined || version === 'latest' ? parameters : actionParameters,
		expression,
		description,
		enabled,
		logging: logging?.enabled ?? action === 'skip',
		ref: ref === id ? undefined : ref,
		others: otherFields,
	};
}

/** Lists in lines what differs between two states of a rule: `description: none → Office`. Raw text. */
export function listRuleDifferences(before: RulesetRule, after: RulesetRule): readonly string[] {
	const [oldFacts, newFacts] = [listFacts(before), listFacts(after)];
	return [...new Set([...oldFacts.keys(), ...newFacts.keys()])].flatMap(name => {
		const [oldFact = 'none', newFact = 'none'] = [oldFacts.get(name), newFacts.get(name)];
		return oldFact === newFact ? [] : [`${name}: ${oldFact} → ${newFact}`];
	});
}

/** Lists the fields of a rule as text, those of nested objects under their path. */
function listFacts(rule: RulesetRule): ReadonlyMap<string, string> {
	const {enabled, parameters, others, ...fields} = normaliseRule(rule);
	return new Map([
		['state', enabled ? 'active' : 'paused'],
		...listLeaves({...fields, ...others, ...parameters}),
	]);
}

const listLeaves = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
	if (typeof value === 'object' && value !== null && !Array.isArray(value))
		return Object.entries(value).flatMap(([key, item]) =>
			listLeaves(item, path === '' ? key : `${path}.${key}`),
		);
	if (value === undefined || value === '') return [];
	return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};

/**
 * True if two states have the same rules in the same order. A rule without an id equals any identical rule.
 */
export const areRulesEqual = (one: readonly RulesetRule[], other: readonly RulesetRule[]): boolean =>
	one.length === other.length &&
	one.every((rule, index) => {
		const counterpart = other[index];
		if (!counterpart) return false;
		const isNew = rule.id === undefined || counterpart.id === undefined;
		return (isNew || rule.id === counterpart.id) && isIdenticalRule(rule, counterpart);
	});

/**
 * Lists the changes between two states of a ruleset, matched by id: removed rules first, then the others in
 * their new order, with as few moves as possible.
 */
export function listRuleChanges(
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly RuleChange[] {
	const indexesBefore = new Map(before.map(({id}, index) => [id, index]));
	const idsAfter = new Set(after.map(({id}) => id));
	const changes: RuleChange[] = before.flatMap((rule, index) =>
		idsAfter.has(rule.id) ? [] : [{kind: 'removed', rule, position: index + 1} as const],
	);
	const commonRules = after.filter(({id}) => indexesBefore.has(id));
	const unmovedIndexes = findLongestIncreasingSubsequence(
		commonRules.map(({id}) => indexesBefore.get(id) ?? 0),
	);
	for (const [index, rule] of after.entries()) {
		const position = index + 1;
		const previousIndex = indexesBefore.get(rule.id);
		const previousRule = previousIndex === undefined ? undefined : before[previousIndex];
		if (previousIndex === undefined || !previousRule) {
			changes.push({kind: 'added', rule, position});
			continue;
		}
		if (!isIdenticalRule(previousRule, rule))
			changes.push({kind: 'changed', before: previousRule, rule, position});
		if (!unmovedIndexes.has(previousIndex))
			changes.push({kind: 'moved', rule, previousPosition: previousIndex + 1, position});
	}
	return changes;
}

/** Finds the longest increasing subsequence. All other numbers have moved. Each number must occur once. */
export function findLongestIncreasingSubsequence(numbers: readonly number[]): ReadonlySet<number> {
	/** For each length, the index of the smallest number that ends a subsequence of that length. */
	const endIndexes: number[] = [];
	const previous: (number | undefined)[] = [];
	numbers.forEach((number, index) => {
		let length = endIndexes.findIndex(end => (numbers[end] ?? 0) >= number);
		if (length < 0) length = endIndexes.length;
		previous[index] = length > 0 ? endIndexes[length - 1] : undefined;
		endIndexes[length] = index;
	});
	const longest = new Set<number>();
	for (let endIndex = endIndexes.at(-1); endIndex !== undefined; endIndex = previous[endIndex])
		longest.add(numbers[endIndex] ?? 0);
	return longest;
}

/**
 * Finds changes by others that a write has overwritten: rules they added that are missing now, and rules they
 * changed, removed or moved that now differ. `baseline`: the rules before both writes. `theirRules`: the
 * rules after the write by others. `currentRules`: the rules after the later write, which started from
 * `baseline`.
 */
export function findOverwrittenChanges(
	baseline: readonly RulesetRule[],
	theirRules: readonly RulesetRule[],
	currentRules: readonly RulesetRule[],
): readonly RuleChange[] {
	const currentById = new Map(currentRules.map(rule => [rule.id, rule]));
	const isUndone = (change: RuleChange): boolean => {
		const current = currentById.get(change.rule.id);
		switch (change.kind) {
			case 'added':
				return !current;
			case 'removed':
				return current !== undefined;
			case 'changed':
				return !current || !isIdenticalRule(current, change.rule);
			case 'moved':
				return current !== undefined && !hasSameOrder(theirRules, currentRules, change.rule);
		}
	};
	return listRuleChanges(baseline, theirRules).filter(isUndone);
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
				.filter(precedingId => ids.has(precedingId)),
		);
	};
	return isDeepStrictEqual(listPrecedingIds(one, other), listPrecedingIds(other, one));
}
