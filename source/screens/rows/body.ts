import type {Marks} from '../../components/theme.ts';
import type {Failure} from '../../failure.ts';
import {indented, marked, type Row, said} from './rows.ts';

/** What rows of a step are made for. */
export type Place = {
	/** That the rows have. */
	readonly columns: number;
	/** That the rows beside it have; none where there is no such pane. */
	readonly side?: number | undefined;
	/** That there are for all of the step; few, and what is secondary is left out. */
	readonly rows: number;
	readonly marks: Marks;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/** What a step shows. */
export type Body = {
	/** Scrolled where there is not the room. */
	readonly rows: readonly Row[];
	/** The rows that have to be in sight: those of what the cursor is on. */
	readonly at?: {readonly from: number; readonly to: number};
	/** Always in sight, below the others: the ways on, or what is asked. */
	readonly tail: readonly Row[];
	/** Beside the others where there is room; else it is left out. */
	readonly side?: readonly Row[];
	/** How far the rows below a list can be scrolled, where there is no pane beside it. */
	readonly belowLast?: number;
};

/** The place of the pane beside a step; without a pane, that of the step. */
export const beside = (place: Place): Place => ({...place, columns: place.side ?? place.columns});

/** What went wrong, why, and what to do now. */
export function failureRows(failure: Failure | undefined, {columns, marks}: Place): Row[] {
	if (!failure) return [];
	const {why, left} = failure.details;
	return [
		...marked(marks.failed, failure.message, columns, 'danger'),
		...[why, left, failure.next].flatMap(text =>
			(text ?? '').split('\n').flatMap(line => said(line, columns - 2).map(indented)),
		),
	];
}
