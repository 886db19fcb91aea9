import {Failure} from '../../failure.ts';
import type {JsonValue} from '../../text/json.ts';
import type {KeyEntry} from '../store.ts';
import {inMemoryPages, type Page, type Pages} from './pages.ts';

/** Number of bits of an address that hold the offset in the chunk. */
const offsetBits = 16;
const offsetMask = 2 ** offsetBits - 1;
const maxChunks = 65_536;
const headBytes = 4;
const expirationBytes = 8;
const lengthBytes = 4;
const expirationFlag = 1;
const metadataFlag = 2;

/**
 * Keys packed as bytes in chunks. A record is a head (name length and flags), the name in UTF-8, the
 * expiration if any, and the metadata as JSON if any. Its 32-bit address consists of the chunk number and the
 * offset in the chunk.
 */
export class Records {
	readonly #pages: Pages;
	readonly #chunkPages: Page[] = [];
	#tailOffset: number;
	/** Bytes of the last chunk. */
	#lastChunkBytes = 0;
	/** Bytes of all chunks. */
	totalBytes = 0;
	/** Bytes that no record uses any longer. */
	unusedBytes = 0;

	constructor(pages: Pages = inMemoryPages) {
		this.#pages = pages;
		this.#tailOffset = pages.pageBytes;
		pages.freeWith(this, this.#chunkPages);
	}

	/** Writes a key; returns its address. */
	add(entry: KeyEntry): number {
		const {name, expiration} = entry;
		const metadata = entry.metadata === undefined ? undefined : JSON.stringify(entry.metadata);
		// UTF-8 takes at most three bytes per UTF-16 unit, so nothing needs measuring before it is written.
		const maxBytes =
			headBytes +
			expirationBytes +
			lengthBytes +
			3 * (name.length + (metadata === undefined ? 0 : metadata.length));
		const chunk = this.#reserveChunk(maxBytes);
		const start = this.#tailOffset;
		const nameBytes = chunk.write(name, start + headBytes);
		let flags = 0;
		let end = start + headBytes + nameBytes;
		if (expiration !== undefined) {
			flags |= expirationFlag;
			end = chunk.writeDoubleLE(expiration, end);
		}
		if (metadata !== undefined) {
			flags |= metadataFlag;
			const metadataBytes = chunk.write(metadata, end + lengthBytes);
			end = chunk.writeUInt32LE(metadataBytes, end) + metadataBytes;
		}
		chunk.writeUInt32LE(nameBytes * 4 + flags, start);
		this.#tailOffset = end;
		return this.#getLastAddress(start);
	}

	/** Removes the record that was added last. */
	undoAdd(address: number): void {
		this.#tailOffset = getOffset(address);
	}

	/** Replaces a record with one of the same name; returns its address, which may be the old one. */
	replace(address: number, entry: KeyEntry): number {
		const addedAddress = this.add(entry);
		const oldSize = this.getSize(address);
		const size = this.getSize(addedAddress);
		if (size > oldSize) {
			this.unusedBytes += oldSize;
			return addedAddress;
		}
		const source = this.getChunk(addedAddress);
		const target = this.#pages.getWritableBytes(this.#getPage(address));
		source.copy(target, getOffset(address), getOffset(addedAddress), getOffset(addedAddress) + size);
		this.undoAdd(addedAddress);
		this.unusedBytes += oldSize - size;
		return address;
	}

	/** Copies a record from another set; returns its new address. */
	copy(sourceRecords: Records, address: number): number {
		const size = sourceRecords.getSize(address);
		const source = sourceRecords.getChunk(address);
		const chunk = this.#reserveChunk(size);
		const start = this.#tailOffset;
		source.copy(chunk, start, getOffset(address), getOffset(address) + size);
		this.#tailOffset = start + size;
		return this.#getLastAddress(start);
	}

	/** Returns the chunk of a record, valid for reading until 64 other chunks are used (see `Pages`). */
	getChunk(address: number): Buffer {
		return this.#pages.getBytes(this.#getPage(address));
	}

	/** Returns the offset of the name in its chunk. */
	getNameStart(address: number): number {
		return getOffset(address) + headBytes;
	}

	getNameLength(address: number): number {
		return this.#readHead(address) >>> 2;
	}

	/** Decodes a part of the name; both byte offsets must be at character boundaries. */
	readName(address: number, from: number, to = this.getNameLength(address)): string {
		const start = this.getNameStart(address);
		return this.getChunk(address).toString('utf8', start + from, start + to);
	}

	getExpiration(address: number): number | undefined {
		const head = this.#readHead(address);
		if ((head & expirationFlag) === 0) return undefined;
		return this.getChunk(address).readDoubleLE(this.getNameStart(address) + (head >>> 2));
	}

	getMetadata(address: number): string | undefined {
		if ((this.#readHead(address) & metadataFlag) === 0) return undefined;
		const end = getOffset(address) + this.getSize(address);
		return this.getChunk(address).toString('utf8', this.#getMetadataStart(address), end);
	}

	getEntry(address: number): KeyEntry {
		const expiration = this.getExpiration(address);
		const metadata = this.getMetadata(address);
		return {
			name: this.readName(address, 0),
			...(expiration === undefined ? {} : {expiration}),
			...(metadata === undefined ? {} : {metadata: JSON.parse(metadata) as JsonValue}),
		};
	}

	/** Compares two names in byte order: below 0, 0, above 0. */
	compare(one: number, other: number): number {
		return this.compareBytes(one, this.getChunk(other), this.getNameStart(other), this.getNameLength(other));
	}

	/** Compares a name with one in other bytes. */
	compareBytes(address: number, bytes: Uint8Array, start: number, length: number): number {
		const chunk = this.getChunk(address);
		const ownStart = this.getNameStart(address);
		const ownLength = this.getNameLength(address);
		const sharedLength = Math.min(ownLength, length);
		for (let index = 0; index < sharedLength; index++) {
			const difference = (chunk[ownStart + index] ?? 0) - (bytes[start + index] ?? 0);
			if (difference !== 0) return difference;
		}
		return ownLength - length;
	}

	getSize(address: number): number {
		const head = this.#readHead(address);
		const fixedSize = headBytes + (head >>> 2) + ((head & expirationFlag) === 0 ? 0 : expirationBytes);
		if ((head & metadataFlag) === 0) return fixedSize;
		return fixedSize + lengthBytes + this.getChunk(address).readUInt32LE(getOffset(address) + fixedSize);
	}

	#getPage(address: number): Page {
		const page = this.#chunkPages[address >>> offsetBits];
		if (page === undefined) throw new Failure('internal', `Address ${address} is outside the kept keys.`);
		return page;
	}

	#getMetadataStart(address: number): number {
		const head = this.#readHead(address);
		const expirationSize = (head & expirationFlag) === 0 ? 0 : expirationBytes;
		return this.getNameStart(address) + (head >>> 2) + expirationSize + lengthBytes;
	}

	#readHead(address: number): number {
		const chunk = this.getChunk(address);
		const start = getOffset(address);
		return (
			((chunk[start] ?? 0) |
				((chunk[start + 1] ?? 0) << 8) |
				((chunk[start + 2] ?? 0) << 16) |
				((chunk[start + 3] ?? 0) << 24)) >>>
			0
		);
	}

	#getLastAddress(start: number): number {
		return (this.#chunkPages.length - 1) * 2 ** offsetBits + start;
	}

	/**
	 * Returns a writable chunk with room at the tail. A record that may exceed a page gets a larger chunk;
	 * others can follow in it, but only if they start where an address can point (below `pageBytes`).
	 */
	#reserveChunk(byteCount: number): Buffer {
		const last = this.#chunkPages.at(-1);
		const {pageBytes} = this.#pages;
		if (
			last !== undefined &&
			this.#tailOffset < pageBytes &&
			this.#tailOffset + byteCount <= this.#lastChunkBytes
		)
			return this.#pages.getWritableBytes(last);
		if (this.#chunkPages.length === maxChunks)
			throw new Failure('limit', 'There are too many keys to keep in one list.', {
				why: `The names and metadata of all keys can take up to 4 GB; these take more than ${this.totalBytes} bytes.`,
				next: 'List only some of them, using a prefix.',
			});
		const page = byteCount > pageBytes ? this.#pages.createLargePage(byteCount) : this.#pages.createPage();
		this.#chunkPages.push(page);
		this.#lastChunkBytes = Math.max(pageBytes, byteCount);
		this.totalBytes += this.#lastChunkBytes;
		this.#tailOffset = 0;
		return this.#pages.getWritableBytes(page);
	}
}

const getOffset = (address: number): number => address & offsetMask;
