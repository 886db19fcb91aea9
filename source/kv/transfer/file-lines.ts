import {bisect} from '../../text/bisect.ts';
import {inMemoryPages, type Pages} from '../key-index/pages.ts';
import type {KeyEntry} from '../store.ts';
import {type Line, LineList} from './line-list.ts';

/** Bytes of lines per sorted run, and runs per merge: as much as the pages in memory hold. */
const runBytes = 2_000_000;
const runsPerMerge = 16;

/**
 * The lines of a file by key, packed: about 20 bytes per line besides name, expiration and metadata. Lines
 * are added in file order; after `sort`, positions are in byte order of the keys, and of duplicate keys the
 * last line wins.
 */
export class FileLines {
	readonly #pages: Pages;
	readonly #runBytes: number;
	/** Sorted runs of lines, in file order. */
	#runs: LineList[] = [];
	/** The latest lines. */
	#current: LineList;
	/** True if all keys were added in order, as in every export. */
	#ascends = true;
	/** The effective lines, after `sort`. */
	#effective: LineList;
	/** Position found last: keys are looked up in order. */
	#found = 0;

	constructor(pages: Pages = inMemoryPages, mostRunBytes = runBytes) {
		this.#pages = pages;
		this.#runBytes = mostRunBytes;
		this.#current = new LineList(pages);
		this.#effective = this.#current;
	}

	get count(): number {
		return this.#effective.count;
	}

	add(line: Line): void {
		const latest = this.#current;
		const last = latest.count - 1;
		latest.add(line);
		if (last >= 0 && latest.compare(last, latest, last + 1) >= 0) this.#ascends = false;
		// Ascending lines need no sorting, however many.
		if (this.#ascends || latest.bytes < this.#runBytes) return;
		this.#endRun();
	}

	sort(): this {
		if (!this.#ascends) {
			if (this.#current.count > 0) this.#endRun();
			while (this.#runs.length > 1) {
				const merged: LineList[] = [];
				for (let from = 0; from < this.#runs.length; from += runsPerMerge)
					merged.push(LineList.merge(this.#runs.slice(from, from + runsPerMerge), this.#pages));
				this.#runs = merged;
			}
		}
		this.#effective = this.#runs[0] ?? this.#current;
		return this;
	}

	getEntry(position: number): KeyEntry {
		return this.#effective.getLine(position).entry;
	}

	/** Returns the line of a key; undefined if the file has none. */
	find(key: string): Line | undefined {
		const position = this.#hasKey(this.#found + 1, key) ? this.#found + 1 : this.findFirst(key);
		if (!this.#hasKey(position, key)) return undefined;
		this.#found = position;
		return this.#effective.getLine(position);
	}

	/** Returns the first position whose key is not less than the text; may be past the end. */
	findFirst(text: string): number {
		const bytes = Buffer.from(text);
		return bisect(0, this.count, position => this.#effective.compareKey(position, bytes) < 0);
	}

	#hasKey(position: number, key: string): boolean {
		return position < this.count && this.#effective.getName(position) === key;
	}

	/** Sorts the latest lines into runs. An initial ascending part may be longer than one run. */
	#endRun(): void {
		for (let from = 0; from < this.#current.count; ) {
			const to = this.#current.findEnd(from, this.#runBytes);
			this.#runs.push(this.#current.sortRange(from, to, this.#pages));
			from = to;
		}
		this.#current = new LineList(this.#pages);
	}
}
