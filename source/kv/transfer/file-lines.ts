import {bisect} from '../../text/bisect.ts';
import {inMemoryPages, type Pages} from '../key-index/pages.ts';
import type {KeyEntry} from '../store.ts';
import {type Line, LineList} from './line-list.ts';

/** Bytes of lines per sorted run, and runs per merge: as much as the pages in memory hold. */
const runBytes = 2_000_000;
const runsPerMerge = 16;

/**
 * The lines of a file by key, packed: about 20 bytes per line besides name, expiration and metadata. Lines
 * are added in file order; after `sort`, indexes are in byte order of the keys, and of duplicate keys only
 * the last line remains.
 */
export class FileLines {
	readonly #pages: Pages;
	readonly #runBytes: number;
	/** Sorted runs of lines, in file order. */
	#runs: LineList[] = [];
	/** The latest lines. */
	#latestLines: LineList;
	/** True if all keys were added in order, as in every export. */
	#isAscending = true;
	/** The effective lines, after `sort`. */
	#effectiveLines: LineList;
	/** The index found last, because keys are usually looked up in order. */
	#lastFoundIndex = 0;

	constructor(pages: Pages = inMemoryPages, maxRunBytes = runBytes) {
		this.#pages = pages;
		this.#runBytes = maxRunBytes;
		this.#latestLines = new LineList(pages);
		this.#effectiveLines = this.#latestLines;
	}

	get count(): number {
		return this.#effectiveLines.count;
	}

	add(line: Line): void {
		const latestLines = this.#latestLines;
		const lastIndex = latestLines.count - 1;
		latestLines.add(line);
		if (lastIndex >= 0 && latestLines.compare(lastIndex, latestLines, lastIndex + 1) >= 0)
			this.#isAscending = false;
		// Ascending lines need no sorting, however many.
		if (this.#isAscending || latestLines.entryPageBytes < this.#runBytes) return;
		this.#endRun();
	}

	sort(): this {
		if (!this.#isAscending) {
			if (this.#latestLines.count > 0) this.#endRun();
			while (this.#runs.length > 1) {
				const merged: LineList[] = [];
				for (let from = 0; from < this.#runs.length; from += runsPerMerge)
					merged.push(LineList.merge(this.#runs.slice(from, from + runsPerMerge), this.#pages));
				this.#runs = merged;
			}
		}
		this.#effectiveLines = this.#runs[0] ?? this.#latestLines;
		return this;
	}

	getEntry(index: number): KeyEntry {
		return this.#effectiveLines.getLine(index).entry;
	}

	/** Returns the line of a key; undefined if the file has none. */
	find(key: string): Line | undefined {
		const index = this.#hasKey(this.#lastFoundIndex + 1, key)
			? this.#lastFoundIndex + 1
			: this.findFirst(key);
		if (!this.#hasKey(index, key)) return undefined;
		this.#lastFoundIndex = index;
		return this.#effectiveLines.getLine(index);
	}

	/** Returns the index of the first key that is not less than the text; `count` if there is none. */
	findFirst(text: string): number {
		const bytes = Buffer.from(text);
		return bisect(0, this.count, index => this.#effectiveLines.compareKey(index, bytes) < 0);
	}

	#hasKey(index: number, key: string): boolean {
		return index < this.count && this.#effectiveLines.getName(index) === key;
	}

	/** Sorts the latest lines into runs. An initial ascending part may be longer than one run. */
	#endRun(): void {
		for (let from = 0; from < this.#latestLines.count; ) {
			const to = this.#latestLines.findEnd(from, this.#runBytes);
			this.#runs.push(this.#latestLines.sortRange(from, to, this.#pages));
			from = to;
		}
		this.#latestLines = new LineList(this.#pages);
	}
}
