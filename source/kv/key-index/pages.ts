import {closeSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {buildDraftName, createFileFailure} from '../../state/directory.ts';

const defaultPageBytes = 65_536;
const wordBytes = 4;
/** A page's content stays in its buffer until this many other pages have been used. */
const minKeptLooks = 64;

/** One page, whose content is in memory or in the file. */
export class Page {
	bytes: Buffer | undefined;
	words: Uint32Array | undefined;
	/** True if the page differs from the file. */
	isChanged = true;
	/** Last use, counted in page accesses. */
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
	readonly mostBytes: number;
	/** Returns the folder for the file, when it is first needed; may throw. */
	readonly directory: () => string;
	/** Called once if the file cannot be written (`file_failed`): from then on all pages stay in memory. */
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
	#looks = 0;
	#maxResident: number;
	/** Evicted buffers to hold back before reuse: none if enough pages are resident. */
	readonly #maxSpareBuffers: number;
	#resident: Page[] = [];
	/** Latest last. */
	readonly #spareBuffers: Buffer[] = [];
	readonly #freeSlots: number[] = [];
	#slots = 0;
	#file: number | undefined;
	readonly #abandoned = new FinalizationRegistry<Page[]>(pages => this.free(pages));

	constructor(options?: PagesOptions) {
		this.#options = options;
		this.pageBytes = options?.pageBytes ?? defaultPageBytes;
		this.#maxResident = options
			? Math.max(2, Math.floor(options.mostBytes / this.pageBytes))
			: Number.POSITIVE_INFINITY;
		this.#maxSpareBuffers = Math.max(0, minKeptLooks - this.#maxResident);
	}

	/** Bytes of pages in the file. */
	get bytesInFile(): number {
		return (this.#slots - this.#freeSlots.length) * this.pageBytes;
	}

	/** Creates a page in memory; its content is undefined. */
	createPage(): Page {
		const page = new Page(this.#takeBuffer());
		this.#addResident(page);
		return page;
	}

	/** Creates a page of another size, which stays in memory. */
	createLargePage(bytes: number): Page {
		return new Page(Buffer.allocUnsafeSlow(bytes));
	}

	/**
	 * Returns the content, valid for reading until 64 other pages are used. Fails with `file_failed` if the
	 * file cannot be read.
	 */
	getBytes(page: Page): Buffer {
		page.lastUsed = ++this.#looks;
		return page.bytes ?? this.#load(page);
	}

	/** Returns the content as 32-bit unsigned integers. */
	getWords(page: Page): Uint32Array {
		page.lastUsed = ++this.#looks;
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
		if (this.#options) this.#abandoned.register(owner, pages);
	}

	/** Frees pages that are no longer needed. */
	free(pages: readonly Page[]): void {
		if (!this.#options) return;
		const gone = new Set(pages);
		this.#resident = this.#resident.filter(page => !gone.has(page));
		for (const page of gone) if (page.slot !== undefined) this.#freeSlots.push(page.slot);
	}

	#addResident(page: Page): void {
		page.lastUsed = ++this.#looks;
		if (this.#options) this.#resident.push(page);
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
			for (let done = 0; done < bytes.length; ) {
				const read = readSync(this.#file, bytes, done, bytes.length - done, slot * this.pageBytes + done);
				if (read === 0) throw new Error('The file is shorter than it was.');
				done += read;
			}
		} catch (cause) {
			throw createFileFailure('The file that the list of keys is kept in cannot be read.', cause);
		}
	}

	/** Returns a buffer for another page, evicting the least recently used page if necessary. */
	#takeBuffer(): Buffer {
		if (this.#resident.length >= this.#maxResident) this.#evict();
		const rested = this.#spareBuffers.length > this.#maxSpareBuffers ? this.#spareBuffers.shift() : undefined;
		return rested ?? Buffer.allocUnsafeSlow(this.pageBytes);
	}

	#evict(): void {
		let oldest = 0;
		for (let at = 1; at < this.#resident.length; at++)
			if ((this.#resident[at]?.lastUsed ?? 0) < (this.#resident[oldest]?.lastUsed ?? 0)) oldest = at;
		const page = this.#resident[oldest];
		const last = this.#resident.at(-1);
		if (!page?.bytes || !last) return;
		if (page.isChanged && !this.#write(page, page.bytes)) return;
		this.#spareBuffers.push(page.bytes);
		page.bytes = undefined;
		page.words = undefined;
		this.#resident[oldest] = last;
		this.#resident.pop();
	}

	/**
	 * Writes a page to the file. After a failure, nothing is written any more and all pages stay in memory.
	 */
	#write(page: Page, bytes: Buffer): boolean {
		try {
			this.#file ??= this.#open();
			page.slot ??= this.#freeSlots.pop() ?? this.#slots++;
			const start = page.slot * this.pageBytes;
			for (let done = 0; done < bytes.length; )
				done += writeSync(this.#file, bytes, done, bytes.length - done, start + done);
			page.isChanged = false;
			return true;
		} catch (cause) {
			this.#maxResident = Number.POSITIVE_INFINITY;
			const failure = createFileFailure('The list of keys cannot be kept on the disk.', cause);
			// The caller may be rendering, so report later.
			setImmediate(() => this.#options?.onFailure?.(failure));
			return false;
		}
	}

	#open(): number {
		const path = buildDraftName(`${this.#options?.directory()}/keys`);
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
