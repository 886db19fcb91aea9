import {findLongestRise} from '../../rulesets/difference.ts';
import {executedRuleset} from './override-edits.ts';
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
const likenesses: readonly ((rule: ConfiguredRule) => string | undefined)[] = [
	rule => JSON.stringify(rule),
	rule => executedRuleset(rule),
	({action, expression}) => (action === 'execute' ? undefined : JSON.stringify([action, expression])),
	({action, description}) =>
		action === 'execute' || !description ? undefined : JSON.stringify([action, description]),
];

/** Finds the counterpart of each rule. Both lists hold canonical rules. */
export function matchedRules(
	before: readonly ConfiguredRule[],
	after: readonly ConfiguredRule[],
): MatchedRules {
	const partner = new Map<number, number>();
	const taken = new Set<number>();
	for (const likeness of likenesses) {
		const free = new Map<string, number[]>();
		after.forEach((rule, index) => {
			const key = taken.has(index) ? undefined : likeness(rule);
			if (key !== undefined) free.set(key, [...(free.get(key) ?? []), index]);
		});
		before.forEach((rule, index) => {
			const key = partner.has(index) ? undefined : likeness(rule);
			const found = key === undefined ? undefined : free.get(key)?.shift();
			if (found === undefined) return;
			partner.set(index, found);
			taken.add(found);
		});
	}
	const pairs = [...partner].toSorted(([one], [other]) => one - other);
	const inOrder = findLongestRise(pairs.map(([, to]) => to));
	return {
		pairs,
		gone: before
			.keys()
			.filter(index => !partner.has(index))
			.toArray(),
		added: after
			.keys()
			.filter(index => !taken.has(index))
			.toArray(),
		moved: pairs.filter(([, to]) => !inOrder.has(to)),
	};
}
