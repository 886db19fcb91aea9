import {bisect} from '../../text/bisect.ts';
import {inMemory, type Pages} from '../key-index/pages.ts';
import type {KeyEntry} from '../store.ts';
import {type Line, LineList} from './line-list.ts';

/** Bytes of lines that are sorted at once, and how many such runs are merged together: what pages in memory hold. */
const runBytes = 2_000_000;
const mergedAtOnce = 16;

/**
 * The lines of a file by their keys, packed: some 20 bytes a line beside its name, expiration and metadata. Lines are
 * added in the order of the file; once they are `sorted`, positions are those of the keys in the order of their bytes,
 * and of two lines with one key the last one stands.
 */
export class FileLines {
	readonly #pages: Pages;
	readonly #runBytes: number;
	/** Lines in the order of their keys, each list behind the one before it in the file. */
	#runs: LineList[] = [];
	/** Those that came last. */
	#latest: LineList;
	/** Whether each key came behind the one before, as in every export. */
	#ascends = true;
	/** The lines that stand, once they are sorted. */
	#standing: LineList;
	/** The position that was found last: keys are asked for in their order. */
	#found = 0;

	constructor(pages: Pages = inMemory, mostRunBytes = runBytes) {
		this.#pages = pages;
		this.#runBytes = mostRunBytes;
		this.#latest = new LineList(pages);
		this.#standing = this.#latest;
	}

	get count(): number {
		return this.#standing.count;
	}

	add(line: Line): void {
		const latest = this.#latest;
		const last = latest.count - 1;
		latest.add(line);
		if (last >= 0 && latest.compare(last, latest, last + 1) >= 0) this.#ascends = false;
		// What ascends needs no sorting, however long it is.
		if (this.#ascends || latest.bytes < this.#runBytes) return;
		this.#endRun();
	}

	sorted(): this {
		if (!this.#ascends) {
			if (this.#latest.count > 0) this.#endRun();
			while (this.#runs.length > 1) {
				const merged: LineList[] = [];
				for (let from = 0; from < this.#runs.length; from += mergedAtOnce)
					merged.push(LineList.merged(this.#runs.slice(from, from + mergedAtOnce), this.#pages));
				this.#runs = merged;
			}
		}
		this.#standing = this.#runs[0] ?? this.#latest;
		return this;
	}

	entryAt(position: number): KeyEntry {
		return this.#standing.lineAt(position).entry;
	}

	/** The line of a key; `undefined` where the file has none. */
	find(key: string): Line | undefined {
		const position = this.#isAt(this.#found + 1, key) ? this.#found + 1 : this.firstAt(key);
		if (!this.#isAt(position, key)) return undefined;
		this.#found = position;
		return this.#standing.lineAt(position);
	}

	/** The first position whose key is not before that text; behind the last one there may be none. */
	firstAt(text: string): number {
		const bytes = Buffer.from(text);
		return bisect(0, this.count, position => this.#standing.compareWith(position, bytes) < 0);
	}

	#isAt(position: number, key: string): boolean {
		return position < this.count && this.#standing.nameAt(position) === key;
	}

	/** Puts the latest lines in the order of their keys. What came in that order until then may be longer than a run. */
	#endRun(): void {
		for (let from = 0; from < this.#latest.count; ) {
			const to = this.#latest.endOfBytes(from, this.#runBytes);
			this.#runs.push(this.#latest.sorted(from, to, this.#pages));
			from = to;
		}
		this.#latest = new LineList(this.#pages);
	}
}
