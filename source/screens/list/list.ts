import {type Failure, toFailure} from '../../failure.ts';
import {type KeyFilter, parseKeyFilter, parseTextFilter} from '../../kv/key-index/key-filter.ts';
import {formatInteger} from '../../text/figures.ts';
import {findTextMatches, type TextMatches} from '../../text/smart-case.ts';
import {endExtension, extendRange, findRange, type RangeRows, type RangeStart} from './range.ts';
import {getLoadedState, type LoadState} from './reading.ts';

/** Rows with a filter and a cursor. */
export type ListRows<Row> = {
	readonly rows: readonly Row[];
	/** Index among the filtered rows. */
	readonly cursor: number;
	readonly filter: string;
	/**
	 * True once rows had the filter as typed. It then finds only such rows until it is edited, so that it never
	 * shows others in place of those that were deleted.
	 */
	readonly isExactFilter?: boolean | undefined;
	/** Key of the last selected row, selected again after a filter that matched nothing is cleared. */
	readonly lastKey?: unknown;
	/** Key of a row not loaded yet; the cursor moves there when it loads, unless it was moved before. */
	readonly pendingKey?: unknown;
	/** Keys of the rows that the user marked; some may be gone or hidden by the filter. */
	readonly markedKeys?: ReadonlySet<unknown> | undefined;
	/** Where a range of marks begins. */
	readonly rangeStart?: RangeStart<unknown> | undefined;
};

/** Rows that are read in one go. */
export type ListState<Row> = ListRows<Row> & {
	readonly reading: LoadState;
	readonly failure?: Failure | undefined;
};

/** Why an action on marked rows is unavailable if none of them is shown. */
export const hiddenMarksReason = 'the filter hides the selected rows';

export const emptyList = {reading: 'unread', rows: [], cursor: 0, filter: ''} as const;

/** Picks what must be kept of a list while another one is shown. */
export const pickRows = <Row>({
	rows,
	cursor,
	filter,
	isExactFilter,
	lastKey,
	markedKeys,
	rangeStart,
}: ListRows<Row>): ListRows<Row> => ({
	rows,
	cursor,
	filter,
	isExactFilter,
	lastKey,
	markedKeys,
	rangeStart,
});

/** Returns the width of a column with the positions of `count` rows. */
export const getPositionWidth = (count: number): number => Math.max(4, formatInteger(count).length);

/** Moves a cursor, clamped to `count` rows. */
export const moveCursor = (cursor: number, distance: number, count: number): number =>
	Math.max(0, Math.min(count - 1, cursor + distance));

/** Returns the index of the wanted row, or the cursor clamped to the rows if it is gone. */
export function findCursor<Row>(
	rows: readonly Row[],
	isWanted: (row: Row) => boolean,
	cursor: number,
): number {
	const index = rows.findIndex(isWanted);
	return index === -1 ? moveCursor(cursor, 0, rows.length) : index;
}

export type ListOperations<Row> = ReturnType<typeof createListOperations<Row>>;

/**
 * Creates the operations on lists whose rows have a key; the filter finds texts and ids (`findTextMatches`). With
 * `!text` keeps the other rows. With `getName`, a filter such as `^user:` matches the start of names
 * (`parseKeyFilter`). With `getTitle`, the cursor goes to a row whose title is the filter, or else begins with it.
 */
