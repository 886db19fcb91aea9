import type {KeyRow} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeysState} from './state.ts';

export const getCurrentKeyRow = ({rows, cursor}: KeysState): KeyRow | undefined => rows.at(cursor);

/** Returns undefined on a group. */
export function getCurrentKeyName(keys: KeysState): string | undefined {
	const row = getCurrentKeyRow(keys);
	return row?.kind === 'key' ? keys.index.getName(row.position) : undefined;
}

/** Returns the prefix of the group at or around the cursor; undefined in a plain list. */
export function getCurrentPrefix({rows, cursor}: KeysState): string | undefined {
	const current = rows.at(cursor);
	if (current?.kind === 'group') return current.prefix;
	const parentIndex = rows instanceof TreeRows ? rows.findParentRow(cursor) : undefined;
	const parentRow = parentIndex === undefined ? undefined : rows.at(parentIndex);
	return parentRow?.kind === 'group' ? parentRow.prefix : undefined;
}

/**
 * Returns the prefix of the shown keys of the group at the cursor; undefined on a key. That is the prefix of
 * the filter if the group has more keys than the filter shows.
 */
export function getShownGroupPrefix(keys: KeysState): string | undefined {
	const row = getCurrentKeyRow(keys);
	if (row?.kind !== 'group') return undefined;
	const filterPrefix = keys.prefixKeys?.prefix;
	return filterPrefix?.startsWith(row.prefix) ? filterPrefix : row.prefix;
}

/** Returns the name or prefix under the cursor, to find it after rows change. */
export function getNameUnderCursor({
	rows,
	cursor,
	index,
}: Pick<KeysState, 'rows' | 'cursor' | 'index'>): string | undefined {
	const row = rows.at(cursor);
	return row?.kind === 'group' ? row.prefix : row && index.getName(row.position);
}
