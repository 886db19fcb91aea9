let segmenter: Intl.Segmenter | undefined;

/** Segments text into graphemes (user-perceived characters); `index` is in code units. */
export function graphemesOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
}

const isPrintableAscii = (unit: number): boolean => unit >= 0x20 && unit <= 0x7e;

/**
 * True between two printable ASCII characters: always a border, and saves the segmenter a copy of the text.
 */
const plainBorder = (text: string, index: number): boolean =>
	isPrintableAscii(text.charCodeAt(index - 1)) && isPrintableAscii(text.charCodeAt(index));

/** Returns the first grapheme border at or after `index`, in code units. */
export function borderAtOrAfter(text: string, index: number): number {
	if (index <= 0) return 0;
	if (index >= text.length) return text.length;
	if (plainBorder(text, index)) return index;
	const grapheme = graphemesOf(text).containing(index);
	return grapheme === undefined || grapheme.index === index
		? index
		: grapheme.index + grapheme.segment.length;
}

/**
 * Returns the end of the grapheme that starts at `index`, which must be a border; at most the length of the
 * text.
 */
export const borderAfter = (text: string, index: number): number => borderAtOrAfter(text, index + 1);

/** Returns the start of the grapheme that ends at `index`, which must be a border; at least 0. */
export function borderBefore(text: string, index: number): number {
	if (index <= 1) return 0;
	if (plainBorder(text, index - 1)) return index - 1;
	return graphemesOf(text).containing(index - 1)?.index ?? 0;
}
