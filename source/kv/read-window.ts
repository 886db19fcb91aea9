import {setImmediate as turn} from 'node:timers/promises';
import {collectGarbageIfNeeded} from './memory.ts';
import {maxReadBytes} from './read-limit.ts';
import {isRequestTooLarge} from './send.ts';
import type {KvStore, StoredValue} from './store.ts';

/** Maximum bytes of values in memory. Pending values count as if they had the size of the latest ones. */
const maxBytesInMemory = 10_000_000;
/** Stays below the limit, so that values slightly larger than the last ones still fit in one read. */
const batchBytesTarget = maxReadBytes * 0.75;
/** Number of key groups to request ahead. */
const maxGroupsAhead = 3;
/** Bytes of garbage per key besides its value: names, objects, promises. */
const overheadPerKey = 400;

type Pairs<Key> = readonly (readonly [key: Key, value: StoredValue | undefined])[];

/** The result of one read: the values of the first keys, and the keys whose values did not fit. */
type ValueReadResult<Key> = {readonly pairs: Pairs<Key>; readonly unreadKeys: readonly Key[]};

/**
 * Reads the values of keys in order, yielding those of one read together; undefined for a key that does not
 * exist. Batches are read concurrently, as far ahead as memory allows. No batch spans two groups, so a caller
 * gets a group's values without waiting for the next group.
 */
export async function* readValues<Key>(
	store: KvStore,
	groups: AsyncIterable<readonly Key[]>,
	getName: (key: Key) => string,
	outerSignal: AbortSignal,
): AsyncGenerator<Pairs<Key>> {
	const controller = new AbortController();
	const readWindow = new ReadWindow(store, getName, AbortSignal.any([outerSignal, controller.signal]));
	const source = groups[Symbol.asyncIterator]();
	const upcoming: Promise<IteratorResult<readonly Key[]>>[] = [];
	/** Returns the next group and requests later ones, so that a listing keeps ahead of the values. */
	const peekGroup = () => {
		while (upcoming.length < maxGroupsAhead) {
			const group = source.next();
			// The error surfaces where this is awaited; a caller that stops earlier ignores it.
			group.catch(() => {});
			upcoming.push(group);
		}
		return upcoming[0] ?? source.next();
	};
	try {
		for (;;) {
			while (readWindow.hasPending && (await readWindow.isReadBefore(peekGroup())))
				yield await readWindow.next();
			const {done, value: group} = await peekGroup();
			if (done) break;
			upcoming.shift();
			for (let from = 0; from < group.length; ) {
				while (readWindow.isFull) yield await readWindow.next();
				const batchKeys = group.slice(from, from + readWindow.nextBatchKeys);
				from += batchKeys.length;
				readWindow.request(batchKeys);
			}
		}
		while (readWindow.hasPending) yield await readWindow.next();
	} finally {
		controller.abort();
		// Not awaited: it may be blocked until the consumer continues or ends.
		void Promise.resolve(source.return?.()).catch(() => {});
		await readWindow.drain();
	}
}

/** Pending batch reads, in request order. */
class ReadWindow<Key> {
	readonly #store: KvStore;
	readonly #getName: (key: Key) => string;
	readonly #signal: AbortSignal;
	readonly #batches: {readonly bulkRead: Promise<ValueReadResult<Key>>; bytes: number}[] = [];
	/** Estimated bytes per key, from the latest batches. */
	#bytesPerKey: number | undefined;

	constructor(store: KvStore, getName: (key: Key) => string, signal: AbortSignal) {
		this.#store = store;
		this.#getName = getName;
		this.#signal = signal;
	}

	/** Number of keys for the next batch. */
	get nextBatchKeys(): number {
		const {keysPerRead} = this.#store.batchLimits;
		return Math.max(1, Math.min(keysPerRead, Math.floor(batchBytesTarget / (this.#bytesPerKey ?? 1))));
	}

	get hasPending(): boolean {
		return this.#batches.length > 0;
	}

	get isFull(): boolean {
		if (this.#bytesPerKey === undefined) return this.hasPending;
		const bytes = this.#batches.reduce((sum, batch) => sum + batch.bytes, 0);
		return (
			this.hasPending &&
			(this.#batches.length >= this.#store.batchLimits.concurrency * 2 || bytes > maxBytesInMemory)
		);
	}

	request(keys: readonly Key[]): void {
		this.#batches.push(this.#startBatch(keys));
	}

	/** Returns true if the first pending batch arrives before `competitor` settles. */
	async isReadBefore(competitor: Promise<unknown>): Promise<boolean> {
		const resolveWith = async (promise: Promise<unknown> | undefined, result: boolean) => {
			// A failure surfaces where the promise is awaited.
			await promise?.catch(() => {});
			return result;
		};
		return Promise.race([resolveWith(competitor, false), resolveWith(this.#batches[0]?.bulkRead, true)]);
	}

	/** Returns the next values. Keys that did not fit are requested again, and come next. */
	async next(): Promise<Pairs<Key>> {
		const [firstBatch] = this.#batches;
		try {
			const {pairs, unreadKeys} = (await firstBatch?.bulkRead) ?? {pairs: [], unreadKeys: []};
			if (unreadKeys.length > 0) this.#batches.splice(1, 0, this.#startBatch(unreadKeys));
			// Local reads never wait, so yield here to keep the keyboard responsive.
			if (this.#store.kind === 'local') await turn();
			collectGarbageIfNeeded();
			return pairs;
		} finally {
			this.#batches.shift();
		}
	}

	async drain(): Promise<void> {
		await Promise.allSettled(this.#batches.map(({bulkRead}) => bulkRead));
	}

	#startBatch(keys: readonly Key[]): {readonly bulkRead: Promise<ValueReadResult<Key>>; bytes: number} {
		const batch = {bytes: keys.length * (this.#bytesPerKey ?? 0), bulkRead: this.#read(keys)};
		batch.bulkRead.then(
			({pairs}) => {
				const valueBytes = pairs.reduce((sum, [, value]) => sum + (value?.bytes.length ?? 0), 0);
				batch.bytes = valueBytes + pairs.length * overheadPerKey;
				this.#bytesPerKey = Math.max(batch.bytes / pairs.length, (this.#bytesPerKey ?? 0) / 2);
			},
			// Thrown by `next` when this batch is first.
			() => {},
		);
		return batch;
	}

	/** Reads as many of the keys as fit in one read, halving the number until they do. */
	async #read(keys: readonly Key[]): Promise<ValueReadResult<Key>> {
		for (
			let batchKeys = keys.slice(0, this.nextBatchKeys);
			;
			batchKeys = batchKeys.slice(0, Math.ceil(batchKeys.length / 2))
		) {
			const names = batchKeys.map(this.#getName);
			try {
				const values = await this.#store.getMany(names, this.#signal);
				const pairs = batchKeys.map((key, index) => [key, values.get(names[index] ?? '')] as const);
				return {pairs, unreadKeys: keys.slice(batchKeys.length)};
			} catch (error) {
				if (!isRequestTooLarge(error) || batchKeys.length === 1) throw error;
			}
		}
	}
}
