import {measureColumns} from '../text/columns.ts';
import {cutMark} from '../text/cut.ts';

/** Ink skips each unchanged line with a separate move; several can be merged. */
const lineMoves = /(?:\u001b\[E){2,}/g;
const moveLength = 3;

const endOfColor = '\u001b[39m';

/** Where Ink rewrites the rest of a line, it first repeats the preceding styles, even those already ended. */
const eraseLine = '\u001b[K';
const stylesAfterErase = /\u001b\[K((?:\u001b\[(?:[1-4]|7|9|2[2-4]|27|29|3[0-7]|39|9[0-7])m)+)/g;
const styleCode = /\u001b\[(\d+)m/g;

/**
 * Creates the stream that Ink draws to, with shorter frames: on a slow line the moves over unchanged lines
 * would be most of the cost of a key. For an ASCII-only terminal (`utf8` false) the cut mark becomes `~`,
 * separators plain signs, and every other non-ASCII character one `?` per column, since its bytes could be
 * control characters there. Other marks come from the theme. `getTextStyle`
 * returns the style of text without one.
 */
export function createFrameStream(
	stdout: NodeJS.WriteStream,
	{utf8, getTextStyle = () => ''}: {readonly utf8: boolean; getTextStyle?(): string},
): NodeJS.WriteStream {
	const frames = Object.create(stdout) as NodeJS.WriteStream;
	frames.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
		const output =
			typeof chunk === 'string'
				? addTextStyle(shortenFrame(utf8 ? chunk : toAscii(chunk)), getTextStyle())
				: chunk;
		return Reflect.apply(stdout.write, stdout, [output, ...rest]) as boolean;
	};
	return frames;
}

/** Starts a frame in the style of text, and returns to it wherever a colour ends. */
const addTextStyle = (frame: string, textStyle: string): string =>
	textStyle === '' ? frame : `${textStyle}${frame.replaceAll(endOfColor, textStyle)}`;

/** Converts a frame to ASCII of the same width. */
export const toAscii = (frame: string): string =>
	frame.replace(
		/[^\u0000-\u007f]/gu,
		character => asciiSigns[character] ?? '?'.repeat(measureColumns(character)),
	);

/** Replacements of the same width for signs in ledge's sentences and place names. */
const asciiSigns: Readonly<Record<string, string>> = {[cutMark]: '~', '·': '.', '›': '>', '≠': '#', '─': '-'};

/** Entering it keeps the cursor where the previous program left it. */
const enterScreen = '\u001b[?1049h';
const toTopLeft = '\u001b[H';

/**
 * Shortens a frame: merges runs of moves to the next line, drops unused styles, and moves to the top left
 * when the screen is entered.
 */
export const shortenFrame = (frame: string): string =>
	frame
		.replace(enterScreen, `${enterScreen}${toTopLeft}`)
		.replace(lineMoves, moves => `\u001b[${moves.length / moveLength}E`)
		.replace(stylesAfterErase, (_found, styles: string) => `${eraseLine}${removeUnusedStyles(styles)}`);

/** Keeps only the styles still active at the end of a run that starts plain. */
function removeUnusedStyles(styles: string): string {
	const activeStyles = new Set<string>();
	let result = '';
	for (const [sequence, code = ''] of styles.matchAll(styleCode)) {
		const endedCodes = endedStyles[code];
		if (endedCodes) for (const one of endedCodes) activeStyles.delete(one);
		else activeStyles.add(code.length > 1 ? 'colour' : code);
		result = activeStyles.size === 0 ? '' : `${result}${sequence}`;
	}
	return result;
}

/** Styles that each code ends; every other code starts one. */
const endedStyles: Readonly<Record<string, readonly string[]>> = {
	22: ['1', '2'],
	23: ['3'],
	24: ['4'],
	27: ['7'],
	29: ['9'],
	39: ['colour'],
};
