import {
	getTraitColumns,
	getTraits,
	joinFlag,
	kanaFlag,
	letterFlag,
	spacingFlag,
	stoutFlag,
	troubleFlag,
} from './code-points.ts';
import {segmentGraphemes} from './graphemes.ts';
import {escapeCharacter} from './safe-text.ts';

const beyondPrintableAscii = /[^ -~]/;

/** A run without printable ASCII, and the character that it may join. */
const regions = /[ -~]?[^ -~]+/g;

/**
 * Maximum number of marks on a letter; no language has more (UAX 15), and they would overlap the lines above.
 */
export const maxMarks = 30;

const nonJoiner = 0x200c;
const joiner = 0x200d;

/** True for printable ASCII: one column per code unit, and a grapheme border between any two. */
export const isPlain = (text: string): boolean => !beyondPrintableAscii.test(text);

/**
 * Converts text to one line that has the same columns in every terminal and does not control it. Escapes all
 * that `escapeText` escapes. A grapheme whose width terminals disagree about (families of emoji, skin tones,
 * flags) is kept up to the first such code point; the rest is escaped. Omits variation selectors, separates
 * conjuncts of Indic scripts, composes Hangul. A combining mark never joins what precedes the text.
 */
export function toDrawable(text: string): string {
	if (isPlain(text) || findTrouble(text) === -1) return text;
	return text.replace(regions, drawRegion);
}

/** Measures drawable text in display columns; the widths of its code points add up. */
export function measureColumns(text: string): number {
	if (isPlain(text)) return text.length;
	let columns = 0;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		if (codePoint > 0xffff) index++;
		columns += getTraitColumns(getTraits(codePoint));
	}
	return columns;
}

/**
 * Returns the first place (code units) that terminals draw differently; -1 if nowhere. A letter behind a mark
 * is only suspect: it is a conjunct if both are in one grapheme.
 */
function findTrouble(text: string): number {
	let base = 0;
	let previous = 0;
	let marks = 0;
	let behindMark = false;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		const traits = getTraits(codePoint);
		if (traits & troubleFlag) return index;
		if (traits & joinFlag) {
			const soundMark = codePoint === 0xff9e || codePoint === 0xff9f;
			if (soundMark ? !(previous & kanaFlag) : index === 0) return index;
			if (traits & spacingFlag && base & stoutFlag) return index;
			marks++;
			if (marks > maxMarks) return index;
			behindMark = codePoint !== nonJoiner && !soundMark;
		} else {
			if (behindMark && traits & letterFlag) return index;
			base = traits;
			marks = 0;
			behindMark = false;
		}
		previous = traits;
		if (codePoint > 0xffff) index++;
	}
	return -1;
}

function drawRegion(region: string): string {
	if (findTrouble(region) === -1) return region;
	let drawn = '';
	for (const {segment} of segmentGraphemes(region)) drawn += drawGrapheme(segment);
	return drawn;
}

function drawGrapheme(grapheme: string): string {
	const trouble = findTrouble(grapheme);
	if (trouble === -1) return grapheme;
	const plainer = respellGrapheme(grapheme);
	if (plainer === grapheme) return escapeFrom(grapheme, trouble);
	if (findTrouble(plainer) === -1) return plainer;
	let drawn = '';
	for (const {segment} of segmentGraphemes(plainer)) drawn += escapeFrom(segment, findTrouble(segment));
	return drawn;
}

function escapeFrom(grapheme: string, trouble: number): string {
	if (trouble === -1) return grapheme;
	let drawn = grapheme.slice(0, trouble);
	for (const character of grapheme.slice(trouble)) drawn += escapeCharacter(character);
	return drawn;
}

/**
 * Replaces code points by others that look the same, and whose widths terminals agree about, where such
 * exist.
 */
function respellGrapheme(grapheme: string): string {
	let spelled = '';
	let behindMark = false;
	for (const character of grapheme) {
		const codePoint = character.codePointAt(0) ?? 0;
		const traits = getTraits(codePoint);
		const syllable = composeHangul(spelled, codePoint);
		if (spelled === '') spelled = character;
		else if (syllable !== undefined) spelled = syllable;
		else if (codePoint === 0xfe0e || codePoint === 0xfe0f) continue;
		else if (codePoint === 0x0e33) spelled += '\u0e4d\u0e32';
		else if (codePoint === 0x0eb3) spelled += '\u0ecd\u0eb2';
		else if (behindMark && codePoint === joiner) spelled += '\u200c';
		else if (behindMark && traits & letterFlag) spelled += `\u200c${character}`;
		else spelled += character;
		behindMark = (traits & joinFlag) !== 0 && codePoint !== nonJoiner;
	}
	return spelled;
}

/** Composes a Hangul syllable from a leading consonant and a vowel, or an open syllable and a final. */
function composeHangul(before: string, jamo: number): string | undefined {
	if (jamo < 0x1161 || jamo > 0x11c2 || before.length !== 1) return;
	const first = before.charCodeAt(0);
	if (first >= 0x1100 && first <= 0x1112 && jamo <= 0x1175)
		return String.fromCharCode(0xac00 + ((first - 0x1100) * 21 + (jamo - 0x1161)) * 28);
	const open = first >= 0xac00 && first <= 0xd7a3 && (first - 0xac00) % 28 === 0;
	return open && jamo >= 0x11a8 ? String.fromCharCode(first + jamo - 0x11a7) : undefined;
}
