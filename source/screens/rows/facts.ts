import type {Marks} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitText} from '../../text/cut.ts';
import {nameColumns, type Piece, type Row} from './rows.ts';

/** A labelled line about long work. Not escaped for the terminal. */
export type Fact = {
	readonly name: string;
	readonly text: string;
	readonly look?: 'warning' | 'danger' | 'good';
	/** True if the text ends with a path. It is then cut in the middle. */
	readonly isPath?: boolean;
	/** Draws a progress bar before the text; between 0 and 1. */
	readonly share?: number;
};

export const factMargin = 3;
const barColumns = {max: 60, min: 5} as const;

/** Builds the row of a fact on a screen of `columns`. */
export function buildFactRow({name, text, look, share, isPath}: Fact, columns: number, marks: Marks): Row {
	const room = columns - factMargin - nameColumns - 1;
	const mark = look && `${{warning: marks.warning, danger: marks.failed, good: marks.done}[look]} `;
	const drawnText = toDrawable(`${mark ?? ''}${text}`);
	return [
		{text: fitText(name, nameColumns), look: 'dim'},
		...(share === undefined ? [] : buildBarPieces(share, room - measureColumns(drawnText) - 2, marks)),
		{text: isPath ? cutMiddle(drawnText, room) : cutEnd(drawnText, room), look: look ?? 'plain'},
	];
}

/** Builds a progress bar of at most `room` columns. Empty if there are too few columns. */
function buildBarPieces(share: number, room: number, {bar: [full, empty]}: Marks): readonly Piece[] {
	const columns = Math.min(barColumns.max, room);
	if (columns < barColumns.min) return [];
	const filledColumns = Math.round(Math.max(0, Math.min(1, share)) * columns);
	return [
		{text: full.repeat(filledColumns), look: 'here'},
		{text: `${empty.repeat(columns - filledColumns)}  `, look: 'dim'},
	];
}
