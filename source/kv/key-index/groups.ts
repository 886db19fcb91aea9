import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';
import type {Pages} from './pages.ts';
import {endOfPrefix, prefixBehind, sharedPrefix} from './prefixes.ts';
import {Uint32List} from './uint32-list.ts';

/** Keys looked at between two looks at the clock. */
const runLength = 256;

/**
 * The groups of one level of the tree, in order: ranges of positions whose names share a prefix. The keys between
 * them represent themselves and take no memory.
 */
export class Groups {
	/** Bytes of the prefix around this level. */
	readonly #known: number;
	readonly #from: Uint32List;
	readonly #to: Uint32List;
	readonly #prefix: Uint32List;
	/** Keys that the groups up to here hide, each showing one row. */
	readonly #hidden: Uint32List;

	constructor(known: number, pages: Pages) {
		this.#known = known;
		this.#from = new Uint32List(pages);
		this.#to = new Uint32List(pages);
		this.#prefix = new Uint32List(pages);
		this.#hidden = new Uint32List(pages);
	}

	get count(): number {
		return this.#from.length;
	}

	from(group: number): number {
		return this.#from.at(group);
	}

	to(group: number): number {
		return this.#to.at(group);
	}

	prefix(group: number): number {
		return this.#prefix.at(group);
	}

	/** Rows that are missing before a group, as the ones before it are closed. */
	hiddenBefore(group: number): number {
		return group === 0 ? 0 : this.#hidden.at(group - 1);
	}

	/** The group that holds a position; -1 for a key that represents itself. */
	holding(position: number): number {
		const group = this.countFrom(position) - 1;
		return group >= 0 && position < this.to(group) ? group : -1;
	}

	/** How many groups start at or before a position. */
	countFrom(position: number): number {
		return this.#from.firstAtLeast(position + 1);
	}

	/** How many groups start at or before a row, all being closed and the first row being that of position `first`. */
	countUpTo(row: number, first: number): number {
		return bisect(0, this.count, group => this.from(group) - first - this.hiddenBefore(group) <= row);
	}

	/** Looks for groups from one position on; returns where the time was over, or `to`. */
	scan(index: KeyIndex, from: number, to: number, deadline: number): number {
		let position = from;
		for (let looks = 1; position < to; looks++) {
			const shortest = prefixBehind(index, position, this.#known);
			const end = shortest === 0 ? position + 1 : endOfPrefix(index, position, to, this.#known, shortest);
			// A chain of groups with nothing beside them is one group: what its first and last name share.
			if (end - position > 1) this.#push(position, end, sharedPrefix(index, position, end - 1));
			position = end;
			if (looks % runLength === 0 && performance.now() >= deadline) break;
		}
		return position;
	}

	/** Takes the last group or key away again: more keys may make another of it. Returns where it started. */
	reopenLast(from: number, built: number): number {
		const last = this.count - 1;
		if (last < 0 || this.to(last) < built) return Math.max(from, built - 1);
		const start = this.from(last);
		this.#truncate(last);
		return start;
	}

	/** Keeps only those that end at a position or before it. Returns where the one that reached beyond it started, or the position. */
	keepUpTo(position: number): number {
		const kept = this.#to.firstAtLeast(position + 1);
		const start = kept < this.count ? Math.min(position, this.from(kept)) : position;
		this.#truncate(kept);
		return start;
	}

	#push(from: number, to: number, prefix: number): void {
		this.#hidden.push(this.hiddenBefore(this.count) + to - from - 1);
		this.#from.push(from);
		this.#to.push(to);
		this.#prefix.push(prefix);
	}

	#truncate(length: number): void {
		for (const list of [this.#from, this.#to, this.#prefix, this.#hidden]) list.truncate(length);
	}
}
