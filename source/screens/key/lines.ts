import type {TextLines} from '../../text/byte-lines.ts';
import {columnsOf} from '../../text/columns.ts';
import {cutMark, window} from '../../text/cut.ts';
import {hexGroupColumns, hexRow} from '../../text/hex-lines.ts';
import type {JsonRow, JsonTree} from '../../text/json/tree.ts';
import {occurrencesInText} from '../../text/occurrences.ts';
import {drawableLine} from '../../text/tabs.ts';
import type {Look, Piece, Row} from '../rows/rows.ts';

/** A row of a value: fold mark, line number or offset in the margin, and the pieces of the line. */
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

/**
 * Maximum indented levels: deeper indents would push values off the screen. The status line shows the full
 * path.
 */
export const deepest = 12;

/** Splits data into pieces of one look, with matches of `query` as pieces of their own. */
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

/** Builds a row of the tree: fold mark, indent, `name: value,`. */
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

/** Builds a row of text with its line number; continuation rows have none. */
export function textLine(lines: TextLines, row: number, query: string, digits: number): Line {
	const line = lines.at(row);
	if (!line) return {margin: ' '.repeat(digits), pieces: []};
	const number = line.continued ? '' : String(line.line);
	const margin = number.padStart(digits);
	if (lines.columns === undefined || query === '')
		return {margin, pieces: foundIn(line.text, query, 'plain')};
	return {margin, pieces: foundInWrapped(lines, row, query)};
}

/** Highlights matches in a wrapped row, including those that continue in the previous or next row. */
function foundInWrapped(lines: TextLines, row: number, query: string): Row {
	const line = lines.at(row);
	const next = lines.at(row + 1);
	const text = line?.text ?? '';
	const reach = query.length - 1;
	const before = line?.continued && reach > 0 ? (lines.at(row - 1)?.text.slice(-reach) ?? '') : '';
	const behind = next?.continued ? next.text.slice(0, reach) : '';
	const whole = before + text + behind;
	// The width of a tab depends on the text before it.
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

/** Builds a hex row: offset, bytes in two groups, and as ASCII. */
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

/** Counts the digits of the last known line number. */
export const digitsOf = (lines: TextLines, known: number): number =>
	String(lines.at(known - 1)?.line ?? 1).length;
