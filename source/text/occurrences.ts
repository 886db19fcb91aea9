import {isCaseSensitive} from './smart-case.ts';

/** The places where a string occurs, including overlapping ones. */
export type Occurrences = {
	/** Returns the first place from `from` on. */
	next(from: number): number | undefined;
	/** Returns the last place before `before`. */
	previous(before: number): number | undefined;
};

/** Searches a text, by smart case; places are in code units. An empty pattern occurs nowhere. */
export function searchText(text: string, pattern: string): Occurrences {
	return isCaseSensitive(pattern)
		? searchString(text, pattern)
		: searchString(foldCase(text), foldCase(pattern));
}

/**
 * Searches bytes (UTF-8 or any others), by smart case; places are in bytes. Case beyond ASCII always matters.
 */
export function searchBytes(bytes: Uint8Array, pattern: string): Occurrences {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isCaseSensitive(pattern) || !/[a-z]/.test(pattern))
		return {
			next: from => toPlace(pattern === '' ? -1 : buffer.indexOf(pattern, from)),
			previous: before =>
				toPlace(pattern === '' || before <= 0 ? -1 : buffer.lastIndexOf(pattern, before - 1)),
		};
	const isAscii = /^[\0-\x7f]*$/.test(pattern);
	const text = buffer.toString('latin1');
	// Bytes beyond ASCII are parts of letters: folding them as Latin-1 would give false matches.
	const lower = isAscii ? text.toLowerCase() : text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase());
	return searchString(lower, Buffer.from(pattern).toString('latin1'));
}

const searchString = (text: string, pattern: string): Occurrences => ({
	next: from => toPlace(pattern === '' ? -1 : text.indexOf(pattern, from)),
	previous: before => toPlace(pattern === '' || before <= 0 ? -1 : text.lastIndexOf(pattern, before - 1)),
});

const toPlace = (index: number): number | undefined => (index === -1 ? undefined : index);

/** Lower-cases without a change of length: İ, the only letter that gets longer, becomes a plain i. */
const foldCase = (text: string): string => text.replaceAll('\u0130', 'I').toLowerCase();
