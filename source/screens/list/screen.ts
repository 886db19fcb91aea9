import {bodyRows} from '../../components/layout.ts';
import type {Marks} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {Row as DrawnRow} from '../rows/rows.ts';
import {actionsOf, copying, filtering} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import type {Screen} from '../shell/screen-name.ts';
import {createReader, emptyList, type ListState, type RowsOf} from './list.ts';

/** Columns that are kept free to the left and right of the rows of a detail. */
const margin = 5;

/** Columns that the rows of a detail have on a screen so wide. */
export const detailColumns = (columns: number): number => columns - margin;

/** A list, and the first row in view while all of one row is shown in its place. */
export type Listed<Row> = ListState<Row> & {readonly detail?: number | undefined};

/** What the slice of every list has. */
export type ListSlice<State> = {
	readonly data: State | undefined;
	/** Reads the list, the cursor on the same row as before. */
	load(signal: AbortSignal): Promise<void>;
	move(by: number): void;
	filter(text: string): void;
};

/** What the slice of a list of a zone has, too. */
export type ZoneListSlice<State> = ListSlice<State> & {
	/** Opens that of a zone; what was read of another zone goes. */
	open(zone: OpenedZone): void;
	/** Shows all of the row under the cursor from a row on, or the list again. */
	showDetail(top: number | undefined): void;
};

/** The rows of a list, and what else changes with them. */
type Found<State extends ListState<unknown>> = Pick<State, 'rows'> & Partial<State>;

/**
 * Makes what the slice of a list that is read whole does. `reads` is not called while nothing is open. A later reading
 * wins over an earlier one; `forget` drops the one under way.
 */
