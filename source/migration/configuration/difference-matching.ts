import {findLongestIncreasingSubsequence} from '../../rulesets/difference.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** The matched rules of two configurations. All numbers are indexes from 0. */
type MatchedRules = {
	/** The same rule in the old and in the new list; ordered by the old index. */
	readonly pairs: readonly (readonly [number, number])[];
	readonly removedIndexes: readonly number[];
	readonly addedIndexes: readonly number[];
	/** Pairs whose relative order changed. */
	readonly movedPairs: readonly (readonly [number, number])[];
};

/** Keys that identify a rule across configurations, the most reliable first. */
const identityKeys: readonly ((rule: ConfiguredRule) => string | undefined)[] = [
	rule => JSON.stringify(rule),
	rule => findExecutedRulesetId(rule),
	({action, expression}) => (action === 'execute' ? undefined : JSON.stringify([action, expression])),
	({action, description}) =>
		action === 'execute' || !description ? undefined : JSON.stringify([action, description]),
];

/** Finds the counterpart of each rule. Both lists must hold canonical rules. */
export function matchConfiguredRules(
	oldRules: readonly ConfiguredRule[],
	newRules: readonly ConfiguredRule[],
): MatchedRules {
	const partners = new Map<number, number>();
	const matchedIndexes = new Set<number>();
	for (const getIdentityKey of identityKeys) {
		const unmatchedIndexes = new Map<string, number[]>();
		newRules.forEach((rule, index) => {
			const key = matchedIndexes.has(index) ? undefined : getIdentityKey(rule);
			if (key !== undefined) unmatchedIndexes.set(key, [...(unmatchedIndexes.get(key) ?? []), index]);
		});
		oldRules.forEach((rule, index) => {
			const key = partners.has(index) ? undefined : getIdentityKey(rule);
			const partner = key === undefined ? undefined : unmatchedIndexes.get(key)?.shift();
			if (partner === undefined) return;
			partners.set(index, partner);
			matchedIndexes.add(partner);
		});
	}
	const pairs = [...partners].toSorted(([one], [other]) => one - other);
	const orderedIndexes = findLongestIncreasingSubsequence(pairs.map(([, to]) => to));
	return {
		pairs,
		removedIndexes: oldRules
			.keys()
			.filter(index => !partners.has(index))
			.toArray(),
		addedIndexes: newRules
			.keys()
			.filter(index => !matchedIndexes.has(index))
			.toArray(),
		movedPairs: pairs.filter(([, to]) => !orderedIndexes.has(to)),
	};
}
