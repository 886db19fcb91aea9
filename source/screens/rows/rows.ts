import {linesOf} from '../../components/paragraphs.ts';
import type {TokenKind} from '../../firewall/expression/expressions.ts';
import {columnsOf} from '../../text/columns.ts';
import {cutMark, window} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {pieces} from '../../text/pieces.ts';

/** How a piece of a row looks: for its meaning, or as a part of an expression or of JSON. */
export type Look = 'plain' | 'dim' | 'head' | 'here' | 'good' | 'warning' | 'danger' | 'bar' | TokenKind;

/** A part of a row that can be drawn as it is. `found`: it is what was searched for. */
export type Piece = {readonly text: string; readonly look: Look; readonly found?: boolean};

/** A row of a screen, made safe, that fits into its columns. */
export type Row = readonly Piece[];

export const blank: Row = [];

const plainRow = (text: string, look: Look): Row => [{text, look}];

/** Paragraphs of data or sentences, broken between words; each further row is indented by `hang`. */
export const said = (
	text: string | undefined | readonly (string | undefined)[],
	columns: number,
	look: Look = 'plain',
	hang = 0,
): Row[] =>
	linesOf(typeof text === 'object' ? text : [text], columns, hang).map(line => plainRow(line, look));

/** A line of code, with none of its spaces lost. */
export const exact = (text: string, columns: number, look: Look = 'plain'): Row[] =>
	pieces(text, columns).map(piece => plainRow(piece, look));

/** A sentence behind a mark, and indented below it. */
export const marked = (mark: string, text: string, columns: number, look: Look): Row[] =>
	said(text, columns - 2, look).map((row, index) => [{text: index === 0 ? `${mark} ` : '  ', look}, ...row]);

/** Columns of the name of a fact. */
export const nameColumns = 13;

const named = (name: string, rows: readonly Row[]): Row[] =>
	rows.map((row, index) => [{text: (index === 0 ? name : '').padEnd(nameColumns), look: 'dim'}, ...row]);

/** Something by its name, and broken below itself where it is long. */
export const fact = (name: string, text: string | undefined, columns: number, look: Look = 'plain'): Row[] =>
	named(name, said(text, columns - nameColumns, look));

/** A path or a line of code by its name, with none of its spaces lost. */
export const exactFact = (name: string, text: string, columns: number): Row[] =>
	named(name, exact(text, columns - nameColumns));

export const indented = (row: Row): Row => [{text: '  ', look: 'plain'}, ...row];

/** The parts that are not empty, with a blank row between them. */
export const spaced = (...parts: readonly (readonly Row[])[]): Row[] =>
	parts
		.filter(part => part.length > 0)
		.flatMap((part, index) => (index === 0 ? [...part] : [blank, ...part]));

/** The rows in sight, from `top` on as far as there are; where more follow, the last one says so. */
export function windowOf(rows: readonly Row[], room: number, top = 0, hint = ''): readonly Row[] {
	const first = Math.max(0, Math.min(top, rows.length - room));
	const shown = rows.slice(first, first + room);
	const rest = rows.length - first - room;
	if (rest <= 0 || room < 2) return shown;
	return [...shown.slice(0, -1), plainRow(`… ${counted(rest + 1, 'more row')}${hint}`, 'dim')];
}

/** What is in sight of a row, from a column on; where it continues to a side there is a `…`. */
export function cutRow(row: Row, from: number, columns: number): Row {
	const width = row.reduce((sum, {text}) => sum + columnsOf(text), 0);
	const cutBefore = from > 0 && width > 0;
	const cutBehind = width > from + columns;
	const start = cutBefore ? from + 1 : from;
	const end = from + columns - (cutBehind ? 1 : 0);
	const shown: Piece[] = cutBefore ? [{text: cutMark, look: 'dim'}] : [];
	let column = 0;
	for (const piece of row) {
		const next = column + columnsOf(piece.text);
		if (next > start && column < end) {
			const first = Math.max(0, start - column);
			const text = window(piece.text, first, Math.min(end, next) - column - first);
			if (text !== '') shown.push({...piece, text});
		}
		column = next;
	}
	if (cutBehind) shown.push({text: cutMark, look: 'dim'});
	return shown;
}
