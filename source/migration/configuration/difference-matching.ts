import {findLongestRise} from '../../rulesets/difference.ts';
import {findExecutedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Matched rules of two configurations, as indexes from 0. */
type MatchedRules = {
	/** The same rule before and after, ordered by its index before. */
	readonly pairs: readonly (readonly [number, number])[];
	readonly gone: readonly number[];
	readonly added: readonly number[];
	/** Pairs whose relative order changed. */
	readonly moved: readonly (readonly [number, number])[];
};

/** Keys that identify a rule across configurations, the most reliable first. */
const identityKeys: readonly ((rule: ConfiguredRule) => string | undefined)[] = [
	rule => JSON.stringify(rule),
	rule => findExecutedRuleset(rule),
	({action, expression}) => (action === 'execute' ? undefined : JSON.stringify([action, expression])),
	({action, description}) =>
		action === 'execute' || !description ? undefined : JSON.stringify([action, description]),
];

/** Finds the counterpart of each rule. Both lists hold canonical rules. */
export function matchConfiguredRules(
	before: readonly ConfiguredRule[],
	after: readonly ConfiguredRule[],
): MatchedRules {
	const partners = new Map<number, number>();
	const matched = new Set<number>();
	for (const getIdentityKey of identityKeys) {
		const unmatched = new Map<string, number[]>();
		after.forEach((rule, index) => {
			const key = matched.has(index) ? undefined : getIdentityKey(rule);
			if (key !== undefined) unmatched.set(key, [...(unmatched.get(key) ?? []), index]);
		});
		before.forEach((rule, index) => {
			const key = partners.has(index) ? undefined : getIdentityKey(rule);
			const found = key === undefined ? undefined : unmatched.get(key)?.shift();
			if (found === undefined) return;
			partners.set(index, found);
			matched.add(found);
		});
	}
	const pairs = [...partners].toSorted(([one], [other]) => one - other);
	const inOrder = findLongestRise(pairs.map(([, to]) => to));
	return {
		pairs,
		gone: before
			.keys()
			.filter(index => !partners.has(index))
			.toArray(),
		added: after
			.keys()
			.filter(index => !matched.has(index))
			.toArray(),
		moved: pairs.filter(([, to]) => !inOrder.has(to)),
	};
}
