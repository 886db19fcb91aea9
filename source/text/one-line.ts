import {drawable} from './columns.ts';

/** Formats the start of a text on one line, with white space collapsed, safe to draw. */
export const oneLine = (expression: string, columns: number): string =>
	drawable(
		expression
			.slice(0, columns * 4)
			.replace(/\s+/g, ' ')
			.trim(),
	);
