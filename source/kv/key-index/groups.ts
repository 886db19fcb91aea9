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
	readonly #from: Uint32List;
	readonly #to: Uint32List;
	readonly #prefix: Uint32List;
	/** Cumulative number of keys that closed groups hide; each group shows one row. */
	readonly #hidden: Uint32List;

	constructor(known: number, pages: Pages) {
		this.#prefixBytes = known;
		this.#from = new Uint32List(pages);
		this.#to = new Uint32List(pages);
		this.#prefix = new Uint32List(pages);
		this.#hidden = new Uint32List(pages);
	}

	get count(): number {
		return this.#from.length;
	}

	getStart(group: number): number {
		return this.#from.at(group);
	}

	getEnd(group: number): number {
		return this.#to.at(group);
	}

	getPrefixBytes(group: number): number {
		return this.#prefix.at(group);
	}

	/** Returns the number of rows hidden before a group, if all groups are closed. */
	countHiddenRows(group: number): number {
		return group === 0 ? 0 : this.#hidden.at(group - 1);
	}

	/** Returns the group that contains a position; -1 for an ungrouped key. */
	findGroup(position: number): number {
		const group = this.countStarted(position) - 1;
		return group >= 0 && position < this.getEnd(group) ? group : -1;
	}

	/** Counts groups that start at or before a position. */
	countStarted(position: number): number {
		return this.#from.findFirstAtLeast(position + 1);
	}

	/** Counts groups that start at or before a row, if all are closed and row 0 is position `first`. */
	countUpToRow(row: number, first: number): number {
		return bisect(0, this.count, group => this.getStart(group) - first - this.countHiddenRows(group) <= row);
	}

	/** Scans for groups between two positions; returns where it stopped at the deadline, or `to`. */
	scan(index: KeyIndex, from: number, to: number, deadline: number): number {
		let position = from;
		for (let scanned = 1; position < to; scanned++) {
			const shortest = findShortestPrefix(index, position, this.#prefixBytes);
			const end =
				shortest === 0 ? position + 1 : findPrefixEnd(index, position, to, this.#prefixBytes, shortest);
			// A chain of single groups is one group: the prefix its first and last name share.
			if (end - position > 1) this.#push(position, end, findSharedPrefix(index, position, end - 1));
			position = end;
			if (scanned % positionsPerCheck === 0 && performance.now() >= deadline) break;
		}
		return position;
	}

	/** Removes the last group or key, because more keys may change it. Returns its start. */
	reopenLast(from: number, built: number): number {
		const last = this.count - 1;
		if (last < 0 || this.getEnd(last) < built) return Math.max(from, built - 1);
		const start = this.getStart(last);
		this.#truncate(last);
		return start;
	}

	/**
	 * Keeps only groups that end at or before a position. Returns where the first removed group started, or
	 * the position if that is smaller.
	 */
	truncateAfter(position: number): number {
		const kept = this.#to.findFirstAtLeast(position + 1);
		const start = kept < this.count ? Math.min(position, this.getStart(kept)) : position;
		this.#truncate(kept);
		return start;
	}

	#push(from: number, to: number, prefix: number): void {
		this.#hidden.push(this.countHiddenRows(this.count) + to - from - 1);
		this.#from.push(from);
		this.#to.push(to);
		this.#prefix.push(prefix);
	}

	#truncate(length: number): void {
		for (const list of [this.#from, this.#to, this.#prefix, this.#hidden]) list.truncate(length);
	}
}
