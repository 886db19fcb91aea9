import {isPlainAscii, measureColumns, toDrawable} from '../columns.ts';
import {segmentGraphemes} from '../graphemes.ts';

/** A tab in multi-line text, visible and of fixed width. In a one-line field it is `\t`, as in lists. */
const visibleTab = '→   ';

/** Renders a line of a buffer as drawable text: equal to the concatenation of its rendered graphemes. */
export function drawLine(line: string, singleLine: boolean): string {
	if (singleLine || !line.includes('\t')) return toDrawable(line);
	return line.split('\t').map(toDrawable).join(visibleTab);
}

/** Returns the display columns before an index in a line (code units, at a grapheme border). */
export const getColumnsBefore = (line: string, column: number, singleLine: boolean): number =>
	measureColumns(drawLine(line.slice(0, column), singleLine));

/** Returns the last index in a line (code units) with at most `columns` display columns before it. */
export function findIndexAtColumns(line: string, columns: number, singleLine: boolean): number {
	if (isPlainAscii(line.slice(0, columns + 1))) return Math.min(line.length, columns);
	let remainingColumns = columns;
	for (const {segment, index} of segmentGraphemes(line)) {
		remainingColumns -= measureColumns(drawLine(segment, singleLine));
		if (remainingColumns < 0) return index;
	}
	return line.length;
}
