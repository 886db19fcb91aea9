import {measureColumns, toDrawable} from './columns.ts';

/** Columns between tab stops. */
export const tabStop = 4;

/** Converts like `toDrawable`, but expands tabs to spaces; the text starts in column `column` of its line. */
export function toDrawableLine(text: string, column = 0): string {
	if (!text.includes('\t')) return toDrawable(text);
	let line = '';
	let columns = column;
	for (const [index, segment] of text.split('\t').entries()) {
		const gap = index === 0 ? 0 : tabStop - (columns % tabStop);
		const drawnSegment = toDrawable(segment);
		line += ' '.repeat(gap) + drawnSegment;
		columns += gap + measureColumns(drawnSegment);
	}
	return line;
}
