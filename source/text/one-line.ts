import {toDrawable} from './columns.ts';

/**
 * Formats the start of a text as one drawable line, with white space collapsed: enough to fill `columns`,
 * often more.
 */
export const formatOneLine = (text: string, columns: number): string =>
	toDrawable(
		text
			.slice(0, columns * 4)
			.replace(/\s+/g, ' ')
			.trim(),
	);

/** Returns a text with its first letter in upper case. */
export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
