import {measureColumns} from './columns.ts';
import {sliceColumns} from './cut.ts';

/**
 * Wraps drawable text to at most `columns` columns: between words, separated by one space, and inside a word
 * only if it is longer than a line. Indents lines after the first by `hangingIndent` columns.
 */
export function wrapText(text: string, columns: number, hangingIndent = 0): string[] {
	const width = Math.max(2, columns);
	const indent = ' '.repeat(Math.min(hangingIndent, width - 2));
	const lines: string[] = [];
	let line = '';
	let lineStart = '';
	const startLine = () => {
		lines.push(line);
		lineStart = indent;
		line = indent;
	};
	for (const word of text.split(/\s+/).filter(Boolean)) {
		const gap = line === lineStart ? '' : ' ';
		if (measureColumns(line + gap + word) <= width) {
			line += gap + word;
			continue;
		}
		if (line !== lineStart) startLine();
		let remainder = word;
		while (measureColumns(line + remainder) > width) {
			const piece = takeStart(remainder, width - measureColumns(line));
			line += piece;
			remainder = remainder.slice(piece.length);
			startLine();
		}
		line += remainder;
	}
	return [...lines, line];
}

/** Returns the start of a word that fits; at least one character. */
function takeStart(word: string, columns: number): string {
	// Half of a wide character at the edge appears as a space.
	const piece = sliceColumns(word, 0, columns).trimEnd();
	const [first = ''] = word;
	return piece === '' ? first : piece;
}

/** Limits text to `rows` lines; if there are more, the last one says how many. */
export function clipLines(lines: readonly string[], rows: number): readonly string[] {
	if (lines.length <= rows) return lines;
	return rows <= 0 ? [] : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
}
