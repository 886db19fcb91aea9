import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {
	closeBrace,
	closeBracket,
	colon,
	comma,
	ElementScan,
	isSpace,
	lineFeed,
	openBrace,
	openBracket,
	quote,
	space,
} from './element-scan.ts';

/** One top-level element of a bulk file: an item of its array, or a line. */
export type Element = {
	readonly text: string;
	/** Bytes in the file. */
	readonly bytes: number;
	/** Offset in the file, in bytes. */
	readonly offset: number;
	/** From 1. */
	readonly number: number;
	/** First line in the file, from 1. */
	readonly line: number;
	/** True if its bytes are valid UTF-8; otherwise `text` contains replacement characters. */
	readonly isValidUtf8: boolean;
};

export type SplitterOptions = {
	/** Name of the file in messages. */
	readonly label: string;
	/** Expected content: "key-value objects", "keys". */
	readonly elementsNoun: string;
	/** An element as JSON. */
	readonly elementExample: string;
	/** Default: room for 25 MB of control characters, each escaped, with a key and metadata. */
	readonly maxElementBytes?: number;
};

/**
 * What comes next: the first byte of the file; in an array, the first element or `]`, an element after a
 * comma, the rest of an element (`inside`), a comma or `]` after one (`behind`), or nothing (`end`); or a
 * line.
 */
type SplitterState = 'beginning' | 'first' | 'value' | 'inside' | 'behind' | 'end' | 'lines';

const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Splits the bytes of a bulk file into elements: a JSON array, or JSON objects one per line, distinguished by
 * the first byte. Checks the structure around elements, not their content. Holds at most one unfinished
 * element. Fails with `input_malformed`, and with `limit` for an oversized element.
 */
export class Splitter {
	readonly #options: SplitterOptions;
	#state: SplitterState = 'beginning';
	/** Number of elements started so far. */
	#number = 0;
	#line = 1;
	#leadingBytes = 0;

	/** The current element: its first line, and its bytes from earlier chunks. */
	#firstLine = 1;
	#heldParts: Buffer[] = [];
	#heldBytes = 0;
	/** Number of bytes in earlier chunks. */
	#earlierBytes = 0;
	#scan = new ElementScan(false);

	constructor(options: SplitterOptions) {
		this.#options = options;
	}

	/** Returns the elements that end in this chunk. The chunk may be reused afterwards. */
	push(chunk: Buffer): Element[] {
		const elements: Element[] = [];
		let offset = this.#state === 'beginning' ? this.#detectFormat(chunk) : 0;
		while (offset < chunk.length) {
			if (this.#state === 'lines') offset = this.#takeLine(chunk, offset, elements);
			else if (this.#state === 'inside') offset = this.#takeElement(chunk, offset, elements);
			else offset = this.#readSeparator(chunk, offset);
		}
		this.#earlierBytes += chunk.length;
		return elements;
	}

	/** Call after the last chunk: returns the last element if its line has no line feed. */
	finish(): Element[] {
		switch (this.#state) {
			case 'beginning':
				throw this.#createFailure(
					this.#leadingBytes === 0 ? 'It is empty.' : 'It contains only white space.',
					`It should contain an array of ${this.#options.elementsNoun}; an empty one is [].`,
				);
			case 'lines': {
				const elements: Element[] = [];
				if (this.#heldBytes > 0) this.#takeLine(Buffer.of(lineFeed), 0, elements);
				return elements;
			}
			case 'inside':
				throw this.#createFailure(
					`It ends in the middle of entry ${this.#number}, on line ${this.#line}.`,
					cutOffAdvice,
				);
			case 'end':
				return [];
			default:
				throw this.#createFailure(
					`The array is not closed after entry ${this.#number}: "]" is missing.`,
					cutOffAdvice,
				);
		}
	}

