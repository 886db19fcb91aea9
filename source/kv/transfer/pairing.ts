import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type ListedKeys, listedKeys, type Walk} from './listing.ts';

/** A name in one or both listings. */
export type Pair = {
	readonly key: string;
	readonly one?: KeyEntry | undefined;
	readonly other?: KeyEntry | undefined;
	/** Whether either store has the key is not checked yet. */
	readonly isNamed?: true;
};

/** Merges the listings of two stores: yields groups of pairs in byte order of the keys, as pages arrive. */
export async function* pairsOf(
	ones: KvStore,
	others: KvStore,
	walk: Walk,
	outer: AbortSignal,
): AsyncGenerator<readonly Pair[]> {
	const stop = new AbortController();
	const signal = AbortSignal.any([outer, stop.signal]);
	const one = new PageReader(ones.label, listedKeys(ones, walk, signal));
	const other = new PageReader(others.label, listedKeys(others, walk, signal));
	try {
		for (;;) {
			await Promise.all([one.fill(), other.fill()]);
			if (one.isOver && other.isOver) return;
			const pairs: Pair[] = [];
			while (one.hasMore && other.hasMore) pairs.push(nextPair(one, other));
			// Once one listing has ended, all remaining keys are only in the other.
			while (other.isOver && one.hasMore) pairs.push(alone('one', one.take()));
			while (one.isOver && other.hasMore) pairs.push(alone('other', other.take()));
			if (pairs.length > 0) yield pairs;
		}
	} finally {
		// Do not wait for pages that are no longer needed.
		stop.abort();
		await Promise.all([one.end(), other.end()]);
	}
}

/** Lists keys that `to` has and `from` does not, page by page. */
export async function* extraKeys(
	from: KvStore,
	to: KvStore,
	prefix: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	for await (const group of pairsOf(from, to, {prefix}, signal))
		yield group.flatMap(({key, one, other}) => (other && !one ? [key] : []));
}

function nextPair(one: PageReader, other: PageReader): Pair {
	const order = compareKeys(one.first, other.first);
	if (order < 0) return alone('one', one.take());
	if (order > 0) return alone('other', other.take());
	const [left, right] = [one.take(), other.take()];
	return {key: left.name, one: left, other: right};
}

const alone = (side: 'one' | 'other', entry: KeyEntry): Pair => ({key: entry.name, [side]: entry});

/** Takes keys from pages one by one, requesting the next page while the current one is used. */
class PageReader {
	readonly #label: string;
	readonly #pages: AsyncGenerator<ListedKeys>;
	#next: Promise<IteratorResult<ListedKeys>> | undefined;
	#page: readonly KeyEntry[] = [];
	#at = 0;
	#last: string | undefined;
	#isOver = false;

	constructor(label: string, pages: AsyncGenerator<ListedKeys>) {
		this.#label = label;
		this.#pages = pages;
	}

	get hasMore(): boolean {
		return this.#at < this.#page.length;
	}

	/** True if no key is left or will come. */
	get isOver(): boolean {
		return this.#isOver && !this.hasMore;
	}

	/** Name of the next key. */
	get first(): string {
		return this.#page[this.#at]?.name ?? '';
	}

	take(): KeyEntry {
		const entry = this.#page[this.#at++];
		if (!entry) throw new RangeError('There is no key left in this page.');
		return entry;
	}

	/** Waits for a page with keys, unless the current one has some left. */
	async fill(): Promise<void> {
		while (!this.hasMore && !this.#isOver) {
			const {done, value} = await (this.#next ?? this.#ask());
			if (done) {
				this.#isOver = true;
				return;
			}
			this.#checkOrder(value.keys);
			this.#page = value.keys;
			this.#at = 0;
			this.#next = this.#ask();
		}
	}

	async end(): Promise<void> {
		await this.#pages.return(undefined);
	}

	/**
	 * Checks the order: otherwise, keys in both stores would be reported as missing, and deleted as extra.
	 */
	#checkOrder(keys: readonly KeyEntry[]): void {
		for (const {name} of keys) {
			if (this.#last !== undefined && compareKeys(name, this.#last) <= 0)
				throw new Failure('answer_malformed', `${this.#label} does not list its keys in their order.`, {
					why: `${JSON.stringify(name)} comes behind ${JSON.stringify(this.#last)}.`,
				});
			this.#last = name;
		}
	}

	#ask(): Promise<IteratorResult<ListedKeys>> {
		const page = this.#pages.next();
		// The error surfaces where this is awaited; a caller that stops earlier ignores it.
		page.catch(() => {});
		return page;
	}
}
