/** The shown rows of a list, by index. A row that cannot be selected, such as a heading, counts as selected. */
export type RangeRows<Key> = {
	readonly cursor: number;
	/** Undefined beyond the rows. */
	getKey(row: number): Key | undefined;
	/** Undefined if no shown row has the key. */
	findRow(key: Key): number | undefined;
	isSelected(row: number): boolean;
};

/** Where the next range begins. */
export type RangeStart<Key> = {
	/** The row that was selected or deselected last. */
	readonly last: Key;
	/** The range that was extended to `last`, until the cursor is moved in another way. */
	readonly extension?: {readonly anchor: Key; readonly addedKeys: ReadonlySet<Key>};
};

/** Ends an extension: the next one begins at the cursor. */
export const endExtension = <Key>(start: RangeStart<Key> | undefined): RangeStart<Key> | undefined =>
	start && {last: start.last};

type Extension<Key> = {
	readonly cursor: number;
	readonly start: RangeStart<Key>;
	/** Rows to select. */
	readonly added: readonly number[];
	/** Rows to deselect. */
	readonly removed: readonly number[];
};

/**
 * Extends a range from the row under the cursor to the next one. Moving back shrinks it again, and leaves rows
 * selected that were so before. Undefined without rows.
 */
export function extendRange<Key>(
	{cursor, getKey, findRow, isSelected}: RangeRows<Key>,
	start: RangeStart<Key> | undefined,
	distance: 1 | -1,
): Extension<Key> | undefined {
	const key = getKey(cursor);
	if (key === undefined) return undefined;
	const previous = start?.last === key ? start.extension : undefined;
	const anchorRow = previous && findRow(previous.anchor);
	const anchor = previous && anchorRow !== undefined ? previous.anchor : key;
	const addedKeys = new Set(anchorRow === undefined ? [] : previous?.addedKeys);
	const nextKey = getKey(cursor + distance);
	const [last, nextCursor] = nextKey === undefined ? [key, cursor] : [nextKey, cursor + distance];
	const finish = (added: readonly number[], removed: readonly number[]): Extension<Key> => ({
		cursor: nextCursor,
		start: {last, extension: {anchor, addedKeys}},
		added,
		removed,
	});
	if (anchorRow !== undefined && (anchorRow - cursor) * distance > 0)
		return finish([], addedKeys.delete(key) ? [cursor] : []);
	const added = [...new Set([cursor, nextCursor])].filter(row => !isSelected(row));
	for (const row of added) addedKeys.add(row === cursor ? key : last);
	return finish(added, []);
}

/**
 * Finds the rows from the one that was selected or deselected last to the cursor, or else the row under the
 * cursor: `from` included, `to` not. Undefined without rows.
 */
export function findRange<Key>(
	{cursor, getKey, findRow}: RangeRows<Key>,
	start: RangeStart<Key> | undefined,
): {readonly from: number; readonly to: number; readonly start: RangeStart<Key>} | undefined {
	const key = getKey(cursor);
	if (key === undefined) return undefined;
	const lastRow = (start && findRow(start.last)) ?? cursor;
	return {from: Math.min(lastRow, cursor), to: Math.max(lastRow, cursor) + 1, start: {last: key}};
}
