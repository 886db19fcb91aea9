let segmenter: Intl.Segmenter | undefined;

/** The graphemes of text, what people take for one character each, with where they begin in code units. */
export function graphemesOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
}

const isPrintableAscii = (unit: number): boolean => unit >= 0x20 && unit <= 0x7e;

/** Between two printable ASCII characters there is always a border: it spares the segmenter a copy of the text. */
const plainBorder = (text: string, index: number): boolean =>
	isPrintableAscii(text.charCodeAt(index - 1)) && isPrintableAscii(text.charCodeAt(index));

/** `index` if a grapheme begins or the text ends there, else the next place where one does. In code units. */
export function borderAtOrAfter(text: string, index: number): number {
	if (index <= 0) return 0;
	if (index >= text.length) return text.length;
	if (plainBorder(text, index)) return index;
	const grapheme = graphemesOf(text).containing(index);
	return grapheme === undefined || grapheme.index === index
		? index
		: grapheme.index + grapheme.segment.length;
}

/** The end of the grapheme that begins at `index`, itself a border; the length of the text if none does. */
export const borderAfter = (text: string, index: number): number => borderAtOrAfter(text, index + 1);

/** The beginning of the grapheme that ends at `index`, itself a border; 0 if none does. */
export function borderBefore(text: string, index: number): number {
	if (index <= 1) return 0;
	if (plainBorder(text, index - 1)) return index - 1;
	return graphemesOf(text).containing(index - 1)?.index ?? 0;
}
