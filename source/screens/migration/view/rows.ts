import type {Place} from '../../rows/body.ts';
import {exactFact, indented, marked, type Row, said} from '../../rows/rows.ts';
import {shownPath} from '../../shell/paths.ts';

/** Builds a row with a path, shortened by the home directory. */
export const pathFact = (
	name: string,
	path: string,
	{home}: {readonly home?: string | undefined},
	columns: number,
): Row[] => exactFact(name, shownPath(path, home), columns);

/** Builds the choices with a mark for the cursor. Choices that are not possible show why. */
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

/** Formats a duration in minutes, hours or days; changes at most once a minute. */
export function span(milliseconds: number): string {
	const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export const ago = (at: number, now: number): string =>
	now - at < 60_000 ? 'just now' : `${span(now - at)} ago`;

/** Formats a time of day in UTC: `03:10 UTC`. */
export const timeOfDay = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

/** Formats a time of day, with its date if that is not today. Does not change while time passes. */
export const moment = (at: number, now: number): string =>
	dayOf(at) === dayOf(now) ? timeOfDay(at) : `${dayOf(at)} ${timeOfDay(at)}`;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
