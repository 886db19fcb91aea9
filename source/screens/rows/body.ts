import type {Marks} from '../../components/theme.ts';
import type {Failure} from '../../failure.ts';
import {buildMarkedRows, buildTextRows, indentRow, type Row} from './rows.ts';

/** The area that the rows of a step are laid out for. */
export type LayoutArea = {
	readonly columns: number;
	/** Columns of the side pane; undefined without one. */
	readonly side?: number | undefined;
	/** Rows of the whole step. If they are few, secondary rows are left out. */
	readonly rows: number;
	readonly marks: Marks;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/** What a step shows. */
export type Body = {
	/** Scrolled if there are more than fit. */
	readonly rows: readonly Row[];
	/** The rows of the item under the cursor, which must be visible; `to` is exclusive. */
	readonly cursorRows?: {readonly from: number; readonly to: number};
	/** Always visible below `rows`: choices or a question. */
	readonly tail: readonly Row[];
	/** Shown beside `rows` if there is room, else left out. */
	readonly side?: readonly Row[];
	/** Maximum scroll of the rows below a list when there is no side pane. */
	readonly maxScrollBelowList?: number;
};

/** Returns the area of the side pane, or the whole area if there is none. */
export const getSideArea = (area: LayoutArea): LayoutArea => ({...area, columns: area.side ?? area.columns});

/** Builds the rows of a failure: message, reason, next step. */
export function buildFailureRows(failure: Failure | undefined, {columns, marks}: LayoutArea): Row[] {
	if (!failure) return [];
	const {why, left} = failure.details;
	return [
		...buildMarkedRows(marks.failed, failure.message, columns, 'danger'),
		...[why, left, failure.next].flatMap(text =>
			(text ?? '').split('\n').flatMap(line => buildTextRows(line, columns - 2).map(indentRow)),
		),
	];
}
