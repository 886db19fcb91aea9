import {measureColumns, toDrawable} from './columns.ts';
import {sliceColumns} from './cut.ts';

/**
 * Splits a line of code into drawable pieces that fit. Keeps every space, because the line is shown exactly
 * as it will be sent.
 */
export function splitIntoPieces(line: string, columns: number): string[] {
	const maxColumns = Math.max(2, columns);
	const pieces: string[] = [];
	let remainder = toDrawable(line);
	while (measureColumns(remainder) > maxColumns) {
		const visible = sliceColumns(remainder, 0, maxColumns);
		// Half of a wide character at the edge appears as a space; it starts the next piece.
		const piece = remainder.startsWith(visible)
			? visible
			: remainder.slice(0, Math.max(1, visible.trimEnd().length));
		pieces.push(piece);
		remainder = remainder.slice(piece.length);
	}
	return [...pieces, remainder];
}
