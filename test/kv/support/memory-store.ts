import {Failure} from '../../../source/failure.ts';
import type {
	BatchLimits,
	BatchOutcome,
	BulkEntry,
	KeyPage,
	KvStore,
	ListQuery,
	StoredValue,
	WriteOptions,
} from '../../../source/kv/store.ts';
import {fullQuota} from '../../../source/service/limiter.ts';
import type {JsonValue} from '../../../source/text/json.ts';

/** Faults that a test injects into batches. */
export type Faults = {
	/** How many times each key is refused before it is accepted. */
	readonly refuse?: ReadonlyMap<string, number>;
	/** Called for each batch before anything is stored. The batch fails with what it throws. */
	readonly before?: (keys: readonly string[], signal: AbortSignal) => void | Promise<void>;
	/** Called for each batch after it has taken effect. What it throws takes the place of the response. */
	readonly after?: (keys: readonly string[], signal: AbortSignal) => void | Promise<void>;
};

/** A namespace in memory that records its batches, for tests of everything that uses a `KvStore`. */
export class MemoryStore implements KvStore {
	readonly kind: KvStore['kind'];
	readonly namespace = 'memory';
	readonly label = 'Acme › memory';
	readonly batchLimits: BatchLimits;
	/** Only defined for kinds of stores that call the service. */
	readonly quota: KvStore['quota'];
	readonly stored = new Map<string, StoredValue>();
	/** The keys of each batch that took effect, in that order. */
	readonly batches: string[][] = [];
	/** The highest number of batches that were in flight at once. */
	mostAtOnce = 0;
	closed = false;
	readonly #faults: Faults;
	readonly #refusals: Map<string, number>;
	#atOnce = 0;

	constructor(options: {kind?: KvStore['kind']; batch?: Partial<BatchLimits>; faults?: Faults} = {}) {
		this.kind = options.kind ?? 'remote';
		this.quota = this.kind === 'remote' || this.kind === 'simulated' ? () => fullQuota : undefined;
		this.batchLimits = {
			entries: 10_000,
			bytes: 100_000_000,
			keysPerRead: 100,
			concurrency: 6,
			...options.batch,
		};
		this.#faults = options.faults ?? {};
		this.#refusals = new Map(options.faults?.refuse);
	}

	async list({prefix = '', cursor = '', limit = 1000}: ListQuery): Promise<KeyPage> {
		const names = [...this.stored.keys()]
			.filter(name => name.startsWith(prefix) && Buffer.compare(Buffer.from(name), Buffer.from(cursor)) > 0)
			.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
		const entries = names.slice(0, limit).map(name => {
			const {expiration, metadata} = this.stored.get(name) ?? {};
			return {name, ...(expiration !== undefined && {expiration}), ...(metadata !== undefined && {metadata})};
		});
		const last = entries.at(-1);
		return {entries, ...(names.length > limit && last && {cursor: last.name})};
	}

	async get(key: string): Promise<StoredValue | undefined> {
		return this.stored.get(key);
	}

	async metadata(key: string): Promise<JsonValue | undefined> {
		const value = this.stored.get(key);
		return value && (value.metadata ?? null);
	}

	async getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		return this.#batch(keys, signal, () => {
			const found = new Map<string, StoredValue>();
			for (const key of keys) {
				const value = this.stored.get(key);
				if (value) found.set(key, value);
			}
			return found;
		});
	}

	async put(key: string, bytes: Uint8Array, {metadata, expiration}: WriteOptions): Promise<void> {
		this.stored.set(key, {
			bytes,
			...(metadata !== undefined && {metadata}),
			...(expiration !== undefined && {expiration}),
		});
	}

	async delete(key: string): Promise<boolean> {
		return this.stored.delete(key);
	}

	putMany(entries: readonly BulkEntry[], signal: AbortSignal): Promise<BatchOutcome> {
		const keys = entries.map(({key}) => key);
		return this.#batch(keys, signal, () => {
			const refused = this.#refused(keys);
			for (const {key, value, base64, metadata, expiration} of entries) {
				if (refused.has(key)) continue;
				const bytes = Buffer.from(value, base64 ? 'base64' : 'utf8');
				this.stored.set(key, {
					bytes,
					...(metadata !== undefined && {metadata}),
					...(expiration !== undefined && {expiration}),
				});
			}
			return outcome(keys, refused);
		});
	}

	deleteMany(keys: readonly string[], signal: AbortSignal): Promise<BatchOutcome> {
		return this.#batch(keys, signal, () => {
			const refused = this.#refused(keys);
			for (const key of keys) if (!refused.has(key)) this.stored.delete(key);
			return outcome(keys, refused);
		});
	}

	[Symbol.dispose](): void {
		this.closed = true;
	}

	/** Returns the values as text, by key. */
	texts(): Record<string, string> {
		return Object.fromEntries(
			[...this.stored].map(([key, {bytes}]) => [key, Buffer.from(bytes).toString()] as const),
		);
	}

	async #batch<T>(keys: readonly string[], signal: AbortSignal, effect: () => T): Promise<T> {
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
		try {
			await Promise.resolve();
			if (keys.length > this.batchLimits.entries)
				throw new Failure('limit', `A batch of ${keys.length} keys is too large.`);
			await this.#faults.before?.(keys, signal);
			const result = effect();
			this.batches.push([...keys]);
			await this.#faults.after?.(keys, signal);
			return result;
		} finally {
			this.#atOnce--;
		}
	}

	/** Returns the keys that have refusals left, and uses up one refusal of each. */
	#refused(keys: readonly string[]): Set<string> {
		const refused = new Set<string>();
		for (const key of keys) {
			const left = this.#refusals.get(key) ?? 0;
			if (left === 0) continue;
			this.#refusals.set(key, left - 1);
			refused.add(key);
		}
		return refused;
	}
}

const outcome = (keys: readonly string[], refused: ReadonlySet<string>): BatchOutcome => ({
	done: keys.length - refused.size,
	refused: [...refused].map(key => ({key, why: 'refused by the test'})),
});
