import {isTooMuch} from './bulk/send.ts';
import {holdYoungSpace} from './memory.ts';
import type {KvStore, StoredValue} from './store.ts';

/** Bytes of values in memory at a time, those under way counted as large as those that came last. */
const bytesInMemory = 32_000_000;
const bytesOfBatch = 8_000_000;
/** Groups of keys that are asked for before their turn has come. */
const groupsAhead = 3;
/** Keys of the first local read, before it is known how large values are; the service limits its answers itself. */
const firstLocalReads = 8;

type Pairs = readonly (readonly [key: string, value: StoredValue | undefined])[];

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
): AsyncGenerator<readonly (readonly [key: Key, value: StoredValue | undefined])[]> {
	const stop = new AbortController();
	const window = new ReadWindow(store, AbortSignal.any([outer, stop.signal]));
	const asked: (readonly Key[])[] = [];
	async function answered() {
		const values = await window.next();
		return (asked.shift() ?? []).map((key, at) => [key, values[at]?.[1]] as const);
	}
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
			while (window.waiting && (await window.answersBefore(next()))) yield await answered();
			const {done, value: group} = await next();
			if (done) break;
			coming.shift();
			for (let from = 0; from < group.length; ) {
				while (window.full) yield await answered();
				const part = group.slice(from, from + window.keys);
				from += part.length;
				asked.push(part);
				window.ask(part.map(nameOf));
				holdYoungSpace();
			}
		}
		while (window.waiting) yield await answered();
	} finally {
		stop.abort();
		await Promise.all([window.settled(), source.return?.()]);
	}
}

/** Batches of reads under way, in the order they were asked for. */
class ReadWindow {
	readonly #store: KvStore;
	readonly #signal: AbortSignal;
	readonly #asked: {readonly answer: Promise<Pairs>; bytes: number}[] = [];
	/** Bytes a value has, by those that came last. */
	#each: number | undefined;

	constructor(store: KvStore, signal: AbortSignal) {
		this.#store = store;
		this.#signal = signal;
	}

	/** How many keys the next batch should have. */
	get keys(): number {
		const {kind, batch} = this.#store;
		if (this.#each === undefined)
			return kind === 'local' ? Math.min(firstLocalReads, batch.reads) : batch.reads;
		return Math.max(1, Math.min(batch.reads, Math.floor(bytesOfBatch / this.#each)));
	}

	get waiting(): boolean {
		return this.#asked.length > 0;
	}

	get full(): boolean {
		if (this.#each === undefined) return this.waiting;
		const bytes = this.#asked.reduce((sum, batch) => sum + batch.bytes, 0);
		return this.waiting && (this.#asked.length >= this.#store.batch.concurrency * 2 || bytes > bytesInMemory);
	}

	ask(keys: readonly string[]): void {
		const batch = {bytes: keys.length * (this.#each ?? 0), answer: this.#read(keys)};
		this.#asked.push(batch);
		batch.answer.then(
			pairs => {
				batch.bytes = pairs.reduce((sum, [key, value]) => sum + key.length + (value?.bytes.length ?? 0), 0);
				this.#each = Math.max(batch.bytes / pairs.length, (this.#each ?? 0) / 2, 1);
			},
			// Told by `next`, when its turn comes.
			() => {},
		);
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

	/** The answer to the batch that was asked for first. */
	async next(): Promise<Pairs> {
		try {
			return (await this.#asked[0]?.answer) ?? [];
		} finally {
			this.#asked.shift();
		}
	}

	async settled(): Promise<void> {
		await Promise.allSettled(this.#asked.map(({answer}) => answer));
	}

	/** Halves what the service cannot answer at once; a single value is then fetched by itself. */
	async #read(keys: readonly string[]): Promise<Pairs> {
		try {
			const found = await this.#store.getMany(keys, this.#signal);
			return keys.map(key => [key, found.get(key)]);
		} catch (error) {
			if (!isTooMuch(error)) throw error;
			const [only, ...others] = keys;
			if (only !== undefined && others.length === 0)
				return [[only, await this.#store.get(only, this.#signal)]];
			const middle = Math.ceil(keys.length / 2);
			return [...(await this.#read(keys.slice(0, middle))), ...(await this.#read(keys.slice(middle)))];
		}
	}
}
