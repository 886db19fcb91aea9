import type {TextLines} from '../../text/byte-lines.ts';
import {columnsOf} from '../../text/columns.ts';
import {cutMark, window} from '../../text/cut.ts';
import {hexGroupColumns, hexRow} from '../../text/hex-lines.ts';
import type {JsonRow, JsonTree} from '../../text/json/tree.ts';
import {occurrencesInText} from '../../text/occurrences.ts';
import {drawableLine} from '../../text/tabs.ts';
import type {Look, Piece, Row} from '../rows/rows.ts';

/** A row of a value: a mark or number in the margin, and the pieces of the line. */
export type Line = {readonly margin: string; readonly pieces: Row};

const looks: Readonly<Record<JsonRow['kind'], Look>> = {
	object: 'plain',
	array: 'plain',
	string: 'string',
	number: 'number',
	true: 'boolean',
	false: 'boolean',
	null: 'boolean',
};

/** Levels that are indented; deeper ones would push the values out of sight. The path of the status line tells them. */
export const deepest = 12;

/** Data as pieces of one look, with what is searched for as pieces of their own. */
function foundIn(text: string, query: string, look: Look): Piece[] {
	const occurrences = occurrencesInText(text, query);
	let place = occurrences.next(0);
	if (place === undefined) return [{text: drawableLine(text), look}];
	const pieces: Piece[] = [];
	let column = 0;
	const add = (data: string, found: boolean) => {
		const drawn = drawableLine(data, column);
		column += columnsOf(drawn);
		pieces.push({text: drawn, look, found});
	};
	let done = 0;
	for (; place !== undefined; place = occurrences.next(done)) {
		if (place > done) add(text.slice(done, place), false);
		done = place + query.length;
		add(text.slice(place, done), true);
	}
	if (done < text.length) add(text.slice(done), false);
	return pieces;
}

/** A row of the tree: its fold mark, its indent, `name: value,`. */
export function jsonLine(
	tree: JsonTree,
	row: number,
	query: string,
	marks: {readonly open: string; readonly closed: string},
): Line {
	const line = tree.at(row);
	if (!line) return {margin: ' ', pieces: []};
	const {shape, kind, depth, name, text, cut, comma} = line;
	const isData = shape === 'scalar';
	return {
		margin: shape === 'open' ? marks.open : shape === 'closed' ? marks.closed : ' ',
		pieces: [
			{text: '  '.repeat(Math.min(depth, deepest)), look: 'plain'},
			...(name === undefined ? [] : [...foundIn(name, query, 'field'), {text: ': ', look: 'plain'} as const]),
			...(isData ? foundIn(text, query, looks[kind]) : [{text, look: 'plain'} as const]),
			...(cut > 0 ? [{text: cutMark, look: 'dim'} as const] : []),
			...(comma ? [{text: ',', look: 'plain'} as const] : []),
		],
	};
}

/** A row of text with the number of its line; a row that continues a line has none. */
export function textLine(lines: TextLines, row: number, query: string, digits: number): Line {
	const line = lines.at(row);
	if (!line) return {margin: ' '.repeat(digits), pieces: []};
	const number = line.continued ? '' : String(line.line);
	const margin = number.padStart(digits);
	if (lines.columns === undefined || query === '')
		return {margin, pieces: foundIn(line.text, query, 'plain')};
	return {margin, pieces: foundInWrapped(lines, row, query)};
}

/** A row of a wrapped line: what is searched for may begin in the row before it, or end in the next one. */
function foundInWrapped(lines: TextLines, row: number, query: string): Row {
	const line = lines.at(row);
	const next = lines.at(row + 1);
	const text = line?.text ?? '';
	const reach = query.length - 1;
	const before = line?.continued && reach > 0 ? (lines.at(row - 1)?.text.slice(-reach) ?? '') : '';
	const behind = next?.continued ? next.text.slice(0, reach) : '';
	const whole = before + text + behind;
	// Where tabs are, text has other columns behind another text.
	if (whole.includes('\t')) return foundIn(text, query, 'plain');
	const start = columnsOf(drawableLine(before));
	const end = start + columnsOf(drawableLine(text));
	const pieces: Piece[] = [];
	let column = 0;
	for (const piece of foundIn(whole, query, 'plain')) {
		const first = Math.max(0, start - column);
		const width = columnsOf(piece.text);
		const shown = window(piece.text, first, Math.min(end - column, width) - first);
		if (shown !== '') pieces.push({...piece, text: shown});
		column += width;
	}
	return pieces;
}

/** A row of bytes: their offset, the bytes in two halves, and what they are as ASCII. */
export function hexLine(bytes: Uint8Array, row: number, perRow: number): Line {
	const {offset, groups, ascii} = hexRow(bytes, row, perRow);
	const columns = hexGroupColumns(perRow);
	const [first, second] = groups;
	return {
		margin: offset,
		pieces: [
			{text: `${first.padEnd(columns)}  ${second.padEnd(columns)}  `, look: 'plain'},
			{text: ascii, look: 'string'},
		],
	};
}

/** Digits of the last line number, as far as the rows of the text are known. */
export const digitsOf = (lines: TextLines, known: number): number =>
	String(lines.at(known - 1)?.line ?? 1).length;
