import {setImmediate as turn} from 'node:timers/promises';
import {holdMemory} from './memory.ts';
import {mostReadBytes} from './read-limit.ts';
import {isTooMuch} from './send.ts';
import type {KvStore, StoredValue} from './store.ts';

/** Bytes of values in memory at a time, those under way counted as large as those that came last. */
const bytesInMemory = 10_000_000;
/** Less than what is too much, so that values somewhat larger than the last ones need no second reading. */
const bytesOfBatch = mostReadBytes * 0.75;
/** Groups of keys that are asked for before their turn has come. */
const groupsAhead = 3;
/** Garbage that each key leaves behind, beside its value: names, objects, promises. */
const bytesBesideValue = 400;

type Pairs<Key> = readonly (readonly [key: Key, value: StoredValue | undefined])[];

/** What came of a batch: the values of its first keys, and those whose values were too much to come with them. */
type Answer<Key> = {readonly pairs: Pairs<Key>; readonly rest: readonly Key[]};

/**
 * The values of keys in their order, as many together as one reading gave; `undefined` for a key that does not exist.
 * Batches are read side by side, and no further ahead than memory allows. No batch reaches over the end of a group, so
 * that whoever has the values of a group need not wait for the next one.
 */
export async function* readValues<Key>(
	store: KvStore,
	groups: AsyncIterable<readonly Key[]>,
	nameOf: (key: Key) => string,
	outer: AbortSignal,
): AsyncGenerator<Pairs<Key>> {
	const stop = new AbortController();
	const window = new ReadWindow(store, nameOf, AbortSignal.any([outer, stop.signal]));
	const source = groups[Symbol.asyncIterator]();
	const coming: Promise<IteratorResult<readonly Key[]>>[] = [];
	/** The next group; those behind it are asked for, too, so that a listing keeps ahead of the values. */
	const next = () => {
		while (coming.length < groupsAhead) {
			const group = source.next();
			// Told where it is awaited; whoever stops before that does not want to know.
			group.catch(() => {});
			coming.push(group);
		}
		return coming[0] ?? source.next();
	};
	try {
		for (;;) {
			while (window.waiting && (await window.answersBefore(next()))) yield await window.next();
			const {done, value: group} = await next();
			if (done) break;
			coming.shift();
			for (let from = 0; from < group.length; ) {
				while (window.full) yield await window.next();
				const part = group.slice(from, from + window.keys);
				from += part.length;
				window.ask(part);
			}
		}
		while (window.waiting) yield await window.next();
	} finally {
		stop.abort();
		// Not waited for: it may wait itself until whoever reads this goes on, or has ended.
		void Promise.resolve(source.return?.()).catch(() => {});
		await window.settled();
	}
}

/** Batches of reads under way, in the order they were asked for. */
class ReadWindow<Key> {
	readonly #store: KvStore;
	readonly #nameOf: (key: Key) => string;
	readonly #signal: AbortSignal;
	readonly #asked: {readonly answer: Promise<Answer<Key>>; bytes: number}[] = [];
	/** Bytes a value has, by those that came last. */
	#each: number | undefined;

	constructor(store: KvStore, nameOf: (key: Key) => string, signal: AbortSignal) {
		this.#store = store;
		this.#nameOf = nameOf;
		this.#signal = signal;
	}

	/** How many keys the next batch should have. */
	get keys(): number {
		const {reads} = this.#store.batch;
		return Math.max(1, Math.min(reads, Math.floor(bytesOfBatch / (this.#each ?? 1))));
	}

	get waiting(): boolean {
		return this.#asked.length > 0;
	}

	get full(): boolean {
		if (this.#each === undefined) return this.waiting;
		const bytes = this.#asked.reduce((sum, batch) => sum + batch.bytes, 0);
		return this.waiting && (this.#asked.length >= this.#store.batch.concurrency * 2 || bytes > bytesInMemory);
	}

	ask(keys: readonly Key[]): void {
		this.#asked.push(this.#begun(keys));
	}

	/** Waits for the answer to the batch that was asked for first, or for something else; whether the answer came first. */
	async answersBefore(other: Promise<unknown>): Promise<boolean> {
		const isAnswer = async (promise: Promise<unknown> | undefined, yes: boolean) => {
			// Whether it failed is told where it is awaited.
			await promise?.catch(() => {});
			return yes;
		};
		return Promise.race([isAnswer(other, false), isAnswer(this.#asked[0]?.answer, true)]);
	}

	/** The values that come next. Keys of that batch which were too many are asked for again, and come first then. */
	async next(): Promise<Pairs<Key>> {
		const [first] = this.#asked;
		try {
			const {pairs, rest} = (await first?.answer) ?? {pairs: [], rest: []};
			if (rest.length > 0) this.#asked.splice(1, 0, this.#begun(rest));
			// Local data is read without waiting for anything: keys that are pressed are to be heard all the same.
			if (this.#store.kind === 'local') await turn();
			holdMemory();
			return pairs;
		} finally {
			this.#asked.shift();
		}
	}

	async settled(): Promise<void> {
		await Promise.allSettled(this.#asked.map(({answer}) => answer));
	}

	#begun(keys: readonly Key[]): {readonly answer: Promise<Answer<Key>>; bytes: number} {
		const batch = {bytes: keys.length * (this.#each ?? 0), answer: this.#read(keys)};
		batch.answer.then(
			({pairs}) => {
				const values = pairs.reduce((sum, [, value]) => sum + (value?.bytes.length ?? 0), 0);
				batch.bytes = values + pairs.length * bytesBesideValue;
				this.#each = Math.max(batch.bytes / pairs.length, (this.#each ?? 0) / 2);
			},
			// Told by `next`, when its turn comes.
			() => {},
		);
		return batch;
	}

	/** As many of the keys as come at once: half of them, and again half, where they are too much. */
	async #read(keys: readonly Key[]): Promise<Answer<Key>> {
		for (let part = keys.slice(0, this.keys); ; part = part.slice(0, Math.ceil(part.length / 2))) {
			const names = part.map(this.#nameOf);
			try {
				const found = await this.#store.getMany(names, this.#signal);
				const pairs = part.map((key, at) => [key, found.get(names[at] ?? '')] as const);
				return {pairs, rest: keys.slice(part.length)};
			} catch (error) {
				if (!isTooMuch(error) || part.length === 1) throw error;
			}
		}
	}
}
