import {FilteredRows} from '../../kv/key-index/filtered-rows.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {FlatRows, type KeyRows} from '../../kv/key-index/rows.ts';
import {SortedRows} from '../../kv/key-index/sorted-rows.ts';
import type {TreeRows} from '../../kv/key-index/tree-rows.ts';

/** Layout of the list without a filter. */
export type Arrangement = 'tree' | 'flat';

/** `expiry` lists keys without groups, because a group has no expiry. */
export type Sort = 'name' | 'expiry';

type RowOptions = {
	readonly index: KeyIndex;
	readonly arrangement: Arrangement;
	readonly filter: string;
	readonly sort: Sort;
};

/** Creates the rows for these options, without computing them. Returns `tree` itself if it applies. */
export function buildKeyRows({index, arrangement, filter, sort}: RowOptions, tree: TreeRows): KeyRows {
	const list = filter === '' ? new FlatRows(index) : new FilteredRows(index, filter);
	if (sort === 'expiry') return new SortedRows(index, list);
	return filter === '' && arrangement === 'tree' ? tree : list;
}
