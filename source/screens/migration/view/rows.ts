import type {LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildTextRows,
	buildVerbatimNamedRows,
	indentRow,
	type Row,
} from '../../rows/rows.ts';
import {abbreviateHome} from '../../shell/paths.ts';

/** Builds a row with a path; the home directory is abbreviated. */
export const buildPathRows = (
	name: string,
	path: string,
	{home}: {readonly home?: string | undefined},
	columns: number,
): Row[] => buildVerbatimNamedRows(name, abbreviateHome(path, home), columns);

/** Builds the choices, with a mark at the cursor. A choice that is not possible shows the reason. */
export function buildChoiceRows(
	choices: readonly {readonly label: string; readonly unavailableReason?: string | undefined}[],
	cursor: number,
	{columns, marks}: LayoutArea,
): Row[] {
	const selectedIndex = Math.min(cursor, choices.length - 1);
	return choices.flatMap(({label, unavailableReason}, index) => [
		...buildMarkedRows(
			index === selectedIndex ? marks.current : ' ',
			label,
			columns,
			index === selectedIndex ? 'here' : unavailableReason === undefined ? 'plain' : 'dim',
		),
		...buildTextRows(unavailableReason, columns - 2, 'dim').map(indentRow),
	]);
}

/** Formats a duration in minutes, hours or days; changes at most once a minute. */
export function formatElapsed(milliseconds: number): string {
	const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export const formatAgo = (at: number, now: number): string =>
	now - at < 60_000 ? 'just now' : `${formatElapsed(now - at)} ago`;

/** Formats a time of day in UTC, such as `03:10 UTC`. */
export const formatUtcTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

/**
 * Formats a time of day in UTC, with its date if that is not today. The text stays the same for the rest of
 * the day.
 */
export const formatUtcMoment = (at: number, now: number): string =>
	formatDay(at) === formatDay(now) ? formatUtcTime(at) : `${formatDay(at)} ${formatUtcTime(at)}`;

const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
