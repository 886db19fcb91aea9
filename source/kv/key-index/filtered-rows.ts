import type {KeyIndex} from './key-index.ts';
import {createNameSearch, invertNameSearch, type NameSearch} from './name-search.ts';
import type {PositionRange} from './position-shift.ts';
import {
	buildPlainRow,
	catchUpBudgetMs,
	clampRow,
	getKeyPositions,
	type KeyRow,
	type KeyRows,
} from './rows.ts';
import {Uint32List} from './uint32-list.ts';

/** Rows of the keys whose names contain the query, or with `isInverse` do not, found incrementally. */
export class FilteredRows implements KeyRows {
	readonly arrangement = 'filtered';
	readonly query: string;
	readonly #index: KeyIndex;
	readonly #search: NameSearch;
	readonly #matches: Uint32List;
	/** Number of searched keys: they are the first ones. */
	#searchedCount = 0;
	#revision: number;

	constructor(index: KeyIndex, query: string, isInverse = false) {
		this.#index = index;
		this.#matches = new Uint32List(index.pages);
		this.query = query;
		const search = createNameSearch(query);
		this.#search = isInverse ? invertNameSearch(search) : search;
		this.#revision = index.revision;
	}

	get count(): number {
		this.#catchUp();
		return this.#matches.length;
	}

	get searchedCount(): number {
		this.#catchUp();
		return this.#searchedCount;
	}

	get isDone(): boolean {
		return this.searchedCount === this.#index.count;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? buildPlainRow(this.#index, this.#matches.at(row)) : undefined;
	}

	/** Returns the position of the key in an existing row. */
	getPosition(row: number): number {
		return this.#matches.at(row);
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		this.#catchUp();
		this.#searchUntil(performance.now() + budgetMilliseconds);
		return this.#searchedCount === this.#index.count;
	}

	findRow(position: number): number {
		this.#catchUp();
		return clampRow(this.#matches.findFirstAtLeast(position), this.#matches.length);
	}

	getPositions(row: number): PositionRange {
		return getKeyPositions(row >= 0 && row < this.count ? this.getPosition(row) : undefined);
	}

	/** Searches again from the first position that changed. */
	#catchUp(): void {
		if (this.#revision === this.#index.revision) return;
		const position = this.#index.findFirstMoved(this.#revision);
		this.#revision = this.#index.revision;
		this.#searchedCount = Math.min(this.#searchedCount, position);
		this.#matches.truncate(this.#matches.findFirstAtLeast(this.#searchedCount));
		this.#searchUntil(performance.now() + catchUpBudgetMs);
	}

	#searchUntil(deadline: number): void {
		const addPosition = (position: number): void => this.#matches.push(position);
		while (this.#searchedCount < this.#index.count) {
			this.#searchedCount = this.#search(this.#index, this.#searchedCount, this.#index.count, addPosition);
			if (performance.now() >= deadline) return;
		}
	}
}
