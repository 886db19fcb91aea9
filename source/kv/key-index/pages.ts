import {closeSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {buildTemporaryPath, createFileFailure} from '../../state/directory.ts';

const defaultPageBytes = 65_536;
const wordBytes = 4;
/** A page's content stays in its buffer until this many other pages have been used. */
const minKeptAccesses = 64;

/** One page, whose content is in memory or in the file. */
export class Page {
	bytes: Buffer | undefined;
	words: Uint32Array | undefined;
	/** True if the page differs from the file. */
	isChanged = true;
	/** The last use, as a number of page accesses. */
	lastUsed = 0;
	/** Slot in the file, if it was ever written. */
	slot: number | undefined;

	constructor(bytes: Buffer) {
		this.bytes = bytes;
		this.words = toWords(bytes);
	}
}

type PagesOptions = {
	/** Page size; a power of two, up to 65,536. */
	readonly pageBytes?: number;
	/** Bytes of pages to keep in memory. */
	readonly maxBytes: number;
	/** Returns the folder for the file, when it is first needed; may throw. */
	readonly directory: () => string;
	/** Called once if the file cannot be written (`file_failed`). All pages stay in memory from then on. */
	readonly onFailure?: (failure: Error) => void;
};

/**
 * Pages of data that exceeds memory: the least recently used are moved to a file. The file is created on
 * demand, private to its owner, and unlinked immediately, so that nothing is left however the process ends.
 * Without options all pages stay in memory.
 */
export class Pages {
	readonly pageBytes: number;
	readonly #options: PagesOptions | undefined;
	/** Page accesses so far. */
	#accessCount = 0;
	#maxResident: number;
	/**
	 * An evicted buffer is reused only after this many further evictions, because a caller may still read it;
	 * 0 if enough pages are resident.
	 */
	readonly #reuseDelay: number;
	#residentPages: Page[] = [];
	/** Buffers of evicted pages; the latest one comes last. */
	readonly #spareBuffers: Buffer[] = [];
	readonly #freeSlots: number[] = [];
	#slotCount = 0;
	#file: number | undefined;
	readonly #abandonedPages = new FinalizationRegistry<Page[]>(pages => this.free(pages));

	constructor(options?: PagesOptions) {
		this.#options = options;
		this.pageBytes = options?.pageBytes ?? defaultPageBytes;
		this.#maxResident = options
			? Math.max(2, Math.floor(options.maxBytes / this.pageBytes))
			: Number.POSITIVE_INFINITY;
		this.#reuseDelay = Math.max(0, minKeptAccesses - this.#maxResident);
	}

	/** Bytes of pages in the file. */
	get bytesInFile(): number {
		return (this.#slotCount - this.#freeSlots.length) * this.pageBytes;
	}

	/** Creates a page in memory, with arbitrary content. */
	createPage(): Page {
		const page = new Page(this.#takeBuffer());
		this.#addResident(page);
		return page;
	}

	/** Creates a page of another size, which stays in memory. */
	createLargePage(byteCount: number): Page {
		return new Page(Buffer.allocUnsafeSlow(byteCount));
	}

	/**
	 * Returns the content, valid for reading until 64 other pages are used. Fails with `file_failed` if the
	 * file cannot be read.
	 */
	getBytes(page: Page): Buffer {
		page.lastUsed = ++this.#accessCount;
		return page.bytes ?? this.#load(page);
	}

	/** Returns the content as 32-bit unsigned integers. */
	getWords(page: Page): Uint32Array {
		page.lastUsed = ++this.#accessCount;
		if (page.words === undefined) this.#load(page);
		return page.words ?? new Uint32Array();
	}

	/** Returns the content for writing, valid until any other page is used. */
	getWritableBytes(page: Page): Buffer {
		const bytes = this.getBytes(page);
		page.isChanged = true;
		return bytes;
	}

	getWritableWords(page: Page): Uint32Array {
		const words = this.getWords(page);
		page.isChanged = true;
		return words;
	}

	/** Frees the pages of a list, which may still change, when its owner is garbage-collected. */
	freeWith(owner: object, pages: Page[]): void {
		if (this.#options) this.#abandonedPages.register(owner, pages);
	}

	/** Frees pages that are no longer needed. */
	free(pages: readonly Page[]): void {
		if (!this.#options) return;
		const freedPages = new Set(pages);
		this.#residentPages = this.#residentPages.filter(page => !freedPages.has(page));
		for (const page of freedPages) if (page.slot !== undefined) this.#freeSlots.push(page.slot);
	}

	#addResident(page: Page): void {
		page.lastUsed = ++this.#accessCount;
		if (this.#options) this.#residentPages.push(page);
	}

	#load(page: Page): Buffer {
		const bytes = this.#takeBuffer();
		this.#read(page, bytes);
		page.bytes = bytes;
		page.words = toWords(bytes);
		page.isChanged = false;
		this.#addResident(page);
		return bytes;
	}

	#read({slot}: Page, bytes: Buffer): void {
		try {
			if (this.#file === undefined || slot === undefined) throw new Error('This page is in no file.');
			for (let doneBytes = 0; doneBytes < bytes.length; ) {
				const bytesRead = readSync(
					this.#file,
					bytes,
					doneBytes,
					bytes.length - doneBytes,
					slot * this.pageBytes + doneBytes,
				);
				if (bytesRead === 0) throw new Error('The file is shorter than it was.');
				doneBytes += bytesRead;
			}
		} catch (cause) {
			throw createFileFailure('The file with the list of keys cannot be read.', cause);
		}
	}

	/** Returns a buffer for another page, evicting the least recently used page if necessary. */
	#takeBuffer(): Buffer {
		if (this.#residentPages.length >= this.#maxResident) this.#evict();
		const spareBuffer = this.#spareBuffers.length > this.#reuseDelay ? this.#spareBuffers.shift() : undefined;
		return spareBuffer ?? Buffer.allocUnsafeSlow(this.pageBytes);
	}

	#evict(): void {
		let oldestIndex = 0;
		for (let index = 1; index < this.#residentPages.length; index++)
			if ((this.#residentPages[index]?.lastUsed ?? 0) < (this.#residentPages[oldestIndex]?.lastUsed ?? 0))
				oldestIndex = index;
		const page = this.#residentPages[oldestIndex];
		const lastPage = this.#residentPages.at(-1);
		if (!page?.bytes || !lastPage) return;
		if (page.isChanged && !this.#write(page, page.bytes)) return;
		this.#spareBuffers.push(page.bytes);
		page.bytes = undefined;
		page.words = undefined;
		this.#residentPages[oldestIndex] = lastPage;
		this.#residentPages.pop();
	}

	/**
	 * Writes a page to the file. After a failure, nothing is written any more and all pages stay in memory.
	 */
	#write(page: Page, bytes: Buffer): boolean {
		try {
			this.#file ??= this.#open();
			page.slot ??= this.#freeSlots.pop() ?? this.#slotCount++;
			const start = page.slot * this.pageBytes;
			for (let doneBytes = 0; doneBytes < bytes.length; )
				doneBytes += writeSync(this.#file, bytes, doneBytes, bytes.length - doneBytes, start + doneBytes);
			page.isChanged = false;
			return true;
		} catch (cause) {
			this.#maxResident = Number.POSITIVE_INFINITY;
			const failure = createFileFailure('The key list cannot be saved to disk.', cause);
			// The caller may be rendering, so report later.
			setImmediate(() => this.#options?.onFailure?.(failure));
			return false;
		}
	}

	#open(): number {
		const path = buildTemporaryPath(`${this.#options?.directory()}/keys`);
		const file = openSync(path, 'wx+', 0o600);
		try {
			rmSync(path);
		} catch (error) {
			closeSync(file);
			throw error;
		}
		openFiles.register(this, file);
		return file;
	}
}

const openFiles = new FinalizationRegistry<number>(file => closeSync(file));

/** Pages that all stay in memory. */
export const inMemoryPages = new Pages();

function toWords(bytes: Buffer): Uint32Array {
	return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / wordBytes));
}
