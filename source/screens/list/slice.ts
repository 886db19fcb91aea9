import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports, Slice} from '../../store/slice.ts';
import type {DeclaredList, ListMembers} from './declared.ts';
import {createReader, emptyList, type ListOperations, type ListState} from './list.ts';
import {hasLoaded} from './reading.ts';

/** A list; `detail` is the first visible row of the detail while that is shown in its place. */
export type ListWithDetailState<Row> = ListState<Row> & {readonly detail?: number | undefined};

export type ZoneListState<Row, Zone extends FirewallZone = FirewallZone> = ListWithDetailState<Row> & {
	readonly zone: Zone;
};

/** Members of a list whose rows can be marked, for an action on several. */
export type ListMarks = {
	/** Marks the current row, or removes its mark; the cursor stays. */
	toggleMark(): void;
	/** Marks all shown rows, or removes their marks if all have one. */
	toggleShownMarks(): void;
	/** Moves the cursor by one row and marks the rows that it passes; moving back removes these marks. */
	extendMarks(distance: 1 | -1): void;
	/** Marks the shown rows from the one that was marked or unmarked last to the cursor. */
	markRange(): void;
	/** Removes the marks of the rows with these keys; all marks if omitted. */
	unmark(keys?: readonly unknown[]): void;
};

export type ZoneListSlice<State extends ZoneListState<unknown>> = ListMembers<State> &
	ListMarks & {
		/** Reads the list; the cursor stays on its row. */
		load(signal: AbortSignal): Promise<void>;
		/** Opens the list of a zone and drops what was read of another one. */
		open(zone: State['zone']): void;
		/** Moves the cursor to a row of the zone's list, now or when it loads; clears a filter that hides it. */
		focusRow(key: string, zoneId: string): void;
		/** Marks the list as written to since it was read. */
		markStale(): void;
		/** Shows the detail of the current row from row `top`; undefined returns to the list. */
		showDetail(top: number | undefined): void;
	};

type LoadedRows<State extends ListState<unknown>> = Pick<State, 'rows'> & Partial<State>;

/**
 * Creates the members of a list slice. `read` shows its result unless a later read has begun; `forget` drops
 * the result of the read under way.
 */
export function createList<Row, State extends ListState<Row>>(
	list: ListOperations<Row>,
	getData: () => State | undefined,
	set: (change: {readonly data: State}) => void,
) {
	const change = (part: Partial<State> | Partial<ListWithDetailState<Row>>): void => {
		const current = getData();
		if (current) set({data: {...current, ...part}});
	};
	return {
		...createReader(() => getData() ?? emptyList, change),
		change,
		/** Replaces the rows; the cursor stays on its row. */
		show(loadedList: LoadedRows<State>): void {
			const current = getData();
			if (!current) return;
			const part = {rows: loadedList.rows, reading: 'read', failure: undefined} as const;
			const changed = {...loadedList, ...list.applyChange(current, part)};
			const isSelectionGone = list.getSelectedKey({...current, ...changed}) !== list.getSelectedKey(current);
			// A detail never turns into that of another row.
			change(isSelectionGone ? {...changed, detail: undefined} : changed);
		},
		showDetail: (top: number | undefined) =>
			change({detail: top === undefined ? undefined : Math.max(0, top)}),
		move(distance: number): void {
			const current = getData();
			if (current) change(list.applyMove(current, distance));
		},
		filter(filter: string): void {
			const current = getData();
			if (current) change(list.applyFilter(current, filter));
		},
		marks: {
			toggleMark() {
				const current = getData();
				if (current) change(list.applyMarkToggle(current));
			},
			toggleShownMarks() {
				const current = getData();
				if (current) change(list.applyShownMarkToggle(current));
			},
			extendMarks(distance) {
				const current = getData();
				if (current) change(list.applyMarkExtension(current, distance));
			},
			markRange() {
				const current = getData();
				if (current) change(list.applyRangeMarks(current));
			},
			unmark(keys) {
				const markedKeys = keys && getData()?.markedKeys?.difference(new Set(keys));
				change({markedKeys, rangeStart: undefined} as Partial<State>);
			},
		} satisfies ListMarks,
	};
}

type InitialData<State extends ZoneListState<unknown>> = Omit<
	State,
	keyof ListWithDetailState<unknown> | 'zone'
>;

/** Creates the members of the slice of a zone's list, except reading it. */
export function createZoneRows<Row, State extends ZoneListState<Row>>(
	list: DeclaredList<Row, ZoneListSlice<State>>,
	initialData: InitialData<State>,
	set: (change: {readonly data: State}) => void,
	get: () => LedgeState,
	{session}: Ports,
) {
	const getData = () => list.getSlice(get()).data;
	const {change, read, forget, move, filter, showDetail, marks} = createList(list, getData, set);
	const members: Omit<ZoneListSlice<State>, 'load'> = {
		data: undefined,
		move,
		filter,
		open(chosenZone) {
			const zone = {...chosenZone, sessionOptions: formatSessionOptions(session.options)};
			if (getData()?.zone.id === zone.id) return change({zone, detail: undefined} as Partial<State>);
			forget();
			set({data: {...emptyList, ...initialData, zone} as unknown as State});
		},
		focusRow(key, zoneId) {
			const current = getData();
			if (current?.zone.id !== zoneId) return;
			const focusChange = list.applyRowFocus(current, key);
			change('cursor' in focusChange ? {...focusChange, detail: undefined} : focusChange);
		},
		markStale() {
			const current = getData();
			if (current && hasLoaded(current)) change({reading: 'stale'});
		},
		showDetail,
		...marks,
	};
	return {
		members,
		change,
		read,
		/**
		 * Shows rows that were read or written, and drops a read under way. The cursor moves to the pending
		 * row. A detail never turns into that of another row: the list is shown instead, with a warning.
		 */
		show(loadedList: LoadedRows<State>): void {
			const current = getData();
			if (!current) return;
			forget();
			const part = {
				...loadedList,
				...list.applyChange(current, {rows: loadedList.rows}),
				reading: 'read',
				failure: undefined,
			};
			const changedData: State = {...current, ...part};
			const focusChange =
				changedData.pendingKey === undefined ? {} : list.applyRowFocus(changedData, changedData.pendingKey);
			const isSelectionGone = list.getSelectedKey(changedData) !== list.getSelectedKey(current);
			const closesDetail = isSelectionGone || 'cursor' in focusChange;
			set({data: {...changedData, ...focusChange, ...(closesDetail && {detail: undefined})}});
			if (isSelectionGone && current.detail !== undefined && !('cursor' in focusChange))
				get().messages.warn(`The ${list.rowLabel} you were viewing no longer exists.`);
		},
	};
}

/** Creates the slice of a zone's list that one function reads. */
export const createZoneList =
	<Row, State extends ZoneListState<Row>>(
		list: DeclaredList<Row, ZoneListSlice<State>>,
		initialData: InitialData<State>,
		loadRows: (session: Ports['session'], state: State, signal: AbortSignal) => Promise<LoadedRows<State>>,
	): Slice<ZoneListSlice<State>> =>
	(set, get, ports) => {
		const {members, read, show} = createZoneRows(list, initialData, set, get, ports);
		return {
			...members,
			async load(signal) {
				const {data} = list.getSlice(get());
				if (data) await read(signal, () => loadRows(ports.session, data, signal), show);
			},
		};
	};
