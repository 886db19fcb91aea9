import type {KeyRow} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeysState} from './state.ts';

/** The row under the cursor. */
export const keyRowHere = ({rows, cursor}: KeysState): KeyRow | undefined => rows.at(cursor);

/** The name of the key under the cursor; none on a group. */
export function keyNameHere(keys: KeysState): string | undefined {
	const row = keyRowHere(keys);
	return row?.kind === 'key' ? keys.index.nameAt(row.position) : undefined;
}

/** The prefix of the group that the cursor is on, or in; none in a plain list. */
export function prefixHere({rows, cursor}: KeysState): string | undefined {
	const here = rows.at(cursor);
	if (here?.kind === 'group') return here.prefix;
	const parent = rows instanceof TreeRows ? rows.parentOf(cursor) : undefined;
	const around = parent === undefined ? undefined : rows.at(parent);
	return around?.kind === 'group' ? around.prefix : undefined;
}
