import type {Steps} from './steps.ts';

/** Items to sort or merge per step. */
const itemsPerStep = 1000;

/** Sorts a copy of the items in steps; stable, like `sort`. */
export function* sortInSteps<Item>(
	items: readonly Item[],
	compare: (one: Item, other: Item) => number,
): Steps<readonly Item[]> {
	if (items.length <= itemsPerStep) return items.slice().sort(compare);
	let runs: (readonly Item[])[] = [];
	for (let from = 0; from < items.length; from += itemsPerStep) {
		runs.push(items.slice(from, from + itemsPerStep).sort(compare));
		yield;
	}
	while (runs.length > 1) {
		const merged: (readonly Item[])[] = [];
		for (let at = 0; at < runs.length; at += 2)
			merged.push(yield* mergeSortedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
		runs = merged;
	}
	return runs[0] ?? [];
}

function* mergeSortedRuns<Item>(
	first: readonly Item[],
	second: readonly Item[],
	compare: (one: Item, other: Item) => number,
): Steps<readonly Item[]> {
	const merged: Item[] = [];
	let next = 0;
	for (const item of first) {
		for (let other = second[next]; other !== undefined && compare(other, item) < 0; other = second[++next]) {
			merged.push(other);
			if (merged.length % itemsPerStep === 0) yield;
		}
		merged.push(item);
		if (merged.length % itemsPerStep === 0) yield;
	}
	return merged.concat(second.slice(next));
}
