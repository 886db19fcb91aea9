/** What flags say of the pattern from here on: Unicode classes (`u`), white space that does not count (`x`). */
export type Flags = {readonly unicode: boolean; readonly spaced: boolean};

/** A pattern and how far it has been read. */
export type Reader = {readonly pattern: string; place: number; flags: Flags};

/** The character (code point) at the place, empty at the end. */
export function characterAt({pattern, place}: Reader): string {
	const code = pattern.codePointAt(place);
	return code === undefined ? '' : String.fromCodePoint(code);
}

export const startsWith = ({pattern, place}: Reader, text: string): boolean =>
	pattern.startsWith(text, place);

/** Goes over white space and comments where they do not count. */
export function skipSpace(reader: Reader): void {
	if (!reader.flags.spaced) return;
	while (reader.place < reader.pattern.length) {
		const character = reader.pattern.charAt(reader.place);
		if (/\s/.test(character)) reader.place++;
		else if (character === '#') {
			const end = reader.pattern.indexOf('\n', reader.place);
			reader.place = end < 0 ? reader.pattern.length : end + 1;
		} else return;
	}
}