export function createList<Row, State extends ListState<Row>>(
	list: RowsOf<Row>,
	data: () => State | undefined,
	set: (change: {readonly data: State}) => void,
	reads: (state: State, signal: AbortSignal) => Promise<Found<State> | undefined>,
) {
	const change = (part: Partial<State> | Partial<ListState<Row>>): void => {
		const before = data();
		if (before) set({data: {...before, ...part}});
	};
	const {read, forget} = createReader(() => data() ?? emptyList, change);
	return {
		change,
		forget,
		async load(signal: AbortSignal): Promise<void> {
			const reading = async () => {
				const before = data();
				return before && reads(before, signal);
			};
			await read(signal, reading, found => {
				const before = data();
				if (!before || !found) return;
				const part = {rows: found.rows, reading: 'read', failure: undefined} as const;
				change({...found, ...list.changed(before, part)});
			});
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

/** Makes the slice of a list of a zone. */
export const createZoneList =
	<Row, State extends Listed<Row> & {readonly zone: OpenedZone}>(
		list: RowsOf<Row>,
		featureOf: (state: LedgeState) => ListSlice<State>,
		empty: Omit<State, keyof ListState<Row> | 'zone' | 'detail'>,
		reads: (
			session: Parameters<Slice<unknown>>[2]['session'],
			state: State,
			signal: AbortSignal,
		) => Promise<Found<State> | undefined>,
	): Slice<ZoneListSlice<State>> =>
	(set, get, {session}) => {
		const data = () => featureOf(get()).data;
		const {change, forget, ...members} = createList(list, data, set, (state, signal) =>
			reads(session, state, signal),
		);
		return {
			...members,
			data: undefined,
			open(zone) {
				if (data()?.zone.id === zone.id) return change({zone, detail: undefined} as Partial<State>);
				forget();
				set({data: {...emptyList, ...empty, zone} as unknown as State});
			},
			async load(signal) {
				await members.load(signal);
				const now = data();
				if (now && !list.selected(now)) change({detail: undefined} as Partial<State>);
			},
			showDetail: top => change({detail: top === undefined ? undefined : Math.max(0, top)} as Partial<State>),
		};
	};

/** All of the row under the cursor, in rows of at most so many columns. */
export type Detail<State> = (
	data: State,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot' | 'done'>,
) => readonly DrawnRow[];

/** Moves through a list; while all of one row is shown in its place, through the rows of that, as far as there are any. */
export function moveThrough<State extends {readonly detail?: number | undefined}>(
	feature: {
		readonly data: State | undefined;
		move(by: number): void;
		showDetail?(top: number | undefined): void;
	},
	detail: Detail<State> | undefined,
	{columns, rows: height}: Viewport,
	by: number,
): void {
	const {data} = feature;
	if (data?.detail === undefined || !detail) {
		feature.move(by);
		return;
	}
	const {length} = detail(data, detailColumns(columns), {warning: '!', dot: '.', done: '*'});
	feature.showDetail?.(Math.max(0, Math.min(length - bodyRows(height), data.detail + by)));
}

/** Makes the definition of the screen of a list: its filter, and moving through it or through the detail of one row. */
export function listScreen<Row, State extends Listed<Row>>(
	list: RowsOf<Row>,
	featureOf: (
		state: LedgeState,
	) => Omit<ListSlice<State>, 'load'> & Partial<Pick<ZoneListSlice<State>, 'showDetail'>>,
	{detail, ...rest}: Omit<ScreenDefinition, 'move' | 'filter'> & {readonly detail?: Detail<State>},
): ScreenDefinition {
	return {
		...rest,
		move: (state, by) => moveThrough(featureOf(state), detail, state.navigation.viewport, by),
		filter: {
			text: state => featureOf(state).data?.filter ?? '',
			narrow: (state, text) => featureOf(state).filter(text),
			counts(state) {
				const {data} = featureOf(state);
				return data ? shownOf(list.visible(data), data.rows) : '';
			},
		},
	};
}

/** Where the actions of a list work. */
type Place = {readonly id: string; readonly group: string; readonly screen: Screen};

/** Makes the actions that show all of the row under the cursor in place of the list, and the list again. */
export function detailActions<Row, State extends Listed<Row>>(
	list: RowsOf<Row>,
	featureOf: (state: LedgeState) => ZoneListSlice<State>,
	{id, group, screen, opens, none}: Place & {readonly opens: string; readonly none: string},
): readonly Action[] {
	const action = actionsOf(group, [screen]);
	const isOpen = (state: LedgeState) => featureOf(state).data?.detail !== undefined;
	return [
		action(`${id}.detail`, ['enter', 'l', 'right'], opens, {
			opens: true,
			hint: 'open',
			isHere: state => !isOpen(state),
			unavailable(state) {
				const {data} = featureOf(state);
				return data && list.selected(data) ? undefined : none;
			},
			run: ({state}) => featureOf(state()).showDetail(0),
		}),
		action(`${id}.list`, ['esc', 'enter', 'left', 'h'], 'back to the list', {
			hint: 'the list',
			isHere: isOpen,
			run: ({state}) => featureOf(state()).showDetail(undefined),
		}),
	];
}

/** A text of a row that can be copied. */
type Copied<Row> = {
	readonly key: string;
	/** "the expression" */
	readonly what: string;
	readonly hint?: string;
	text(row: Row): string | undefined;
};

/** Makes the actions of every list: copying from the row under the cursor, and the filter. */
export function listActions<Row, State extends Listed<Row>>(
	list: RowsOf<Row>,
	featureOf: (state: LedgeState) => ListSlice<State>,
	{
		id,
		group,
		screen,
		filters,
		none,
		copies,
	}: Place & {
		/** What the filter does, as the help says it. */
		readonly filters: string;
		/** Why nothing can be copied where no row is. */
		readonly none: string;
		readonly copies: readonly Copied<Row>[];
	},
): readonly Action[] {
	const action = actionsOf(group, [screen]);
	const rowHere = (state: LedgeState): Row | undefined => {
		const {data} = featureOf(state);
		return data && list.selected(data);
	};
	return [
		action(`${id}.filter`, ['/'], filters, {
			...filtering,
			isHere: state => featureOf(state).data?.detail === undefined,
		}),
		...copies.map(({key, what, hint, text}) =>
			action(`${id}.copy${key === 'y' ? '' : '-id'}`, [key], `copy ${what}`, {
				...(hint !== undefined && {hint}),
				...copying(state => {
					const row = rowHere(state);
					return row && text(row);
				}, none),
			}),
		),
	];
}

/** How many rows a list shows: "3 of 5 rate limits"; nothing until it was read. */
export function countRows<Row>(list: RowsOf<Row>, data: ListState<Row> | undefined, what: string): string {
	if (data?.reading !== 'read') return '';
	const all = counted(data.rows.length, what);
	return data.filter === '' ? all : `${list.visible(data).length} of ${all}`;
}
