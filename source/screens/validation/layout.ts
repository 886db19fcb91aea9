import {bodyRows} from '../../components/layout.ts';
import {type Marks, themeOf} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {TimePlot} from '../../text/plot/plot.ts';
import {detailColumns} from '../list/screen.ts';
import type {MigrationEvents} from '../migration/state.ts';
import type {Row} from '../rows/rows.ts';
import {detailRows, headRows, plotOf} from './rows.ts';
import {rowHere, rowsIn} from './slice.ts';

/** The drawn parts, and the rows of each. */
type ValidationLayout = {
	readonly head: readonly Row[];
	readonly plot: TimePlot | undefined;
	readonly plotRows: number;
	/** Rows of the list, including its titles. */
	readonly listRows: number;
	readonly detail: readonly Row[];
	/** Rows of the details of the selected row; 0 without space. */
	readonly detailRows: number;
};

/** Minimum rows of the list, including its titles. */
const leastList = 4;

/** Lays out the screen for a terminal size. */
export function layoutOf(
	state: Has<'migration' | 'validation'> & Has<'navigation', 'viewport'>,
	events: MigrationEvents,
	marks: Marks,
): ValidationLayout {
	const {columns, rows, isSpoken = false} = state.navigation.viewport;
	const height = bodyRows(rows);
	const place = {columns: detailColumns(columns), rows: height, marks, now: events.at};
	const head = headRows(events, place).slice(0, Math.max(0, height - leastList));
	const count = rowsIn(state).length;
	const plot = count > 0 ? plotOf(events) : undefined;
	const left = height - head.length;
	const wanted = isSpoken ? Math.floor(left * 0.4) : left < 16 ? 5 : Math.min(16, Math.floor(left * 0.34));
	const plotRows = plot && left >= 13 ? wanted : 0;
	const rest = left - plotRows;
	const found = rowHere(state);
	const below = found && rest >= leastList + 4 ? Math.max(3, Math.floor(rest * 0.48) - 1) : 0;
	return {
		head,
		plot,
		plotRows,
		listRows: rest - (below > 0 ? below + 1 : 0),
		detail: found ? detailRows(found, events, place) : [],
		detailRows: below,
	};
}

const {marks: plainMarks} = themeOf('none', true);

/** Measures how far the details can be scrolled, and how many rows are visible. */
export function detailExtent(state: Has<'migration' | 'validation'> & Has<'navigation', 'viewport'>): {
	readonly last: number;
	readonly room: number;
} {
	const {events} = state.migration.data ?? {};
	if (!events) return {last: 0, room: 1};
	const {detail, detailRows: room} = layoutOf(state, events, plainMarks);
	return {last: room === 0 ? 0 : Math.max(0, detail.length - room), room: Math.max(1, room)};
}
