export const lineFeed = 0x0a;
export const space = 0x20;
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
const tab = 0x09;
const carriageReturn = 0x0d;
const backslash = 0x5c;

/** True for JSON whitespace. */
export const isSpace = (byte: number | undefined): boolean =>
	byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;

/** Bytes of a string to scan one by one; beyond that, the native search is much faster. */
const quickScanBytes = 48;

/**
 * Finds the end of a JSON value in chunked bytes. Follows only quotes and brackets; validity is left to a
 * parser, which gets exactly these bytes.
 */
export class ElementScan {
	/** True for a number or a word, which ends where something else begins. */
	readonly #literal: boolean;
	#depth = 0;
	#inString = false;
	/** True if the first byte of the next chunk follows a backslash. */
	#escaping = false;
	#lineFeeds = 0;

	constructor(literal: boolean) {
		this.#literal = literal;
	}

	/** Line feeds between tokens so far. */
	get lineFeeds(): number {
		return this.#lineFeeds;
	}

	/** Returns the offset after the value's last byte, or -1 if it does not end in this chunk. */
	findEnd(chunk: Buffer, from: number): number {
		return this.#literal ? findLiteralEnd(chunk, from) : this.#findNestedEnd(chunk, from);
	}

	#findNestedEnd(chunk: Buffer, from: number): number {
		let at = from;
		if (this.#inString) {
			at = this.#findStringEnd(chunk, at);
			if (at === -1) return -1;
			if (this.#depth === 0) return at;
		}
		const {length} = chunk;
		while (at < length) {
			const byte = chunk[at++];
			if (byte === quote) {
				at = this.#findStringEnd(chunk, at);
				if (at === -1) return -1;
				if (this.#depth === 0) return at;
			} else if (byte === openBrace || byte === openBracket) this.#depth++;
			else if (byte === closeBrace || byte === closeBracket) {
				if (--this.#depth === 0) return at;
			} else if (byte === lineFeed) this.#lineFeeds++;
		}
		return -1;
	}

	/** Returns the offset after the closing quote, or -1. */
	#findStringEnd(chunk: Buffer, from: number): number {
		const {length} = chunk;
		let at = from;
		if (this.#escaping && at < length) {
			this.#escaping = false;
			at++;
		}
		for (const stop = Math.min(length, at + quickScanBytes); at < stop; at++) {
			const byte = chunk[at];
			if (byte === quote) {
				this.#inString = false;
				return at + 1;
			}
			if (byte === backslash) at++;
		}
		this.#inString = true;
		const start = at;
		while (at < length) {
			const end = chunk.indexOf(quote, at);
			const escaped = hasOddBackslashes(chunk, start, end === -1 ? length : end);
			if (end === -1) {
				this.#escaping = escaped;
				return -1;
			}
			at = end + 1;
			if (escaped) continue;
			this.#inString = false;
			return at;
		}
		// The last byte is a backslash, so skipping what it escapes left the chunk.
		if (at > length) this.#escaping = true;
		return -1;
	}
}

function findLiteralEnd(chunk: Buffer, from: number): number {
	for (let at = from; at < chunk.length; at++) {
		const byte = chunk[at];
		if (isSpace(byte) || byte === comma || byte === closeBracket || byte === closeBrace) return at;
	}
	return -1;
}

/** True if an odd number of backslashes precedes `end`, not looking before `start`. */
function hasOddBackslashes(chunk: Buffer, start: number, end: number): boolean {
	let at = end;
	while (at > start && chunk[at - 1] === backslash) at--;
	return (end - at) % 2 === 1;
}
