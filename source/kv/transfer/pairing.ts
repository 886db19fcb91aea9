import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type KeyWalk, type ListedKeys, walkKeys} from './listing.ts';

/** A name in one or both listings. */
export type Pair = {
	readonly key: string;
	readonly one?: KeyEntry | undefined;
	readonly other?: KeyEntry | undefined;
	/** Present if it is not known yet which store has the key. */
	readonly isNameOnly?: true;
};

/** Merges the listings of two stores: yields groups of pairs in byte order of the keys, as pages arrive. */
export async function* pairListings(
	oneStore: KvStore,
	otherStore: KvStore,
	walk: KeyWalk,
	outerSignal: AbortSignal,
): AsyncGenerator<readonly Pair[]> {
	const controller = new AbortController();
	const signal = AbortSignal.any([outerSignal, controller.signal]);
	const one = new PageReader(oneStore.label, walkKeys(oneStore, walk, signal));
	const other = new PageReader(otherStore.label, walkKeys(otherStore, walk, signal));
	try {
		for (;;) {
			await Promise.all([one.fill(), other.fill()]);
			if (one.isFinished && other.isFinished) return;
			const pairs: Pair[] = [];
			while (one.hasKeyInPage && other.hasKeyInPage) pairs.push(takePair(one, other));
			// Once one listing has ended, all remaining keys are only in the other.
			while (other.isFinished && one.hasKeyInPage) pairs.push(toSinglePair('one', one.take()));
			while (one.isFinished && other.hasKeyInPage) pairs.push(toSinglePair('other', other.take()));
			if (pairs.length > 0) yield pairs;
		}
	} finally {
		// Do not wait for pages that are no longer needed.
		controller.abort();
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
	const order = compareKeys(one.nextName, other.nextName);
	if (order < 0) return toSinglePair('one', one.take());
	if (order > 0) return toSinglePair('other', other.take());
	const [oneEntry, otherEntry] = [one.take(), other.take()];
	return {key: oneEntry.name, one: oneEntry, other: otherEntry};
}

const toSinglePair = (side: 'one' | 'other', entry: KeyEntry): Pair => ({key: entry.name, [side]: entry});

/** Takes keys from pages one by one, requesting the next page while the current one is used. */
class PageReader {
	readonly #label: string;
	readonly #pages: AsyncGenerator<ListedKeys>;
	#nextPage: Promise<IteratorResult<ListedKeys>> | undefined;
	#page: readonly KeyEntry[] = [];
	#index = 0;
	#lastName: string | undefined;
	#isLastPageRead = false;

	constructor(label: string, pages: AsyncGenerator<ListedKeys>) {
		this.#label = label;
		this.#pages = pages;
	}

	get hasKeyInPage(): boolean {
		return this.#index < this.#page.length;
	}

	/** True if no key is left or will come. */
	get isFinished(): boolean {
		return this.#isLastPageRead && !this.hasKeyInPage;
	}

	/** Name of the next key. */
	get nextName(): string {
		return this.#page[this.#index]?.name ?? '';
	}

	take(): KeyEntry {
		const entry = this.#page[this.#index++];
		if (!entry) throw new RangeError('There is no key left in this page.');
		return entry;
	}

	/** Waits for a page with keys, unless the current one has some left. */
	async fill(): Promise<void> {
		while (!this.hasKeyInPage && !this.#isLastPageRead) {
			const {done, value} = await (this.#nextPage ?? this.#requestPage());
			if (done) {
				this.#isLastPageRead = true;
				return;
			}
			this.#checkOrder(value.keys);
			this.#page = value.keys;
			this.#index = 0;
			this.#nextPage = this.#requestPage();
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
			if (this.#lastName !== undefined && compareKeys(name, this.#lastName) <= 0)
				throw new Failure('answer_malformed', `${this.#label} does not list its keys in order.`, {
					why: `${JSON.stringify(name)} comes after ${JSON.stringify(this.#lastName)}.`,
				});
			this.#lastName = name;
		}
	}

	#requestPage(): Promise<IteratorResult<ListedKeys>> {
		const page = this.#pages.next();
		// The error surfaces where this is awaited; a caller that stops earlier ignores it.
		page.catch(() => {});
		return page;
	}
}