export function createListOperations<Row>(
	getKey: (row: Row) => unknown,
	getTexts: (row: Row) => readonly (string | undefined)[],
	getName?: (row: Row) => string,
	getTitle?: (row: Row) => string,
	getIds?: (row: Row) => readonly (string | undefined)[],
) {
	type List = ListRows<Row>;
	type FilteredRows = Pick<List, 'rows' | 'filter' | 'isExactFilter'>;

	/** Caches the filtered rows: every frame and key reads them several times. */
	const filterCache = new WeakMap<
		readonly Row[],
		{readonly filter: string; readonly isExact: boolean; readonly matches: TextMatches<Row>}
	>();

	function findMatches(rows: readonly Row[], typed: string, isExact: boolean): TextMatches<Row> {
		const filter: KeyFilter = getName ? parseKeyFilter(typed) : parseTextFilter(typed);
		if (filter.kind === 'prefix') {
			const isMatch = (row: Row) => getName?.(row).startsWith(filter.prefix) === true;
			return {rows: rows.filter(isMatch), hasSplitWords: false};
		}
		if (filter.kind === 'none') return {rows, hasSplitWords: false};
		const {text, isInverse = false} = filter;
		const matches = findTextMatches(rows, text, getTexts, getIds, isExact || isInverse);
		if (!isInverse) return matches;
		const hiddenRows = new Set(matches.rows);
		return {rows: rows.filter(row => !hiddenRows.has(row)), hasSplitWords: false};
	}

	function getMatches({rows, filter, isExactFilter: isExact = false}: FilteredRows): TextMatches<Row> {
		if (filter === '') return {rows, hasSplitWords: false};
		const cached = filterCache.get(rows);
		const isCached =
			cached?.filter === filter && (cached.isExact === isExact || (isExact && !cached.matches.hasSplitWords));
		if (isCached) return cached.matches;
		const matches = findMatches(rows, filter, isExact);
		filterCache.set(rows, {filter, isExact, matches});
		return matches;
	}

	const listVisible = (list: FilteredRows): readonly Row[] => getMatches(list).rows;

	const getSelected = (list: List | undefined): Row | undefined => list && listVisible(list)[list.cursor];

	const getSelectedKey = (list: List): unknown => {
		const row = getSelected(list);
		return row && getKey(row);
	};

	/** Changes rows or filter; the cursor stays on its row or moves to `targetKey`. */
	function applyChange(list: List, part: Partial<List>, targetKey?: unknown): Partial<List> {
		const selectedKey = getSelectedKey(list);
		const key = targetKey ?? selectedKey ?? list.lastKey;
		const isSameFilter = (part.filter ?? list.filter) === list.filter;
		const newList = {...list, ...part, isExactFilter: isSameFilter && list.isExactFilter === true};
		const {rows, hasSplitWords} = getMatches(newList);
		const isExactFilter =
			newList.isExactFilter || (newList.filter !== '' && rows.length > 0 && !hasSplitWords);
		const changedList = {...newList, isExactFilter};
		const fallback = part.filter === undefined ? list.cursor : 0;
		return {
			...part,
			isExactFilter,
			// Before its rows are loaded, a list keeps the row that it was opened for.
			lastKey: list.filter === '' && list.rows.length > 0 ? selectedKey : list.lastKey,
			cursor: findCursor(listVisible(changedList), row => getKey(row) === key, fallback),
		};
	}

	/** Changes the filter; the cursor goes to the title that it names, or else stays on its row. */
	function applyFilter(list: List, filter: string): Partial<List> {
		const searchText = filter.toLowerCase();
		const visibleRows = getTitle && filter !== '' ? listVisible({rows: list.rows, filter}) : [];
		const findTitle = (isMatch: (title: string) => boolean) =>
			visibleRows.find(row => isMatch(getTitle?.(row).toLowerCase() ?? ''));
		const target =
			findTitle(title => title === searchText) ?? findTitle(title => title.startsWith(searchText));
		return applyChange(list, {filter}, target && getKey(target));
	}

	function applyMove(list: List, distance: number): Partial<List> {
		const rows = listVisible(list);
		const cursor = moveCursor(list.cursor, distance, rows.length);
		const row = rows[cursor];
		return {
			cursor,
			lastKey: row ? getKey(row) : list.lastKey,
			pendingKey: undefined,
			rangeStart: endExtension(list.rangeStart),
		};
	}

	const isMarked = ({markedKeys}: Pick<List, 'markedKeys'>, row: Row): boolean =>
		markedKeys?.has(getKey(row)) === true;

	/** Gives the shown rows to a range. `isSelected`: whether a row is selected, if it is not marked in the list. */
	function getRangeRows(
		list: List,
		isSelected = (row: Row): boolean => isMarked(list, row),
	): RangeRows<unknown> {
		const rows = listVisible(list);
		return {
			cursor: list.cursor,
			getKey(index) {
				const row = rows[index];
				return row && getKey(row);
			},
			findRow(key) {
				const index = rows.findIndex(row => getKey(row) === key);
				return index === -1 ? undefined : index;
			},
			isSelected(index) {
				const row = rows[index];
				return row !== undefined && isSelected(row);
			},
		};
	}

	return {
		getRangeRows,
		listVisible,
		/** True if no row has the filter as typed, and those shown have all of its words. */
		hasSplitWords: (list: FilteredRows): boolean => getMatches(list).hasSplitWords,
		getSelected,
		getSelectedKey,
		applyChange,
		applyFilter,
		applyMove,
		/** True if the user marked the row, for an action on several rows. */
		isMarked,
		/** Lists the marked rows, also those that the filter hides. */
		listMarked: (list: List): readonly Row[] =>
			list.markedKeys?.size ? list.rows.filter(row => isMarked(list, row)) : [],
		/**
		 * Lists the rows that an action on several is for: those that are marked and shown, or else the one
		 * under the cursor, as while its detail is shown in place of the list. Empty if the filter hides all that
		 * are marked.
		 */
		listTargets(list: List & {readonly detail?: number | undefined}): readonly Row[] {
			const row = getSelected(list);
			const hasMarks = list.rows.some(one => isMarked(list, one));
			if (!hasMarks || list.detail !== undefined) return row === undefined ? [] : [row];
			return listVisible(list).filter(one => isMarked(list, one));
		},
		/** Marks the row under the cursor, or removes its mark. The cursor stays there even if a pending row arrives. */
		applyMarkToggle(list: List): Partial<List> {
			const row = getSelected(list);
			if (row === undefined) return {};
			const key = getKey(row);
			const markedKeys = list.markedKeys ?? new Set();
			return {
				...applyMove(list, 0),
				markedKeys: markedKeys.symmetricDifference(new Set([key])),
				rangeStart: {last: key},
			};
		},
		/** Moves the cursor by one row and marks the rows that it passes; moving back removes these marks. */
		applyMarkExtension(list: List, distance: 1 | -1): Partial<List> {
			const rows = getRangeRows(list);
			const extension = extendRange(rows, list.rangeStart, distance);
			if (!extension) return {};
			const markedKeys = new Set(list.markedKeys);
			for (const row of extension.added) markedKeys.add(rows.getKey(row));
			for (const row of extension.removed) markedKeys.delete(rows.getKey(row));
			return {
				...applyMove(list, extension.cursor - list.cursor),
				markedKeys,
				rangeStart: extension.start,
			};
		},
		/** Marks the shown rows from the one that was marked or unmarked last to the cursor. */
		applyRangeMarks(list: List): Partial<List> {
			const range = findRange(getRangeRows(list), list.rangeStart);
			if (!range) return {};
			const keys = new Set(listVisible(list).slice(range.from, range.to).map(getKey));
			return {
				...applyMove(list, 0),
				markedKeys: keys.union(list.markedKeys ?? new Set()),
				rangeStart: range.start,
			};
		},
		/** Marks all shown rows, or removes their marks if all have one. */
		applyShownMarkToggle(list: List): Partial<List> {
			const shownKeys = new Set(listVisible(list).map(getKey));
			const markedKeys = list.markedKeys ?? new Set();
			const areAllMarked = shownKeys.isSubsetOf(markedKeys);
			return {
				...applyMove(list, 0),
				markedKeys: areAllMarked ? markedKeys.difference(shownKeys) : markedKeys.union(shownKeys),
				rangeStart: undefined,
			};
		},
		/**
		 * Moves the cursor to the row with `key`, clearing a filter that hides it. A missing row becomes
		 * pending.
		 */
		applyRowFocus(list: List, key: unknown): Partial<List> {
			const isTarget = (row: Row) => getKey(row) === key;
			if (!list.rows.some(isTarget)) return {pendingKey: key};
			const filter = listVisible(list).some(isTarget) ? list.filter : '';
			return {...applyChange(list, {filter}, key), lastKey: key, pendingKey: undefined};
		},
	};
}

