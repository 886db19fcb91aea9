import type {KeyEntry} from '../store.ts';
import type {KeyIndex} from './key-index.ts';
import {findPrefixEnd} from './prefixes.ts';
import type {KeyRange} from './rows.ts';

/**
 * The keys of an index that start with a prefix, listed by prefix. Keys known from another listing belong to
 * it, too.
 */
export class PrefixKeys implements KeyRange {
	readonly prefix: string;
	readonly #index: KeyIndex;
	readonly #prefixBytes: number;
	#isComplete = false;
	/** The last key listed by prefix. */
	#lastName: string | undefined;
	/** The range, valid for this revision and number of keys of the index. */
	#cachedRange = {revision: -1, count: -1, from: 0, to: 0};

	constructor(index: KeyIndex, prefix: string) {
		this.#index = index;
		this.prefix = prefix;
		this.#prefixBytes = Buffer.byteLength(prefix);
	}

	get from(): number {
		return this.#findRange().from;
	}

	get to(): number {
		return this.#findRange().to;
	}

	get count(): number {
		const {from, to} = this.#findRange();
		return to - from;
	}

	/** True if all keys with the prefix are listed. */
	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** Adds a page listed by prefix. */
	append(entries: readonly KeyEntry[]): void {
		this.#index.putAll(entries);
		this.#lastName = entries.at(-1)?.name ?? this.#lastName;
	}

	/** Called after the last page. */
	finish(): void {
		this.#isComplete = true;
	}

	/** True if the listing may still add keys at or after a position. */
	mayGrow(position: number): boolean {
		return (
			!this.#isComplete &&
			(this.#lastName === undefined || position > this.#index.find(this.#lastName).position)
		);
	}

	#findRange(): {readonly from: number; readonly to: number} {
		const {revision, count} = this.#index;
		if (this.#cachedRange.revision !== revision || this.#cachedRange.count !== count) {
			const from = this.#index.find(this.prefix).position;
			const hasKeys = from < count && this.#index.getName(from).startsWith(this.prefix);
			const to = hasKeys ? findPrefixEnd(this.#index, from, count, 0, this.#prefixBytes) : from;
			this.#cachedRange = {revision, count, from, to};
		}
		return this.#cachedRange;
	}
}
