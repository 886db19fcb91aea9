import {bodyRows} from '../../../components/layout.ts';
import type {Marks} from '../../../components/theme.ts';
import type {Body} from '../../rows/body.ts';
import {blank, type Row} from '../../rows/rows.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {isMigrationTyping, type MigrationState} from '../state.ts';
import {bodyOf} from './body.ts';
import {type MigrationLayout, migrationLayout} from './layout.ts';

/** All that is drawn of a step: what is scrolled, what stays, the pane beside it. */
type View = {
	readonly layout: MigrationLayout;
	readonly body: Body;
	/** Rows that there are for what is scrolled. */
	readonly height: number;
	/** Rows of the tail that there is room for. */
	readonly tail: readonly Row[];
};

/** The least rows that what is scrolled keeps. */
const leastHeight = 3;

/** How a step is drawn in a terminal of that size. */
export function viewOf(
	migration: MigrationState,
	{columns, rows}: Viewport,
	marks: Marks,
	now: number,
): View {
	const layout = migrationLayout(columns, bodyRows(rows));
	const body = bodyOf(migration, {columns: layout.columns, side: layout.side, rows: layout.rows, marks, now});
	const field = isMigrationTyping(migration) ? 1 : 0;
	// The differences are on the side, where there is one: not below, too.
	const wanted = layout.side !== undefined && migration.step === 'edit' ? [] : body.tail;
	const isTight = body.rows.length + wanted.length + field + 1 > layout.rows;
	const spacedTail = wanted.length > 0 && !isTight && wanted[0] !== blank ? [blank, ...wanted] : wanted;
	const tail = spacedTail.slice(0, Math.max(0, layout.rows - leastHeight - field));
	// Where there is no room for a pane beside it, its rows come after it.
	const withSide =
		body.side && layout.side === undefined && migration.step === 'review'
			? {...body, rows: body.side.length === 0 ? body.rows : [...body.rows, blank, ...body.side]}
			: body;
	return {layout, body: withSide, height: layout.rows - tail.length - field, tail};
}

/**
 * How far what is scrolled can be scrolled, and how many rows of it are seen. The pane beside it goes along; a list
 * goes along with its cursor, and only what is said of the row under that can be scrolled.
 */
export function scrollOf({layout, body, height}: View): {readonly last: number; readonly room: number} {
	const beside = layout.side === undefined ? 0 : Math.max(0, (body.side?.length ?? 0) - layout.rows);
	const last = body.at
		? Math.max(beside, body.belowLast ?? 0)
		: Math.max(beside, body.rows.length - height, 0);
	return {last, room: height};
}
