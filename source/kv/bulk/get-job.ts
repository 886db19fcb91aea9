import type {KvStore, StoredValue} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {elementsOf} from './input.ts';
import {isTooMuch} from './send.ts';

export type GetOptions = {
	readonly signal: AbortSignal;
	/** Keys that were answered, of so many entries. */
	readonly progress?: ((done: number, total: number) => void) | undefined;
};

/** Bytes of values in memory at a time, those under way counted as large as those that came last. */
const bytesInMemory = 32_000_000;
const bytesOfBatch = 8_000_000;
/** Keys of the first local read, before it is known how large values are; the service limits its answers itself. */
const firstLocalReads = 8;

/**
 * The values of all keys of a checked input in its order, `undefined` for a key that does not exist; a key that
 * stands there twice comes once (decision 12). Batches are read side by side, no further ahead than memory allows.
 */
export async function* getAll(
	store: KvStore,
	checked: CheckedInput<string>,
	{signal: outer, progress}: GetOptions,
): AsyncGenerator<[key: string, value: StoredValue | undefined]> {
	const stop = new AbortController();
	const signal = AbortSignal.any([outer, stop.signal]);
	const window = new ReadWindow(store, signal);
	let done = 0;
	async function* answered(): AsyncGenerator<[string, StoredValue | undefined]> {
		for (const pair of await window.next()) {
			yield pair;
			done++;
		}
		progress?.(done, checked.valid);
	}
	try {
		let keys: string[] = [];
		for await (const group of distinctKeys(checked, signal)) {
			for (const key of group) {
				keys.push(key);
				if (keys.length < window.keys) continue;
				while (window.full) yield* answered();
				window.ask(keys);
				keys = [];
			}
		}
		while (window.full) yield* answered();
		if (keys.length > 0) window.ask(keys);
		while (window.waiting) yield* answered();
	} finally {
		stop.abort();
		await window.settled();
	}
}

/** The keys of the input, each once. Only repeated keys are remembered for that. */
async function* distinctKeys(checked: CheckedInput<string>, signal: AbortSignal): AsyncGenerator<string[]> {
	const {input, format, now, repeats} = checked;
	const seen = new Set<string>();
	for await (const group of elementsOf(input, format.holds, signal)) {
		const keys: string[] = [];
		for (const element of group) {
			const item = format.parse(element, now);
			if ('problem' in item || seen.has(item.key)) continue;
			if (repeats.has(item.key)) seen.add(item.key);
			keys.push(item.key);
		}
		yield keys;
	}
}

type Pairs = [key: string, value: StoredValue | undefined][];

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
