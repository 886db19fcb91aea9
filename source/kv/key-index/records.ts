import {Failure} from '../../failure.ts';
import type {JsonValue} from '../../text/json.ts';
import type {KeyEntry} from '../store.ts';
import {inMemory, type Page, type Pages} from './pages.ts';

/** What the place in a chunk takes of an address. */
const placeBits = 16;
const placeMask = 2 ** placeBits - 1;
const mostChunks = 65_536;
const headBytes = 4;
const expirationBytes = 8;
const lengthBytes = 4;
const hasExpiration = 1;
const hasMetadata = 2;

/**
 * Keys as bytes, one behind the other in chunks. A record is a head (length of the name and what follows it),
 * the name in UTF-8, the expiration if there is one, the metadata as JSON if there is some. Its address is the
 * number of the chunk and the place in it, in 32 bits.
 */
export class Records {
	readonly #pages: Pages;
	readonly #chunks: Page[] = [];
	#tail: number;
	/** Bytes of the last chunk. */
	#lastBytes = 0;
	/** Bytes of chunks, and those of them that no record uses any longer. */
	bytes = 0;
	unused = 0;

	constructor(pages: Pages = inMemory) {
		this.#pages = pages;
		this.#tail = pages.pageBytes;
		pages.freeWith(this, this.#chunks);
	}

	/** Writes a key; returns its address. */
	add(entry: KeyEntry): number {
		const {name, expiration} = entry;
		const metadata = entry.metadata === undefined ? undefined : JSON.stringify(entry.metadata);
		// No text takes more than three bytes a unit: it need not be measured before it is written.
		const atMost =
			headBytes +
			expirationBytes +
			lengthBytes +
			3 * (name.length + (metadata === undefined ? 0 : metadata.length));
		const chunk = this.#chunkFor(atMost);
		const start = this.#tail;
		const nameBytes = chunk.write(name, start + headBytes);
		let flags = 0;
		let end = start + headBytes + nameBytes;
		if (expiration !== undefined) {
			flags |= hasExpiration;
			end = chunk.writeDoubleLE(expiration, end);
		}
		if (metadata !== undefined) {
			flags |= hasMetadata;
			const metadataBytes = chunk.write(metadata, end + lengthBytes);
			end = chunk.writeUInt32LE(metadataBytes, end) + metadataBytes;
		}
		chunk.writeUInt32LE(nameBytes * 4 + flags, start);
		this.#tail = end;
		return this.#lastAddress(start);
	}

	/** Unwrites the record that was added last. */
	takeBack(address: number): void {
		this.#tail = placeIn(address);
	}

	/** Writes a key of the same name in the place of one; returns its address, which may be the old one. */
	replace(address: number, entry: KeyEntry): number {
		const added = this.add(entry);
		const oldSize = this.sizeOf(address);
		const size = this.sizeOf(added);
		if (size > oldSize) {
			this.unused += oldSize;
			return added;
		}
		const source = this.chunkOf(added);
		const target = this.#pages.bytesToChange(this.#pageOf(address));
		source.copy(target, placeIn(address), placeIn(added), placeIn(added) + size);
		this.takeBack(added);
		this.unused += oldSize - size;
		return address;
	}

	/** Takes over a record of others; returns its address here. */
	copy(others: Records, address: number): number {
		const size = others.sizeOf(address);
		const source = others.chunkOf(address);
		const chunk = this.#chunkFor(size);
		const start = this.#tail;
		source.copy(chunk, start, placeIn(address), placeIn(address) + size);
		this.#tail = start + size;
		return this.#lastAddress(start);
	}

	/** The chunk of a record, to be read before others are looked at (`Pages`). */
	chunkOf(address: number): Buffer {
		return this.#pages.bytesOf(this.#pageOf(address));
	}

	/** Where the name starts in its chunk. */
	nameStart(address: number): number {
		return placeIn(address) + headBytes;
	}

	nameLength(address: number): number {
		return this.#head(address) >>> 2;
	}

	/** A part of the name, from and to bytes of it that begin a character. */
	text(address: number, from: number, to = this.nameLength(address)): string {
		const start = this.nameStart(address);
		return this.chunkOf(address).toString('utf8', start + from, start + to);
	}

	expiration(address: number): number | undefined {
		const head = this.#head(address);
		if ((head & hasExpiration) === 0) return undefined;
		return this.chunkOf(address).readDoubleLE(this.nameStart(address) + (head >>> 2));
	}

	metadata(address: number): string | undefined {
		if ((this.#head(address) & hasMetadata) === 0) return undefined;
		const end = placeIn(address) + this.sizeOf(address);
		return this.chunkOf(address).toString('utf8', this.#metadataStart(address), end);
	}

	entry(address: number): KeyEntry {
		const expiration = this.expiration(address);
		const metadata = this.metadata(address);
		return {
			name: this.text(address, 0),
			...(expiration === undefined ? {} : {expiration}),
			...(metadata === undefined ? {} : {metadata: JSON.parse(metadata) as JsonValue}),
		};
	}

	/** How two names stand to each other in byte order: below 0, 0, above 0. */
	compare(one: number, other: number): number {
		return this.compareWith(one, this.chunkOf(other), this.nameStart(other), this.nameLength(other));
	}

	/** The same for a name that is in other bytes. */
	compareWith(address: number, bytes: Uint8Array, start: number, length: number): number {
		const chunk = this.chunkOf(address);
		const own = this.nameStart(address);
		const ownLength = this.nameLength(address);
		const both = Math.min(ownLength, length);
		for (let at = 0; at < both; at++) {
			const difference = (chunk[own + at] ?? 0) - (bytes[start + at] ?? 0);
			if (difference !== 0) return difference;
		}
		return ownLength - length;
	}

	sizeOf(address: number): number {
		const head = this.#head(address);
		const fixed = headBytes + (head >>> 2) + ((head & hasExpiration) === 0 ? 0 : expirationBytes);
		if ((head & hasMetadata) === 0) return fixed;
		return fixed + lengthBytes + this.chunkOf(address).readUInt32LE(placeIn(address) + fixed);
	}

	#pageOf(address: number): Page {
		const chunk = this.#chunks[address >>> placeBits];
		if (chunk === undefined) throw new Failure('internal', `Address ${address} is outside the kept keys.`);
		return chunk;
	}

	#metadataStart(address: number): number {
		const head = this.#head(address);
		const expiration = (head & hasExpiration) === 0 ? 0 : expirationBytes;
		return this.nameStart(address) + (head >>> 2) + expiration + lengthBytes;
	}

	#head(address: number): number {
		const chunk = this.chunkOf(address);
		const at = placeIn(address);
		return (
			((chunk[at] ?? 0) |
				((chunk[at + 1] ?? 0) << 8) |
				((chunk[at + 2] ?? 0) << 16) |
				((chunk[at + 3] ?? 0) << 24)) >>>
			0
		);
	}

	#lastAddress(start: number): number {
		return (this.#chunks.length - 1) * 2 ** placeBits + start;
	}

	/** A chunk with room at the tail, to be written to. A record too large for one gets a chunk of its own. */
	#chunkFor(bytes: number): Buffer {
		const last = this.#chunks.at(-1);
		const {pageBytes} = this.#pages;
		if (last !== undefined && this.#tail < pageBytes && this.#tail + bytes <= this.#lastBytes)
			return this.#pages.bytesToChange(last);
		if (this.#chunks.length === mostChunks)
			throw new Failure('limit', 'There are too many keys to keep in one list.', {
				why: `The names and metadata of all keys may take 4 GB; these take more than ${this.bytes} bytes.`,
				next: 'List a part of them, by a prefix.',
			});
		const chunk = bytes > pageBytes ? this.#pages.makeLarge(bytes) : this.#pages.make();
		this.#chunks.push(chunk);
		this.#lastBytes = Math.max(pageBytes, bytes);
		this.bytes += this.#lastBytes;
		this.#tail = 0;
		return this.#pages.bytesToChange(chunk);
	}
}

const placeIn = (address: number): number => address & placeMask;
