import {getBodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {measureColumns} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {filterBehavior, withClipboardCopy} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {createZoneTarget, formatFilterCount, type ScreenDefinition} from '../shell/screen.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {DeclaredList, ListMembers} from './declared.ts';
import {type DetailBuilder, getDetailColumns} from './detail.ts';
import type {ListOperations, ListRows, ListState} from './list.ts';
import {getStaleWarning, type LoadState} from './reading.ts';
import type {ListMarks, ListWithDetailState, ZoneListSlice, ZoneListState} from './slice.ts';
import type {ListView} from './table.tsx';

/** Slice of a list that can show the detail of one row in its place. */
type WithDetail<State> = ListMembers<State> & {showDetail?(top: number | undefined): void};

type ListWithRows<Row, State extends ListRows<Row>> = DeclaredList<Row, WithDetail<State>>;

type HasDetail = {readonly detail?: number | undefined};

/** One character each, as wide as the marks that are drawn. */
const countedMarks = {warning: '!', dot: '.', done: '*'} as const;

/** Moves the cursor of a list, or scrolls the detail if that is shown in its place. */
function moveInList<State extends HasDetail>(
	{data, move, showDetail}: Omit<WithDetail<State>, 'filter'>,
	buildDetail: ((data: State, columns: number) => readonly unknown[]) | undefined,
	{columns, rows}: Viewport,
	distance: number,
): void {
	if (data?.detail === undefined || !buildDetail) {
		move(distance);
		return;
	}
	const {length} = buildDetail(data, getDetailColumns(columns));
	showDetail?.(Math.max(0, Math.min(length - getBodyRows(rows), data.detail + distance)));
}

/** The view of a list that its definition describes, and its state. */
export type DescribedView<
	Row = unknown,
	State extends ListWithDetailState<Row> = ListWithDetailState<Row>,
> = ListView<Row, State> & {
	getData(state: LedgeState): State | undefined;
	formatStatus(state: LedgeState): string;
};

/** A list screen. Its slice has the name of the screen. */
export type ListScreenDefinition = ScreenDefinition & {
	readonly createSlice: Slice<unknown>;
	/** Without it, the screen has a component in screens/views.tsx. */
	readonly view?: DescribedView;
};

/** What a list screen adds to its list. */
type ListScreenOptions<Row, Part extends WithDetail<ListRows<Row> & HasDetail>> = Omit<
	ListScreenDefinition,
	'group' | 'move' | 'filter' | 'onOpen' | 'createSlice' | 'view' | 'getZone'
> & {
	readonly createSlice: Slice<Part>;
	readonly buildDetail?: DetailBuilder<NonNullable<Part['data']>>;
	/** Builds the detail for scrolling, if it is about more than the list; its view has a component then. */
	buildDetailOfState?(state: LedgeState, columns: number): readonly unknown[];
	/** Lists the marked rows if they are not those of the list in front. */
	listMarked?(data: NonNullable<Part['data']>): readonly unknown[];
	/** Returns to where the user came from within the screen, after the filter and the marks are cleared. */
	returnToOrigin?(state: LedgeState): boolean;
	/** Formats how many rows match the filter, such as "3 of 20". */
	formatCounts?(data: NonNullable<Part['data']>): string;
	/** For lists that are one table with the detail below it. */
	readonly view?: Omit<
		ListView<Row, NonNullable<Part['data']> & ListWithDetailState<Row>>,
		'list' | 'buildDetail'
	>;
	/** Formats the status line if there is a `view`; the number of rows by default. */
	formatStatus?(data: NonNullable<Part['data']> & ListWithDetailState<Row>, viewport: Viewport): string;
};

/** Clears the filter when a list is opened, so that an old filter never hides rows. */
export function forgetFilter(
	data: {readonly filter: string} | undefined,
	{filter}: {filter(text: string): void},
): void {
	if (data && data.filter !== '') filter('');
}

/** Creates the screen of a list: its filter, moving in the list or in the detail of a row, and its view. */
export function createListScreen<
	Row,
	Part extends WithDetail<ListRows<Row> & HasDetail> & Partial<Pick<ListMarks, 'unmark'>>,
>(
	list: DeclaredList<Row, Part>,
	{
		buildDetail,
		buildDetailOfState,
		listMarked = list.listMarked,
		returnToOrigin,
		formatCounts = data => formatFilterCount(list.listVisible(data), data.rows),
		formatStatus = data =>
			[
				...formatMarkedCount(list.listMarked(data), list.listVisible(data)),
				formatRowCount(list, data, list.rowLabel),
			].join('   '),
		view,
		...definition
	}: ListScreenOptions<Row, Part>,
): ListScreenDefinition {
	type State = NonNullable<Part['data']> & ListWithDetailState<Row>;
	const getData = (state: LedgeState) => list.getSlice(state).data as State | undefined;
	const describedView: DescribedView<Row, State> | undefined = view && {
		buildDetail: buildDetail ?? (() => []),
		...view,
		list,
		getData,
		formatStatus(state) {
			const data = getData(state);
			return data ? formatStatus(data, state.navigation.viewport) : '';
		},
	};
	/** Returns the zone that the list belongs to, if any. */
	const getZone = (state: LedgeState): ZoneWithLabel | undefined => {
		const data = getData(state);
		return data && 'zone' in data ? (data.zone as ZoneWithLabel) : undefined;
	};
	return {
		group: list.group,
		getZone,
		getTarget(parentTarget, state) {
			const zone = getZone(state);
			return zone ? createZoneTarget(zone) : parentTarget;
		},
		move(state, by) {
			const build = buildDetailOfState
				? (_data: unknown, columns: number) => buildDetailOfState(state, columns)
				: buildDetail &&
					((data: NonNullable<Part['data']>, columns: number) => buildDetail(data, columns, countedMarks));
			moveInList(list.getSlice(state), build, state.navigation.viewport, by);
		},
		onOpen: state => forgetFilter(getData(state), list.getSlice(state)),
		filter: {
			getText: state => getData(state)?.filter ?? '',
			setText: (state, text) => list.getSlice(state).filter(text),
			formatCounts(state) {
				const data = getData(state);
				return data ? formatCounts(data) : '';
			},
			hasSplitWords(state) {
				const data = getData(state);
				return data !== undefined && list.hasSplitWords(data);
			},
		},
		...definition,
		// A filter is typed again at once; the marks may come from several filters, so they go after it.
		handleEscape(app, hasStoppedReads) {
			if (definition.handleEscape?.(app, hasStoppedReads)) return true;
			const {data, filter, unmark} = list.getSlice(app.state());
			if (data && data.filter !== '') {
				filter('');
				return true;
			}
			const markedCount = data && unmark ? listMarked(data).length : 0;
			if (markedCount === 0) return returnToOrigin?.(app.state()) === true;
			unmark?.();
			app.state().messages.say(`${formatInteger(markedCount)} deselected.`);
			return true;
		},
		// The view receives only the state of its own list.
		...(describedView && {view: describedView as unknown as DescribedView}),
	};
}

/** Creates the function that reads the list of the open zone. `pluralNoun`: such as "rate limits". */
export const createListReader =
	<Row, State extends ZoneListState<Row>>(
		list: DeclaredList<Row, ZoneListSlice<State>>,
		pluralNoun: string,
	) =>
	({state}: App): Promise<boolean> => {
		const name = list.getSlice(state()).data?.zone.name ?? '';
		return state().work.run(`loading ${pluralNoun} of ${name}`, 'read', signal =>
			list.getSlice(state()).load(signal),
		);
	};

/** Creates the actions that mark rows, for an action on several. `noun`: of one row, such as "custom rule". */
export function createMarkActions<Row, State extends ListRows<Row>>(
	list: DeclaredList<Row, WithDetail<State> & ListMarks>,
	noun: string,
	{
		getRefusal,
		...placement
	}: Pick<Action, 'isActive' | 'getHintPlace'> & {
		/** Returns why the current row cannot be marked. */
		getRefusal?(state: LedgeState): string | undefined;
	} = {},
): readonly Action[] {
	return [
		list.defineAction(`${list.id}.select`, ['space'], `select the ${noun}`, {
			paletteMode: 'never',
			hint: 'select',
			searchTerms: ['mark', 'tick', 'check', 'pick'],
			...placement,
			...list.withCurrentRow(({state}) => list.getSlice(state()).toggleMark(), getRefusal),
		}),
		list.defineAction(`${list.id}.select-all`, ['A'], `select or deselect all shown ${noun}s`, {
			searchTerms: ['mark all', 'deselect all', 'unselect'],
			isActive: placement.isActive ?? list.isActive,
			...list.withCurrentRow(({state}) => list.getSlice(state()).toggleShownMarks(), getRefusal),
		}),
	];
}

/** Creates the selection of the screen of a list whose rows can be marked. */
export const createMarkSelection = <Row, State extends ListRows<Row> & HasDetail>(
	list: DeclaredList<Row, WithDetail<State> & ListMarks>,
	/** Returns why the current row cannot be marked. */
	getRefusal?: (state: LedgeState) => string | undefined,
	/** Lists the marked rows if they are not those of the list in front. */
	listMarked: (data: State) => readonly unknown[] = list.listMarked,
): NonNullable<ScreenDefinition['selection']> => ({
	isActive: state => list.isActive(state) && list.getSlice(state).data?.detail === undefined,
	getUnavailableReason: state =>
		getRefusal?.(state) ?? (list.getCurrentRow(state) === undefined ? list.noRowReason : undefined),
	countSelected(state) {
		const {data} = list.getSlice(state);
		return data ? listMarked(data).length : 0;
	},
	extend: (state, distance) => list.getSlice(state).extendMarks(distance),
	selectRange: state => list.getSlice(state).markRange(),
});

/** A text of the current row that can be copied. */
type CopySource<Row> = Pick<Action, 'hint' | 'searchTerms'> & {
	readonly shortcut: string;
	/** Noun for the text, such as "the expression". */
	readonly noun: string;
	/** Reason shown if the row has no such text. */
	readonly missingReason?: string;
	getText(row: Row): string | undefined;
};

/** Creates the actions that open the detail of the current row in place of the list, and close it. */
export function createDetailActions<Row, State extends ListRows<Row> & HasDetail>(
	list: ListWithRows<Row, State>,
	searchTerms?: readonly string[],
	/** Keys that open it. */
	keys: Action['keys'] = ['enter', 'l', 'right'],
): readonly Action[] {
	const isOpen = (state: LedgeState) => list.getSlice(state).data?.detail !== undefined;
	return [
		list.defineAction(`${list.id}.detail`, keys, `show ${list.rowLabel} details`, {
			paletteMode: 'never',
			opensRow: true,
			...(searchTerms && {searchTerms}),
			hint: 'open',
			isActive: state => list.isActive(state) && !isOpen(state),
			...list.withCurrentRow(({state}) => list.getSlice(state()).showDetail?.(0)),
		}),
		list.defineAction(`${list.id}.list`, ['esc', 'enter', 'left', 'h'], 'back to the list', {
			paletteMode: 'never',
			hint: 'back',
			isActive: state => list.isActive(state) && isOpen(state),
			run: ({state}) => list.getSlice(state()).showDetail?.(undefined),
		}),
	];
}

/** Creates the actions of every list: the filter, and copying from the current row. */
export function createListActions<
	Row,
	State extends ListRows<Row> & HasDetail & {readonly reading?: LoadState},
>(
	list: ListWithRows<Row, State>,
	/** Title of the filter action. */
	filterTitle: string,
	copies: readonly CopySource<Row>[],
): readonly Action[] {
	return [
		list.defineAction(`${list.id}.filter`, ['/'], filterTitle, {
			...filterBehavior,
			isActive: state => list.isActive(state) && list.getSlice(state).data?.detail === undefined,
			getUnavailableReason(state) {
				const data = list.getSlice(state).data;
				// While the rows are read, the letters typed after it would otherwise be keys.
				const isLoading = data?.reading === 'unread' || data?.reading === 'reading';
				return data?.rows.length || isLoading ? undefined : 'nothing to filter';
			},
		}),
		...copies.map(({shortcut, noun, missingReason, getText, ...rest}) =>
			list.defineAction(`${list.id}.copy${shortcut === 'y' ? '' : '-id'}`, [shortcut], `copy ${noun}`, {
				...rest,
				...withClipboardCopy(
					state => {
						const row = list.getCurrentRow(state);
						return row && getText(row);
					},
					missingReason ?? list.noRowReason,
					state => (list.getCurrentRow(state) === undefined ? list.noRowReason : undefined),
				),
			}),
		),
	];
}

/** Formats how many rows a list shows, such as "3 of 5 rate limits"; empty until it is loaded. */
function formatRowCount<Row>(
	list: Pick<ListOperations<Row>, 'listVisible'>,
	data: ListState<Row> | undefined,
	noun: string,
): string {
	if (data?.reading !== 'read') return '';
	const allText = formatQuantity(data.rows.length, noun);
	return data.filter === '' ? allText : `${list.listVisible(data).length} of ${allText}`;
}

/** Formats how many rows are marked, and how many of them the filter hides; empty if none is. */
export function formatMarkedCount<Row>(
	markedRows: readonly Row[],
	visibleRows: readonly Row[],
): readonly string[] {
	if (markedRows.length === 0) return [];
	const hiddenCount = markedRows.filter(row => !visibleRows.includes(row)).length;
	const hiddenText = hiddenCount > 0 ? `, ${formatInteger(hiddenCount)} hidden` : '';
	return [`${formatInteger(markedRows.length)} selected${hiddenText}`];
}

/** Says that marked rows which the filter hides are not among the deleted `rows`; empty if there are none. */
export function describeHiddenMarks<Row>(
	rows: readonly Row[],
	markedRows: readonly Row[],
	visibleRows: readonly Row[],
): readonly string[] {
	if (!rows.every(row => markedRows.includes(row))) return [];
	const hiddenCount = markedRows.filter(row => !visibleRows.includes(row) && !rows.includes(row)).length;
	if (hiddenCount === 0) return [];
	return [
		`The filter hides ${formatInteger(hiddenCount)} more selected: ${hiddenCount === 1 ? 'it is' : 'they are'} not deleted.`,
	];
}

/** Formats the status of a list: a stale warning, `parts`, and the id of the current row if it fits. */
export function formatListStatus(
	data: {readonly reading: LoadState},
	parts: readonly string[],
	id: string | undefined,
	{columns}: Viewport,
): string {
	const text = [...getStaleWarning(data), ...parts].join('   ');
	// One column is free on each side.
	const availableColumns = columns - 2;
	const fullText = id === undefined ? text : `${text}   ${id}`;
	return measureColumns(fullText) <= availableColumns ? fullText : cutEnd(text, availableColumns);
}