	/** Skips a byte order mark and whitespace; the next byte determines the format. */
	#detectFormat(chunk: Buffer): number {
		for (let offset = 0; offset < chunk.length; offset++, this.#leadingBytes++) {
			const byte = chunk[offset];
			if (this.#leadingBytes < 3 && byte === byteOrderMark[this.#leadingBytes]) continue;
			if (this.#leadingBytes < 2 && (byte === 0xff || byte === 0xfe)) {
				throw this.#createFailure('It is UTF-16 text.', 'Save it as UTF-8.');
			}
			if (byte === lineFeed) this.#line++;
			if (isSpace(byte)) continue;
			if (byte === openBracket) {
				this.#state = 'first';
				return offset + 1;
			}
			if (byte !== openBrace && byte !== quote) {
				throw this.#createFailure(
					`It starts with ${formatByte(byte)} on line ${this.#line}.`,
					`It should contain a JSON array of ${this.#options.elementsNoun}, or one per line, such as ${this.#options.elementExample}`,
				);
			}
			this.#state = 'lines';
			return offset;
		}
		return chunk.length;
	}

	/** Consumes one byte between elements of the array, or after it. */
	#readSeparator(chunk: Buffer, offset: number): number {
		const byte = chunk[offset];
		if (isSpace(byte)) {
			if (byte === lineFeed) this.#line++;
			return offset + 1;
		}
		switch (this.#state) {
			case 'end':
				throw this.#createFailure(
					`There is ${formatByte(byte)} after the end of the array, on line ${this.#line}.`,
					'A file contains one array. Without an array, write one object per line.',
				);
			case 'behind':
				if (byte === comma) this.#state = 'value';
				else if (byte === closeBracket) this.#state = 'end';
				else {
					throw this.#createFailure(
						`A comma is missing after entry ${this.#number}: there is ${formatByte(byte)} on line ${this.#line}.`,
					);
				}
				return offset + 1;
			case 'first':
				if (byte === closeBracket) {
					this.#state = 'end';
					return offset + 1;
				}
				break;
			default:
				if (byte === closeBracket) {
					throw this.#createFailure(
						`There is a comma after the last entry (${this.#number}), before the "]" on line ${this.#line}.`,
						'JSON allows no comma after the last item.',
					);
				}
		}
		if (byte === comma || byte === closeBrace || byte === colon) {
			throw this.#createFailure(
				`There is ${formatByte(byte)} where entry ${this.#number + 1} should start, on line ${this.#line}.`,
			);
		}
		this.#number++;
		this.#firstLine = this.#line;
		this.#state = 'inside';
		this.#scan = new ElementScan(byte !== openBrace && byte !== openBracket && byte !== quote);
		return offset;
	}

	/** Reads an element from `offset`; returns the offset of its end, or of the end of the chunk. */
	#takeElement(chunk: Buffer, offset: number, elements: Element[]): number {
		const end = this.#scan.findEnd(chunk, offset);
		this.#line = this.#firstLine + this.#scan.lineFeedCount;
		if (end === -1) {
			this.#hold(chunk, offset);
			return chunk.length;
		}
		this.#state = 'behind';
		this.#addElement(chunk, offset, end, elements);
		return end;
	}

	/** Reads one line of a file that is not an array; empty lines are skipped. */
	#takeLine(chunk: Buffer, from: number, elements: Element[]): number {
		const end = chunk.indexOf(lineFeed, from);
		if (end === -1) {
			this.#hold(chunk, from);
			return chunk.length;
		}
		let start = from;
		while (this.#heldBytes === 0 && start < end && isSpace(chunk[start])) start++;
		if (start < end || this.#heldBytes > 0) {
			this.#number++;
			this.#firstLine = this.#line;
			this.#addElement(chunk, start, end, elements);
			if (this.#number === 1) this.#checkFirstLine(elements.at(-1)?.text ?? '');
		}
		this.#line++;
		return end + 1;
	}

	/** Fails on a pretty-printed JSON object, which is neither an array nor one object per line. */
	#checkFirstLine(text: string): void {
		if (!text.startsWith('{') || new ElementScan(false).findEnd(Buffer.from(text), 0) !== -1) return;
		throw this.#createFailure(
			`Expected an array of ${this.#options.elementsNoun} but got an object.`,
			'Put [ ] around it, or write one object per line, each on a single line.',
		);
	}

	#hold(chunk: Buffer, from: number): void {
		if (from === chunk.length) return;
		this.#heldParts.push(Buffer.from(chunk.subarray(from)));
		this.#heldBytes += chunk.length - from;
		const maxBytes = this.#options.maxElementBytes ?? 160_000_000;
		if (this.#heldBytes <= maxBytes) return;
		const number = this.#state === 'lines' ? this.#number + 1 : this.#number;
		throw new Failure('limit', `Entry ${number} of ${this.#options.label} is too large.`, {
			why: `It starts on line ${this.#state === 'lines' ? this.#line : this.#firstLine} and has not ended after ${this.#heldBytes} bytes; the largest value takes at most ${maxBytes} bytes as JSON.`,
			next: 'Check the quotes and brackets there.',
		});
	}

	#addElement(chunk: Buffer, from: number, to: number, elements: Element[]): void {
		const offset = this.#earlierBytes + from - this.#heldBytes;
		let bytes = to - from;
		let source = chunk;
		let start = from;
		const spansChunks = this.#heldBytes > 0;
		if (spansChunks) {
			source = Buffer.concat([...this.#heldParts, chunk.subarray(from, to)]);
			start = 0;
			bytes = source.length;
			this.#heldParts = [];
			this.#heldBytes = 0;
		}
		const text = source.toString('utf8', start, start + bytes);
		const isValidUtf8 = !text.includes('\ufffd') || isUtf8(source.subarray(start, start + bytes));
		// A line from several chunks may turn out to be empty.
		if (spansChunks && text.trim() === '') this.#number--;
		else elements.push({text, bytes, offset, number: this.#number, line: this.#firstLine, isValidUtf8});
	}

	#createFailure(why: string, next?: string): Failure {
		const {label, elementsNoun} = this.#options;
		return new Failure('input_malformed', `${label} is not a JSON array of ${elementsNoun}.`, {why, next});
	}
}

const cutOffAdvice = 'It looks cut off: create it again.';

const formatByte = (byte: number | undefined): string =>
	byte !== undefined && byte > space && byte < 0x7f
		? `"${String.fromCharCode(byte)}"`
		: `the byte 0x${(byte ?? 0).toString(16).padStart(2, '0')}`;
