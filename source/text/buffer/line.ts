import {columnsOf, drawable, isPlain} from '../columns.ts';
import {graphemesOf} from '../graphemes.ts';

/** A tab in text of several lines: seen, and as wide wherever it stands. In a one-line field it is `\t`, as in lists. */
const tab = '→   ';

/** A line of an editing buffer as it is drawn. What graphemes are drawn as, put together, is what the line is drawn as. */
export function drawnLine(line: string, singleLine: boolean): string {
	if (singleLine || !line.includes('\t')) return drawable(line);
	return line.split('\t').map(drawable).join(tab);
}

/** Display columns before a place in a line (code units, at the border of a grapheme). */
export const columnsBefore = (line: string, column: number, singleLine: boolean): number =>
	columnsOf(drawnLine(line.slice(0, column), singleLine));

/** The place in a line, in code units, that is nearest to having `columns` display columns before it, but not more. */
export function placeAtColumns(line: string, columns: number, singleLine: boolean): number {
	if (isPlain(line.slice(0, columns + 1))) return Math.min(line.length, columns);
	let left = columns;
	for (const {segment, index} of graphemesOf(line)) {
		left -= columnsOf(drawnLine(segment, singleLine));
		if (left < 0) return index;
	}
	return line.length;
}
