import {wrapParagraphs} from '../../components/paragraphs.ts';
import type {TokenKind} from '../../firewall/expression/expressions.ts';
import type {Link} from '../../terminal/links.ts';
import {measureColumns} from '../../text/columns.ts';
import {cutMark, sliceColumns} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {splitIntoPieces} from '../../text/verbatim-pieces.ts';

/** The look of a piece: a meaning, or a token of an expression or of JSON. */
export type Look = 'plain' | 'dim' | 'head' | 'here' | 'good' | 'warning' | 'danger' | 'bar' | TokenKind;

/** A part of a row, safe to draw. `isMatch` marks a search match; `link` is what it opens. */
export type Piece = {
	readonly text: string;
	readonly look: Look;
	readonly isMatch?: boolean;
	readonly link?: Link | undefined;
};

/** A row of a screen, safe to draw and fitting its columns. */
export type Row = readonly Piece[];

export const blankRow: Row = [];

const createPlainRow = (text: string, look: Look, link?: Link): Row => [{text, look, ...(link && {link})}];

/** Builds the rows of paragraphs, wrapped between words. Continuation rows get a hanging indent. */
export const buildTextRows = (
	text: string | undefined | readonly (string | undefined)[],
	columns: number,
	look: Look = 'plain',
	hangingIndent = 0,
): Row[] =>
	wrapParagraphs(typeof text === 'object' ? text : [text], columns, hangingIndent).map(line =>
		createPlainRow(line, look),
	);

/** Builds the rows of a line of code, keeping all spaces. */
export const buildVerbatimRows = (text: string, columns: number, look: Look = 'plain', link?: Link): Row[] =>
	splitIntoPieces(text, columns).map(piece => createPlainRow(piece, look, link));

/** Builds the rows of a sentence after a mark, with a hanging indent. */
export const buildMarkedRows = (mark: string, text: string, columns: number, look: Look): Row[] =>
	buildTextRows(text, columns - 2, look).map((row, index) => [
		{text: index === 0 ? `${mark} ` : '  ', look},
		...row,
	]);

export const nameColumns = 13;

const addRowName = (name: string, rows: readonly Row[]): Row[] =>
	rows.map((row, index) => [{text: (index === 0 ? name : '').padEnd(nameColumns), look: 'dim'}, ...row]);

/** Builds the rows of a labelled text, wrapped beside its label. */
export const buildNamedRows = (
	name: string,
	text: string | undefined,
	columns: number,
	look: Look = 'plain',
): Row[] => addRowName(name, buildTextRows(text, columns - nameColumns, look));

/** Builds the rows of a labelled path or line of code, keeping all spaces. All of it opens `link`. */
export const buildVerbatimNamedRows = (name: string, text: string, columns: number, link?: Link): Row[] =>
	addRowName(name, buildVerbatimRows(text, columns - nameColumns, 'plain', link));

export const indentRow = (row: Row): Row => [{text: '  ', look: 'plain'}, ...row];

/** Joins the non-empty parts with a blank row between them. */
export const joinWithBlankRows = (...parts: readonly (readonly Row[])[]): Row[] =>
	parts
		.filter(part => part.length > 0)
		.flatMap((part, index) => (index === 0 ? [...part] : [blankRow, ...part]));

/**
 * Returns the rows that fit from `top` on. If more follow, the last row counts them and ends with `hint`, how to
 * see them; without a hint it is only a mark.
 */
export function sliceVisibleRows(rows: readonly Row[], room: number, top = 0, hint?: string): readonly Row[] {
	const first = Math.max(0, Math.min(top, rows.length - room));
	const visibleRows = rows.slice(first, first + room);
	const hiddenCount = rows.length - first - room;
	if (hiddenCount <= 0 || room < 2) return visibleRows;
	return [
		...visibleRows.slice(0, -1),
		createPlainRow(
			hint === undefined ? cutMark : `… ${formatQuantity(hiddenCount + 1, 'more row')}${hint}`,
			'dim',
		),
	];
}

/** Cuts a row to `columns`, starting at column `from`. `…` marks a cut side. */
export function cutRow(row: Row, from: number, columns: number): Row {
	const width = row.reduce((sum, {text}) => sum + measureColumns(text), 0);
	const isCutBefore = from > 0 && width > 0;
	const isCutAfter = width > from + columns;
	const start = isCutBefore ? from + 1 : from;
	const end = from + columns - (isCutAfter ? 1 : 0);
	const pieces: Piece[] = isCutBefore ? [{text: cutMark, look: 'dim'}] : [];
	let column = 0;
	for (const piece of row) {
		const next = column + measureColumns(piece.text);
		if (next > start && column < end) {
			const first = Math.max(0, start - column);
			const text = sliceColumns(piece.text, first, Math.min(end, next) - column - first);
			if (text !== '') pieces.push({...piece, text});
		}
		column = next;
	}
	if (isCutAfter) pieces.push({text: cutMark, look: 'dim'});
	return pieces;
}
