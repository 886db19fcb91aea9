import {columnsOf, drawable} from './columns.ts';

/** Columns between tab stops. */
export const tabStop = 4;

/** Converts like `toDrawable`, but expands tabs to spaces; the text starts in column `column` of its line. */
export function drawableLine(text: string, column = 0): string {
	if (!text.includes('\t')) return drawable(text);
	let line = '';
	let columns = column;
	for (const [index, part] of text.split('\t').entries()) {
		const gap = index === 0 ? 0 : tabStop - (columns % tabStop);
		const drawn = drawable(part);
		line += ' '.repeat(gap) + drawn;
		columns += gap + columnsOf(drawn);
	}
	return line;
}
