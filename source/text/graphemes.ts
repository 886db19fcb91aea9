let segmenter: Intl.Segmenter | undefined;

/** Segments text into graphemes (user-perceived characters); `index` is in code units. */
export function segmentGraphemes(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
}

const isPrintableAscii = (unit: number): boolean => unit >= 0x20 && unit <= 0x7e;

/**
 * True between two printable ASCII characters: always a border, and saves the segmenter a copy of the text.
 */
const isPlainBorder = (text: string, index: number): boolean =>
	isPrintableAscii(text.charCodeAt(index - 1)) && isPrintableAscii(text.charCodeAt(index));

/** Returns the first grapheme border at or after `index`, in code units. */
export function findBorderFrom(text: string, index: number): number {
	if (index <= 0) return 0;
	if (index >= text.length) return text.length;
	if (isPlainBorder(text, index)) return index;
	const grapheme = segmentGraphemes(text).containing(index);
	return grapheme === undefined || grapheme.index === index
		? index
		: grapheme.index + grapheme.segment.length;
}

/**
 * Returns the end of the grapheme that starts at `index`, which must be a border; at most the length of the
 * text.
 */
export const findNextBorder = (text: string, index: number): number => findBorderFrom(text, index + 1);

/** Returns the start of the grapheme that ends at `index`, which must be a border; at least 0. */
export function findPreviousBorder(text: string, index: number): number {
	if (index <= 1) return 0;
	if (isPlainBorder(text, index - 1)) return index - 1;
	return segmentGraphemes(text).containing(index - 1)?.index ?? 0;
}
