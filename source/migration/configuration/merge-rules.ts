import {toCanonicalRule} from './configuration.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

type Rules = readonly ConfiguredRule[];

/**
 * Three-way merge: applies the changes between `base` and `mine` to `theirs`. Undefined if both changed the
 * same rule, or if one side reordered rules and the other changed anything. Pure.
 */
export function mergeRules(base: Rules, mine: Rules, theirs: Rules): Rules | undefined {
	const baseRules = base.map(toCanonicalRule);
	const [ourDiff, theirDiff] = [mine, theirs].map(rules => compareRules(baseRules, rules));
	if (!ourDiff || !theirDiff || theirDiff.isSame) return mine;
	if (ourDiff.isSame) return theirs;
	if (ourDiff.isReordered || theirDiff.isReordered) return undefined;
	const mergedRules: (ConfiguredRule | undefined)[] = [...theirs];
	for (const index of base.keys()) {
		const [ourChange, theirChange] = [ourDiff.changes[index], theirDiff.changes[index]];
		if (!ourChange || !theirChange || ourChange.text === theirChange.text || !ourChange.isChanged) continue;
		if (theirChange.isChanged || theirChange.index === undefined) return undefined;
		mergedRules[theirChange.index] = ourChange.index === undefined ? undefined : mine[ourChange.index];
	}
	// A new rule goes right after its predecessor in `mine`, before rules that others added at the same
	// position.
	const insertedRules = new Map<number, ConfiguredRule[]>();
	const theirAddedRules = new Set(
		theirDiff.added.map(index => JSON.stringify(toCanonicalRule(theirs[index] as ConfiguredRule))),
	);
	for (const index of ourDiff.added) {
		const rule = mine[index] as ConfiguredRule;
		if (theirAddedRules.has(JSON.stringify(toCanonicalRule(rule)))) continue;
		const predecessor = ourDiff.changes.findLast(
			change => change.index !== undefined && change.index < index,
		);
		const insertionIndex =
			predecessor === undefined
				? -1
				: (theirDiff.changes[ourDiff.changes.indexOf(predecessor)]?.index ?? theirs.length - 1);
		insertedRules.set(insertionIndex, [...(insertedRules.get(insertionIndex) ?? []), rule]);
	}
	const rules = mergedRules.flatMap((rule, index) => [
		...(rule ? [rule] : []),
		...(insertedRules.get(index) ?? []),
	]);
	return [...(insertedRules.get(-1) ?? []), ...rules];
}

type RuleChange = {
	/** Index of the rule in the changed list; undefined if it was removed. */
	readonly index: number | undefined;
	/** The changed rule as canonical JSON; empty if it was removed. */
	readonly text: string;
	readonly isChanged: boolean;
};

/** Compares each rule of `oldRules`, which must be canonical, with its counterpart in `rules`. */
function compareRules(oldRules: Rules, rules: Rules) {
	const newRules = rules.map(toCanonicalRule);
	const {pairs, addedIndexes, movedPairs} = matchConfiguredRules(oldRules, newRules);
	const newIndexes = new Map(pairs);
	const changes = oldRules.map((rule, oldIndex): RuleChange => {
		const index = newIndexes.get(oldIndex);
		const text = index === undefined ? '' : JSON.stringify(newRules[index]);
		return {index, text, isChanged: text !== JSON.stringify(rule)};
	});
	const isReordered = movedPairs.length > 0;
	return {
		changes,
		added: addedIndexes,
		isReordered,
		isSame: !isReordered && addedIndexes.length === 0 && changes.every(({isChanged}) => !isChanged),
	};
}
