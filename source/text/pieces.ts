import {measureColumns, toDrawable} from './columns.ts';
import {sliceColumns} from './cut.ts';

/** Splits a line of code into drawable pieces that fit, without losing a space: all of it will be sent. */
export function splitIntoPieces(line: string, columns: number): string[] {
	const room = Math.max(2, columns);
	const all: string[] = [];
	let rest = toDrawable(line);
	while (measureColumns(rest) > room) {
		const visible = sliceColumns(rest, 0, room);
		// Half of a wide character at the edge appears as a space; it starts the next piece.
		const piece = rest.startsWith(visible) ? visible : rest.slice(0, Math.max(1, visible.trimEnd().length));
		all.push(piece);
		rest = rest.slice(piece.length);
	}
	return [...all, rest];
}
