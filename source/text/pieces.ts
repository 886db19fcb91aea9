import {columnsOf, drawable} from './columns.ts';
import {window} from './cut.ts';

/** A line of code in pieces that fit, made safe, without a space lost: nothing of what will be sent is left out. */
export function pieces(line: string, columns: number): string[] {
	const room = Math.max(2, columns);
	const all: string[] = [];
	let rest = drawable(line);
	while (columnsOf(rest) > room) {
		const seen = window(rest, 0, room);
		// A wide character half over the edge is seen as a space, and begins the next piece.
		const piece = rest.startsWith(seen) ? seen : rest.slice(0, Math.max(1, seen.trimEnd().length));
		all.push(piece);
		rest = rest.slice(piece.length);
	}
	return [...all, rest];
}
