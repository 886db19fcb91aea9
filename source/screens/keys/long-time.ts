import {endOfPrefix} from '../../kv/key-index/prefixes.ts';
import {limits} from '../../kv/limits.ts';
import {type KeysWork, longWorkAhead} from '../../kv/long-work.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {ChosenKeys} from './chosen.ts';
import type {KeysState} from './state.ts';

/** What takes less time than the keys that were chosen. */
export const fewerKeys: Readonly<Record<ChosenKeys['kind'], string>> = {
	all: 'Fewer keys take less time: a prefix of the tree, a filter, a selection.',
	prefix: 'A longer prefix takes a part of them.',
	filtered: 'A longer filter takes a part of them.',
	selected: 'Fewer keys take less time.',
};

/**
 * How long something takes with the keys of the namespace that is open that were chosen, and what would take less, before it
 * begins: no line where it does not take long. Names that were chosen are not listed: then only values are read.
 */
export function longTimeLines(
	keys: KeysState,
	chosen: ChosenKeys,
	{reads, times = 1}: Pick<KeysWork, 'reads' | 'times'>,
	/** How many keys the service measured in the namespace, where that is known. */
	measured?: number,
): readonly string[] {
	const areNamed = chosen.kind === 'filtered' || chosen.kind === 'selected';
	const quota = keys.opened.store.quota?.();
	const work = {reads: areNamed ? ('values' as const) : reads, times, quota};
	const found = countOf(keys, chosen);
	const known = found.isWhole ? found.count : measured;
	// Less than a page says nothing of many keys.
	if (known === undefined && keys.index.count < limits.listPage.most) return [];
	const text = longWorkAhead(work, known === undefined ? found : {count: known, isWhole: true});
	return text === undefined ? [] : [text, fewerKeys[chosen.kind]];
}

/** How many keys were chosen: of all, and of those below a prefix, as far as they are listed. */
function countOf(
	{index, listing}: KeysState,
	chosen: ChosenKeys,
): {readonly count: number; readonly isWhole: boolean} {
	switch (chosen.kind) {
		case 'all':
			return {count: index.count, isWhole: listing.state === 'complete'};
		case 'prefix': {
			const {position} = index.find(chosen.prefix);
			const bytes = Buffer.byteLength(chosen.prefix);
			const isAny = position < index.count && index.nameAt(position).startsWith(chosen.prefix);
			const end = isAny ? endOfPrefix(index, position, index.count, 0, bytes) : position;
			return {count: end - position, isWhole: !index.mayGrowAt(end)};
		}
		case 'filtered':
		case 'selected':
			return {count: chosen.names.count, isWhole: true};
		default:
			return chosen satisfies never;
	}
}

/** How many keys the service measured in the namespace that is open; undefined if that is not known. */
export function measuredKeys({
	keys: {data: keys},
	metrics: {storeFigures},
}: Has<'keys'> & Has<'metrics', 'storeFigures'>): number | undefined {
	const {where, id} = keys?.namespace ?? {};
	return where === 'remote' && id !== undefined ? storeFigures?.value?.of(id)?.keys : undefined;
}
