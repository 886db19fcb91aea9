import type {KeyIndex} from './key-index.ts';
import type {PositionRange} from './position-shift.ts';

/** One line of the list of keys. Texts are as they are in the data, not yet safe for a terminal. */
export type KeyRow =
	| {
			readonly kind: 'group';
			/** What the names of all keys below it start with. */
			readonly prefix: string;
			/** The prefix without that of the group around it. */
			readonly label: string;
			readonly depth: number;
			readonly open: boolean;
			/** Keys below it. */
			readonly count: number;
			/** False while the listing may still bring more of them. */
			readonly complete: boolean;
	  }
	| {
			readonly kind: 'key';
			readonly position: number;
			readonly depth: number;
			/** The name without the prefix of the group around it: empty where the name is that prefix itself. */
			readonly label: string;
	  };

/**
 * What the list shows of an index: a key or a group a row. When keys are put or removed the rows follow by
 * themselves, as soon as they are asked for anything: they look again at the keys from the first one on about which that
 * was, for a moment. The rest of that, what the listing brought, what was opened, and what is left to search is
 * continued by `advance`, which is to be called after each of these, and after `put` and `remove`.
 */
export interface KeyRows {
	readonly arrangement: 'flat' | 'tree' | 'filtered' | 'sorted';
	/** Rows known so far. */
	readonly count: number;
	/** Whether all rows are found, as far as keys are listed. To ask changes nothing. */
	readonly isDone: boolean;
	/** The row of a number from 0; `undefined` beyond the end. */
	at(row: number): KeyRow | undefined;
	/** Finds further rows for about so long, at least a few. Returns whether all are there. */
	advance(budgetMilliseconds?: number): boolean;
	/** The row that shows a key, or the closest one: a closed group it is in, or the next key that is shown. */
	rowOf(position: number): number;
	/** The keys that a row represents: one, or all below a group. */
	positionsOf(row: number): PositionRange;
}

/** Milliseconds that rows spend at once on keys that were put or removed. */
export const timeToFollow = 10;

const nothing: PositionRange = {from: 0, to: 0};

/** The closest row that there is; 0 when there is none. */
export const closestRow = (row: number, count: number): number => Math.max(0, Math.min(row, count - 1));

/** What a row represents that is a key itself, or is not there. */
export const positionsOfKey = (row: KeyRow | undefined): PositionRange =>
	row?.kind === 'key' ? {from: row.position, to: row.position + 1} : nothing;

export const plainRow = (index: KeyIndex, position: number): KeyRow => ({
	kind: 'key',
	position,
	depth: 0,
	label: index.nameAt(position),
});

export class FlatRows implements KeyRows {
	readonly arrangement = 'flat';
	readonly isDone = true;
	readonly #index: KeyIndex;

	constructor(index: KeyIndex) {
		this.#index = index;
	}

	get count(): number {
		return this.#index.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? plainRow(this.#index, row) : undefined;
	}

	/** The position of the key in a row that exists. */
	positionAt(row: number): number {
		return row;
	}

	advance(): boolean {
		return true;
	}

	rowOf(position: number): number {
		return closestRow(position, this.count);
	}

	positionsOf(row: number): PositionRange {
		return positionsOfKey(this.at(row));
	}
}
