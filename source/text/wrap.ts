import {columnsOf} from './columns.ts';
import {window} from './cut.ts';

/**
 * Drawable text in lines of at most so many columns: broken between words, which one space is put between, and inside
 * of a word only where the word is longer than a line. Lines after the first are indented by `hang` columns.
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

/** As much of a word as there is room for; at least one character. */
function beginning(word: string, columns: number): string {
	// A wide character that is half over the edge is seen as a space.
	const piece = window(word, 0, columns).trimEnd();
	const [first = ''] = word;
	return piece === '' ? first : piece;
}

/** At most so many lines: of more, the last one shows it. */
export function clip(lines: readonly string[], rows: number): readonly string[] {
	if (lines.length <= rows) return lines;
	return rows <= 0 ? [] : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
}
