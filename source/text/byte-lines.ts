import {bisect} from './bisect.ts';
import {findNextWrapped} from './byte-wrap.ts';

/** A row of a text: a line, or a piece of a line too long for one row. Not yet safe for a terminal. */
export type TextRow = {
	/** The number of its line, from 1. */
	readonly line: number;
	/** True if it continues the line of the previous row. */
	readonly isContinuation: boolean;
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
type RowStart = {offset: number; line: number};

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
	/** Number of indexed rows, and the start of the next row. */
	#rowCount = 0;
	#nextRow: RowStart = {offset: 0, line: 1};
	#isComplete = false;

	constructor(bytes: Uint8Array, columns?: number) {
		this.columns = columns;
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** Number of rows indexed so far; all of them if `isComplete`. */
	get knownRows(): number {
		return this.#rowCount;
	}

	/** Number of bytes indexed so far. */
	get indexedBytes(): number {
		return this.#nextRow.offset;
	}

	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** The number of rows, at least 1; indexes the whole text. */
	get count(): number {
		this.indexMore(this.#bytes.length + 1);
		return this.#rowCount;
	}

	/**
	 * Indexes about `bytes` more bytes; returns true if the index is complete. Callers index in slices, so
	 * that keys are handled in between.
	 */
	indexMore(bytes = 1 << 20): boolean {
		// Local variables for speed: a value of line feeds only has 26 million rows.
		const text = this.#bytes;
		let {offset, line} = this.#nextRow;
		let rowCount = this.#rowCount;
		const endOffset = offset + bytes;
		while (!this.#isComplete && offset < endOffset) {
			if (rowCount % rowsPerMark === 0) this.#addMark(rowCount / rowsPerMark, offset, line);
			rowCount++;
			const next = findNextRow(text, offset, this.columns);
			if (next < 0) this.#isComplete = true;
			else {
				if (text[next - 1] === lineFeed) line++;
				offset = next;
			}
		}
		this.#rowCount = rowCount;
		this.#nextRow = {offset, line};
		return this.#isComplete;
	}

	/** Returns the row at an index, from 0; undefined after the last row. Indexes only as much as needed. */
	at(row: number): TextRow | undefined {
		const rowStart = this.#findRowStart(row);
		if (!rowStart) return undefined;
		const {offset, line} = rowStart;
		const next = findNextRow(this.#bytes, offset, this.columns);
		const end = next < 0 ? this.#bytes.length : this.#bytes[next - 1] === lineFeed ? next - 1 : next;
		return {
			line,
			isContinuation: offset > 0 && this.#bytes[offset - 1] !== lineFeed,
			text: this.#bytes.toString('utf8', offset, end),
		};
	}

	/** Returns the first row of a line (from 1); the last row for lines beyond the end. */
	findRowOfLine(line: number): number {
		while (!this.#isComplete && this.#nextRow.line <= line) this.indexMore(sliceBytes);
		return Math.min(
			this.#countRowsUntil(rowStart => rowStart.line >= line),
			this.#rowCount - 1,
		);
	}

	getRowOffset(row: number): number {
		return this.#findRowStart(row)?.offset ?? this.#bytes.length;
	}

	/** Returns the row of a byte; undefined if not indexed yet. */
	findRowOfByte(byte: number): number | undefined {
		if (!this.#isComplete && byte >= this.#nextRow.offset) return undefined;
		return this.#countRowsUntil(rowStart => rowStart.offset > byte) - 1;
	}

	#findRowStart(row: number): RowStart | undefined {
		if (row < 0) return undefined;
		while (row >= this.#rowCount && !this.#isComplete) this.indexMore(sliceBytes);
		if (row >= this.#rowCount) return undefined;
		const rowStart = this.#getMark(Math.floor(row / rowsPerMark));
		for (let rowsToSkip = row % rowsPerMark; rowsToSkip > 0; rowsToSkip--) this.#step(rowStart);
		return rowStart;
	}

	/**
	 * Counts the indexed rows before the first one for which `isPast` is true; it must be true for all later
	 * rows, too.
	 */
	#countRowsUntil(isPast: (rowStart: RowStart) => boolean): number {
		const low = bisect(
			0,
			Math.ceil(this.#rowCount / rowsPerMark),
			markIndex => !isPast(this.#getMark(markIndex)),
		);
		if (low === 0) return 0;
		const rowStart = this.#getMark(low - 1);
		let row = (low - 1) * rowsPerMark;
		while (row < this.#rowCount && !isPast(rowStart)) {
			row++;
			if (!this.#step(rowStart)) break;
		}
		return row;
	}

	#getMark(markIndex: number): RowStart {
		return {offset: this.#offsets[markIndex] ?? 0, line: this.#lines[markIndex] ?? 0};
	}

	/** Moves to the next row; false at the end. */
	#step(rowStart: RowStart): boolean {
		const next = findNextRow(this.#bytes, rowStart.offset, this.columns);
		if (next < 0) return false;
		if (this.#bytes[next - 1] === lineFeed) rowStart.line++;
		rowStart.offset = next;
		return true;
	}

	#addMark(markIndex: number, offset: number, line: number): void {
		if (markIndex === this.#offsets.length) {
			this.#offsets = doubleSize(this.#offsets);
			this.#lines = doubleSize(this.#lines);
		}
		this.#offsets[markIndex] = offset;
		this.#lines[markIndex] = line;
	}
}

/** Returns the start of the next row; -1 if the text ends in this one. */
function findNextRow(bytes: Buffer, offset: number, columns: number | undefined): number {
	if (columns !== undefined) return findNextWrapped(bytes, offset, columns);
	const limit = Math.min(offset + maxRowBytes, bytes.length);
	let index = offset;
	while (index < limit && bytes[index] !== lineFeed) index++;
	if (index === bytes.length) return -1;
	if (bytes[index] === lineFeed) return index + 1;
	return findCharacterStart(bytes, index);
}

/** Returns the start of the character that contains this byte, or the byte itself if it is invalid. */
function findCharacterStart(bytes: Buffer, index: number): number {
	for (let start = index; start > index - 4; start--)
		if (((bytes[start] ?? 0) & 0b1100_0000) !== 0b1000_0000) return start;
	return index;
}

function doubleSize(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
	const doubled = new Uint32Array(numbers.length * 2);
	doubled.set(numbers);
	return doubled;
}
