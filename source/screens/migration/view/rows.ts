import type {Marks} from '../../../components/theme.ts';
import type {Failure} from '../../../failure.ts';
import {drawable} from '../../../text/columns.ts';
import {counted} from '../../../text/figures.ts';
import {pieces} from '../../../text/pieces.ts';
import {wrap} from '../../../text/wrap.ts';
import {shownPath} from '../../shell/paths.ts';

/** How a piece of a row looks, by what it says. */
export type Look = 'plain' | 'dim' | 'head' | 'here' | 'good' | 'warning' | 'danger';

/** A part of a row that can be drawn as it is. */
export type Piece = {readonly text: string; readonly look: Look};

/** A row that fits, made safe. */
export type Row = readonly Piece[];

/** What rows of a step are made for. */
export type Place = {
	/** That the rows have. */
	readonly columns: number;
	/** That the rows beside it have; none where nothing stands there. */
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
	/** Beside the others where there is the room; else it stands in neither. */
	readonly side?: readonly Row[];
	/** How far what stands below a list can be scrolled, where nothing stands beside it. */
	readonly belowLast?: number;
};

export const blank: Row = [];

/** The place of what stands beside a step; where there is no such place, that of the step. */
export const beside = (place: Place): Place => ({...place, columns: place.side ?? place.columns});

/** A text of data or a sentence in rows, each further one indented by `hang`. */
export const said = (text: string | undefined, columns: number, look: Look = 'plain', hang = 0): Row[] =>
	text ? wrap(drawable(text), columns, hang).map(line => [{text: line, look}]) : [];

/** A sentence behind a mark, and indented below it. */
export const marked = (mark: string, text: string, columns: number, look: Look): Row[] =>
	said(text, columns - 2).map((row, index) => [
		{text: index === 0 ? `${mark} ` : '  ', look},
		...row.map(piece => ({...piece, look})),
	]);

/** Columns of the name of a fact. */
export const nameColumns = 12;

/** Something by its name, and broken below itself where it is long. */
export function fact(name: string, text: string | undefined, columns: number, look: Look = 'plain'): Row[] {
	return said(text, columns - nameColumns, look).map((row, index) => [
		{text: index === 0 ? name.padEnd(nameColumns) : ' '.repeat(nameColumns), look: 'dim'},
		...row,
	]);
}

/** A path or a line of code by its name, with none of its spaces lost. */
export function exactFact(name: string, text: string, columns: number): Row[] {
	return pieces(text, columns - nameColumns).map((piece, index) => [
		{text: index === 0 ? name.padEnd(nameColumns) : ' '.repeat(nameColumns), look: 'dim'},
		{text: piece, look: 'plain'},
	]);
}

/** A path of the person's own by its name, shortened by the home folder. */
export const pathFact = (
	name: string,
	path: string,
	{home}: {readonly home?: string | undefined},
	columns: number,
): Row[] => exactFact(name, shownPath(path, home), columns);

/** Parts one after the other, those that hold something, with a blank between them. */
export const spaced = (...parts: readonly (readonly Row[])[]): Row[] =>
	parts
		.filter(part => part.length > 0)
		.flatMap((part, index) => (index === 0 ? [...part] : [blank, ...part]));

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

export const indented = (row: Row): Row => [{text: '  ', look: 'plain'}, ...row];

/** The ways on; the one that the cursor is on by a mark. Those that cannot be gone say why. */
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

/** As many rows as there is room for, from `top` on as far as there are; the last one says where there are more. */
export function windowOf(rows: readonly Row[], room: number, top = 0): readonly Row[] {
	const first = Math.max(0, Math.min(top, rows.length - room));
	const shown = rows.slice(first, first + room);
	const rest = rows.length - first - room;
	if (rest <= 0 || room < 2) return shown;
	return [...shown.slice(0, -1), [{text: `… ${counted(rest + 1, 'more row')}`, look: 'dim'}]];
}
