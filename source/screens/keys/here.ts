import type {KeyRow} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeysState} from './state.ts';

export const keyRowHere = ({rows, cursor}: KeysState): KeyRow | undefined => rows.at(cursor);

/** Returns undefined on a group. */
export function keyNameHere(keys: KeysState): string | undefined {
	const row = keyRowHere(keys);
	return row?.kind === 'key' ? keys.index.nameAt(row.position) : undefined;
}

/** Returns the prefix of the group at or around the cursor; undefined in a plain list. */
export function prefixHere({rows, cursor}: KeysState): string | undefined {
	const here = rows.at(cursor);
	if (here?.kind === 'group') return here.prefix;
	const parent = rows instanceof TreeRows ? rows.parentOf(cursor) : undefined;
	const around = parent === undefined ? undefined : rows.at(parent);
	return around?.kind === 'group' ? around.prefix : undefined;
}
