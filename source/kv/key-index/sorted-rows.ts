import {ExpiryOrder, type SortSizes, usualSizes} from './expiry-order.ts';
import type {FilteredRows} from './filtered-rows.ts';
import type {KeyIndex} from './key-index.ts';
import {type PositionRange, shiftPositions} from './position-shift.ts';
import {closestRow, type FlatRows, type KeyRow, type KeyRows, plainRow} from './rows.ts';
import {Uint32List} from './uint32-list.ts';

/** Keys taken between two checks of the deadline. */
const takenAtOnce = 256;

/** Sorted keys: those that expire, then the others by position. */
type Arranged = {readonly order: ExpiryOrder; readonly never: Uint32List};

/**
 * Rows by expiry, soonest first, keys without one at the end; keys that expire in the same second stay in
 * name order. Listed pages are merged in; insertions and removals re-sort everything. More than 32,768 keys
 * are sorted incrementally (`advance`): the first time, the rows are those sorted so far; later, the previous
 * order without removed keys.
 */
export class SortedRows implements KeyRows {
	readonly arrangement = 'sorted';
	readonly #index: KeyIndex;
	readonly #source: FlatRows | FilteredRows;
	readonly #sizes: SortSizes;
	/** Up to this many keys are sorted on access; more only by `advance`. */
	readonly #few: number;
	#shown: Arranged;
	/** Order that replaces the shown one when it is sorted. */
	#next: Arranged | undefined;
	/** Number of source rows taken so far. */
	#taken = 0;
	#revision: number;
	#changes: number;

	constructor(index: KeyIndex, source: FlatRows | FilteredRows, sizes = usualSizes) {
		this.#index = index;
		this.#sizes = sizes;
		this.#few = sizes.gathered;
		this.#source = source;
		this.#shown = this.#nothing();
		this.#revision = index.revision;
		this.#changes = index.changes;
	}

	get count(): number {
		this.#follow();
		return this.#shownCount;
	}

	get isDone(): boolean {
		const {revision, changes} = this.#index;
		const isFollowed = this.#revision === revision && this.#changes === changes;
		return isFollowed && this.#source.isDone && this.#isSorted && this.#taken === this.#source.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? plainRow(this.#index, this.#positionAt(row)) : undefined;
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		const deadline = performance.now() + budgetMilliseconds;
		const isDone = this.#source.advance(budgetMilliseconds);
		this.#follow();
		return this.#sort(deadline) && isDone;
	}

	/** Returns the row of a key; for a key that a filter hides, the row its expiry would have. */
	rowOf(position: number): number {
		this.#follow();
		const {order, never} = this.#shown;
		if (position >= this.#index.count) return closestRow(this.#shownCount, this.#shownCount);
		const expiry = this.#index.expirationAt(position);
		const row =
			expiry === undefined ? order.length + never.firstAtLeast(position) : order.placeOf(expiry, position);
		return closestRow(row, this.#shownCount);
	}

	positionsOf(row: number): PositionRange {
		if (row < 0 || row >= this.count) return {from: 0, to: 0};
		const position = this.#positionAt(row);
		return {from: position, to: position + 1};
	}

	get #shownCount(): number {
		return this.#shown.order.length + this.#shown.never.length;
	}

	get #isSorted(): boolean {
		return this.#next === undefined && this.#shown.order.isSettled;
	}

	#positionAt(row: number): number {
		const {order, never} = this.#shown;
		return row < order.length ? order.at(row) : never.at(row - order.length);
	}

	#follow(): void {
		const {revision, changes} = this.#index;
		const {count} = this.#source;
		if (this.#revision !== revision || this.#changes !== changes || count < this.#taken) {
			this.#startOver(count);
			this.#revision = revision;
			this.#changes = changes;
		}
		if (count <= this.#few && this.#taken < count) this.#sort(Number.POSITIVE_INFINITY);
	}

	/** Re-sorts everything; keeps showing the old order until done, if the shifts can be followed. */
	#startOver(count: number): void {
		const shifts = count > this.#few ? this.#index.shiftsSince(this.#revision) : undefined;
		this.#taken = 0;
		this.#next = undefined;
		if (shifts === undefined) this.#shown = this.#nothing();
		else {
			for (const shift of shifts) {
				this.#shown.order.follow(shift);
				shiftPositions(this.#shown.never, shift);
			}
			this.#next = this.#nothing();
		}
	}

	/** Takes new source rows and sorts until the deadline. Returns true when done for now. */
	#sort(deadline: number): boolean {
		const into = this.#next ?? this.#shown;
		while (this.#taken < this.#source.count) {
			this.#take(into);
			if (into.order.isFull && !into.order.settle(deadline, 'more')) return false;
			if (performance.now() >= deadline) return false;
		}
		const mayGrow = !this.#index.complete && this.#next === undefined;
		if (!into.order.settle(deadline, mayGrow ? 'growing' : 'end')) return false;
		this.#shown = into;
		this.#next = undefined;
		return true;
	}

	#take({order, never}: Arranged): void {
		const end = Math.min(this.#source.count, this.#taken + takenAtOnce);
		while (this.#taken < end && !order.isFull) {
			const position = this.#source.positionAt(this.#taken++);
			const expiry = this.#index.expirationAt(position);
			if (expiry === undefined) never.push(position);
			else order.add(position, expiry);
		}
	}

	#nothing(): Arranged {
		return {order: new ExpiryOrder(this.#index, this.#sizes), never: new Uint32List(this.#index.pages)};
	}
}
