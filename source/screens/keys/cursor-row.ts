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
export const getNameUnderCursor = (keys: RowsWithCursor): string | undefined => getRowName(keys, keys.cursor);

/**
 * Lists the name or prefix under the cursor, then those of the rows below it, then those above it, nearest
 * first: the cursor goes to the first of them that remains when rows are removed.
 */
export function* listNamesFromCursor(keys: RowsWithCursor): Generator<string> {
	const {rows, cursor} = keys;
	for (let row = cursor; row < rows.count; row++) yield getRowName(keys, row) ?? '';
	for (let row = Math.min(cursor, rows.count) - 1; row >= 0; row--) yield getRowName(keys, row) ?? '';
}

/** Returns the row of a key or group, or the closest one. */
export function findNearestRow({rows, index}: Pick<KeysState, 'rows' | 'index'>, name: string): number {
	const groupRow = rows instanceof TreeRows ? rows.findPrefixRow(name) : undefined;
	const row = groupRow ?? rows.findRow(Math.min(index.find(name).position, Math.max(0, index.count - 1)));
	return Math.max(0, Math.min(rows.count - 1, row));
}

/** Maximum names to find the cursor by after a refresh. */
const maxCursorTargets = 100;

/**
 * Lists the names to find the cursor by after a refresh, best first. Only sorted rows need more than one:
 * elsewhere the next row is found by name.
 */
export const listCursorTargets = (keys: RowsWithCursor): readonly string[] =>
	listNamesFromCursor(keys)
		.take(keys.rows.arrangement === 'sorted' ? maxCursorTargets : 1)
		.toArray();

/** Returns the first of the names that is listed, or that may still be; undefined if there is none. */
export function findCursorTarget(
	{index, prefixKeys}: Pick<KeysState, 'index' | 'prefixKeys'>,
	names: readonly string[],
	hasMore: boolean,
): {readonly name: string; readonly isAwaited: boolean} | undefined {
	for (const name of names) {
		const {position, isFound} = index.find(name);
		const isAwaited = !isFound && hasMore && (prefixKeys ?? index).mayGrow(position);
		if (isFound || isAwaited) return {name, isAwaited};
	}
	return undefined;
}

type RowsWithCursor = Pick<KeysState, 'rows' | 'cursor' | 'index'>;

function getRowName({rows, index}: RowsWithCursor, rowNumber: number): string | undefined {
	const row = rows.at(rowNumber);
	return row?.kind === 'group' ? row.prefix : row && index.getName(row.position);
}
