import {findLongestRise} from '../../rulesets/difference.ts';
import {executedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Rules of two configurations set against each other, by their places from 0. */
type MatchedRules = {
	/** The same rule before and after, in the order of before. */
	readonly pairs: readonly (readonly [number, number])[];
	readonly gone: readonly number[];
	readonly added: readonly number[];
	/** Of the pairs, those whose order among the others is not what it was. */
	readonly moved: readonly (readonly [number, number])[];
};

/** By what rules are taken for the same, the surest first. */
const likenesses: readonly ((rule: ConfiguredRule) => string | undefined)[] = [
	rule => JSON.stringify(rule),
	rule => executedRuleset(rule),
	({action, expression}) => (action === 'execute' ? undefined : JSON.stringify([action, expression])),
	({action, description}) =>
		action === 'execute' || !description ? undefined : JSON.stringify([action, description]),
];

/** Finds for each rule what it became. Both lists are of canonical rules. */
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
