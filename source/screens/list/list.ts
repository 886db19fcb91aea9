import {asFailure, type Failure} from '../../failure.ts';
import {holding} from '../../text/smart-case.ts';
import {getLoadedState, type Reading} from './reading.ts';

/** Rows that are narrowed by a filter, with a cursor. */
export type ListRows<Row> = {
	readonly rows: readonly Row[];
	/** Among the rows that the filter leaves. */
	readonly cursor: number;
	readonly filter: string;
	/** The key of the row that the cursor was on last: returned to when a filter that left no row is taken back. */
	readonly lastOn?: unknown;
	/** The key of a row that is not in the list yet: the cursor goes to it once it is read, if it is not moved before. */
	readonly awaited?: unknown;
};

/** Rows that are read whole. */
export type ListState<Row> = ListRows<Row> & {
	readonly reading: Reading;
	readonly failure?: Failure | undefined;
};

export const emptyList = {reading: 'unread', rows: [], cursor: 0, filter: ''} as const;

/** The rows and the place in them, without anything else: to be kept while another list is in front. */
export const pickRows = <Row>({rows, cursor, filter, lastOn}: ListRows<Row>): ListRows<Row> => ({
	rows,
	cursor,
	filter,
	lastOn,
});

/** A cursor that was moved, within so many rows. */
export const movedCursor = (cursor: number, by: number, count: number): number =>
	Math.max(0, Math.min(count - 1, cursor + by));

/** Where a row is; where it is gone, the place of the row that follows. */
export function cursorOn<Row>(rows: readonly Row[], isWanted: (row: Row) => boolean, cursor: number): number {
	const index = rows.findIndex(isWanted);
	return index === -1 ? movedCursor(cursor, 0, rows.length) : index;
}

/** What `listOf` makes. */
export type RowsOf<Row> = ReturnType<typeof listOf<Row>>;

/** What is done with lists of rows that have a key, and texts that the filter looks at, by smart case. */
export function listOf<Row>(
	keyOf: (row: Row) => unknown,
	textsOf: (row: Row) => readonly (string | undefined)[],
) {
	type List = ListRows<Row>;

	/** What a filter left of rows: every frame and every key asks for it, several times. */
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

	/** The row under the cursor. */
	const selected = (list: List | undefined): Row | undefined => list && visible(list)[list.cursor];

	const selectedKey = (list: List): unknown => {
		const row = selected(list);
		return row && keyOf(row);
	};

	/** Other rows, or another filter; the cursor stays on its row, or goes to the wanted one. */
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
		/** The cursor on the row of a key, and the filter taken back if it hides the row. A row that is not there is awaited. */
		pointed(list: List, key: unknown): Partial<List> {
			const isRow = (row: Row) => keyOf(row) === key;
			if (!list.rows.some(isRow)) return {awaited: key};
			const filter = visible(list).some(isRow) ? list.filter : '';
			return {...changed(list, {filter}, key), lastOn: key, awaited: undefined};
		},
	};
}

/** All of them, by name. */
export const byName = async <Row extends {readonly name: string}>(
	rows: AsyncIterable<Row>,
): Promise<readonly Row[]> =>
	(await Array.fromAsync(rows)).sort((one, other) =>
		one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
	);

type ReadState = Pick<ListState<unknown>, 'reading' | 'failure'>;

/** Reads lists. What an earlier reading returns is not shown over a later one. */
export function createReader(
	data: () => Pick<ReadState, 'reading'>,
	change: (part: ReadState | Pick<ReadState, 'reading'>) => void,
) {
	let latest = 0;
	return {
		/** What is being read now is not shown. */
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
