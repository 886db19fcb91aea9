import {asFailure, type Failure} from '../../failure.ts';
import {holding} from '../../text/smart-case.ts';
import {getLoadedState, type Reading} from './reading.ts';

/** Rows with a filter and a cursor. */
export type ListRows<Row> = {
	readonly rows: readonly Row[];
	/** Index among the filtered rows. */
	readonly cursor: number;
	readonly filter: string;
	/** Key of the last selected row, selected again after a filter that matched nothing is cleared. */
	readonly lastOn?: unknown;
	/** Key of a row not loaded yet; the cursor moves there when it loads, unless it was moved before. */
	readonly awaited?: unknown;
};

/** Rows that are read in one go. */
export type ListState<Row> = ListRows<Row> & {
	readonly reading: Reading;
	readonly failure?: Failure | undefined;
};

export const emptyList = {reading: 'unread', rows: [], cursor: 0, filter: ''} as const;

/** Picks what must be kept of a list while another one is shown. */
export const pickRows = <Row>({rows, cursor, filter, lastOn}: ListRows<Row>): ListRows<Row> => ({
	rows,
	cursor,
	filter,
	lastOn,
});

/** Moves a cursor, clamped to `count` rows. */
export const movedCursor = (cursor: number, by: number, count: number): number =>
	Math.max(0, Math.min(count - 1, cursor + by));

/** Returns the index of the wanted row, or the cursor clamped to the rows if it is gone. */
export function cursorOn<Row>(rows: readonly Row[], isWanted: (row: Row) => boolean, cursor: number): number {
	const index = rows.findIndex(isWanted);
	return index === -1 ? movedCursor(cursor, 0, rows.length) : index;
}

export type RowsOf<Row> = ReturnType<typeof listOf<Row>>;

/** Creates the operations on lists whose rows have a key; the filter matches by smart case. */
export function listOf<Row>(
	keyOf: (row: Row) => unknown,
	textsOf: (row: Row) => readonly (string | undefined)[],
) {
	type List = ListRows<Row>;

	/** Caches the filtered rows: every frame and key reads them several times. */
	const filtered = new WeakMap<readonly Row[], {readonly filter: string; readonly left: readonly Row[]}>();

	function visible({rows, filter}: Pick<List, 'rows' | 'filter'>): readonly Row[] {
		if (filter === '') return rows;
		const known = filtered.get(rows);
		if (known?.filter === filter) return known.left;
		const isMatch = holding(filter);
		const left = rows.filter(row => textsOf(row).some(text => text !== undefined && isMatch(text)));
		filtered.set(rows, {filter, left});
		return left;
	}

	const selected = (list: List | undefined): Row | undefined => list && visible(list)[list.cursor];

	const selectedKey = (list: List): unknown => {
		const row = selected(list);
		return row && keyOf(row);
	};

	/** Changes rows or filter; the cursor stays on its row or moves to `wanted`. */
	function changed(list: List, part: Partial<List>, wanted?: unknown): Partial<List> {
		const under = selectedKey(list);
		const key = wanted ?? under ?? list.lastOn;
		const after = {...list, ...part};
		const near = part.filter === undefined ? list.cursor : 0;
		return {
			...part,
			lastOn: list.filter === '' ? under : list.lastOn,
			cursor: cursorOn(visible(after), row => keyOf(row) === key, near),
		};
	}

	return {
		visible,
		selected,
		selectedKey,
		changed,
		moved(list: List, by: number): Partial<List> {
			const rows = visible(list);
			const cursor = movedCursor(list.cursor, by, rows.length);
			const row = rows[cursor];
			return {cursor, lastOn: row ? keyOf(row) : list.lastOn, awaited: undefined};
		},
		/**
		 * Moves the cursor to the row with `key`, clearing a filter that hides it. A missing row becomes
		 * pending.
		 */
		pointed(list: List, key: unknown): Partial<List> {
			const isRow = (row: Row) => keyOf(row) === key;
			if (!list.rows.some(isRow)) return {awaited: key};
			const filter = visible(list).some(isRow) ? list.filter : '';
			return {...changed(list, {filter}, key), lastOn: key, awaited: undefined};
		},
	};
}

/** Collects all rows, sorted by name. */
export const byName = async <Row extends {readonly name: string}>(
	rows: AsyncIterable<Row>,
): Promise<readonly Row[]> =>
	(await Array.fromAsync(rows)).sort((one, other) =>
		one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
	);

type ReadState = Pick<ListState<unknown>, 'reading' | 'failure'>;

/** Creates a reader of lists. A later reading wins over an earlier one. */
export function createReader(
	data: () => Pick<ReadState, 'reading'>,
	change: (part: ReadState | Pick<ReadState, 'reading'>) => void,
) {
	let latest = 0;
	return {
		/** Discards the result of the reading under way. */
		forget: () => void latest++,
		async read<Found>(
			signal: AbortSignal,
			reads: () => Promise<Found>,
			show: (found: Found) => void,
		): Promise<Found> {
			const reading = ++latest;
			const before = data();
			const loaded = getLoadedState(before);
			change({reading: loaded ? 'reading again' : 'reading'});
			try {
				const found = await reads();
				if (reading === latest) show(found);
				return found;
			} catch (error) {
				const failure = asFailure(error);
				if (reading !== latest) throw failure;
				if (!signal.aborted) change({reading: loaded ?? 'failed', failure});
				else change({reading: loaded ?? (before.reading === 'failed' ? 'failed' : 'unread')});
				throw failure;
			}
		},
	};
}
