import {bodyRows} from '../../components/layout.ts';
import type {Marks} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {columnsOf} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import type {Row as DrawnRow} from '../rows/rows.ts';
import {copying, filtering} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import type {DeclaredList, ListMembers} from './declared.ts';
import type {ListRows, ListState, RowsOf} from './list.ts';
import {type Reading, staleWarning} from './reading.ts';
import type {ZoneListed, ZoneListSlice} from './slice.ts';

/** Columns that are kept free to the left and right of the rows of a detail. */
const margin = 5;

/** Columns that the rows of a detail have on a screen so wide. */
export const detailColumns = (columns: number): number => columns - margin;

/** All of the row under the cursor, in rows of at most so many columns. */
export type Detail<State> = (
	data: State,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot' | 'done'>,
) => readonly DrawnRow[];

/** The slice of a list of which all of one row may be shown in its place. */
type WithDetail<State> = ListMembers<State> & {showDetail?(top: number | undefined): void};

type ListWithRows<Row, State extends ListRows<Row>> = DeclaredList<Row, WithDetail<State>>;

type HasDetail = {readonly detail?: number | undefined};

/** Moves through a list; while all of one row is shown in its place, through the rows of that, as far as there are any. */
function moveThrough<State extends HasDetail>(
	{data, move, showDetail}: Omit<WithDetail<State>, 'filter'>,
	detail: Detail<State> | undefined,
	{columns, rows}: Viewport,
	by: number,
): void {
	if (data?.detail === undefined || !detail) {
		move(by);
		return;
	}
	const {length} = detail(data, detailColumns(columns), {warning: '!', dot: '.', done: '*'});
	showDetail?.(Math.max(0, Math.min(length - bodyRows(rows), data.detail + by)));
}

/** Makes the definition of the screen of a list: its filter, and moving through it or through the detail of one row. */
export function listScreen<Row, State extends ListRows<Row> & HasDetail>(
	list: ListWithRows<Row, State>,
	{
		detail,
		counts = data => shownOf(list.visible(data), data.rows),
		...rest
	}: Omit<ScreenDefinition, 'group' | 'move' | 'filter'> & {
		readonly detail?: Detail<State>;
		/** What the filter leaves, of how much: "3 of 20". */
		counts?(data: State): string;
	},
): ScreenDefinition {
	return {
		group: list.group,
		move: (state, by) => moveThrough(list.slice(state), detail, state.navigation.viewport, by),
		filter: {
			text: state => list.slice(state).data?.filter ?? '',
			narrow: (state, text) => list.slice(state).filter(text),
			counts(state) {
				const {data} = list.slice(state);
				return data ? counts(data) : '';
			},
		},
		...rest,
	};
}

/** Makes the function that reads the list of the open zone. `what` is what is read: "rate limits". */
export const readingOf =
	<Row, State extends ZoneListed<Row>>(list: DeclaredList<Row, ZoneListSlice<State>>, what: string) =>
	({state}: App): Promise<boolean> => {
		const name = list.slice(state()).data?.zone.name ?? '';
		return state().work.run(`reading ${what} of ${name}`, 'read', signal => list.slice(state()).load(signal));
	};

/** Why nothing can be copied, or the text of a row that can be. */
type Copied<Row> = Pick<Action, 'hint' | 'words'> & {
	readonly key: string;
	/** "the expression" */
	readonly what: string;
	/** Why a row has nothing to copy. */
	readonly missing?: string;
	text(row: Row): string | undefined;
};

/** Makes the actions that show all of the row under the cursor in place of the list, and the list again. */
export function detailActions<Row, State extends ListRows<Row> & HasDetail>(
	list: ListWithRows<Row, State>,
	words?: readonly string[],
): readonly Action[] {
	const isOpen = (state: LedgeState) => list.slice(state).data?.detail !== undefined;
	return [
		list.action(`${list.id}.detail`, ['enter', 'l', 'right'], `show all of the ${list.row}`, {
			elsewhere: 'never',
			opens: true,
			...(words && {words}),
			hint: 'open',
			isHere: state => list.isHere(state) && !isOpen(state),
			...list.onRow(({state}) => list.slice(state()).showDetail?.(0)),
		}),
		list.action(`${list.id}.list`, ['esc', 'enter', 'left', 'h'], 'back to the list', {
			elsewhere: 'never',
			hint: 'the list',
			isHere: state => list.isHere(state) && isOpen(state),
			run: ({state}) => list.slice(state()).showDetail?.(undefined),
		}),
	];
}

/** Makes the actions of every list: the filter, and copying from the row under the cursor. */
export function listActions<Row, State extends ListRows<Row> & HasDetail>(
	list: ListWithRows<Row, State>,
	/** What the filter does, as the help says it. */
	filters: string,
	copies: readonly Copied<Row>[],
): readonly Action[] {
	return [
		list.action(`${list.id}.filter`, ['/'], filters, {
			...filtering,
			isHere: state => list.isHere(state) && list.slice(state).data?.detail === undefined,
			unavailable: state => (list.slice(state).data?.rows.length ? undefined : list.none),
		}),
		...copies.map(({key, what, missing, text, ...rest}) =>
			list.action(`${list.id}.copy${key === 'y' ? '' : '-id'}`, [key], `copy ${what}`, {
				...rest,
				...copying(
					state => {
						const row = list.here(state);
						return row && text(row);
					},
					missing ?? list.none,
					state => (list.here(state) === undefined ? list.none : undefined),
				),
			}),
		),
	];
}

/** How many rows a list shows: "3 of 5 rate limits"; nothing until it was read. */
export function countRows<Row>(
	list: Pick<RowsOf<Row>, 'visible'>,
	data: ListState<Row> | undefined,
	what: string,
): string {
	if (data?.reading !== 'read') return '';
	const all = counted(data.rows.length, what);
	return data.filter === '' ? all : `${list.visible(data).length} of ${all}`;
}

/** The status of a list: whether it may be outdated, then `parts`, and last the id of the row under the cursor where it has room. */
export function formatListStatus(
	data: {readonly reading: Reading},
	parts: readonly string[],
	id: string | undefined,
	{columns}: Viewport,
): string {
	const text = [...staleWarning(data), ...parts].join('   ');
	// One column is free at each side of the line.
	const room = columns - 2;
	const whole = id === undefined ? text : `${text}   ${id}`;
	return columnsOf(whole) <= room ? whole : cutEnd(text, room);
}
