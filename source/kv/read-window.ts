import {setImmediate as turn} from 'node:timers/promises';
import {holdMemory} from './memory.ts';
import {mostReadBytes} from './read-limit.ts';
import {isTooMuch} from './send.ts';
import type {KvStore, StoredValue} from './store.ts';

/** Most bytes of values in memory. Pending values count with the size of the latest ones. */
const bytesInMemory = 10_000_000;
/** Below the limit, so that values somewhat larger than the last ones need no second read. */
const bytesOfBatch = mostReadBytes * 0.75;
/** Groups of keys to request ahead. */
const groupsAhead = 3;
/** Bytes of garbage per key besides its value: names, objects, promises. */
const bytesBesideValue = 400;

type Pairs<Key> = readonly (readonly [key: Key, value: StoredValue | undefined])[];

/** The result of one read: values of the first keys, and the keys that did not fit. */
type Answer<Key> = {readonly pairs: Pairs<Key>; readonly rest: readonly Key[]};

/**
 * Reads the values of keys in order, yielding those of one read together; undefined for a key that does not
 * exist. Batches are read concurrently, as far ahead as memory allows. No batch spans two groups, so a caller
 * gets a group's values without waiting for the next group.
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
	/** Returns the next group and requests later ones, so that a listing keeps ahead of the values. */
	const next = () => {
		while (coming.length < groupsAhead) {
			const group = source.next();
			// The error surfaces where this is awaited; a caller that stops earlier ignores it.
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
		// Not awaited: it may be blocked until the consumer continues or ends.
		void Promise.resolve(source.return?.()).catch(() => {});
		await window.settled();
	}
}

/** Pending batch reads, in request order. */
class ReadWindow<Key> {
	readonly #store: KvStore;
	readonly #nameOf: (key: Key) => string;
	readonly #signal: AbortSignal;
	readonly #asked: {readonly answer: Promise<Answer<Key>>; bytes: number}[] = [];
	/** Estimated bytes per key, from the latest batches. */
	#each: number | undefined;

	constructor(store: KvStore, nameOf: (key: Key) => string, signal: AbortSignal) {
		this.#store = store;
		this.#nameOf = nameOf;
		this.#signal = signal;
	}

	/** Number of keys for the next batch. */
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

	/** Returns true if the first pending batch answers before `other` settles. */
	async answersBefore(other: Promise<unknown>): Promise<boolean> {
		const isAnswer = async (promise: Promise<unknown> | undefined, yes: boolean) => {
			// A failure surfaces where the promise is awaited.
			await promise?.catch(() => {});
			return yes;
		};
		return Promise.race([isAnswer(other, false), isAnswer(this.#asked[0]?.answer, true)]);
	}

	/** Returns the next values. Keys that did not fit are requested again, and come next. */
	async next(): Promise<Pairs<Key>> {
		const [first] = this.#asked;
		try {
			const {pairs, rest} = (await first?.answer) ?? {pairs: [], rest: []};
			if (rest.length > 0) this.#asked.splice(1, 0, this.#begun(rest));
			// Local reads never wait, so yield here to keep the keyboard responsive.
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
			// Thrown by `next` when this batch is first.
			() => {},
		);
		return batch;
	}

	/** Reads as many of the keys as fit in one read, halving the number until they do. */
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
