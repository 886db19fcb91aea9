import {columnsOf, drawable} from './columns.ts';
import {window} from './cut.ts';

/** Splits a line of code into drawable pieces that fit, without losing a space: all of it will be sent. */
export function pieces(line: string, columns: number): string[] {
	const room = Math.max(2, columns);
	const all: string[] = [];
	let rest = drawable(line);
	while (columnsOf(rest) > room) {
		const seen = window(rest, 0, room);
		// Half of a wide character at the edge appears as a space; it starts the next piece.
		const piece = rest.startsWith(seen) ? seen : rest.slice(0, Math.max(1, seen.trimEnd().length));
		all.push(piece);
		rest = rest.slice(piece.length);
	}
	return [...all, rest];
}
