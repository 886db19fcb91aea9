import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type ListedKeys, listedKeys, type Walk} from './listing.ts';

/** A name that is in one listing, in the other, or in both. */
export type Pair = {
	readonly key: string;
	readonly one?: KeyEntry | undefined;
	readonly other?: KeyEntry | undefined;
	/** Nobody has looked yet whether either of them has it. */
	readonly isNamed?: true;
};

/** The listings of two stores side by side: groups of pairs in the order of the keys' bytes, as pages arrive. */
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
			// Where one listing is over, all that the other still has is its alone.
			while (other.isOver && one.hasMore) pairs.push(alone('one', one.take()));
			while (one.isOver && other.hasMore) pairs.push(alone('other', other.take()));
			if (pairs.length > 0) yield pairs;
		}
	} finally {
		// A page that nobody needs any longer is not waited for.
		stop.abort();
		await Promise.all([one.end(), other.end()]);
	}
}

/** The keys of one store that another one has not, page after page. */
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

/** Takes one key after the other out of pages; the next page is asked for while the last one is used. */
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

	/** Whether nothing is left, and nothing will come. */
	get isOver(): boolean {
		return this.#isOver && !this.hasMore;
	}

	/** The name that `take` returns next. */
	get first(): string {
		return this.#page[this.#at]?.name ?? '';
	}

	take(): KeyEntry {
		const entry = this.#page[this.#at++];
		if (!entry) throw new RangeError('There is no key left in this page.');
		return entry;
	}

	/** Waits for a page with keys in it, if there is none in hand. */
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

	/** In another order, keys that both stores have would be told as missing, and deleted as extra ones. */
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
		// Told where it is awaited; whoever stops before that does not want to know.
		page.catch(() => {});
		return page;
	}
}
