import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';
import type {Pages} from './pages.ts';
import {findPrefixEnd, findSharedPrefix, findShortestPrefix} from './prefixes.ts';
import {Uint32List} from './uint32-list.ts';

/** Keys scanned between two checks of the deadline. */
const positionsPerCheck = 256;

/**
 * The groups of one tree level, in order: ranges of positions whose names share a prefix. Ungrouped keys
 * between them take no memory.
 */
export class Groups {
	/** Bytes of this level's prefix. */
	readonly #prefixBytes: number;
	readonly #starts: Uint32List;
	readonly #ends: Uint32List;
	readonly #prefixLengths: Uint32List;
	/** Cumulative number of keys that closed groups hide; each group shows one row. */
	readonly #hiddenCounts: Uint32List;

	constructor(prefixBytes: number, pages: Pages) {
		this.#prefixBytes = prefixBytes;
		this.#starts = new Uint32List(pages);
		this.#ends = new Uint32List(pages);
		this.#prefixLengths = new Uint32List(pages);
		this.#hiddenCounts = new Uint32List(pages);
	}

	get count(): number {
		return this.#starts.length;
	}

	getStart(group: number): number {
		return this.#starts.at(group);
	}

	getEnd(group: number): number {
		return this.#ends.at(group);
	}

	getPrefixByteLength(group: number): number {
		return this.#prefixLengths.at(group);
	}

	/** Returns the number of rows hidden before a group, if all groups are closed. */
	countHiddenRows(group: number): number {
		return group === 0 ? 0 : this.#hiddenCounts.at(group - 1);
	}

	/** Returns the group that contains a position; -1 for an ungrouped key. */
	findGroup(position: number): number {
		const group = this.countStarted(position) - 1;
		return group >= 0 && position < this.getEnd(group) ? group : -1;
	}

	/** Counts groups that start at or before a position. */
	countStarted(position: number): number {
		return this.#starts.findFirstAtLeast(position + 1);
	}

	/** Counts groups that start at or before a row, if all are closed and row 0 is position `first`. */
	countUpToRow(row: number, first: number): number {
		return bisect(0, this.count, group => this.getStart(group) - first - this.countHiddenRows(group) <= row);
	}

	/** Scans for groups between two positions; returns where it stopped at the deadline, or `to`. */
	scan(index: KeyIndex, from: number, to: number, deadline: number): number {
		let position = from;
		for (let scannedCount = 1; position < to; scannedCount++) {
			const shortestBytes = findShortestPrefix(index, position, this.#prefixBytes);
			const end =
				shortestBytes === 0
					? position + 1
					: findPrefixEnd(index, position, to, this.#prefixBytes, shortestBytes);
			// A chain of single groups is one group: the prefix its first and last name share.
			if (end - position > 1) this.#push(position, end, findSharedPrefix(index, position, end - 1));
			position = end;
			if (scannedCount % positionsPerCheck === 0 && performance.now() >= deadline) break;
		}
		return position;
	}

	/**
	 * Removes the last group or ungrouped key before `builtEnd`, because more keys may change it. Returns its
	 * start.
	 */
	reopenLast(from: number, builtEnd: number): number {
		const lastGroup = this.count - 1;
		if (lastGroup < 0 || this.getEnd(lastGroup) < builtEnd) return Math.max(from, builtEnd - 1);
		const start = this.getStart(lastGroup);
		this.#truncate(lastGroup);
		return start;
	}

	/**
	 * Keeps only groups that end at or before a position. Returns where the first removed group started, or
	 * the position if that is smaller.
	 */
	truncateAfter(position: number): number {
		const keptCount = this.#ends.findFirstAtLeast(position + 1);
		const start = keptCount < this.count ? Math.min(position, this.getStart(keptCount)) : position;
		this.#truncate(keptCount);
		return start;
	}

	#push(from: number, to: number, prefixLength: number): void {
		this.#hiddenCounts.push(this.countHiddenRows(this.count) + to - from - 1);
		this.#starts.push(from);
		this.#ends.push(to);
		this.#prefixLengths.push(prefixLength);
	}

	#truncate(length: number): void {
		for (const list of [this.#starts, this.#ends, this.#prefixLengths, this.#hiddenCounts])
			list.truncate(length);
	}
}
