import {findBorderFrom, findNextBorder, findPreviousBorder} from '../graphemes.ts';

/** A position in lines of text; `column` counts code units and is at a grapheme border. */
export type TextPosition = {readonly row: number; readonly column: number};

type Motions = Readonly<Record<string, (lines: readonly string[], from: TextPosition) => TextPosition>>;

/** Computes the target of each motion, limited to the ends of the text. */
export const motions = {
	left: (lines, {row, column}) =>
		column > 0
			? {row, column: findPreviousBorder(getLine(lines, row), column)}
			: getPreviousLineEnd(lines, row),
	right: (lines, {row, column}) =>
		column < getLine(lines, row).length
			? {row, column: findNextBorder(getLine(lines, row), column)}
			: getNextLineStart(lines, row),
	'word-left': (lines, {row, column}) =>
		column > 0 ? {row, column: findWordStart(getLine(lines, row), column)} : getPreviousLineEnd(lines, row),
	'blank-left': (lines, {row, column}) =>
		column > 0 ? {row, column: findTextStart(getLine(lines, row), column)} : getPreviousLineEnd(lines, row),
	'word-right': (lines, {row, column}) =>
		column < getLine(lines, row).length
			? {row, column: findWordEnd(getLine(lines, row), column)}
			: getNextLineStart(lines, row),
	'line-start': (_, {row}) => ({row, column: 0}),
	'line-end': (lines, {row}) => getLineEnd(lines, row),
	'buffer-start': () => ({row: 0, column: 0}),
	'buffer-end': lines => getLineEnd(lines, lines.length - 1),
} as const satisfies Motions;

export type Motion = keyof typeof motions;

const getLine = (lines: readonly string[], row: number): string => lines[row] ?? '';

const getLineEnd = (lines: readonly string[], row: number): TextPosition => ({
	row,
	column: getLine(lines, row).length,
});

const getPreviousLineEnd = (lines: readonly string[], row: number): TextPosition =>
	row > 0 ? getLineEnd(lines, row - 1) : {row, column: 0};

const getNextLineStart = (lines: readonly string[], row: number): TextPosition =>
	row < lines.length - 1 ? {row: row + 1, column: 0} : getLineEnd(lines, row);

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;
const plainWordCharacter = /\w/;

/** True for letters, digits, their marks and the underscore. */
const isWordCharacter = (character: string): boolean =>
	character < '\u0080' ? plainWordCharacter.test(character) : wordCharacter.test(character);

function findWordEnd(line: string, column: number): number {
	let index = column;
	let isInWord = false;
	while (index < line.length) {
		const character = String.fromCodePoint(line.codePointAt(index) ?? 0);
		const isWordPart = isWordCharacter(character);
		if (isInWord && !isWordPart) break;
		isInWord ||= isWordPart;
		index += character.length;
	}
	return findBorderFrom(line, index);
}

/** Returns the start of the last word that starts before a column. */
function findWordStart(line: string, column: number): number {
	let index = column;
	let isInWord = false;
	while (index > 0) {
		const previousIndex = index - (isLowSurrogate(line.charCodeAt(index - 1)) && index > 1 ? 2 : 1);
		const isWordPart = isWordCharacter(line.slice(previousIndex, index));
		if (isInWord && !isWordPart) break;
		isInWord ||= isWordPart;
		index = previousIndex;
	}
	return index === 0 ? 0 : findPreviousBorder(line, index + 1);
}

/** Returns the start of the last run without blanks that starts before a column. */
function findTextStart(line: string, column: number): number {
	let index = column;
	while (index > 0 && isBlank(line, index - 1)) index--;
	while (index > 0 && !isBlank(line, index - 1)) index--;
	return index === 0 ? 0 : findPreviousBorder(line, index + 1);
}

const isBlank = (line: string, index: number): boolean => /\s/.test(line.charAt(index));

const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
