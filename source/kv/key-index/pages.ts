import {closeSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {draftName, fileFailed} from '../../state/directory.ts';

const usualBytes = 65_536;
const wordBytes = 4;
/** The content of a page stays in its buffer until so many other pages have been looked at. */
const keptAtLeast = 64;

/** A part of what is paged. Its content is in memory, or in the file. */
export class Page {
	bytes: Buffer | undefined;
	words: Uint32Array | undefined;
	/** Whether memory has something that the file has not. */
	isChanged = true;
	/** When it was last looked at, in looks at any page. */
	used = 0;
	/** Its place in the file; none yet. */
	slot: number | undefined;

	constructor(bytes: Buffer) {
		this.bytes = bytes;
		this.words = wordsIn(bytes);
	}
}

type PagesOptions = {
	/** Of one page; a power of two, up to 65,536. */
	readonly pageBytes?: number;
	/** Bytes of pages that stay in memory. */
	readonly mostBytes: number;
	/** The folder for the file, asked for when it is needed first; it may fail. */
	readonly directory: () => string;
	/** Told once that the file cannot be written, as `file_failed`: from then on all pages stay in memory. */
	readonly onFailure?: (failure: Error) => void;
};

/**
 * Pages of what is too much for memory: those that were not looked at for longest are in a file. It is made when it is
 * needed first, for its owner only, and has no name from then on, so that nothing is left of it however the process
 * ends. Without options all pages stay in memory.
 */
export class Pages {
	readonly pageBytes: number;
	readonly #options: PagesOptions | undefined;
	/** Looks at pages so far. */
	#looks = 0;
	#mostResident: number;
	/** Buffers of pages that went to the file and are not used again yet: none where enough pages are in memory. */
	readonly #mostRested: number;
	#resident: Page[] = [];
	/** The latest last. */
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

	/** Bytes of the pages that are in the file. */
	get bytesInFile(): number {
		return (this.#slots - this.#freeSlots.length) * this.pageBytes;
	}

	/** A page in memory with anything in it. */
	make(): Page {
		const page = new Page(this.#emptyBuffer());
		this.#admit(page);
		return page;
	}

	/** A page of another size, which stays in memory. */
	makeLarge(bytes: number): Page {
		return new Page(Buffer.allocUnsafeSlow(bytes));
	}

	/** The content, to be read before 64 other pages are looked at. Fails with `file_failed` where the file cannot be read. */
	bytesOf(page: Page): Buffer {
		page.used = ++this.#looks;
		return page.bytes ?? this.#load(page);
	}

	/** The same as whole numbers below 2^32. */
	wordsOf(page: Page): Uint32Array {
		page.used = ++this.#looks;
		if (page.words === undefined) this.#load(page);
		return page.words ?? new Uint32Array();
	}

	/** The content, to be written before any other page is looked at. */
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

	/** Frees the pages in a list, which may still change, once nobody has its owner. */
	freeWith(owner: object, pages: Page[]): void {
		if (this.#options) this.#abandoned.register(owner, pages);
	}

	/** Nobody needs these pages any longer. */
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

	/** A buffer for another page; the page that was not looked at for longest makes room. */
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

	/** Returns whether it was written; where not, nothing is written from then on. */
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
			// Whoever looks at a page may be drawing.
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
