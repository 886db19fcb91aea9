import {columnsOf, drawable, isPlain} from '../columns.ts';
import {graphemesOf} from '../graphemes.ts';

/** A tab in multi-line text, visible and of fixed width. In a one-line field it is `\t`, as in lists. */
const tab = '→   ';

/** Renders a line of a buffer as drawable text: the concatenation of what its graphemes render as. */
export function drawnLine(line: string, singleLine: boolean): string {
	if (singleLine || !line.includes('\t')) return drawable(line);
	return line.split('\t').map(drawable).join(tab);
}

/** Returns the display columns before a place in a line (code units, at a grapheme border). */
export const columnsBefore = (line: string, column: number, singleLine: boolean): number =>
	columnsOf(drawnLine(line.slice(0, column), singleLine));

/** Returns the last place in a line (code units) with at most `columns` display columns before it. */
export function placeAtColumns(line: string, columns: number, singleLine: boolean): number {
	if (isPlain(line.slice(0, columns + 1))) return Math.min(line.length, columns);
	let left = columns;
	for (const {segment, index} of graphemesOf(line)) {
		left -= columnsOf(drawnLine(segment, singleLine));
		if (left < 0) return index;
	}
	return line.length;
}
