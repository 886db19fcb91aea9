import {bodyRows} from '../../../components/layout.ts';
import type {StepperProps} from '../../../components/stepper.tsx';
import type {Marks} from '../../../components/theme.ts';
import type {Body} from '../../rows/body.ts';
import {blank, type Row} from '../../rows/rows.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {isMigrationTyping, type MigrationState} from '../state.ts';
import {bodyOf} from './body.ts';

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

/** How the room of the migration is given out. */
export type MigrationLayout = {
	readonly stepper: StepperProps['form'];
	/** Rows that the step has, and the columns that its text has there. */
	readonly rows: number;
	readonly columns: number;
	/** Columns before that text. */
	readonly margin: number;
	/** Columns of the pane beside it; none where there is no room. */
	readonly side: number | undefined;
};

/** At 60×15 the steps are one line; from 76×18 on they are beside the rest; with 150 columns a third pane opens. */
function migrationLayout(columns: number, height: number): MigrationLayout {
	if (columns < 76 || height < 14)
		return {stepper: {name: 'line'}, rows: height - 1, columns: columns - 5, margin: 3, side: undefined};
	const stepper = columns < 110 ? 20 : 31;
	const room = columns - stepper - 1;
	const side = columns < 150 ? undefined : Math.floor(room * 0.42);
	return {
		stepper: {name: 'column', columns: stepper},
		rows: height,
		columns: room - (side === undefined ? 0 : side + 3),
		margin: 0,
		side,
	};
}

/** What is said between confirmation and deployment, as the column of the steps has the room. */
export const borderLines = (form: StepperProps['form']): readonly string[] =>
	form.name === 'column' && form.columns < 30 ? ['no documented', 'way back'] : ['no documented way back'];
