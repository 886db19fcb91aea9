import {borderAfter, borderAtOrAfter, borderBefore} from '../graphemes.ts';

/** A place in lines of text; `column` counts code units and is at a grapheme border. */
export type Position = {readonly row: number; readonly column: number};

type Motions = Readonly<Record<string, (lines: readonly string[], from: Position) => Position>>;

/** Computes the target of each motion, limited to the ends of the text. */
export const motions = {
	left: (lines, {row, column}) =>
		column > 0 ? {row, column: borderBefore(lineAt(lines, row), column)} : endOfLineBefore(lines, row),
	right: (lines, {row, column}) =>
		column < lineAt(lines, row).length
			? {row, column: borderAfter(lineAt(lines, row), column)}
			: startOfLineAfter(lines, row),
	'word-left': (lines, {row, column}) =>
		column > 0 ? {row, column: wordStart(lineAt(lines, row), column)} : endOfLineBefore(lines, row),
	'word-right': (lines, {row, column}) =>
		column < lineAt(lines, row).length
			? {row, column: wordEnd(lineAt(lines, row), column)}
			: startOfLineAfter(lines, row),
	'line-start': (_, {row}) => ({row, column: 0}),
	'line-end': (lines, {row}) => endOfLine(lines, row),
	'buffer-start': () => ({row: 0, column: 0}),
	'buffer-end': lines => endOfLine(lines, lines.length - 1),
} as const satisfies Motions;

export type Motion = keyof typeof motions;

const lineAt = (lines: readonly string[], row: number): string => lines[row] ?? '';

const endOfLine = (lines: readonly string[], row: number): Position => ({
	row,
	column: lineAt(lines, row).length,
});

const endOfLineBefore = (lines: readonly string[], row: number): Position =>
	row > 0 ? endOfLine(lines, row - 1) : {row, column: 0};

const startOfLineAfter = (lines: readonly string[], row: number): Position =>
	row < lines.length - 1 ? {row: row + 1, column: 0} : endOfLine(lines, row);

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;
const plainWordCharacter = /\w/;

/** True for letters, digits, their marks and the underscore. */
const inWords = (character: string): boolean =>
	character < '\u0080' ? plainWordCharacter.test(character) : wordCharacter.test(character);

function wordEnd(line: string, column: number): number {
	let index = column;
	let inWord = false;
	while (index < line.length) {
		const character = String.fromCodePoint(line.codePointAt(index) ?? 0);
		const belongs = inWords(character);
		if (inWord && !belongs) break;
		inWord ||= belongs;
		index += character.length;
	}
	return borderAtOrAfter(line, index);
}

/** Returns the start of the last word that starts before a column. */
function wordStart(line: string, column: number): number {
	let index = column;
	let inWord = false;
	while (index > 0) {
		const before = index - (isLowSurrogate(line.charCodeAt(index - 1)) && index > 1 ? 2 : 1);
		const belongs = inWords(line.slice(before, index));
		if (inWord && !belongs) break;
		inWord ||= belongs;
		index = before;
	}
	return index === 0 ? 0 : borderBefore(line, index + 1);
}

const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