/** Collects all rows, sorted by name. */
export const collectSortedByName = async <Row extends {readonly name: string}>(
	rows: AsyncIterable<Row>,
): Promise<readonly Row[]> =>
	(await Array.fromAsync(rows)).sort((one, other) =>
		one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
	);

type ReadState = Pick<ListState<unknown>, 'reading' | 'failure'>;

/** Creates a reader of lists. The result of a read is dropped if a later read has begun. */
export function createReader(
	getData: () => Pick<ReadState, 'reading'>,
	change: (part: ReadState | Pick<ReadState, 'reading'>) => void,
) {
	let lastReadNumber = 0;
	return {
		/** Drops the result of the read under way. */
		forget: () => void lastReadNumber++,
		async read<Found>(
			signal: AbortSignal,
			load: () => Promise<Found>,
			show: (result: Found) => void,
		): Promise<Found> {
			const readNumber = ++lastReadNumber;
			const previous = getData();
			const loadedState = getLoadedState(previous);
			change({reading: loadedState ? 'reading again' : 'reading'});
			try {
				const result = await load();
				if (readNumber === lastReadNumber) show(result);
				return result;
			} catch (error) {
				const failure = toFailure(error);
				if (readNumber !== lastReadNumber) throw failure;
				if (!signal.aborted) change({reading: loadedState ?? 'failed', failure});
				else change({reading: loadedState ?? (previous.reading === 'failed' ? 'failed' : 'unread')});
				throw failure;
			}
		},
	};
}
