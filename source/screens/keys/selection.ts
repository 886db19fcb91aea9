import type {KeyRow} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import {endExtension, extendRange, findRange, type RangeRows} from '../list/range.ts';
import {getRowPositions, getShownRanges} from './shown-keys.ts';
import type {KeysSlice, KeysState} from './state.ts';

/** Identifies a row while rows come and go: a group and a key can have the same name. */
const getRowId = ({index}: KeysState, row: KeyRow): string =>
	row.kind === 'group' ? `group ${row.prefix}` : `key ${index.getName(row.position)}`;

function findRowById(keys: KeysState, id: string): number | undefined {
	const {rows, index} = keys;
	const name = id.slice(id.indexOf(' ') + 1);
	const findKeyRow = () => {
		const {position, isFound} = index.find(name);
		return isFound ? rows.findRow(position) : undefined;
	};
	const row = id.startsWith('group ')
		? rows instanceof TreeRows
			? rows.findPrefixRow(name)
			: undefined
		: findKeyRow();
	const found = row === undefined ? undefined : rows.at(row);
	// A key that the filter or a closed group hides has no row of its own.
	return found && getRowId(keys, found) === id ? row : undefined;
}

/** Gives the rows to a range. An open group is a heading: its keys have rows of their own. */
const getRangeRows = (keys: KeysState): RangeRows<string> => ({
	cursor: keys.cursor,
	getKey(row) {
		const found = keys.rows.at(row);
		return found && getRowId(keys, found);
	},
	findRow: id => findRowById(keys, id),
	isSelected(row) {
		const found = keys.rows.at(row);
		if (found?.kind === 'group' && found.open) return true;
		const {from, to} = keys.rows.getPositions(row);
		return keys.index.countSelected(from, to) === to - from;
	},
});

/** Creates the members of the slice that select keys. `keepCursor`: the cursor must not move by itself any more. */
export function createKeySelection(
	getSlice: () => Pick<KeysSlice, 'data' | 'move'>,
	change: (part: Partial<KeysState>) => void,
	keepCursor: () => void,
) {
	return {
		toggleRowSelection() {
			const keys = getSlice().data;
			const id = keys && getRangeRows(keys).getKey(keys.cursor);
			if (!keys || id === undefined) return;
			const {from, to} = keys.rows.getPositions(keys.cursor);
			const shouldSelect = keys.index.countSelected(from, to) < to - from;
			keys.index.selectRange(from, to, shouldSelect);
			keepCursor();
			change({rangeStart: {last: id}});
		},
		extendSelection(distance) {
			const keys = getSlice().data;
			const extension = keys && extendRange(getRangeRows(keys), keys.rangeStart, distance);
			if (!keys || !extension) return;
			const {added, removed, cursor, start} = extension;
			for (const [rows, isSelected] of [
				[added, true],
				[removed, false],
			] as const)
				for (const row of rows) {
					const {from, to} = keys.rows.getPositions(row);
					keys.index.selectRange(from, to, isSelected);
				}
			getSlice().move(cursor - keys.cursor);
			change({rangeStart: start});
		},
		selectRange() {
			const keys = getSlice().data;
			const range = keys && findRange(getRangeRows(keys), keys.rangeStart);
			if (!keys || !range) return;
			// A group at the cursor is selected with all of its keys, as by itself.
			const ranges =
				range.to - range.from === 1
					? [keys.rows.getPositions(range.from)]
					: getRowPositions(keys, range.from, range.to);
			for (const {from, to} of ranges) keys.index.selectRange(from, to, true);
			keepCursor();
			change({rangeStart: range.start});
		},
		toggleShownSelection() {
			const keys = getSlice().data;
			if (!keys) return;
			const {index} = keys;
			const ranges = getShownRanges(keys);
			const areAllSelected = ranges.every(({from, to}) => index.countSelected(from, to) === to - from);
			for (const {from, to} of ranges) index.selectRange(from, to, !areAllSelected);
			change({rangeStart: undefined});
		},
		selectOnly(names) {
			const keys = getSlice().data;
			if (!keys) return;
			const foundKeys = [...names].map(name => keys.index.find(name)).filter(({isFound}) => isFound);
			keys.index.clearSelection();
			for (const {position} of foundKeys) keys.index.select(position, true);
			change({rangeStart: undefined});
		},
		setSelection(names, isSelected) {
			const {index} = getSlice().data ?? {};
			for (const name of names) {
				const {position, isFound} = index?.find(name) ?? {position: 0, isFound: false};
				if (isFound) index?.select(position, isSelected);
			}
			change({rangeStart: undefined});
		},
		clearSelection() {
			getSlice().data?.index.clearSelection();
			change({rangeStart: undefined});
		},
	} satisfies Partial<KeysSlice>;
}

/** Ends the extension of the selection after the cursor was moved in another way. */
export const endKeyExtension = ({rangeStart}: KeysState): Pick<KeysState, 'rangeStart'> => ({
	rangeStart: endExtension(rangeStart),
});
