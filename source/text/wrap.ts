import {columnsOf} from './columns.ts';
import {window} from './cut.ts';

/**
 * Wraps drawable text to at most `columns` columns: between words, separated by one space, and inside a word
 * only if it is longer than a line. Indents lines after the first by `hang` columns.
 */
export function wrap(text: string, columns: number, hang = 0): string[] {
	const width = Math.max(2, columns);
	const indent = ' '.repeat(Math.min(hang, width - 2));
	const lines: string[] = [];
	let line = '';
	let start = '';
	const next = () => {
		lines.push(line);
		start = indent;
		line = indent;
	};
	for (const word of text.split(/\s+/).filter(Boolean)) {
		const gap = line === start ? '' : ' ';
		if (columnsOf(line + gap + word) <= width) {
			line += gap + word;
			continue;
		}
		if (line !== start) next();
		let rest = word;
		while (columnsOf(line + rest) > width) {
			const piece = beginning(rest, width - columnsOf(line));
			line += piece;
			rest = rest.slice(piece.length);
			next();
		}
		line += rest;
	}
	return [...lines, line];
}

/** Returns the start of a word that fits; at least one character. */
function beginning(word: string, columns: number): string {
	// Half of a wide character at the edge appears as a space.
	const piece = window(word, 0, columns).trimEnd();
	const [first = ''] = word;
	return piece === '' ? first : piece;
}

/** Limits text to `rows` lines; if there are more, the last one says how many. */
export function clip(lines: readonly string[], rows: number): readonly string[] {
	if (lines.length <= rows) return lines;
	return rows <= 0 ? [] : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
}
