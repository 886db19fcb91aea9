import fc from 'fast-check';

/** Code points that change each other, and so break widths, grapheme borders and terminals. */
const interactingCodePoints = fc.constantFrom(
	...['a', 'B', '1', '#', ' ', '_', '.', '\\', '\\x1b', 'é', 'ж', '名', '前', '…', '😀', '❤', '⌚', '🌡'],
	...['\u0301', '\u0303', '\u20e3', '\u0903', '\u05b0', '\u3099', '\u200c', '\u200d', '\ufe0f', '\ufe0e'],
	...['👩', '👍', '\u{1f3fd}', '\u{1f1e9}', '\u{1f1ea}', '\u{1f3f4}', '\u{e0067}', '\u{e007f}', '\u{e0100}'],
	...['\u0915', '\u094d', '\u0937', '\u093f', '\u0e19', '\u0e49', '\u0e33', '\u0e32', '\u0d4e', '\u0d15'],
	...['\u1100', '\u1161', '\u11a8', '\uac00', '\uac01', '\u1160', '\u3164', '\uff76', '\uff9e', '\uff9f'],
	...['\u0600', '\u0661', '\u070f', '\u{16d63}', '\u{16d67}', '\u05e9', '\u05d1', '\u00ad', '\u0378'],
	...['\u001b[2J', '\u009b31m', '\u0000', '\u202e', '\u200b', '\ufeff', '\u2028', '\ud800', '\udc00', '\t'],
	...['\n', '\r', '\r\n'],
);

/** Text of every kind: plain, of the world's scripts, hostile. */
export const anyText = fc.string({
	unit: fc.oneof(
		{weight: 6, arbitrary: interactingCodePoints},
		{weight: 1, arbitrary: fc.string({unit: 'binary', minLength: 1, maxLength: 2})},
	),
	maxLength: 24,
});

/** Each index of the text where a grapheme begins, and its length. Computed independently of the source. */
export function findGraphemeBorders(text: string): Set<number> {
	const segments = [...new Intl.Segmenter('en').segment(text)];
	return new Set([...segments.map(segment => segment.index), text.length]);
}
