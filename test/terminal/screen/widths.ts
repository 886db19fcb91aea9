import type {IUnicodeVersionProvider} from '@xterm/headless';
import stringWidth from 'string-width';

const zeroWidthJoiner = 0x200d;
const emojiVariation = 0xfe0f;

/** What the next character has to know about the one before: it stands in the upper bits of its properties. */
const plain = 0;
const pictographic = 1;
const joined = 2;
const halfFlag = 3;

const widths = new Map<number, 0 | 1 | 2>();

function widthOf(codepoint: number): 0 | 1 | 2 {
	if (codepoint < 0x7f) return codepoint < 0x20 ? 0 : 1;
	const known = widths.get(codepoint);
	if (known !== undefined) return known;
	const character = String.fromCodePoint(codepoint);
	const hangulPart = codepoint >= 0x1160 && codepoint <= 0x11ff;
	const measured =
		/\p{Mn}|\p{Me}|\p{Default_Ignorable_Code_Point}/u.test(character) || hangulPart
			? 0
			: stringWidth(character);
	const width = measured === 0 ? 0 : measured === 1 ? 1 : 2;
	widths.set(codepoint, width);
	return width;
}

/** The layout that the emulator reads: whether to join, the width of all that is joined so far, and our kind. */
const packProperties = (kind: number, width: number, join: boolean): number =>
	(kind << 3) | (width << 1) | (join ? 1 : 0);

/**
 * Widths as terminals of today have them (kitty, WezTerm, Ghostty, iTerm2, Windows Terminal): a grapheme takes the
 * columns of its base and of its spacing marks, emoji take two, and a sequence that is one emoji takes two in all. Left alone, the emulator
 * measures by Unicode 6: an emoji takes one column there, and each part of a sequence counts for itself.
 */
export const graphemeWidths: IUnicodeVersionProvider = {
	version: 'graphemes',
	wcwidth: widthOf,
	charProperties(codepoint, preceding) {
		const width = widthOf(codepoint);
		// The keycap emoji have a digit, # or * for their base.
		if (codepoint < 0x7f)
			return packProperties(
				/[\d#*]/.test(String.fromCharCode(codepoint)) ? pictographic : plain,
				width,
				false,
			);
		const kindBefore = preceding >> 3;
		const widthBefore = (preceding >> 1) & 3;
		const character = String.fromCodePoint(codepoint);
		const kind = /\p{Regional_Indicator}/u.test(character)
			? halfFlag
			: /\p{Extended_Pictographic}/u.test(character)
				? pictographic
				: plain;
		if (preceding === 0) return packProperties(kind, width, false);
		if (codepoint === zeroWidthJoiner)
			return packProperties(kindBefore === pictographic ? joined : plain, widthBefore, true);
		if (codepoint === emojiVariation)
			return packProperties(kindBefore, kindBefore === pictographic ? 2 : widthBefore, true);
		if (kind === halfFlag && kindBefore === halfFlag) return packProperties(plain, 2, true);
		if (kind === pictographic && kindBefore === joined) return packProperties(pictographic, 2, true);
		if (width === 0 || (/\p{Emoji_Modifier}/u.test(character) && kindBefore === pictographic))
			return packProperties(kindBefore, widthBefore, true);
		return packProperties(kind, width, false);
	},
};
