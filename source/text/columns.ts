import {
	ambiguousBaseFlag,
	getTraitColumns,
	getTraits,
	joinFlag,
	kanaFlag,
	letterFlag,
	spacingFlag,
	troubleFlag,
} from './code-points.ts';
import {segmentGraphemes} from './graphemes.ts';
import {escapeCharacter} from './safe-text.ts';

const nonPrintableAscii = /[^ -~]/;

/** A run without printable ASCII, and the character that it may join. */
const regionPattern = /[ -~]?[^ -~]+/g;

/**
 * Maximum number of marks on a letter; no language has more (UAX 15), and they would overlap the lines above.
 */
export const maxMarks = 30;

const nonJoiner = 0x200c;
const joiner = 0x200d;

/** True for printable ASCII: one column per code unit, and a grapheme border between any two. */
export const isPlainAscii = (text: string): boolean => !nonPrintableAscii.test(text);

/**
 * Converts text to one line that has the same columns in every terminal and does not control it. Escapes all
 * that `escapeText` escapes. A grapheme whose width terminals disagree about (families of emoji, skin tones,
 * flags) is kept up to the first such code point; the rest is escaped. Omits variation selectors, separates
 * conjuncts of Indic scripts, composes Hangul. A combining mark never joins what precedes the text.
 */
export function toDrawable(text: string): string {
	if (isPlainAscii(text) || findTroubleIndex(text) === -1) return text;
	return text.replace(regionPattern, drawRegion);
}

/** Measures drawable text in display columns; the widths of its code points add up. */
export function measureColumns(text: string): number {
	if (isPlainAscii(text)) return text.length;
	let columns = 0;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		if (codePoint > 0xffff) index++;
		columns += getTraitColumns(getTraits(codePoint));
	}
	return columns;
}

/**
 * Returns the index (code units) of the first character that terminals draw differently; -1 if there is none.
 * A letter after a mark is only suspect: it is a conjunct if both are in one grapheme.
 */
function findTroubleIndex(text: string): number {
	let baseTraits = 0;
	let previousTraits = 0;
	let markCount = 0;
	let followsMark = false;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		const traits = getTraits(codePoint);
		if (traits & troubleFlag) return index;
		if (traits & joinFlag) {
			const isSoundMark = codePoint === 0xff9e || codePoint === 0xff9f;
			if (isSoundMark ? !(previousTraits & kanaFlag) : index === 0) return index;
			if (traits & spacingFlag && baseTraits & ambiguousBaseFlag) return index;
			markCount++;
			if (markCount > maxMarks) return index;
			followsMark = codePoint !== nonJoiner && !isSoundMark;
		} else {
			if (followsMark && traits & letterFlag) return index;
			baseTraits = traits;
			markCount = 0;
			followsMark = false;
		}
		previousTraits = traits;
		if (codePoint > 0xffff) index++;
	}
	return -1;
}

function drawRegion(region: string): string {
	if (findTroubleIndex(region) === -1) return region;
	let output = '';
	for (const {segment} of segmentGraphemes(region)) output += drawGrapheme(segment);
	return output;
}

function drawGrapheme(grapheme: string): string {
	const troubleIndex = findTroubleIndex(grapheme);
	if (troubleIndex === -1) return grapheme;
	const simplified = respellGrapheme(grapheme);
	if (simplified === grapheme) return escapeFrom(grapheme, troubleIndex);
	if (findTroubleIndex(simplified) === -1) return simplified;
	let output = '';
	for (const {segment} of segmentGraphemes(simplified))
		output += escapeFrom(segment, findTroubleIndex(segment));
	return output;
}

function escapeFrom(grapheme: string, troubleIndex: number): string {
	if (troubleIndex === -1) return grapheme;
	let output = grapheme.slice(0, troubleIndex);
	for (const character of grapheme.slice(troubleIndex)) output += escapeCharacter(character);
	return output;
}

/**
 * Replaces code points by others that look the same, and whose widths terminals agree about, where such
 * exist.
 */
function respellGrapheme(grapheme: string): string {
	let respelled = '';
	let followsMark = false;
	for (const character of grapheme) {
		const codePoint = character.codePointAt(0) ?? 0;
		const traits = getTraits(codePoint);
		const syllable = composeHangul(respelled, codePoint);
		if (respelled === '') respelled = character;
		else if (syllable !== undefined) respelled = syllable;
		else if (codePoint === 0xfe0e || codePoint === 0xfe0f) continue;
		else if (codePoint === 0x0e33) respelled += '\u0e4d\u0e32';
		else if (codePoint === 0x0eb3) respelled += '\u0ecd\u0eb2';
		else if (followsMark && codePoint === joiner) respelled += '\u200c';
		else if (followsMark && traits & letterFlag) respelled += `\u200c${character}`;
		else respelled += character;
		followsMark = (traits & joinFlag) !== 0 && codePoint !== nonJoiner;
	}
	return respelled;
}

/** Composes a Hangul syllable from a leading consonant and a vowel, or an open syllable and a final. */
function composeHangul(preceding: string, jamo: number): string | undefined {
	if (jamo < 0x1161 || jamo > 0x11c2 || preceding.length !== 1) return;
	const first = preceding.charCodeAt(0);
	if (first >= 0x1100 && first <= 0x1112 && jamo <= 0x1175)
		return String.fromCharCode(0xac00 + ((first - 0x1100) * 21 + (jamo - 0x1161)) * 28);
	const isOpenSyllable = first >= 0xac00 && first <= 0xd7a3 && (first - 0xac00) % 28 === 0;
	return isOpenSyllable && jamo >= 0x11a8 ? String.fromCharCode(first + jamo - 0x11a7) : undefined;
}
