import {FilteredRows} from '../../kv/key-index/filtered-rows.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {FlatRows, type KeyRows} from '../../kv/key-index/rows.ts';
import {SortedRows} from '../../kv/key-index/sorted-rows.ts';
import type {TreeRows} from '../../kv/key-index/tree-rows.ts';

/** How the keys are laid out while no filter is set. */
export type Arrangement = 'tree' | 'flat';

/** By expiry the keys are a plain list: groups have none. */
export type Sort = 'name' | 'expiry';

type Arranged = {
	readonly index: KeyIndex;
	readonly arrangement: Arrangement;
	readonly filter: string;
	readonly sort: Sort;
};

/** The rows of keys as they are to be shown, none of them worked out yet; the tree is the one given. */
export function arrangedRows({index, arrangement, filter, sort}: Arranged, tree: TreeRows): KeyRows {
	const list = filter === '' ? new FlatRows(index) : new FilteredRows(index, filter);
	if (sort === 'expiry') return new SortedRows(index, list);
	return filter === '' && arrangement === 'tree' ? tree : list;
}
