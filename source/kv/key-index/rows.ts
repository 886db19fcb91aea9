import type {KeyIndex} from './key-index.ts';
import type {PositionRange} from './position-shift.ts';

/** One row of the key list. Text is raw data, not yet safe for a terminal. */
export type KeyRow =
	| {
			readonly kind: 'group';
			/** Common prefix of all keys in the group. */
			readonly prefix: string;
			/** The prefix without the parent's prefix. */
			readonly label: string;
			readonly depth: number;
			readonly open: boolean;
			/** Number of keys in the group. */
			readonly count: number;
			/** False while the listing may still add keys. */
			readonly complete: boolean;
	  }
	| {
			readonly kind: 'key';
			readonly position: number;
			readonly depth: number;
			/** The name without the parent's prefix; empty if the name is that prefix. */
			readonly label: string;
	  };

/**
 * The rows of a key list: one per key or group. After insertions and removals, each access rescans from the
 * first change for up to `catchUpBudgetMs`; `advance` does the rest. `advance` also handles new pages, opened
 * groups and pending searches: call it after each of these, and after `put` and `remove`.
 */
export interface KeyRows {
	readonly arrangement: 'flat' | 'tree' | 'filtered' | 'sorted';
	/** Rows known so far. */
	readonly count: number;
	/** True if all rows of the listed keys are found. Has no side effects. */
	readonly isDone: boolean;
	/** Returns a row, counted from 0; undefined beyond the end. */
	at(row: number): KeyRow | undefined;
	/** Finds more rows within a time budget, at least a few. Returns true when all are found. */
	advance(budgetMilliseconds?: number): boolean;
	/**
	 * Returns the row that shows a key, or the closest one: the closed group that contains it, or the next
	 * visible key.
	 */
	findRow(position: number): number;
	/** Returns the positions a row represents: one key, or all of a group. */
	getPositions(row: number): PositionRange;
}

/** Time budget per access for catching up with changed keys, in milliseconds. */
export const catchUpBudgetMs = 10;

/** The keys that rows show: all keys of an index, or those with a prefix. Grows and moves with the index. */
export type KeyRange = PositionRange & {
	/** True if the listing may still add keys at or after a position. */
	mayGrow(position: number): boolean;
};

/** Returns the range of all keys of an index. */
export const createWholeRange = (index: KeyIndex): KeyRange => ({
	from: 0,
	get to() {
		return index.count;
	},
	mayGrow: position => index.mayGrow(position),
});

const noPositionRange: PositionRange = {from: 0, to: 0};

/** Limits a row to the existing ones; 0 if the list is empty. */
export const clampRow = (row: number, count: number): number => Math.max(0, Math.min(row, count - 1));

/** Returns the range of one key; an empty range without a position. */
export const getKeyPositions = (position: number | undefined): PositionRange =>
	position === undefined ? noPositionRange : {from: position, to: position + 1};

export const buildPlainRow = (index: KeyIndex, position: number): KeyRow => ({
	kind: 'key',
	position,
	depth: 0,
	label: index.getName(position),
});

export class FlatRows implements KeyRows {
	readonly arrangement = 'flat';
	readonly isDone = true;
	readonly #index: KeyIndex;
	readonly #range: KeyRange;

	constructor(index: KeyIndex, range = createWholeRange(index)) {
		this.#index = index;
		this.#range = range;
	}

	get count(): number {
		return this.#range.to - this.#range.from;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? buildPlainRow(this.#index, this.getPosition(row)) : undefined;
	}

	/** Returns the position of the key in an existing row. */
	getPosition(row: number): number {
		return this.#range.from + row;
	}

	advance(): boolean {
		return true;
	}

	findRow(position: number): number {
		return clampRow(position - this.#range.from, this.count);
	}

	getPositions(row: number): PositionRange {
		return getKeyPositions(row >= 0 && row < this.count ? this.getPosition(row) : undefined);
	}
}
