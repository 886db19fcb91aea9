import {columnsOf} from '../text/columns.ts';
import {cutMark} from '../text/cut.ts';

/** Ink goes over each line that did not change with a move of its own; several can be said in one. */
const nextLines = /(?:\u001b\[E){2,}/g;
const bytesOfMove = 3;

/**
 * The stream that Ink draws to, with its frames made shorter: on a slow line the moves over unchanged lines would be
 * most of what a key costs. For a terminal that draws no more than ASCII (`utf8` false) the mark of what was cut
 * becomes a `~` and every other character beyond ASCII a `?` for each of its columns: its bytes could be control
 * characters there. The other marks are the theme's.
 */
export function forFrames(stdout: NodeJS.WriteStream, {utf8}: {readonly utf8: boolean}): NodeJS.WriteStream {
	const frames = Object.create(stdout) as NodeJS.WriteStream;
	frames.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
		const shown = typeof chunk === 'string' ? shortened(utf8 ? chunk : inAscii(chunk)) : chunk;
		return Reflect.apply(stdout.write, stdout, [shown, ...rest]) as boolean;
	};
	return frames;
}

/** A frame in ASCII, as wide as before. */
export const inAscii = (frame: string): string =>
	frame.replaceAll(cutMark, '~').replace(/[^\u0000-\u007f]/gu, character => '?'.repeat(columnsOf(character)));

/** The same frame with runs of moves to the next line said as one. */
export const shortened = (frame: string): string =>
	frame.replace(nextLines, moves => `\u001b[${moves.length / bytesOfMove}E`);
