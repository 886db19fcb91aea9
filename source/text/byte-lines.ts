import {bisect} from './bisect.ts';
import {findNextWrapped} from './byte-wrap.ts';

/** A row of a text: a line, or a piece of a line too long for one row. Not yet safe for a terminal. */
export type TextRow = {
	/** The number of its line, from 1. */
	readonly line: number;
	/** True if it continues the line of the previous row. */
	readonly continued: boolean;
	/** Without the line feed; invalid UTF-8 becomes U+FFFD. */
	readonly text: string;
};

/** Maximum bytes of a row if lines are not wrapped. */
export const maxRowBytes = 512;

/** The index stores every 32nd row; it finds the rows between by scanning from there. */
const rowsPerMark = 32;
const lineFeed = 10;

/** Bytes to index at a time until a requested row is reached. */
const sliceBytes = 1 << 16;

/** The start of a row: its byte offset and its line. */
type Place = {offset: number; line: number};

/**
 * The rows of a text of any size, found and decoded on demand. Lines end with a line feed, so text that ends
 * with one has an empty last line. The index of 25 MiB takes at most 7 MB; if wrapped to narrow columns, more
 * in proportion to the number of rows.
 */
export class TextLines {
	/** Maximum columns of a row; undefined if lines are not wrapped. */
	readonly columns: number | undefined;
	readonly #bytes: Buffer;
	/** Offsets and lines of the rows 0, 32, 64, … */
	#offsets = new Uint32Array(1024);
	#lines = new Uint32Array(1024);
	/** Number of rows in the index, and the start of the next one. */
	#known = 0;
	#next: Place = {offset: 0, line: 1};
	#complete = false;

	constructor(bytes: Uint8Array, columns?: number) {
		this.columns = columns;
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** Number of rows indexed so far; all of them if `isComplete`. */
	get knownRows(): number {
		return this.#known;
	}

	/** Number of bytes indexed so far. */
	get indexedBytes(): number {
		return this.#next.offset;
	}

	get isComplete(): boolean {
		return this.#complete;
	}

	/** The number of rows, at least 1; indexes the whole text. */
	get count(): number {
		this.indexMore(this.#bytes.length + 1);
		return this.#known;
	}

	/**
	 * Indexes about this many bytes more; returns true if the index is complete. For use in slices between
	 * keys.
	 */
	indexMore(bytes = 1 << 20): boolean {
		// Local variables for speed: a value of line feeds only has 26 million rows.
		const text = this.#bytes;
		let {offset, line} = this.#next;
		let known = this.#known;
		const until = offset + bytes;
		while (!this.#complete && offset < until) {
			if (known % rowsPerMark === 0) this.#addMark(known / rowsPerMark, offset, line);
			known++;
			const next = findNextRow(text, offset, this.columns);
			if (next < 0) this.#complete = true;
			else {
				if (text[next - 1] === lineFeed) line++;
				offset = next;
			}
		}
		this.#known = known;
		this.#next = {offset, line};
		return this.#complete;
	}

	/** Returns a row, from 0; undefined behind the last. Indexes only as much as needed. */
	at(row: number): TextRow | undefined {
		const place = this.#findPlace(row);
		if (!place) return undefined;
		const {offset, line} = place;
		const next = findNextRow(this.#bytes, offset, this.columns);
		const end = next < 0 ? this.#bytes.length : this.#bytes[next - 1] === lineFeed ? next - 1 : next;
		return {
			line,
			continued: offset > 0 && this.#bytes[offset - 1] !== lineFeed,
			text: this.#bytes.toString('utf8', offset, end),
		};
	}

	/** Returns the first row of a line (from 1); the last row for lines beyond the end. */
	findRowOfLine(line: number): number {
		while (!this.#complete && this.#next.line <= line) this.indexMore(sliceBytes);
		return Math.min(
			this.#countRowsUntil(place => place.line >= line),
			this.#known - 1,
		);
	}

	getRowOffset(row: number): number {
		return this.#findPlace(row)?.offset ?? this.#bytes.length;
	}

	/** Returns the row of a byte; undefined if not indexed yet. */
	findRowOfByte(byte: number): number | undefined {
		if (!this.#complete && byte >= this.#next.offset) return undefined;
		return this.#countRowsUntil(place => place.offset > byte) - 1;
	}

	#findPlace(row: number): Place | undefined {
		if (row < 0) return undefined;
		while (row >= this.#known && !this.#complete) this.indexMore(sliceBytes);
		if (row >= this.#known) return undefined;
		const place = this.#getMark(Math.floor(row / rowsPerMark));
		for (let skipped = row % rowsPerMark; skipped > 0; skipped--) this.#step(place);
		return place;
	}

	/** Counts the known rows before the first that has passed; `hasPassed` stays true for all later rows. */
	#countRowsUntil(hasPassed: (place: Place) => boolean): number {
		const low = bisect(0, Math.ceil(this.#known / rowsPerMark), mark => !hasPassed(this.#getMark(mark)));
		if (low === 0) return 0;
		const place = this.#getMark(low - 1);
		let row = (low - 1) * rowsPerMark;
		while (row < this.#known && !hasPassed(place)) {
			row++;
			if (!this.#step(place)) break;
		}
		return row;
	}

	#getMark(mark: number): Place {
		return {offset: this.#offsets[mark] ?? 0, line: this.#lines[mark] ?? 0};
	}

	/** Moves to the next row; false at the end. */
	#step(place: Place): boolean {
		const next = findNextRow(this.#bytes, place.offset, this.columns);
		if (next < 0) return false;
		if (this.#bytes[next - 1] === lineFeed) place.line++;
		place.offset = next;
		return true;
	}

	#addMark(mark: number, offset: number, line: number): void {
		if (mark === this.#offsets.length) {
			this.#offsets = doubleSize(this.#offsets);
			this.#lines = doubleSize(this.#lines);
		}
		this.#offsets[mark] = offset;
		this.#lines[mark] = line;
	}
}

/** Returns the start of the next row; -1 if the text ends in this one. */
function findNextRow(bytes: Buffer, offset: number, columns: number | undefined): number {
	if (columns !== undefined) return findNextWrapped(bytes, offset, columns);
	const limit = Math.min(offset + maxRowBytes, bytes.length);
	let at = offset;
	while (at < limit && bytes[at] !== lineFeed) at++;
	if (at === bytes.length) return -1;
	if (bytes[at] === lineFeed) return at + 1;
	return findCharacterStart(bytes, at);
}

/** Returns the start of the character that contains this byte, or the byte itself if it is invalid. */
function findCharacterStart(bytes: Buffer, at: number): number {
	for (let border = at; border > at - 4; border--)
		if (((bytes[border] ?? 0) & 0b1100_0000) !== 0b1000_0000) return border;
	return at;
}

function doubleSize(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
	const grown = new Uint32Array(numbers.length * 2);
	grown.set(numbers);
	return grown;
}
