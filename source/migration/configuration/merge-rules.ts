import {toCanonicalRule} from './configuration.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

type Rules = readonly ConfiguredRule[];

/**
 * Three-way merge: applies the changes between `base` and `mine` to `theirs`. Undefined if both changed the
 * same rule, or if one side reordered rules and the other changed anything. Pure.
 */
export function mergeRules(base: Rules, mine: Rules, theirs: Rules): Rules | undefined {
	const before = base.map(toCanonicalRule);
	const [our, their] = [mine, theirs].map(rules => compareRules(before, rules));
	if (!our || !their || their.isSame) return mine;
	if (our.isSame) return theirs;
	if (our.isReordered || their.isReordered) return undefined;
	const merged: (ConfiguredRule | undefined)[] = [...theirs];
	for (const index of base.keys()) {
		const [ourChange, theirChange] = [our.changes[index], their.changes[index]];
		if (!ourChange || !theirChange || ourChange.text === theirChange.text || !ourChange.isChanged) continue;
		if (theirChange.isChanged || theirChange.index === undefined) return undefined;
		merged[theirChange.index] = ourChange.index === undefined ? undefined : mine[ourChange.index];
	}
	// A new rule goes right after its predecessor in `mine`, before what others added at the same place.
	const inserted = new Map<number, ConfiguredRule[]>();
	const theirAdded = new Set(
		their.added.map(index => JSON.stringify(toCanonicalRule(theirs[index] as ConfiguredRule))),
	);
	for (const index of our.added) {
		const rule = mine[index] as ConfiguredRule;
		if (theirAdded.has(JSON.stringify(toCanonicalRule(rule)))) continue;
		const previous = our.changes.findLast(change => change.index !== undefined && change.index < index);
		const after =
			previous === undefined
				? -1
				: (their.changes[our.changes.indexOf(previous)]?.index ?? theirs.length - 1);
		inserted.set(after, [...(inserted.get(after) ?? []), rule]);
	}
	const rules = merged.flatMap((rule, index) => [...(rule ? [rule] : []), ...(inserted.get(index) ?? [])]);
	return [...(inserted.get(-1) ?? []), ...rules];
}

type RuleChange = {
	/** Index of the rule in the changed list; undefined if it was removed. */
	readonly index: number | undefined;
	/** The changed rule as canonical JSON; empty if it was removed. */
	readonly text: string;
	readonly isChanged: boolean;
};

/** Compares each rule of `before` with its counterpart in `rules`. `before` is canonical. */
function compareRules(before: Rules, rules: Rules) {
	const after = rules.map(toCanonicalRule);
	const {pairs, added, moved} = matchConfiguredRules(before, after);
	const newIndexes = new Map(pairs);
	const changes = before.map((rule, from): RuleChange => {
		const index = newIndexes.get(from);
		const text = index === undefined ? '' : JSON.stringify(after[index]);
		return {index, text, isChanged: text !== JSON.stringify(rule)};
	});
	const isReordered = moved.length > 0;
	return {
		changes,
		added,
		isReordered,
		isSame: !isReordered && added.length === 0 && changes.every(({isChanged}) => !isChanged),
	};
}
