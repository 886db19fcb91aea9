import type {KeyIndex} from './key-index.ts';
import type {Pages} from './pages.ts';
import {type PositionRange, type PositionShift, ShiftCursor, stretches} from './position-shift.ts';
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
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.from(middle) - first - this.hiddenBefore(middle) <= row) low = middle + 1;
			else high = middle;
		}
		return low;
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
		for (const list of this.#lists) list.truncate(last);
		return start;
	}

	/** Follows keys that came and went before all of them. */
	slide(distance: number): void {
		this.#from.addToAll(distance);
		this.#to.addToAll(distance);
	}

	/** The groups after keys came and went; `range` is the level's now. Only the keys about which that was are read. */
	follow(index: KeyIndex, shift: PositionShift, range: PositionRange): Groups {
		const touched = this.#move(shift);
		for (const position of shift.inserted)
			if (position >= range.from && position < range.to && this.holding(position) === -1)
				touched.push({from: Math.max(range.from, position - 1), to: Math.min(range.to, position + 2)});
		if (touched.length === 0) return this;
		touched.sort((one, other) => one.from - other.from);
		return this.#rescanned(index, touched);
	}

	/** Brings the groups to their new places. Returns where one lost a key, and may no longer be a group, or of that prefix. */
	#move(shift: PositionShift): PositionRange[] {
		const cursor = new ShiftCursor(shift);
		const touched: PositionRange[] = [];
		const {count} = this;
		let group = 0;
		let kept = 0;
		// What the groups before this one hid, which may have been written over already.
		let hidden = 0;
		const keepTorn = (): void => {
			const first = cursor.survivorsBefore(this.from(group));
			const end = cursor.survivorsBefore(this.to(group));
			hidden = this.#hidden.at(group);
			if (first === end) return;
			const start = cursor.place(first);
			if (end - first < this.to(group) - this.from(group)) touched.push({from: start, to: start + 1});
			this.#set(kept++, start, cursor.place(end - 1) + 1, this.prefix(group));
		};
		for (const {from, to, distance} of stretches(shift)) {
			for (; group < count && this.from(group) < from; group++) keepTorn();
			const end = this.#to.firstAtLeast(to + 1, group);
			if (end === group) continue;
			const hiddenMore = this.hiddenBefore(kept) - hidden;
			hidden = this.#hidden.at(end - 1);
			this.#from.move(kept, group, end, distance);
			this.#to.move(kept, group, end, distance);
			this.#prefix.move(kept, group, end, 0);
			this.#hidden.move(kept, group, end, hiddenMore);
			kept += end - group;
			group = end;
		}
		for (const list of this.#lists) list.truncate(kept);
		return touched;
	}

	/** The groups with some ranges looked at again. */
	#rescanned(index: KeyIndex, touched: readonly PositionRange[]): Groups {
		const groups = new Groups(this.#known, index.pages);
		let next = 0;
		const copyUpTo = (position: number): void => {
			const end = this.#to.firstAtLeast(position + 1, next);
			groups.#pushAll(this, next, end);
			next = end;
		};
		let number = 0;
		for (let range = touched[number++]; range !== undefined; range = touched[number++]) {
			let {from: start, to: end} = range;
			copyUpTo(start);
			// Whole groups only, and what overlaps at once.
			for (;;) {
				const following = touched[number];
				if (following !== undefined && following.from < end) {
					end = Math.max(end, following.to);
					number++;
				} else if (next < this.count && this.from(next) < end) {
					start = Math.min(start, this.from(next));
					end = Math.max(end, this.to(next++));
				} else break;
			}
			groups.scan(index, start, end, Number.POSITIVE_INFINITY);
		}
		copyUpTo(Number.POSITIVE_INFINITY);
		return groups;
	}

	#pushAll(others: Groups, from: number, to: number): void {
		const hiddenMore = this.hiddenBefore(this.count) - others.hiddenBefore(from);
		this.#hidden.pushAll(others.#hidden, from, to, hiddenMore);
		this.#from.pushAll(others.#from, from, to, 0);
		this.#to.pushAll(others.#to, from, to, 0);
		this.#prefix.pushAll(others.#prefix, from, to, 0);
	}

	#push(from: number, to: number, prefix: number): void {
		this.#hidden.push(this.hiddenBefore(this.count) + to - from - 1);
		this.#from.push(from);
		this.#to.push(to);
		this.#prefix.push(prefix);
	}

	#set(group: number, from: number, to: number, prefix: number): void {
		this.#hidden.set(group, this.hiddenBefore(group) + to - from - 1);
		this.#from.set(group, from);
		this.#to.set(group, to);
		this.#prefix.set(group, prefix);
	}

	get #lists(): readonly Uint32List[] {
		return [this.#from, this.#to, this.#prefix, this.#hidden];
	}
}
