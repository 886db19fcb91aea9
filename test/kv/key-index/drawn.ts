import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import type {KeyRow, KeyRows} from '../../../source/kv/key-index/rows.ts';

/** An index of these keys, listed to the end. */
export function indexOf(...names: string[]): KeyIndex {
	const index = new KeyIndex();
	index.putAll(names.map(name => ({name})));
	index.finish();
	return index;
}

export const rowsOf = (rows: KeyRows): KeyRow[] =>
	Array.from({length: rows.count}, (_, row) => rows.at(row)).filter(row => row !== undefined);

/** Rows as people would draw them: two spaces a level, `+` a closed and `-` an open group with its count. */
export function drawn(rows: KeyRows): string[] {
	return rowsOf(rows).map(row => {
		const indent = '  '.repeat(row.depth);
		if (row.kind === 'key') return `${indent}${row.label}`;
		return `${indent}${row.open ? '-' : '+'} ${row.label} ${row.count}${row.complete ? '' : '+'}`;
	});
}
