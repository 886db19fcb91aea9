import {FilteredRows} from '../../kv/key-index/filtered-rows.ts';
import {parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {PrefixKeys} from '../../kv/key-index/prefix-keys.ts';
import {FlatRows, type KeyRows} from '../../kv/key-index/rows.ts';
import {SortedRows} from '../../kv/key-index/sorted-rows.ts';
import type {TreeRows} from '../../kv/key-index/tree-rows.ts';
import {defaultSortSizes, type SortSizes} from '../../kv/key-index/value-order.ts';
import type {KnownSizes} from './sizes.ts';

/** Layout of the list without a filter, or with a prefix. */
export type Arrangement = 'tree' | 'flat';

/** Minimum keys per row, on average, for the tree to be shown. */
export const minKeysPerTreeRow = 4;

/** `expiry` and `size` list keys without groups, because a group has neither. */
export type Sort = 'name' | 'expiry' | 'size';

/** The largest sort value. Sizes are subtracted from it, so that the largest come first. */
const maxSortValue = 2 ** 32 - 2;

/** Fewer keys at once, because the size of a key may be read from a file. */
const sizeSortSizes: SortSizes = {...defaultSortSizes, maxGathered: 2048};

type RowOptions = {
	readonly index: KeyIndex;
	readonly arrangement: Arrangement;
	readonly filter: string;
	/** The keys of a prefix filter. */
	readonly prefixKeys: PrefixKeys | undefined;
	readonly sort: Sort;
	readonly sizes: KnownSizes;
};

/** Creates the rows for these options, without computing them. Returns `tree` itself if it applies. */
export function buildKeyRows(
	{index, arrangement, filter, prefixKeys, sort, sizes}: RowOptions,
	tree: TreeRows,
): KeyRows {
	const nameFilter = parseKeyFilter(filter);
	const isTextFilter = nameFilter.kind === 'text';
	const list = isTextFilter
		? new FilteredRows(index, nameFilter.text, nameFilter.isInverse)
		: new FlatRows(index, prefixKeys);
	if (sort === 'expiry') return new SortedRows(index, list);
	if (sort === 'size') {
		const getSize = sizes.capture();
		return new SortedRows(index, list, sizeSortSizes, position => {
			const bytes = getSize(index.getName(position));
			return bytes === undefined ? undefined : maxSortValue - bytes;
		});
	}
	return !isTextFilter && arrangement === 'tree' ? tree : list;
}

/** Drops keys that were listed only by the previous prefix and don't belong to the next one. */
export function dropPrefixKeys(
	{index, prefixKeys}: Pick<RowOptions, 'index' | 'prefixKeys'>,
	nextKeys: PrefixKeys | undefined,
): void {
	if (!prefixKeys) return;
	const {from, to} = prefixKeys;
	const {from: nextFrom, to: nextTo} = nextKeys ?? {from: to, to};
	index.removeUnlisted(Math.max(from, nextTo), to);
	index.removeUnlisted(from, Math.min(to, nextFrom));
}
