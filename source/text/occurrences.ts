import {isCaseSensitive} from './smart-case.ts';

/** The places where a text begins in another one, overlapping ones too. */
export type Occurrences = {
	/** The first one from a place on. */
	next(from: number): number | undefined;
	/** The last one before a place. */
	previous(before: number): number | undefined;
};

/** Where a text is in another one, by smart case; places count in code units. The empty text is nowhere. */
export function occurrencesInText(text: string, sought: string): Occurrences {
	return isCaseSensitive(sought) ? inString(text, sought) : inString(folded(text), folded(sought));
}

/**
 * Where a text is in bytes that are UTF-8, or anything else, by smart case; places count in bytes. The case of letters
 * beyond ASCII always counts.
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
	// Bytes beyond ASCII are parts of letters: what folds them as letters would find what is not there.
	const lower = isAscii ? text.toLowerCase() : text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase());
	return inString(lower, Buffer.from(sought).toString('latin1'));
}

const inString = (text: string, sought: string): Occurrences => ({
	next: from => placeOf(sought === '' ? -1 : text.indexOf(sought, from)),
	previous: before => placeOf(sought === '' || before <= 0 ? -1 : text.lastIndexOf(sought, before - 1)),
});

const placeOf = (index: number): number | undefined => (index === -1 ? undefined : index);

/** Of the length of the text: the one letter that grows in lower case is taken for a plain one. */
const folded = (text: string): string => text.replaceAll('\u0130', 'I').toLowerCase();
