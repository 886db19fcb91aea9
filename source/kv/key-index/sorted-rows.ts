import type {FilteredRows} from './filtered-rows.ts';
import type {KeyIndex} from './key-index.ts';
import {type PositionRange, shiftPositions} from './position-shift.ts';
import {buildPlainRow, clampRow, type FlatRows, type KeyRow, type KeyRows} from './rows.ts';
import {Uint32List} from './uint32-list.ts';
import {defaultSortSizes, type GetSortValue, type SortSizes, ValueOrder} from './value-order.ts';

/** Number of keys taken between two checks of the deadline. */
const positionsPerCheck = 256;

/** Sorted keys: those that have a value, then the others by position. */
type SortedKeys = {readonly order: ValueOrder; readonly valueless: Uint32List};

/**
 * Rows by a value, by default the expiry: the smallest first, keys without one at the end; keys with the same
 * value stay in name order. Listed pages are merged in; insertions and removals re-sort everything. More than
 * 32,768 keys are sorted incrementally (`advance`). During the first sort, the rows are the keys sorted so
 * far; during later ones, the previous order without removed keys.
 */
export class SortedRows implements KeyRows {
	readonly arrangement = 'sorted';
	readonly #index: KeyIndex;
	readonly #source: FlatRows | FilteredRows;
	readonly #getValue: GetSortValue;
	readonly #sizes: SortSizes;
	/** Maximum number of keys to sort on access; more are only sorted by `advance`. */
	readonly #syncLimit: number;
	#shownKeys: SortedKeys;
	/** Order that replaces the shown one when it is sorted. */
	#nextKeys: SortedKeys | undefined;
	/** Number of source rows taken so far. */
	#takenCount = 0;
	#revision: number;
	#replacementCount: number;

	constructor(
		index: KeyIndex,
		source: FlatRows | FilteredRows,
		sizes = defaultSortSizes,
		getValue: GetSortValue = position => index.getExpiration(position),
	) {
		this.#index = index;
		this.#getValue = getValue;
		this.#sizes = sizes;
		this.#syncLimit = sizes.maxGathered;
		this.#source = source;
		this.#shownKeys = this.#createEmptyKeys();
		this.#revision = index.revision;
		this.#replacementCount = index.replacementCount;
	}

	get count(): number {
		this.#catchUp();
		return this.#shownCount;
	}

	/** Number of rows that have a value. */
	get valuedCount(): number {
		this.#catchUp();
		return this.#shownKeys.order.length;
	}

	get isDone(): boolean {
		const {revision, replacementCount} = this.#index;
		const isCaughtUp = this.#revision === revision && this.#replacementCount === replacementCount;
		return isCaughtUp && this.#source.isDone && this.#isSorted && this.#takenCount === this.#source.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? buildPlainRow(this.#index, this.#getPosition(row)) : undefined;
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		const deadline = performance.now() + budgetMilliseconds;
		const isDone = this.#source.advance(budgetMilliseconds);
		this.#catchUp();
		return this.#sort(deadline) && isDone;
	}

	/** Returns the row of a key; for a key that a filter hides, the row its value would have. */
	findRow(position: number): number {
		this.#catchUp();
		const {order, valueless} = this.#shownKeys;
		if (position >= this.#index.count) return clampRow(this.#shownCount, this.#shownCount);
		const value = this.#getValue(position);
		const row =
			value === undefined
				? order.length + valueless.findFirstAtLeast(position)
				: order.findRank(value, position);
		return clampRow(row, this.#shownCount);
	}

	getPositions(row: number): PositionRange {
		if (row < 0 || row >= this.count) return {from: 0, to: 0};
		const position = this.#getPosition(row);
		return {from: position, to: position + 1};
	}

	get #shownCount(): number {
		return this.#shownKeys.order.length + this.#shownKeys.valueless.length;
	}

	get #isSorted(): boolean {
		return this.#nextKeys === undefined && this.#shownKeys.order.isSettled;
	}

	#getPosition(row: number): number {
		const {order, valueless} = this.#shownKeys;
		return row < order.length ? order.getPosition(row) : valueless.at(row - order.length);
	}

	#catchUp(): void {
		const {revision, replacementCount} = this.#index;
		const {count} = this.#source;
		if (
			this.#revision !== revision ||
			this.#replacementCount !== replacementCount ||
			count < this.#takenCount
		) {
			this.#startOver(count);
			this.#revision = revision;
			this.#replacementCount = replacementCount;
		}
		if (count <= this.#syncLimit && this.#takenCount < count) this.#sort(Number.POSITIVE_INFINITY);
	}

	/** Re-sorts everything; keeps showing the old order until done, if the shifts can be followed. */
	#startOver(count: number): void {
		const shifts = count > this.#syncLimit ? this.#index.getShiftsSince(this.#revision) : undefined;
		this.#takenCount = 0;
		this.#nextKeys = undefined;
		if (shifts === undefined) this.#shownKeys = this.#createEmptyKeys();
		else {
			for (const shift of shifts) {
				this.#shownKeys.order.applyShift(shift);
				shiftPositions(this.#shownKeys.valueless, shift);
			}
			this.#nextKeys = this.#createEmptyKeys();
		}
	}

	/** Takes new source rows and sorts until the deadline. Returns true when done for now. */
	#sort(deadline: number): boolean {
		const target = this.#nextKeys ?? this.#shownKeys;
		while (this.#takenCount < this.#source.count) {
			this.#takeRows(target);
			if (target.order.isFull && !target.order.settle(deadline, 'make room')) return false;
			if (performance.now() >= deadline) return false;
		}
		const mayGrow = !this.#index.complete && this.#nextKeys === undefined;
		if (!target.order.settle(deadline, mayGrow ? 'merge if many' : 'merge all')) return false;
		this.#shownKeys = target;
		this.#nextKeys = undefined;
		return true;
	}

	#takeRows({order, valueless}: SortedKeys): void {
		const end = Math.min(this.#source.count, this.#takenCount + positionsPerCheck);
		while (this.#takenCount < end && !order.isFull) {
			const position = this.#source.getPosition(this.#takenCount++);
			const value = this.#getValue(position);
			if (value === undefined) valueless.push(position);
			else order.add(position, value);
		}
	}

	#createEmptyKeys(): SortedKeys {
		const {pages} = this.#index;
		return {order: new ValueOrder(pages, this.#getValue, this.#sizes), valueless: new Uint32List(pages)};
	}
}
