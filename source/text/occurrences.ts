import {isCaseSensitive} from './smart-case.ts';

/** The positions where a string occurs, including overlapping ones. */
export type Occurrences = {
	/** Returns the first position at or after `start`. */
	next(start: number): number | undefined;
	/** Returns the last position before `end`. */
	previous(end: number): number | undefined;
};

/** Finds a pattern in a text, by smart case; positions are in code units. An empty pattern occurs nowhere. */
export function findTextOccurrences(text: string, pattern: string): Occurrences {
	return isCaseSensitive(pattern)
		? findStringOccurrences(text, pattern)
		: findStringOccurrences(foldCase(text), foldCase(pattern));
}

/**
 * Finds a pattern in bytes (UTF-8 or any others), by smart case; positions are in bytes. Case beyond ASCII
 * always matters.
 */
export function findByteOccurrences(bytes: Uint8Array, pattern: string): Occurrences {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isCaseSensitive(pattern) || !/[a-z]/.test(pattern))
		return {
			next: start => toPosition(pattern === '' ? -1 : buffer.indexOf(pattern, start)),
			previous: end => toPosition(pattern === '' || end <= 0 ? -1 : buffer.lastIndexOf(pattern, end - 1)),
		};
	const isAscii = /^[\0-\x7f]*$/.test(pattern);
	const text = buffer.toString('latin1');
	// Bytes beyond ASCII are parts of letters: folding them as Latin-1 would give false matches.
	const foldedText = isAscii
		? text.toLowerCase()
		: text.replace(/[A-Z]+/g, capitals => capitals.toLowerCase());
	return findStringOccurrences(foldedText, Buffer.from(pattern).toString('latin1'));
}

const findStringOccurrences = (text: string, pattern: string): Occurrences => ({
	next: start => toPosition(pattern === '' ? -1 : text.indexOf(pattern, start)),
	previous: end => toPosition(pattern === '' || end <= 0 ? -1 : text.lastIndexOf(pattern, end - 1)),
});

const toPosition = (index: number): number | undefined => (index === -1 ? undefined : index);

/** Lower-cases without a change of length: İ, the only letter that gets longer, becomes a plain i. */
const foldCase = (text: string): string => text.replaceAll('\u0130', 'I').toLowerCase();
