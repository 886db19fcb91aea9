import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports, Slice} from '../../store/slice.ts';
import type {DeclaredList, ListMembers} from './declared.ts';
import {createReader, emptyList, type ListState, type RowsOf} from './list.ts';
import {hasLoaded} from './reading.ts';

/** A list, and the first row in view while all of one row is shown in its place. */
export type Listed<Row> = ListState<Row> & {readonly detail?: number | undefined};

/** A list of a zone. */
export type ZoneListed<Row, Zone extends FirewallZone = FirewallZone> = Listed<Row> & {readonly zone: Zone};

/** What the slice of the list of a zone has. */
export type ZoneListSlice<State extends ZoneListed<unknown>> = ListMembers<State> & {
	/** Reads the list, the cursor on the same row as before. */
	load(signal: AbortSignal): Promise<void>;
	/** Opens that of a zone; what was read of another zone goes. */
	open(zone: State['zone']): void;
	/** Sets the cursor on the row of a key in the list of a zone, now or once it is read; a filter that hides it goes. */
	point(key: string, zone: string): void;
	/** What is shown may be outdated: something was written, and the list was not read since. */
	markStale(): void;
	/** Shows all of the row under the cursor from a row on, or the list again. */
	showDetail(top: number | undefined): void;
};

/** The rows of a list, and what else changes with them. */
type Found<State extends ListState<unknown>> = Pick<State, 'rows'> & Partial<State>;

/**
 * Makes what the slice of a list does. `read` shows what it has read; a later reading wins over an earlier one, and
 * `forget` drops the one under way.
 */
export function createList<Row, State extends ListState<Row>>(
	list: RowsOf<Row>,
	data: () => State | undefined,
	set: (change: {readonly data: State}) => void,
) {
	const change = (part: Partial<State> | Partial<Listed<Row>>): void => {
		const before = data();
		if (before) set({data: {...before, ...part}});
	};
	return {
		...createReader(() => data() ?? emptyList, change),
		change,
		/** Shows other rows, the cursor on the same one as before. */
		show(found: Found<State>): void {
			const before = data();
			const part = {rows: found.rows, reading: 'read', failure: undefined} as const;
			if (before) change({...found, ...list.changed(before, part)});
		},
		move(by: number): void {
			const before = data();
			if (before) change(list.moved(before, by));
		},
		filter(filter: string): void {
			const before = data();
			if (before) change(list.changed(before, {filter}));
		},
	};
}

/** What the list of a zone has at first, beside its rows. */
type Beginning<State extends ZoneListed<unknown>> = Omit<State, keyof Listed<unknown> | 'zone'>;

/** Makes what the slice of a list of a zone does, beside reading it. */
export function createZoneRows<Row, State extends ZoneListed<Row>>(
	list: DeclaredList<Row, ZoneListSlice<State>>,
	beginning: Beginning<State>,
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
		open(chosen) {
			const zone = {...chosen, way: wayThere(session.options)};
			if (data()?.zone.id === zone.id) return change({zone, detail: undefined} as Partial<State>);
			forget();
			set({data: {...emptyList, ...beginning, zone} as unknown as State});
		},
		point(key, zone) {
			const before = data();
			if (before?.zone.id !== zone) return;
			const pointed = list.pointed(before, key);
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
		 * Shows what was read or made by a write; a reading under way is dropped. The cursor goes to the row that is
		 * awaited. What was shown whole does not turn into another row: then the list is shown, and why.
		 */
		show(found: Found<State>): void {
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
			const pointed = after.awaited === undefined ? {} : list.pointed(after, after.awaited);
			const isGone = list.selectedKey(after) !== list.selectedKey(before);
			const isClosed = isGone || 'cursor' in pointed;
			set({data: {...after, ...pointed, ...(isClosed && {detail: undefined})}});
			if (isGone && before.detail !== undefined && !('cursor' in pointed))
				get().messages.warn(`The ${list.row} that was shown is gone.`);
		},
	};
}

/** Makes the slice of a list of a zone that is read with one function. */
export const createZoneList =
	<Row, State extends ZoneListed<Row>>(
		list: DeclaredList<Row, ZoneListSlice<State>>,
		beginning: Beginning<State>,
		reads: (session: Ports['session'], state: State, signal: AbortSignal) => Promise<Found<State>>,
	): Slice<ZoneListSlice<State>> =>
	(set, get, ports) => {
		const {members, read, show} = createZoneRows(list, beginning, set, get, ports);
		return {
			...members,
			async load(signal) {
				const {data} = list.slice(get());
				if (data) await read(signal, () => reads(ports.session, data, signal), show);
			},
		};
	};
