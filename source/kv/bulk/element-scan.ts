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
	readonly #isLiteral: boolean;
	#depth = 0;
	#isInString = false;
	/** True if the first byte of the next chunk follows a backslash. */
	#isEscaping = false;
	#lineFeedCount = 0;

	constructor(isLiteral: boolean) {
		this.#isLiteral = isLiteral;
	}

	/** Line feeds between tokens so far. */
	get lineFeedCount(): number {
		return this.#lineFeedCount;
	}

	/** Returns the offset after the value's last byte, or -1 if it does not end in this chunk. */
	findEnd(chunk: Buffer, from: number): number {
		return this.#isLiteral ? findLiteralEnd(chunk, from) : this.#findNestedEnd(chunk, from);
	}

	#findNestedEnd(chunk: Buffer, from: number): number {
		let offset = from;
		if (this.#isInString) {
			offset = this.#findStringEnd(chunk, offset);
			if (offset === -1) return -1;
			if (this.#depth === 0) return offset;
		}
		const {length} = chunk;
		while (offset < length) {
			const byte = chunk[offset++];
			if (byte === quote) {
				offset = this.#findStringEnd(chunk, offset);
				if (offset === -1) return -1;
				if (this.#depth === 0) return offset;
			} else if (byte === openBrace || byte === openBracket) this.#depth++;
			else if (byte === closeBrace || byte === closeBracket) {
				if (--this.#depth === 0) return offset;
			} else if (byte === lineFeed) this.#lineFeedCount++;
		}
		return -1;
	}

	/** Returns the offset after the closing quote, or -1. */
	#findStringEnd(chunk: Buffer, from: number): number {
		const {length} = chunk;
		let offset = from;
		if (this.#isEscaping && offset < length) {
			this.#isEscaping = false;
			offset++;
		}
		for (const stop = Math.min(length, offset + quickScanBytes); offset < stop; offset++) {
			const byte = chunk[offset];
			if (byte === quote) {
				this.#isInString = false;
				return offset + 1;
			}
			if (byte === backslash) offset++;
		}
		this.#isInString = true;
		const start = offset;
		while (offset < length) {
			const end = chunk.indexOf(quote, offset);
			const isEscaped = hasOddBackslashes(chunk, start, end === -1 ? length : end);
			if (end === -1) {
				this.#isEscaping = isEscaped;
				return -1;
			}
			offset = end + 1;
			if (isEscaped) continue;
			this.#isInString = false;
			return offset;
		}
		// The chunk ends with a backslash, so the byte that it escapes is the first of the next chunk.
		if (offset > length) this.#isEscaping = true;
		return -1;
	}
}

function findLiteralEnd(chunk: Buffer, from: number): number {
	for (let offset = from; offset < chunk.length; offset++) {
		const byte = chunk[offset];
		if (isSpace(byte) || byte === comma || byte === closeBracket || byte === closeBrace) return offset;
	}
	return -1;
}

/** True if an odd number of backslashes precedes `end`, not looking before `start`. */
function hasOddBackslashes(chunk: Buffer, start: number, end: number): boolean {
	let offset = end;
	while (offset > start && chunk[offset - 1] === backslash) offset--;
	return (end - offset) % 2 === 1;
}
