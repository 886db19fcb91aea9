import {drawable} from './columns.ts';

/** The beginning of a text on one line, its white space as single blanks, safe to draw. */
export const oneLine = (expression: string, columns: number): string =>
	drawable(
		expression
			.slice(0, columns * 4)
			.replace(/\s+/g, ' ')
			.trim(),
	);
