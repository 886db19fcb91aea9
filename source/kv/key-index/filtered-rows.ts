import type {KeyIndex} from './key-index.ts';
import {createNameSearch, type NameSearch} from './name-search.ts';
import type {PositionRange} from './position-shift.ts';
import {buildPlainRow, clampRow, followBudgetMs, getKeyPositions, type KeyRow, type KeyRows} from './rows.ts';
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
		this.#search = createNameSearch(query);
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
		return row >= 0 && row < this.count ? buildPlainRow(this.#index, this.#found.at(row)) : undefined;
	}

	/** Returns the position of the key in an existing row. */
	getPosition(row: number): number {
		return this.#found.at(row);
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		this.#follow();
		this.#searchUntil(performance.now() + budgetMilliseconds);
		return this.#searched === this.#index.count;
	}

	findRow(position: number): number {
		this.#follow();
		return clampRow(this.#found.findFirstAtLeast(position), this.#found.length);
	}

	getPositions(row: number): PositionRange {
		return getKeyPositions(this.at(row));
	}

	/** Searches again from the first position that changed. */
	#follow(): void {
		if (this.#revision === this.#index.revision) return;
		const position = this.#index.findFirstMoved(this.#revision);
		this.#revision = this.#index.revision;
		this.#searched = Math.min(this.#searched, position);
		this.#found.truncate(this.#found.findFirstAtLeast(this.#searched));
		this.#searchUntil(performance.now() + followBudgetMs);
	}

	#searchUntil(deadline: number): void {
		const addPosition = (position: number): void => this.#found.push(position);
		while (this.#searched < this.#index.count) {
			this.#searched = this.#search(this.#index, this.#searched, this.#index.count, addPosition);
			if (performance.now() >= deadline) return;
		}
	}
}
