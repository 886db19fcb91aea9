import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type KeyWalk, type ListedKeys, walkKeys} from './listing.ts';

/** A name in one or both listings. */
export type Pair = {
	readonly key: string;
	readonly one?: KeyEntry | undefined;
	readonly other?: KeyEntry | undefined;
	/** Whether either store has the key is not checked yet. */
	readonly isNamed?: true;
};

/** Merges the listings of two stores: yields groups of pairs in byte order of the keys, as pages arrive. */
export async function* pairListings(
	ones: KvStore,
	others: KvStore,
	walk: KeyWalk,
	outerSignal: AbortSignal,
): AsyncGenerator<readonly Pair[]> {
	const stop = new AbortController();
	const signal = AbortSignal.any([outerSignal, stop.signal]);
	const one = new PageReader(ones.label, walkKeys(ones, walk, signal));
	const other = new PageReader(others.label, walkKeys(others, walk, signal));
	try {
		for (;;) {
			await Promise.all([one.fill(), other.fill()]);
			if (one.isOver && other.isOver) return;
			const pairs: Pair[] = [];
			while (one.hasMore && other.hasMore) pairs.push(takePair(one, other));
			// Once one listing has ended, all remaining keys are only in the other.
			while (other.isOver && one.hasMore) pairs.push(toSinglePair('one', one.take()));
			while (one.isOver && other.hasMore) pairs.push(toSinglePair('other', other.take()));
			if (pairs.length > 0) yield pairs;
		}
	} finally {
		// Do not wait for pages that are no longer needed.
		stop.abort();
		await Promise.all([one.close(), other.close()]);
	}
}

/** Lists keys that `to` has and `from` does not, page by page. */
export async function* listExtraKeys(
	from: KvStore,
	to: KvStore,
	prefix: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	for await (const group of pairListings(from, to, {prefix}, signal))
		yield group.flatMap(({key, one, other}) => (other && !one ? [key] : []));
}

function takePair(one: PageReader, other: PageReader): Pair {
	const order = compareKeys(one.first, other.first);
	if (order < 0) return toSinglePair('one', one.take());
	if (order > 0) return toSinglePair('other', other.take());
	const [left, right] = [one.take(), other.take()];
	return {key: left.name, one: left, other: right};
}

const toSinglePair = (side: 'one' | 'other', entry: KeyEntry): Pair => ({key: entry.name, [side]: entry});

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
			const {done, value} = await (this.#next ?? this.#requestPage());
			if (done) {
				this.#isOver = true;
				return;
			}
			this.#checkOrder(value.keys);
			this.#page = value.keys;
			this.#at = 0;
			this.#next = this.#requestPage();
		}
	}

	async close(): Promise<void> {
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

	#requestPage(): Promise<IteratorResult<ListedKeys>> {
		const page = this.#pages.next();
		// The error surfaces where this is awaited; a caller that stops earlier ignores it.
		page.catch(() => {});
		return page;
	}
}
