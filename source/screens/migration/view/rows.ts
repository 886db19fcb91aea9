import type {Marks} from '../../../components/theme.ts';
import type {Failure} from '../../../failure.ts';
import {exactFact, indented, marked, type Row, said} from '../../rows/rows.ts';
import {shownPath} from '../../shell/paths.ts';

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

/** A path of the person's own by its name, shortened by the home folder. */
export const pathFact = (
	name: string,
	path: string,
	{home}: {readonly home?: string | undefined},
	columns: number,
): Row[] => exactFact(name, shownPath(path, home), columns);

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

/** The choices; the cursor is a mark. Those that are not possible show why. */
export function choiceRows(
	choices: readonly {readonly label: string; readonly why?: string | undefined}[],
	cursor: number,
	{columns, marks}: Place,
): Row[] {
	const here = Math.min(cursor, choices.length - 1);
	return choices.flatMap(({label, why}, index) => [
		...marked(
			index === here ? marks.here : ' ',
			label,
			columns,
			index === here ? 'here' : why === undefined ? 'plain' : 'dim',
		),
		...said(why, columns - 2, 'dim').map(indented),
	]);
}

/** How long ago, or how long since, in words that change once a minute at most. */
export function span(milliseconds: number): string {
	const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export const ago = (at: number, now: number): string =>
	now - at < 60_000 ? 'just now' : `${span(now - at)} ago`;

/** A time of day as the service has it: `03:10 UTC`. */
export const timeOfDay = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

/** A moment by its time of day, with its date where that is another day: it is drawn once, whatever time passes. */
export const moment = (at: number, now: number): string =>
	dayOf(at) === dayOf(now) ? timeOfDay(at) : `${dayOf(at)} ${timeOfDay(at)}`;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
