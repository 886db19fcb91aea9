import {FilteredRows} from '../../kv/key-index/filtered-rows.ts';
import {parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {PrefixKeys} from '../../kv/key-index/prefix-keys.ts';
import {FlatRows, type KeyRows} from '../../kv/key-index/rows.ts';
import {SortedRows} from '../../kv/key-index/sorted-rows.ts';
import type {TreeRows} from '../../kv/key-index/tree-rows.ts';

/** Layout of the list without a filter, or with a prefix. */
export type Arrangement = 'tree' | 'flat';

/** `expiry` lists keys without groups, because a group has no expiry. */
export type Sort = 'name' | 'expiry';

type RowOptions = {
	readonly index: KeyIndex;
	readonly arrangement: Arrangement;
	readonly filter: string;
	/** The keys of a prefix filter. */
	readonly prefixKeys: PrefixKeys | undefined;
	readonly sort: Sort;
};

/** Creates the rows for these options, without computing them. Returns `tree` itself if it applies. */
export function buildKeyRows(
	{index, arrangement, filter, prefixKeys, sort}: RowOptions,
	tree: TreeRows,
): KeyRows {
	const nameFilter = parseKeyFilter(filter);
	const isTextFilter = nameFilter.kind === 'text';
	const list = isTextFilter ? new FilteredRows(index, nameFilter.text) : new FlatRows(index, prefixKeys);
	if (sort === 'expiry') return new SortedRows(index, list);
	return !isTextFilter && arrangement === 'tree' ? tree : list;
}
