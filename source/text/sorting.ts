import type {Steps} from './steps.ts';

/** Items to sort or merge per step. */
const itemsPerStep = 1000;

/** Sorts a copy of the items in steps; stable, like `sort`. */
export function* sortInSteps<Item>(
	items: readonly Item[],
	compare: (left: Item, right: Item) => number,
): Steps<readonly Item[]> {
	if (items.length <= itemsPerStep) return items.slice().sort(compare);
	let runs: (readonly Item[])[] = [];
	for (let from = 0; from < items.length; from += itemsPerStep) {
		runs.push(items.slice(from, from + itemsPerStep).sort(compare));
		yield;
	}
	while (runs.length > 1) {
		const merged: (readonly Item[])[] = [];
		for (let index = 0; index < runs.length; index += 2)
			merged.push(yield* mergeSortedRuns(runs[index] ?? [], runs[index + 1] ?? [], compare));
		runs = merged;
	}
	return runs[0] ?? [];
}

function* mergeSortedRuns<Item>(
	firstRun: readonly Item[],
	secondRun: readonly Item[],
	compare: (left: Item, right: Item) => number,
): Steps<readonly Item[]> {
	const merged: Item[] = [];
	let nextIndex = 0;
	for (const item of firstRun) {
		for (
			let secondItem = secondRun[nextIndex];
			secondItem !== undefined && compare(secondItem, item) < 0;
			secondItem = secondRun[++nextIndex]
		) {
			merged.push(secondItem);
			if (merged.length % itemsPerStep === 0) yield;
		}
		merged.push(item);
		if (merged.length % itemsPerStep === 0) yield;
	}
	return merged.concat(secondRun.slice(nextIndex));
}
