import {eastAsianWidth} from 'get-east-asian-width';

/** Layout properties of a code point, as bits; the lowest two are its columns + 1. */
type Traits = number;

/** Joins the grapheme of the preceding code point: marks, the non-joiner, halfwidth sound marks. */
export const joinFlag = 4;
/** Cannot be drawn as is: terminals disagree about its width, or it controls them. */
export const troubleFlag = 8;
/** A letter of a script without cases; after a mark it may be part of an Indic conjunct. */
export const letterFlag = 16;
/** A mark with a column of its own. */
export const spacingFlag = 32;
/** Emoji and Hangul: terminals disagree about their width with a spacing mark. */
export const ambiguousBaseFlag = 64;
/** Can be followed by a halfwidth sound mark. */
export const kanaFlag = 128;

/** Code points without a column of their own: marks on other characters, and invisible ones. */
const zeroWidthPattern = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]/u;
const joiningPattern = /[\p{M}\u200c\uff9e\uff9f]/u;
const spacingMarkPattern = /\p{Mc}/u;
const caselessLetterPattern = /\p{Lo}/u;
const emojiPattern = /\p{Emoji_Presentation}/u;
const kanaPattern = /[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]/;

/**
 * Code points that can control a terminal (safe-text.ts); invisible formats and fillers; unassigned ones, of
 * unknown width; halves of flags, skin tones; marks that swallow the next character; jamo and the vowels of
 * Kirat Rai, which are drawn in blocks; joiners, variation selectors, the keycap, and AM of Thai and Lao,
 * which change the width of their neighbors.
 */
const troublePattern = new RegExp(
	`(?!\\u200c)[${[
		'\\p{Cc}\\p{Cf}\\p{Cn}\\p{Cs}\\p{Zl}\\p{Zp}\\u{e0100}-\\u{e01ef}',
		'\\p{Regional_Indicator}\\p{Emoji_Modifier}',
		'\\u0d4e\\u{111c2}\\u{111c3}\\u{113d1}\\u{1193f}\\u{11941}\\u{11a3a}\\u{11a84}-\\u{11a89}\\u{11d46}\\u{11f02}',
		'\\u1100-\\u11ff\\ua960-\\ua97c\\ud7b0-\\ud7fb\\u3164\\uffa0\\u{16d63}-\\u{16d6a}',
		'\\u200d\\ufe0e\\ufe0f\\u20e3\\u0e33\\u0eb3',
	].join('')}]`,
	'u',
);

/**
 * Symbols of ledge's own interface. They are recognized without the patterns, because compiling those delays
 * the first frame by some milliseconds.
 */
const interfaceSymbols = new Set([...'–…›⟨⟩·─×✓▸▹▾◆●○⏎↑↓←→█░│→'].map(symbol => symbol.codePointAt(0)));

/** Filled on demand; the system allocates only the pages that are touched. */
let knownTraits: Uint8Array | undefined;

/** Returns the traits of a code point; computes them once. */
export function getTraits(codePoint: number): Traits {
	knownTraits ??= new Uint8Array(0x110000);
	const cachedTraits = knownTraits[codePoint];
	if (cachedTraits) return cachedTraits;
	const traits = computeTraits(codePoint);
	knownTraits[codePoint] = traits;
	return traits;
}

function computeTraits(codePoint: number): Traits {
	if (interfaceSymbols.has(codePoint)) return 2;
	// The common ranges first, since a name may contain hundreds of characters that are not cached.
	if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return 3 | letterFlag;
	if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return 3 | letterFlag | ambiguousBaseFlag;
	const character = String.fromCodePoint(codePoint);
	if (troublePattern.test(character)) return 2 | troubleFlag;
	if (emojiPattern.test(character)) return 3 | ambiguousBaseFlag;
	let traits = zeroWidthPattern.test(character) ? 1 : eastAsianWidth(codePoint) + 1;
	if (joiningPattern.test(character)) traits |= joinFlag;
	if (spacingMarkPattern.test(character)) traits |= spacingFlag;
	if (caselessLetterPattern.test(character)) traits |= letterFlag;
	if (kanaPattern.test(character)) traits |= kanaFlag;
	return traits;
}

/** Returns the display columns of a code point in drawable text: 0, 1 or 2. */
export const getTraitColumns = (traits: Traits): number => (traits & 3) - 1;
