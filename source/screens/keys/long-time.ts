import {findPrefixEnd} from '../../kv/key-index/prefixes.ts';
import {limits} from '../../kv/limits.ts';
import {type KeysWork, predictLongWork} from '../../kv/long-work.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {ChosenKeys} from './chosen.ts';
import type {KeysState} from './state.ts';

/** How to choose fewer keys. */
export const fewerKeysAdvice: Readonly<Record<ChosenKeys['kind'], string>> = {
	all: 'Fewer keys take less time: a prefix of the tree, a filter, a selection.',
	prefix: 'A longer prefix takes a part of them.',
	filtered: 'A longer filter takes a part of them.',
	selected: 'Fewer keys take less time.',
};

/**
 * Estimates how long work on the chosen keys takes, and how to shorten it; no lines if it is quick or
 * unknown. Chosen names need no listing, so only reads of values count.
 */
export function buildLongKeyWorkLines(
	keys: KeysState,
	chosen: ChosenKeys,
	{reads, times = 1}: Pick<KeysWork, 'reads' | 'times'>,
	/** Keys that the service measured in the namespace, if known. */
	measured?: number,
): readonly string[] {
	const isNameList = chosen.kind === 'filtered' || chosen.kind === 'selected';
	const quota = keys.opened.store.quota?.();
	const work = {reads: isNameList ? ('values' as const) : reads, times, quota};
	const keyCount = countChosenKeys(keys, chosen);
	const known = keyCount.isWhole ? keyCount.count : measured;
	// With less than a page listed, the total is unknown.
	if (known === undefined && keys.index.count < limits.listPage.most) return [];
	const text = predictLongWork(work, known === undefined ? keyCount : {count: known, isWhole: true});
	return text === undefined ? [] : [text, fewerKeysAdvice[chosen.kind]];
}

/** Counts the chosen keys that are listed; `isWhole` if these are all. */
function countChosenKeys(
	{index, listing}: KeysState,
	chosen: ChosenKeys,
): {readonly count: number; readonly isWhole: boolean} {
	switch (chosen.kind) {
		case 'all':
			return {count: index.count, isWhole: listing.state === 'complete'};
		case 'prefix': {
			const {position} = index.find(chosen.prefix);
			const bytes = Buffer.byteLength(chosen.prefix);
			const isAny = position < index.count && index.getName(position).startsWith(chosen.prefix);
			const end = isAny ? findPrefixEnd(index, position, index.count, 0, bytes) : position;
			return {count: end - position, isWhole: !index.mayGrow(end)};
		}
		case 'filtered':
		case 'selected':
			return {count: chosen.names.count, isWhole: true};
		default:
			return chosen satisfies never;
	}
}

/** Keys that the service measured in the open namespace; undefined if unknown. */
export function getMeasuredKeyCount({
	keys: {data: keys},
	metrics: {storeFigures},
}: Has<'keys'> & Has<'metrics', 'storeFigures'>): number | undefined {
	const {where, id} = keys?.namespace ?? {};
	return where === 'remote' && id !== undefined ? storeFigures?.value?.get(id)?.keys : undefined;
}
