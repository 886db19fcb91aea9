import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import type {KeyRow, KeyRows} from '../../../source/kv/key-index/rows.ts';

/** Creates an index of these keys, listed to the end. */
export function createKeyIndex(...names: string[]): KeyIndex {
	const index = new KeyIndex();
	index.putAll(names.map(name => ({name})));
	index.finish();
	return index;
}

export const listKeyRows = (rows: KeyRows): KeyRow[] =>
	Array.from({length: rows.count}, (_, row) => rows.at(row)).filter(row => row !== undefined);

/**
 * Draws rows as text: two spaces per level, `+` for a closed and `-` for an open group, its number of keys,
 * and a last `+` if the listing may still bring more of them.
 */
export function drawKeyRows(rows: KeyRows): string[] {
	return listKeyRows(rows).map(row => {
		const indent = '  '.repeat(row.depth);
		if (row.kind === 'key') return `${indent}${row.label}`;
		return `${indent}${row.open ? '-' : '+'} ${row.label} ${row.count}${row.complete ? '' : '+'}`;
	});
}
