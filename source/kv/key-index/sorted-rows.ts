import {defaultSortSizes, ExpiryOrder, type SortSizes} from './expiry-order.ts';
import type {FilteredRows} from './filtered-rows.ts';
import type {KeyIndex} from './key-index.ts';
import {type PositionRange, shiftPositions} from './position-shift.ts';
import {buildPlainRow, clampRow, type FlatRows, type KeyRow, type KeyRows} from './rows.ts';
import {Uint32List} from './uint32-list.ts';

/** Keys taken between two checks of the deadline. */
const positionsPerCheck = 256;

/** Sorted keys: those that expire, then the others by position. */
type SortedKeys = {readonly order: ExpiryOrder; readonly never: Uint32List};

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
	readonly #syncLimit: number;
	#shown: SortedKeys;
	/** Order that replaces the shown one when it is sorted. */
	#next: SortedKeys | undefined;
	/** Number of source rows taken so far. */
	#takenRows = 0;
	#revision: number;
	#changes: number;

	constructor(index: KeyIndex, source: FlatRows | FilteredRows, sizes = defaultSortSizes) {
		this.#index = index;
		this.#sizes = sizes;
		this.#syncLimit = sizes.gathered;
		this.#source = source;
		this.#shown = this.#createEmpty();
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
		return isFollowed && this.#source.isDone && this.#isSorted && this.#takenRows === this.#source.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? buildPlainRow(this.#index, this.#getPosition(row)) : undefined;
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		const deadline = performance.now() + budgetMilliseconds;
		const isDone = this.#source.advance(budgetMilliseconds);
		this.#follow();
		return this.#sort(deadline) && isDone;
	}

	/** Returns the row of a key; for a key that a filter hides, the row its expiry would have. */
	findRow(position: number): number {
		this.#follow();
		const {order, never} = this.#shown;
		if (position >= this.#index.count) return clampRow(this.#shownCount, this.#shownCount);
		const expiry = this.#index.getExpiration(position);
		const row =
			expiry === undefined
				? order.length + never.findFirstAtLeast(position)
				: order.findPlace(expiry, position);
		return clampRow(row, this.#shownCount);
	}

	getPositions(row: number): PositionRange {
		if (row < 0 || row >= this.count) return {from: 0, to: 0};
		const position = this.#getPosition(row);
		return {from: position, to: position + 1};
	}

	get #shownCount(): number {
		return this.#shown.order.length + this.#shown.never.length;
	}

	get #isSorted(): boolean {
		return this.#next === undefined && this.#shown.order.isSettled;
	}

	#getPosition(row: number): number {
		const {order, never} = this.#shown;
		return row < order.length ? order.getPosition(row) : never.at(row - order.length);
	}

	#follow(): void {
		const {revision, changes} = this.#index;
		const {count} = this.#source;
		if (this.#revision !== revision || this.#changes !== changes || count < this.#takenRows) {
			this.#startOver(count);
			this.#revision = revision;
			this.#changes = changes;
		}
		if (count <= this.#syncLimit && this.#takenRows < count) this.#sort(Number.POSITIVE_INFINITY);
	}

	/** Re-sorts everything; keeps showing the old order until done, if the shifts can be followed. */
	#startOver(count: number): void {
		const shifts = count > this.#syncLimit ? this.#index.getShiftsSince(this.#revision) : undefined;
		this.#takenRows = 0;
		this.#next = undefined;
		if (shifts === undefined) this.#shown = this.#createEmpty();
		else {
			for (const shift of shifts) {
				this.#shown.order.follow(shift);
				shiftPositions(this.#shown.never, shift);
			}
			this.#next = this.#createEmpty();
		}
	}

	/** Takes new source rows and sorts until the deadline. Returns true when done for now. */
	#sort(deadline: number): boolean {
		const into = this.#next ?? this.#shown;
		while (this.#takenRows < this.#source.count) {
			this.#takeRows(into);
			if (into.order.isFull && !into.order.settle(deadline, 'more')) return false;
			if (performance.now() >= deadline) return false;
		}
		const mayGrow = !this.#index.complete && this.#next === undefined;
		if (!into.order.settle(deadline, mayGrow ? 'growing' : 'end')) return false;
		this.#shown = into;
		this.#next = undefined;
		return true;
	}

	#takeRows({order, never}: SortedKeys): void {
		const end = Math.min(this.#source.count, this.#takenRows + positionsPerCheck);
		while (this.#takenRows < end && !order.isFull) {
			const position = this.#source.getPosition(this.#takenRows++);
			const expiry = this.#index.getExpiration(position);
			if (expiry === undefined) never.push(position);
			else order.add(position, expiry);
		}
	}

	#createEmpty(): SortedKeys {
		return {order: new ExpiryOrder(this.#index, this.#sizes), never: new Uint32List(this.#index.pages)};
	}
}
