import type {BatchLimits} from '../store.ts';
import type {Item} from './entries.ts';

export type Batch<Content> = {
	readonly items: readonly Item<Content>[];
	/** Bytes of the request at most. */
	readonly bytes: number;
};

/**
 * Bytes of one batch, where a store would take more. Each is in memory three times while it is sent (entries, bytes,
 * and the bytes that `fetch` copies), so six of them decide what memory a command takes: up to 145 MB at 2 MB, and
 * 163 MB at 4 MB. It holds 10,000 entries of 200 bytes, and a lost one costs little to repeat.
 */
export const batchBytes = 2_000_000;

/** How much goes into a batch now; it shrinks when the service could not take a batch of that size. */
export class BatchSize {
	#entries: number;
	#bytes: number;
	readonly #least: number;

	constructor(limits: BatchLimits) {
		this.#entries = limits.entries;
		this.#bytes = Math.min(limits.bytes, batchBytes);
		this.#least = Math.ceil(limits.entries / 64);
	}

	get entries(): number {
		return this.#entries;
	}

	get bytes(): number {
		return this.#bytes;
	}

	/** A batch was too much: the next ones hold at most half of it. Never so little that one bad entry slows all others. */
	halve(batch: Batch<unknown>): void {
		this.#entries = Math.min(this.#entries, Math.max(this.#least, Math.ceil(batch.items.length / 2)));
		this.#bytes = Math.min(this.#bytes, Math.max(batchBytes / 64, Math.ceil(batch.bytes / 2)));
	}
}

/** Collects entries until they fill a batch. An entry that is larger than a batch has one to itself. */
export class BatchFiller<Content> {
	readonly #size: BatchSize;
	#items: Item<Content>[] = [];
	#bytes = 2;

	constructor(size: BatchSize) {
		this.#size = size;
	}

	/** Adds an entry; returns the batch that was full without it, or is with it. */
	*add(item: Item<Content>): Iterable<Batch<Content>> {
		if (this.#items.length > 0 && this.#bytes + item.bytes + 1 > this.#size.bytes) yield* this.rest();
		this.#items.push(item);
		this.#bytes += item.bytes + 1;
		if (this.#items.length >= this.#size.entries) yield* this.rest();
	}

	*rest(): Iterable<Batch<Content>> {
		const batch = {items: this.#items, bytes: this.#bytes};
		this.#items = [];
		this.#bytes = 2;
		if (batch.items.length > 0) yield batch;
	}
}

/**
 * The same for entries of repeated keys, whose batches go one after the other: no batch has a key
 * twice, and of two entries with one key the earlier one always comes first. What must wait is kept within the
 * size of a batch.
 */
export class OrderedFiller<Content> {
	readonly #size: BatchSize;
	/** The batch that is filled now, and those that come after it. */
	#items: Item<Content>[] = [];
	#waiting: Item<Content>[] = [];
	#keys = new Set<string>();
	#bytes = 2;
	#waitingBytes = 0;

	constructor(size: BatchSize) {
		this.#size = size;
	}

	*add(item: Item<Content>): Iterable<Batch<Content>> {
		if (this.#keys.has(item.key)) {
			this.#waiting.push(item);
			this.#waitingBytes += item.bytes + 1;
			if (this.#waiting.length >= this.#size.entries || this.#waitingBytes > this.#size.bytes)
				yield* this.#turn();
			return;
		}
		if (this.#items.length > 0 && this.#bytes + item.bytes + 1 > this.#size.bytes) {
			yield* this.#turn();
			// What had to wait is in front now: room and keys are to be looked at again.
			yield* this.add(item);
			return;
		}
		this.#items.push(item);
		this.#keys.add(item.key);
		this.#bytes += item.bytes + 1;
		if (this.#items.length >= this.#size.entries) yield* this.#turn();
	}

	*rest(): Iterable<Batch<Content>> {
		while (this.#items.length > 0) yield* this.#turn();
	}

	/** Returns the batch, and begins the next one with what had to wait for it. */
	*#turn(): Iterable<Batch<Content>> {
		const waiting = this.#waiting;
		yield {items: this.#items, bytes: this.#bytes};
		this.#items = [];
		this.#waiting = [];
		this.#keys = new Set();
		this.#bytes = 2;
		this.#waitingBytes = 0;
		for (const item of waiting) yield* this.add(item);
	}
}
