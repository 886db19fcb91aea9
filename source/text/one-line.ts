import {toDrawable} from './columns.ts';

/** Formats the start of a text on one line, with white space collapsed, safe to draw. */
export const formatOneLine = (text: string, columns: number): string =>
	toDrawable(
		text
			.slice(0, columns * 4)
			.replace(/\s+/g, ' ')
			.trim(),
	);
