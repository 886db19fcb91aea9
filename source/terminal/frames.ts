import {columnsOf} from '../text/columns.ts';
import {cutMark} from '../text/cut.ts';

/** Ink goes over each line that did not change with a move of its own; several can be said in one. */
const nextLines = /(?:\u001b\[E){2,}/g;
const bytesOfMove = 3;

/** Where Ink writes the rest of a line again, it first repeats the styles of what is before it, also those that ended there. */
const eraseLine = '\u001b[K';
const looksFromPlain = /\u001b\[K((?:\u001b\[(?:[1-4]|7|9|2[2-4]|27|29|3[0-7]|39|9[0-7])m)+)/g;
const oneLook = /\u001b\[(\d+)m/g;

/**
 * The stream that Ink draws to, with its frames made shorter: on a slow line the moves over unchanged lines would be
 * most of what a key costs. For a terminal that draws no more than ASCII (`utf8` false) the mark of what was cut
 * becomes a `~`, what stands between words a plain sign, and every other character beyond ASCII a `?` for each of its
 * columns: its bytes could be control characters there. The other marks are the theme's.
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
	frame.replace(/[^\u0000-\u007f]/gu, character => inWords[character] ?? '?'.repeat(columnsOf(character)));

/** Signs in sentences of ledge and in names of places, each as wide as what takes its place. */
const inWords: Readonly<Record<string, string>> = {[cutMark]: '~', '·': '.', '›': '>', '≠': '#', '─': '-'};

/** Entering it keeps the column of the cursor, where a program that asked for a password has left it. */
const enterScreen = '\u001b[?1049h';
const toTopLeft = '\u001b[H';

/**
 * The same frame with runs of moves to the next line said as one, without looks that nothing is drawn in, and from the top
 * left of the screen on where that is entered.
 */
export const shortened = (frame: string): string =>
	frame
		.replace(enterScreen, `${enterScreen}${toTopLeft}`)
		.replace(nextLines, moves => `\u001b[${moves.length / bytesOfMove}E`)
		.replace(looksFromPlain, (_found, looks: string) => `${eraseLine}${withoutEmpty(looks)}`);

/** What is left of looks that come one after the other, the first in plain: those that are on at their end. */
function withoutEmpty(looks: string): string {
	const on = new Set<string>();
	let kept = '';
	for (const [look, code = ''] of looks.matchAll(oneLook)) {
		const ends = endedBy[code];
		if (ends) for (const one of ends) on.delete(one);
		else on.add(code.length > 1 ? 'colour' : code);
		kept = on.size === 0 ? '' : `${kept}${look}`;
	}
	return kept;
}

/** Which looks each code ends; every other one begins a look. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
	22: ['1', '2'],
	23: ['3'],
	24: ['4'],
	27: ['7'],
	29: ['9'],
	39: ['colour'],
};
