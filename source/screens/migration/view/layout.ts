import {getBodyRows} from '../../../components/layout.ts';
import type {StepperProps} from '../../../components/stepper.tsx';
import type {Marks} from '../../../components/theme.ts';
import type {Body} from '../../rows/body.ts';
import {blankRow, type Row} from '../../rows/rows.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {isMigrationTyping, type MigrationState} from '../state.ts';
import {buildMigrationBody} from './body.ts';

/** The parts of a step to draw: scrolled rows, fixed rows, and the side pane. */
type MigrationView = {
	readonly layout: MigrationLayout;
	readonly body: Body;
	/** Rows available for scrolled content. */
	readonly height: number;
	/** The rows below the scrolled content, cut to the available space. */
	readonly tail: readonly Row[];
};

/** Returns the minimum rows of the scrolled content in a step of `rows` rows. */
const getMinHeight = (rows: number, isTyping: boolean): number => (rows >= 8 ? 3 : isTyping ? 1 : 2);

/** Returns the rows below the scrolled content that fit, with those under the cursor among them. */
function fitTail(tail: readonly Row[], room: number): readonly Row[] {
	const isCurrent = (row: Row) => row.some(({look}) => look === 'here');
	const first = Math.max(0, Math.min(tail.findIndex(isCurrent), tail.findLastIndex(isCurrent) - room + 1));
	return tail.slice(first, first + Math.max(0, room));
}

/** Lays out a step for a terminal size. */
export function buildMigrationView(
	migration: MigrationState,
	{columns, rows}: Viewport,
	marks: Marks,
	now: number,
): MigrationView {
	const layout = computeMigrationLayout(columns, getBodyRows(rows));
	const body = buildMigrationBody(migration, {
		columns: layout.columns,
		side: layout.sideColumns,
		rows: layout.rows,
		marks,
		now,
	});
	const fieldRows = isMigrationTyping(migration) ? 1 : 0;
	// The side pane shows the differences, so they are not repeated below.
	const fixedRows = layout.sideColumns !== undefined && migration.step === 'edit' ? [] : body.tail;
	const isTight = body.rows.length + fixedRows.length + fieldRows + 1 > layout.rows;
	const spacedTail =
		fixedRows.length > 0 && !isTight && fixedRows[0] !== blankRow ? [blankRow, ...fixedRows] : fixedRows;
	const minHeight = getMinHeight(layout.rows, fieldRows > 0);
	const tail = fitTail(spacedTail, layout.rows - minHeight - fieldRows);
	return {layout, body, height: layout.rows - tail.length - fieldRows, tail};
}

/**
 * Measures how far a step can be scrolled, and how many rows are visible. The side pane scrolls with the
 * text. A list scrolls with its cursor instead; then only the rows below the list and the side pane count.
 */
export function measureScrollRange({layout, body, height}: MigrationView): {
	readonly lastTop: number;
	readonly visibleRows: number;
} {
	const sideRange =
		layout.sideColumns === undefined ? 0 : Math.max(0, (body.side?.length ?? 0) - layout.rows);
	const lastTop = body.cursorRows
		? Math.max(sideRange, body.maxScrollBelowList ?? 0)
		: Math.max(sideRange, body.rows.length - height, 0);
	return {lastTop, visibleRows: height};
}

/** Layout of the migration screen. */
export type MigrationLayout = {
	readonly stepper: StepperProps['layout'];
	/** Rows and text columns of the step. */
	readonly rows: number;
	readonly columns: number;
	/** Columns to the left of the text. */
	readonly margin: number;
	/** Columns of the side pane; undefined if there is no space for it. */
	readonly sideColumns: number | undefined;
};

/**
 * Below 76 columns or 14 rows of the body, the steps are one line, otherwise a column. From 150 columns there
 * is a side pane.
 */
function computeMigrationLayout(columns: number, height: number): MigrationLayout {
	if (columns < 76 || height < 14)
		return {
			stepper: {name: 'line'},
			rows: height - 1,
			columns: columns - 5,
			margin: 3,
			sideColumns: undefined,
		};
	const stepperColumns = columns < 110 ? 20 : 31;
	const contentColumns = columns - stepperColumns - 1;
	const sideColumns = columns < 150 ? undefined : Math.floor(contentColumns * 0.42);
	return {
		stepper: {name: 'column', columns: stepperColumns},
		rows: height,
		columns: contentColumns - (sideColumns === undefined ? 0 : sideColumns + 3),
		margin: 0,
		sideColumns,
	};
}

/** Returns the label between confirmation and deployment, wrapped to the width of the steps. */
export const getNoRollbackLines = (stepper: StepperProps['layout']): readonly string[] =>
	stepper.name === 'column' && stepper.columns < 30
		? ['no documented', 'rollback']
		: ['no documented rollback'];
