import type {BatchLimits} from '../store.ts';
import type {Item} from './entries.ts';

export type Batch<Content> = {
	readonly items: readonly Item<Content>[];
	/** Upper bound of the request's bytes. */
	readonly bytes: number;
};

/**
 * Maximum bytes of a batch, even if the store accepts more. A batch is in memory three times while it is sent
 * (entries, bytes, and the copy that `fetch` makes), so six of them determine a command's memory: up to 145
 * MB at 2 MB, 163 MB at 4 MB. It holds 10,000 entries of 200 bytes, and a lost one is cheap to repeat.
 */
export const maxBatchBytes = 2_000_000;

/** Current batch size; shrinks when the service cannot take a batch. */
export class BatchSize {
	#entries: number;
	#bytes: number;
	readonly #minEntries: number;

	constructor(limits: BatchLimits) {
		this.#entries = limits.entries;
		this.#bytes = Math.min(limits.bytes, maxBatchBytes);
		this.#minEntries = Math.ceil(limits.entries / 64);
	}

	get entries(): number {
		return this.#entries;
	}

	get bytes(): number {
		return this.#bytes;
	}

	/**
	 * Halves the size after a batch was too large, down to a 64th, so that one large entry cannot slow all.
	 */
	halve(batch: Batch<unknown>): void {
		this.#entries = Math.min(this.#entries, Math.max(this.#minEntries, Math.ceil(batch.items.length / 2)));
		this.#bytes = Math.min(this.#bytes, Math.max(maxBatchBytes / 64, Math.ceil(batch.bytes / 2)));
	}
}

/** Collects entries into batches. An entry larger than a batch gets its own. */
export class BatchFiller<Content> {
	readonly #size: BatchSize;
	#items: Item<Content>[] = [];
	/** Bytes of the JSON array: two brackets, and a comma per entry. */
	#bytes = 2;

	constructor(size: BatchSize) {
		this.#size = size;
	}

	/** Adds an entry; yields the batch that it completes or no longer fits in. */
	*add(item: Item<Content>): Iterable<Batch<Content>> {
		if (this.#items.length > 0 && this.#bytes + item.bytes + 1 > this.#size.bytes) yield* this.flush();
		this.#items.push(item);
		this.#bytes += item.bytes + 1;
		if (this.#items.length >= this.#size.entries) yield* this.flush();
	}

	*flush(): Iterable<Batch<Content>> {
		const batch = {items: this.#items, bytes: this.#bytes};
		this.#items = [];
		this.#bytes = 2;
		if (batch.items.length > 0) yield batch;
	}
}

/**
 * Collects entries of repeated keys into batches that are sent one after the other: no batch contains a key
 * twice, and entries of one key keep their order. Waiting entries are limited to the size of a batch.
 */
export class OrderedFiller<Content> {
	readonly #size: BatchSize;
	/** The current batch, and the entries after it. */
	#items: Item<Content>[] = [];
	#waitingItems: Item<Content>[] = [];
	#keys = new Set<string>();
	#bytes = 2;
	#waitingBytes = 0;

	constructor(size: BatchSize) {
		this.#size = size;
	}

	*add(item: Item<Content>): Iterable<Batch<Content>> {
		if (this.#keys.has(item.key)) {
			this.#waitingItems.push(item);
			this.#waitingBytes += item.bytes + 1;
			if (this.#waitingItems.length >= this.#size.entries || this.#waitingBytes > this.#size.bytes)
				yield* this.#startNextBatch();
			return;
		}
		if (this.#items.length > 0 && this.#bytes + item.bytes + 1 > this.#size.bytes) {
			yield* this.#startNextBatch();
			// Waiting entries come first now, so check room and keys again.
			yield* this.add(item);
			return;
		}
		this.#items.push(item);
		this.#keys.add(item.key);
		this.#bytes += item.bytes + 1;
		if (this.#items.length >= this.#size.entries) yield* this.#startNextBatch();
	}

	*flush(): Iterable<Batch<Content>> {
		while (this.#items.length > 0) yield* this.#startNextBatch();
	}

	/** Yields the batch, and starts the next one with the waiting entries. */
	*#startNextBatch(): Iterable<Batch<Content>> {
		const waitingItems = this.#waitingItems;
		yield {items: this.#items, bytes: this.#bytes};
		this.#items = [];
		this.#waitingItems = [];
		this.#keys = new Set();
		this.#bytes = 2;
		this.#waitingBytes = 0;
		for (const item of waitingItems) yield* this.add(item);
	}
}
