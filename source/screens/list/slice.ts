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

export type ZoneListSlice<State extends ZoneListState<unknown>> = ListMembers<State> & {
	/** Reads the list; the cursor stays on its row. */
	load(signal: AbortSignal): Promise<void>;
	/** Opens the list of a zone and drops what was read of another one. */
	open(zone: State['zone']): void;
	/** Moves the cursor to a row of the zone's list, now or when it loads; clears a filter that hides it. */
	point(key: string, zone: string): void;
	/** Marks the list as written to since it was read. */
	markStale(): void;
	/** Shows the detail of the current row from row `top`; undefined returns to the list. */
	showDetail(top: number | undefined): void;
};

type LoadedRows<State extends ListState<unknown>> = Pick<State, 'rows'> & Partial<State>;

/**
 * Creates the members of a list slice. `read` shows its result; a later reading wins over an earlier one, and
 * `forget` drops the one under way.
 */
export function createList<Row, State extends ListState<Row>>(
	list: ListOperations<Row>,
	data: () => State | undefined,
	set: (change: {readonly data: State}) => void,
) {
	const change = (part: Partial<State> | Partial<ListWithDetailState<Row>>): void => {
		const before = data();
		if (before) set({data: {...before, ...part}});
	};
	return {
		...createReader(() => data() ?? emptyList, change),
		change,
		/** Replaces the rows; the cursor stays on its row. */
		show(found: LoadedRows<State>): void {
			const before = data();
			const part = {rows: found.rows, reading: 'read', failure: undefined} as const;
			if (before) change({...found, ...list.changed(before, part)});
		},
		move(by: number): void {
			const before = data();
			if (before) change(list.applyMove(before, by));
		},
		filter(filter: string): void {
			const before = data();
			if (before) change(list.changed(before, {filter}));
		},
	};
}

type InitialMembers<State extends ZoneListState<unknown>> = Omit<
	State,
	keyof ListWithDetailState<unknown> | 'zone'
>;

/** Creates the members of the slice of a zone's list, except reading it. */
export function createZoneRows<Row, State extends ZoneListState<Row>>(
	list: DeclaredList<Row, ZoneListSlice<State>>,
	initialMembers: InitialMembers<State>,
	set: (change: {readonly data: State}) => void,
	get: () => LedgeState,
	{session}: Ports,
) {
	const data = () => list.slice(get()).data;
	const {change, read, forget, move, filter} = createList(list, data, set);
	const members: Omit<ZoneListSlice<State>, 'load'> = {
		data: undefined,
		move,
		filter,
		open(chosenZone) {
			const zone = {...chosenZone, way: formatSessionOptions(session.options)};
			if (data()?.zone.id === zone.id) return change({zone, detail: undefined} as Partial<State>);
			forget();
			set({data: {...emptyList, ...initialMembers, zone} as unknown as State});
		},
		point(key, zone) {
			const before = data();
			if (before?.zone.id !== zone) return;
			const pointed = list.applyPoint(before, key);
			change('cursor' in pointed ? {...pointed, detail: undefined} : pointed);
		},
		markStale() {
			const before = data();
			if (before && hasLoaded(before)) change({reading: 'stale'});
		},
		showDetail: top => change({detail: top === undefined ? undefined : Math.max(0, top)}),
	};
	return {
		members,
		change,
		read,
		/**
		 * Shows rows that were read or written, and drops a reading under way. The cursor moves to the
		 * pending row. A detail never turns into that of another row: the list is shown instead, with a
		 * warning.
		 */
		show(found: LoadedRows<State>): void {
			const before = data();
			if (!before) return;
			forget();
			const part = {
				...found,
				...list.changed(before, {rows: found.rows}),
				reading: 'read',
				failure: undefined,
			};
			const after: State = {...before, ...part};
			const pointed = after.pendingKey === undefined ? {} : list.applyPoint(after, after.pendingKey);
			const isSelectionGone = list.selectedKey(after) !== list.selectedKey(before);
			const closesDetail = isSelectionGone || 'cursor' in pointed;
			set({data: {...after, ...pointed, ...(closesDetail && {detail: undefined})}});
			if (isSelectionGone && before.detail !== undefined && !('cursor' in pointed))
				get().messages.warn(`The ${list.rowLabel} that was shown is gone.`);
		},
	};
}

/** Creates the slice of a zone's list that one function reads. */
export const createZoneList =
	<Row, State extends ZoneListState<Row>>(
		list: DeclaredList<Row, ZoneListSlice<State>>,
		initialMembers: InitialMembers<State>,
		loadRows: (session: Ports['session'], state: State, signal: AbortSignal) => Promise<LoadedRows<State>>,
	): Slice<ZoneListSlice<State>> =>
	(set, get, ports) => {
		const {members, read, show} = createZoneRows(list, initialMembers, set, get, ports);
		return {
			...members,
			async load(signal) {
				const {data} = list.slice(get());
				if (data) await read(signal, () => loadRows(ports.session, data, signal), show);
			},
		};
	};
