import {isCaseSensitive} from './smart-case.ts';

/** The places where a string occurs, including overlapping ones. */
export type Occurrences = {
	/** Returns the first place from `from` on. */
	next(from: number): number | undefined;
	/** Returns the last place before `before`. */
	previous(before: number): number | undefined;
};

/** Searches a text, by smart case; places are in code units. An empty pattern occurs nowhere. */
export function occurrencesInText(text: string, sought: string): Occurrences {
	return isCaseSensitive(sought) ? inString(text, sought) : inString(folded(text), folded(sought));
}

/**
 * Searches bytes (UTF-8 or any others), by smart case; places are in bytes. Case beyond ASCII always matters.
 */
export function occurrencesInBytes(bytes: Uint8Array, sought: string): Occurrences {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isCaseSensitive(sought) || !/[a-z]/.test(sought))
		return {
			next: from => placeOf(sought === '' ? -1 : buffer.indexOf(sought, from)),
			previous: before => placeOf(sought === '' || before <= 0 ? -1 : buffer.lastIndexOf(sought, before - 1)),
		};
	const isAscii = /^[\0-\x7f]*$/.test(sought);
	const text = buffer.toString('latin1');
	// Bytes beyond ASCII are parts of letters: folding them as Latin-1 would give false matches.
	const lower = isAscii ? text.toLowerCase() : text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase());
	return inString(lower, Buffer.from(sought).toString('latin1'));
}

const inString = (text: string, sought: string): Occurrences => ({
	next: from => placeOf(sought === '' ? -1 : text.indexOf(sought, from)),
	previous: before => placeOf(sought === '' || before <= 0 ? -1 : text.lastIndexOf(sought, before - 1)),
});

const placeOf = (index: number): number | undefined => (index === -1 ? undefined : index);

/** Lower-cases without a change of length: İ, the only letter that gets longer, becomes a plain i. */
const folded = (text: string): string => text.replaceAll('\u0130', 'I').toLowerCase();
