import {closeSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {draftName, fileFailed} from '../../state/directory.ts';

const usualBytes = 65_536;
const wordBytes = 4;
/** A page's content stays in its buffer until this many other pages have been used. */
const keptAtLeast = 64;

/** One page, whose content is in memory or in the file. */
export class Page {
	bytes: Buffer | undefined;
	words: Uint32Array | undefined;
	/** True if the page differs from the file. */
	isChanged = true;
	/** Last use, counted in page accesses. */
	used = 0;
	/** Slot in the file, if it was ever written. */
	slot: number | undefined;

	constructor(bytes: Buffer) {
		this.bytes = bytes;
		this.words = wordsIn(bytes);
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
	#mostResident: number;
	/** Evicted buffers to hold back before reuse: none if enough pages are resident. */
	readonly #mostRested: number;
	#resident: Page[] = [];
	/** Latest last. */
	readonly #rested: Buffer[] = [];
	readonly #freeSlots: number[] = [];
	#slots = 0;
	#file: number | undefined;
	readonly #abandoned = new FinalizationRegistry<Page[]>(pages => this.free(pages));

	constructor(options?: PagesOptions) {
		this.#options = options;
		this.pageBytes = options?.pageBytes ?? usualBytes;
		this.#mostResident = options
			? Math.max(2, Math.floor(options.mostBytes / this.pageBytes))
			: Number.POSITIVE_INFINITY;
		this.#mostRested = Math.max(0, keptAtLeast - this.#mostResident);
	}

	/** Bytes of pages in the file. */
	get bytesInFile(): number {
		return (this.#slots - this.#freeSlots.length) * this.pageBytes;
	}

	/** Creates a page in memory; its content is undefined. */
	make(): Page {
		const page = new Page(this.#emptyBuffer());
		this.#admit(page);
		return page;
	}

	/** Creates a page of another size, which stays in memory. */
	makeLarge(bytes: number): Page {
		return new Page(Buffer.allocUnsafeSlow(bytes));
	}

	/**
	 * Returns the content, valid for reading until 64 other pages are used. Fails with `file_failed` if the
	 * file cannot be read.
	 */
	bytesOf(page: Page): Buffer {
		page.used = ++this.#looks;
		return page.bytes ?? this.#load(page);
	}

	/** Returns the content as 32-bit unsigned integers. */
	wordsOf(page: Page): Uint32Array {
		page.used = ++this.#looks;
		if (page.words === undefined) this.#load(page);
		return page.words ?? new Uint32Array();
	}

	/** Returns the content for writing, valid until any other page is used. */
	bytesToChange(page: Page): Buffer {
		const bytes = this.bytesOf(page);
		page.isChanged = true;
		return bytes;
	}

	wordsToChange(page: Page): Uint32Array {
		const words = this.wordsOf(page);
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

	#admit(page: Page): void {
		page.used = ++this.#looks;
		if (this.#options) this.#resident.push(page);
	}

	#load(page: Page): Buffer {
		const bytes = this.#emptyBuffer();
		this.#read(page, bytes);
		page.bytes = bytes;
		page.words = wordsIn(bytes);
		page.isChanged = false;
		this.#admit(page);
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
			throw fileFailed('The file that the list of keys is kept in cannot be read.', cause);
		}
	}

	/** Returns a buffer for another page, evicting the least recently used page if necessary. */
	#emptyBuffer(): Buffer {
		if (this.#resident.length >= this.#mostResident) this.#evict();
		const rested = this.#rested.length > this.#mostRested ? this.#rested.shift() : undefined;
		return rested ?? Buffer.allocUnsafeSlow(this.pageBytes);
	}

	#evict(): void {
		let oldest = 0;
		for (let at = 1; at < this.#resident.length; at++)
			if ((this.#resident[at]?.used ?? 0) < (this.#resident[oldest]?.used ?? 0)) oldest = at;
		const page = this.#resident[oldest];
		const last = this.#resident.at(-1);
		if (!page?.bytes || !last) return;
		if (page.isChanged && !this.#write(page, page.bytes)) return;
		this.#rested.push(page.bytes);
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
			this.#mostResident = Number.POSITIVE_INFINITY;
			const failure = fileFailed('The list of keys cannot be kept on the disk.', cause);
			// The caller may be rendering, so report later.
			setImmediate(() => this.#options?.onFailure?.(failure));
			return false;
		}
	}

	#open(): number {
		const path = draftName(`${this.#options?.directory()}/keys`);
		const file = openSync(path, 'wx+', 0o600);
		try {
			rmSync(path);
		} catch (error) {
			closeSync(file);
			throw error;
		}
		closed.register(this, file);
		return file;
	}
}

const closed = new FinalizationRegistry<number>(file => closeSync(file));

/** Pages that all stay in memory. */
export const inMemory = new Pages();

function wordsIn(bytes: Buffer): Uint32Array {
	return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / wordBytes));
}
