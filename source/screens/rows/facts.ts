import type {Marks} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitText} from '../../text/cut.ts';
import {blankRow, buildNamedRows, buildTextRows, nameColumns, type Piece, type Row} from './rows.ts';

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

const factMargin = 3;
const barColumns = {max: 60, min: 5} as const;

/** Formats the mark before a fact with a look, with a blank. */
const formatMark = (look: Fact['look'], marks: Marks): string =>
	look === undefined ? '' : `${{warning: marks.warning, danger: marks.failed, good: marks.done}[look]} `;

/** Builds the row of a fact on a screen of `columns`. */
export function buildFactRow({name, text, look, share, isPath}: Fact, columns: number, marks: Marks): Row {
	const room = columns - factMargin - nameColumns - 1;
	const drawnText = toDrawable(`${formatMark(look, marks)}${text}`);
	return [
		{text: fitText(name, nameColumns), look: 'dim'},
		...(share === undefined ? [] : buildBarPieces(share, room - measureColumns(drawnText) - 2, marks)),
		{text: isPath ? cutMiddle(drawnText, room) : cutEnd(drawnText, room), look: look ?? 'plain'},
	];
}

/** Columns of text after which a fact is cut, such as one with a long name; two rows at 80 columns. */
const maxFactColumns = 120;

/** Builds the row of a fact, or the rows of its wrapped text if that is too long. */
function buildFactRows(fact: Fact, columns: number, marks: Marks): readonly Row[] {
	const {name, text, look, share, isPath} = fact;
	const markedText = `${formatMark(look, marks)}${toDrawable(text)}`;
	const isShort = measureColumns(markedText) <= columns - factMargin - nameColumns - 1;
	if (isShort || share !== undefined || isPath) return [buildFactRow(fact, columns, marks)];
	return buildNamedRows(name, cutEnd(markedText, maxFactColumns), columns - factMargin - 1, look);
}

/** Builds the rows of facts and the sentences below them; without blank rows if `height` is too small. */
export function buildFactPage(
	facts: readonly Fact[],
	sentences: readonly (string | undefined)[],
	{columns, height}: {readonly columns: number; readonly height: number},
	marks: Marks,
): readonly Row[] {
	const sentenceRows = buildTextRows(sentences, columns - factMargin - 2);
	const rows = [
		blankRow,
		...facts.flatMap(fact => buildFactRows(fact, columns, marks)),
		...(sentenceRows.length > 0 ? [blankRow, ...sentenceRows] : []),
	];
	return rows.length > height ? rows.filter(row => row.length > 0) : rows;
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
