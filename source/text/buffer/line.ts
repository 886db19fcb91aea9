import {isPlain, measureColumns, toDrawable} from '../columns.ts';
import {segmentGraphemes} from '../graphemes.ts';

/** A tab in multi-line text, visible and of fixed width. In a one-line field it is `\t`, as in lists. */
const tab = '→   ';

/** Renders a line of a buffer as drawable text: the concatenation of what its graphemes render as. */
export function drawLine(line: string, singleLine: boolean): string {
	if (singleLine || !line.includes('\t')) return toDrawable(line);
	return line.split('\t').map(toDrawable).join(tab);
}

/** Returns the display columns before a place in a line (code units, at a grapheme border). */
export const getColumnsBefore = (line: string, column: number, singleLine: boolean): number =>
	measureColumns(drawLine(line.slice(0, column), singleLine));

/** Returns the last place in a line (code units) with at most `columns` display columns before it. */
export function getPlaceAtColumns(line: string, columns: number, singleLine: boolean): number {
	if (isPlain(line.slice(0, columns + 1))) return Math.min(line.length, columns);
	let left = columns;
	for (const {segment, index} of segmentGraphemes(line)) {
		left -= measureColumns(drawLine(segment, singleLine));
		if (left < 0) return index;
	}
	return line.length;
}
