import {bisect} from './bisect.ts';
import {nextWrapped} from './byte-wrap.ts';

/** One row of a text: a line, or a piece of a line too long for one row. Not yet safe for a terminal. */
export type TextRow = {
	/** Which line it belongs to, from 1. */
	readonly line: number;
	/** Whether it continues the row before. */
	readonly continued: boolean;
	/** Without the line feed; bytes that are not UTF-8 are U+FFFD. */
	readonly text: string;
};

/** The most bytes of a line that one row takes, where lines are not wrapped. */
export const rowBytes = 512;

/** Every so many rows the index keeps a mark; rows in between are found by continuing from there. */
const markEvery = 32;
const lineFeed = 10;

/** How far the index reads on when a row is asked for that it does not know yet. */
const slice = 1 << 16;

/** The start of a row: its first byte and its line. */
type Place = {offset: number; line: number};

/**
 * The rows of a text of any size, found and decoded only when they are asked for. Lines end with a line feed, so
 * text that ends with one has an empty last line. 25 MiB take at most 7 MB for the index, whatever is in them; wrapped to
 * few columns, as many times more as rows are shorter.
 */
export class TextLines {
	/** Columns that a row has at most; none where lines are not wrapped. */
	readonly columns: number | undefined;
	readonly #bytes: Buffer;
	/** Offsets and lines of the rows 0, 32, 64, … */
	#offsets = new Uint32Array(1024);
	#lines = new Uint32Array(1024);
	/** Rows that the index knows, and where the next one starts. */
	#known = 0;
	#next: Place = {offset: 0, line: 1};
	#complete = false;

	constructor(bytes: Uint8Array, columns?: number) {
		this.columns = columns;
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** Rows that were found so far: all of them once it is `complete`. */
	get known(): number {
		return this.#known;
	}

	/** Bytes whose rows were found so far. */
	get indexed(): number {
		return this.#next.offset;
	}

	get complete(): boolean {
		return this.#complete;
	}

	/** How many rows there are; reads on to the end of the text. At least 1. */
	get count(): number {
		this.indexMore(this.#bytes.length + 1);
		return this.#known;
	}

	/** Reads on for about so many bytes; whether the index is complete then. For use in slices, between keys. */
	indexMore(bytes = 1 << 20): boolean {
		// In local names, since a value of nothing but line feeds has 26 million rows.
		const text = this.#bytes;
		let {offset, line} = this.#next;
		let known = this.#known;
		const until = offset + bytes;
		while (!this.#complete && offset < until) {
			if (known % markEvery === 0) this.#mark(known / markEvery, offset, line);
			known++;
			const next = nextRow(text, offset, this.columns);
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

	/** A row, from 0; `undefined` behind the last. Reads on only as far as it must. */
	at(row: number): TextRow | undefined {
		const place = this.#placeOf(row);
		if (!place) return undefined;
		const {offset, line} = place;
		const next = nextRow(this.#bytes, offset, this.columns);
		const end = next < 0 ? this.#bytes.length : this.#bytes[next - 1] === lineFeed ? next - 1 : next;
		return {
			line,
			continued: offset > 0 && this.#bytes[offset - 1] !== lineFeed,
			text: this.#bytes.toString('utf8', offset, end),
		};
	}

	/** The first row of a line, from 1; of a line behind the last, the last row. */
	rowOfLine(line: number): number {
		while (!this.#complete && this.#next.line <= line) this.indexMore(slice);
		return Math.min(
			this.#rowsUntil(place => place.line >= line),
			this.#known - 1,
		);
	}

	byteOf(row: number): number {
		return this.#placeOf(row)?.offset ?? this.#bytes.length;
	}

	/** The row that a byte is in; `undefined` when the index has not come so far. */
	rowOfByte(byte: number): number | undefined {
		if (!this.#complete && byte >= this.#next.offset) return undefined;
		return this.#rowsUntil(place => place.offset > byte) - 1;
	}

	#placeOf(row: number): Place | undefined {
		if (row < 0) return undefined;
		while (row >= this.#known && !this.#complete) this.indexMore(slice);
		if (row >= this.#known) return undefined;
		const place = this.#marked(Math.floor(row / markEvery));
		for (let skipped = row % markEvery; skipped > 0; skipped--) this.#step(place);
		return place;
	}

	/** How many known rows come before the first that has passed; what has passed stays passed further down. */
	#rowsUntil(passed: (place: Place) => boolean): number {
		const low = bisect(0, Math.ceil(this.#known / markEvery), mark => !passed(this.#marked(mark)));
		if (low === 0) return 0;
		const place = this.#marked(low - 1);
		let row = (low - 1) * markEvery;
		while (row < this.#known && !passed(place)) {
			row++;
			if (!this.#step(place)) break;
		}
		return row;
	}

	#marked(mark: number): Place {
		return {offset: this.#offsets[mark] ?? 0, line: this.#lines[mark] ?? 0};
	}

	/** Moves to the next row; false when there is none. */
	#step(place: Place): boolean {
		const next = nextRow(this.#bytes, place.offset, this.columns);
		if (next < 0) return false;
		if (this.#bytes[next - 1] === lineFeed) place.line++;
		place.offset = next;
		return true;
	}

	#mark(mark: number, offset: number, line: number): void {
		if (mark === this.#offsets.length) {
			this.#offsets = doubled(this.#offsets);
			this.#lines = doubled(this.#lines);
		}
		this.#offsets[mark] = offset;
		this.#lines[mark] = line;
	}
}

/** Where the next row starts; -1 when the text ends in this one. */
function nextRow(bytes: Buffer, offset: number, columns: number | undefined): number {
	if (columns !== undefined) return nextWrapped(bytes, offset, columns);
	const limit = Math.min(offset + rowBytes, bytes.length);
	let at = offset;
	while (at < limit && bytes[at] !== lineFeed) at++;
	if (at === bytes.length) return -1;
	if (bytes[at] === lineFeed) return at + 1;
	return characterBorder(bytes, at);
}

/** The start of the character that this byte belongs to, or this very byte when it belongs to none. */
function characterBorder(bytes: Buffer, at: number): number {
	for (let border = at; border > at - 4; border--)
		if (((bytes[border] ?? 0) & 0b1100_0000) !== 0b1000_0000) return border;
	return at;
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
	const grown = new Uint32Array(numbers.length * 2);
	grown.set(numbers);
	return grown;
}
