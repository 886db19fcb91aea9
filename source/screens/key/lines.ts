import type {TextLines} from '../../text/byte-lines.ts';
import {measureColumns} from '../../text/columns.ts';
import {cutMark, sliceColumns} from '../../text/cut.ts';
import {buildHexRow, getHexGroupColumns} from '../../text/hex-lines.ts';
import type {JsonRow, JsonTree} from '../../text/json/tree.ts';
import {findTextOccurrences} from '../../text/occurrences.ts';
import {toDrawableLine} from '../../text/tabs.ts';
import type {Look, Piece, Row} from '../rows/rows.ts';

/** A row of a value. The margin holds a fold mark, a line number or an offset. */
export type ValueLine = {readonly margin: string; readonly pieces: Row};

const kindLooks: Readonly<Record<JsonRow['kind'], Look>> = {
	object: 'plain',
	array: 'plain',
	string: 'string',
	number: 'number',
	true: 'boolean',
	false: 'boolean',
	null: 'boolean',
};

/**
 * Maximum levels of indentation. More would push values off the screen; the status line shows the full path.
 */
export const maxIndentLevels = 12;

/** Splits text of one look into drawable pieces. Each match of `query` is a separate piece. */
function highlightMatches(text: string, query: string, look: Look): Piece[] {
	const occurrences = findTextOccurrences(text, query);
	let offset = occurrences.next(0);
	if (offset === undefined) return [{text: toDrawableLine(text), look}];
	const pieces: Piece[] = [];
	let column = 0;
	const add = (data: string, isMatch: boolean) => {
		const drawn = toDrawableLine(data, column);
		column += measureColumns(drawn);
		pieces.push({text: drawn, look, isMatch});
	};
	let end = 0;
	for (; offset !== undefined; offset = occurrences.next(end)) {
		if (offset > end) add(text.slice(end, offset), false);
		end = offset + query.length;
		add(text.slice(offset, end), true);
	}
	if (end < text.length) add(text.slice(end), false);
	return pieces;
}

/** Builds a row of the tree: fold mark, indent, `name: value,`. */
export function buildJsonLine(
	tree: JsonTree,
	row: number,
	query: string,
	marks: {readonly open: string; readonly closed: string},
): ValueLine {
	const line = tree.at(row);
	if (!line) return {margin: ' ', pieces: []};
	const {shape, kind, depth, name, text, cutUnits, comma} = line;
	const isData = shape === 'scalar';
	return {
		margin: shape === 'open' ? marks.open : shape === 'closed' ? marks.closed : ' ',
		pieces: [
			{text: '  '.repeat(Math.min(depth, maxIndentLevels)), look: 'plain'},
			...(name === undefined
				? []
				: [...highlightMatches(name, query, 'field'), {text: ': ', look: 'plain'} as const]),
			...(isData ? highlightMatches(text, query, kindLooks[kind]) : [{text, look: 'plain'} as const]),
			...(cutUnits > 0 ? [{text: cutMark, look: 'dim'} as const] : []),
			...(comma ? [{text: ',', look: 'plain'} as const] : []),
		],
	};
}

/** Builds a row of text with its line number; continuation rows have none. */
export function buildTextLine(lines: TextLines, row: number, query: string, digits: number): ValueLine {
	const line = lines.at(row);
	if (!line) return {margin: ' '.repeat(digits), pieces: []};
	const lineNumber = line.isContinuation ? '' : String(line.line);
	const margin = lineNumber.padStart(digits);
	if (lines.columns === undefined || query === '')
		return {margin, pieces: highlightMatches(line.text, query, 'plain')};
	return {margin, pieces: highlightWrappedMatches(lines, row, query)};
}

/** Highlights matches in a wrapped row, including those that continue in the previous or next row. */
function highlightWrappedMatches(lines: TextLines, row: number, query: string): Row {
	const line = lines.at(row);
	const next = lines.at(row + 1);
	const text = line?.text ?? '';
	const overlap = query.length - 1;
	const textBefore =
		line?.isContinuation && overlap > 0 ? (lines.at(row - 1)?.text.slice(-overlap) ?? '') : '';
	const textAfter = next?.isContinuation ? next.text.slice(0, overlap) : '';
	const joinedText = textBefore + text + textAfter;
	// The width of a tab depends on the text before it.
	if (joinedText.includes('\t')) return highlightMatches(text, query, 'plain');
	const start = measureColumns(toDrawableLine(textBefore));
	const end = start + measureColumns(toDrawableLine(text));
	const pieces: Piece[] = [];
	let column = 0;
	for (const piece of highlightMatches(joinedText, query, 'plain')) {
		const skippedColumns = Math.max(0, start - column);
		const width = measureColumns(piece.text);
		const visibleText = sliceColumns(
			piece.text,
			skippedColumns,
			Math.min(end - column, width) - skippedColumns,
		);
		if (visibleText !== '') pieces.push({...piece, text: visibleText});
		column += width;
	}
	return pieces;
}

/** Builds a hex row: offset, bytes in two groups, and as ASCII. */
export function buildHexLine(bytes: Uint8Array, row: number, bytesPerRow: number): ValueLine {
	const {offset, groups, ascii} = buildHexRow(bytes, row, bytesPerRow);
	const columns = getHexGroupColumns(bytesPerRow);
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
export const countLineDigits = (lines: TextLines, knownRows: number): number =>
	String(lines.at(knownRows - 1)?.line ?? 1).length;
