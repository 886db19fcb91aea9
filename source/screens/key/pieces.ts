import {columnsOf} from '../../text/columns.ts';
import {cutMark, window} from '../../text/cut.ts';
import {drawableLine} from '../../text/tabs.ts';

/** What a piece of a line is, to be told by its colour and by more than that. */
export type Look = 'plain' | 'dim' | 'name' | 'string' | 'number' | 'literal';

/** A piece of a line: drawable text of one look. `found`: it is what is looked for. */
export type Piece = {readonly text: string; readonly look: Look; readonly found?: boolean};

/** Data as pieces of one look, what is looked for told apart; exactly as it is written. */
export function foundIn(text: string, query: string, look: Look): Piece[] {
	if (query === '' || !text.includes(query)) return [{text: drawableLine(text), look}];
	const pieces: Piece[] = [];
	let column = 0;
	const add = (data: string, found: boolean) => {
		const drawn = drawableLine(data, column);
		column += columnsOf(drawn);
		pieces.push({text: drawn, look, found});
	};
	for (const [index, part] of text.split(query).entries()) {
		if (index > 0) add(query, true);
		if (part !== '') add(part, false);
	}
	return pieces;
}

/** A piece that is seen, and the column of its line in which it begins. */
export type SeenPiece = Piece & {readonly column: number};

/** What is seen of a line `columns` wide from column `from` on; where it goes on to a side stands a `…`. */
export function seen(pieces: readonly Piece[], from: number, columns: number): readonly SeenPiece[] {
	const width = pieces.reduce((sum, {text}) => sum + columnsOf(text), 0);
	const cutBefore = from > 0 && width > 0;
	const cutBehind = width > from + columns;
	const start = cutBefore ? from + 1 : from;
	const end = from + columns - (cutBehind ? 1 : 0);
	const shown: SeenPiece[] = cutBefore ? [{text: cutMark, look: 'dim', column: from}] : [];
	let column = 0;
	for (const piece of pieces) {
		const next = column + columnsOf(piece.text);
		if (next > start && column < end) {
			const first = Math.max(0, start - column);
			const text = window(piece.text, first, Math.min(end, next) - column - first);
			if (text !== '') shown.push({...piece, text, column: column + first});
		}
		column = next;
	}
	if (cutBehind) shown.push({text: cutMark, look: 'dim', column: end});
	return shown;
}

/** Drawable text in rows of at most `columns` columns; nothing of it is left out. */
export function inRows(text: string, columns: number): string[] {
	const rows: string[] = [];
	let row = '';
	let left = columns;
	for (const character of text) {
		const width = columnsOf(character);
		if (width > left) {
			rows.push(row);
			row = '';
			left = columns;
		}
		row += character;
		left -= width;
	}
	return [...rows, row];
}
