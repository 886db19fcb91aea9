import type {KeyIndex} from './key-index.ts';
import {type NameSearch, nameSearch} from './name-search.ts';
import type {PositionRange} from './position-shift.ts';
import {closestRow, type KeyRow, type KeyRows, plainRow, positionsOfKey, timeToFollow} from './rows.ts';
import {Uint32List} from './uint32-list.ts';

/** Rows of the keys whose names contain the query, found incrementally. */
export class FilteredRows implements KeyRows {
	readonly arrangement = 'filtered';
	readonly query: string;
	readonly #index: KeyIndex;
	readonly #search: NameSearch;
	readonly #found: Uint32List;
	/** Keys before this position have been searched. */
	#searched = 0;
	#revision: number;

	constructor(index: KeyIndex, query: string) {
		this.#index = index;
		this.#found = new Uint32List(index.pages);
		this.query = query;
		this.#search = nameSearch(query);
		this.#revision = index.revision;
	}

	get count(): number {
		this.#follow();
		return this.#found.length;
	}

	get searched(): number {
		this.#follow();
		return this.#searched;
	}

	get isDone(): boolean {
		return this.searched === this.#index.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? plainRow(this.#index, this.#found.at(row)) : undefined;
	}

	/** Returns the position of the key in an existing row. */
	positionAt(row: number): number {
		return this.#found.at(row);
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		this.#follow();
		this.#searchUntil(performance.now() + budgetMilliseconds);
		return this.#searched === this.#index.count;
	}

	rowOf(position: number): number {
		this.#follow();
		return closestRow(this.#found.firstAtLeast(position), this.#found.length);
	}

	positionsOf(row: number): PositionRange {
		return positionsOfKey(this.at(row));
	}

	/** Searches again from the first position that changed. */
	#follow(): void {
		if (this.#revision === this.#index.revision) return;
		const position = this.#index.firstMovedSince(this.#revision);
		this.#revision = this.#index.revision;
		this.#searched = Math.min(this.#searched, position);
		this.#found.truncate(this.#found.firstAtLeast(this.#searched));
		this.#searchUntil(performance.now() + timeToFollow);
	}

	#searchUntil(deadline: number): void {
		const note = (position: number): void => this.#found.push(position);
		while (this.#searched < this.#index.count) {
			this.#searched = this.#search(this.#index, this.#searched, this.#index.count, note);
			if (performance.now() >= deadline) return;
		}
	}
}
