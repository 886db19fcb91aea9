import type {Marks} from '../../components/theme.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import {nameColumns, type Piece, type Row} from './rows.ts';

/** A line about long work: what it is about, and the text. Data as it is. */
export type Fact = {
	readonly name: string;
	readonly text: string;
	readonly look?: 'warning' | 'danger' | 'good';
	/** A path, or text that ends with one: where it is too long it is cut in its middle. */
	readonly isPath?: boolean;
	/** A bar before the text, of how much is done: between 0 and 1. */
	readonly share?: number;
};

/** Columns left of the facts. */
export const factMargin = 3;
/** Columns of the bar at most, and at least. */
const barColumns = {most: 60, least: 5} as const;

/** The row of a fact on a screen of so many columns. */
export function factRow({name, text, look, share, isPath}: Fact, columns: number, marks: Marks): Row {
	const room = columns - factMargin - nameColumns - 1;
	const mark = look && `${{warning: marks.warning, danger: marks.failed, good: marks.done}[look]} `;
	const shown = drawable(`${mark ?? ''}${text}`);
	return [
		{text: fitted(name, nameColumns), look: 'dim'},
		...(share === undefined ? [] : bar(share, room - columnsOf(shown) - 2, marks)),
		{text: isPath ? cutMiddle(shown, room) : cutEnd(shown, room), look: look ?? 'plain'},
	];
}

/** How much is done, as a bar in so many columns; nothing where they are too few. */
function bar(share: number, room: number, {bar: [full, empty]}: Marks): readonly Piece[] {
	const columns = Math.min(barColumns.most, room);
	if (columns < barColumns.least) return [];
	const done = Math.round(Math.max(0, Math.min(1, share)) * columns);
	return [
		{text: full.repeat(done), look: 'here'},
		{text: `${empty.repeat(columns - done)}  `, look: 'dim'},
	];
}
