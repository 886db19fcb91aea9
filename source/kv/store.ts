import type {QuotaLeft} from '../service/limiter.ts';
import type {JsonValue} from '../text/json.ts';

/** A key in a listing. `expiration` is in whole UNIX seconds, as on the wire. */
export type KeyEntry = {
	readonly name: string;
	readonly expiration?: number;
	readonly metadata?: JsonValue;
};

/** One page of a listing, in the byte order of the names. No cursor: the last page. */
export type KeyPage = {
	readonly entries: readonly KeyEntry[];
	readonly cursor?: string;
};

export type ListQuery = {
	readonly prefix?: string;
	/** Where to go on: the cursor of the page before. */
	readonly cursor?: string;
	/** Entries a page, 10 to 1,000; 1,000 when left out. */
	readonly limit?: number;
};

export type StoredValue = {
	readonly bytes: Uint8Array;
	/** UNIX seconds; absent when the key does not expire. */
	readonly expiration?: number;
	/** Present only where it was asked for, and the key has some. */
	readonly metadata?: JsonValue;
	/** Older deployments answer a bulk read with values alone: expiry and metadata are in the listing. */
	readonly valueOnly?: true;
};

/** How long a key lives: `ttl` in seconds wins over `expiration` in UNIX seconds. */
export type Lifetime = {
	readonly ttl?: number;
	readonly expiration?: number;
};

export type WriteOptions = Lifetime & {readonly metadata?: JsonValue};

/**
 * What is written in bulk: the currency between files, stores and the wire.
 * With `base64` the value is decoded by whoever stores it.
 */
export type BulkEntry = {
	readonly key: string;
	readonly value: string;
	readonly metadata?: JsonValue;
	readonly expiration?: number;
	readonly expiration_ttl?: number;
	readonly base64?: boolean;
};

/** What became of a batch. A key in `refused` was not written; everything else was, and is durable. */
export type BatchOutcome = {
	readonly done: number;
	readonly refused: readonly {readonly key: string; readonly why?: string}[];
	/** Keys of a deletion that did not exist, where the store knows it; they count as done. */
	readonly absent?: number;
	/** Keys of a deletion that were left as they are; they do not count as done. */
	readonly kept?: readonly string[];
};

/** How much one batch may hold, so that whoever fills batches need not know the store. */
export type BatchLimits = {
	readonly entries: number;
	/** Bytes of a request, counted as `JSON.stringify` of the entries. */
	readonly bytes: number;
	/** Keys of one `getMany`. */
	readonly reads: number;
	readonly concurrency: number;
};

/**
 * One namespace, wherever its data is. Both stores keep the same rules and fail with the same codes; limits are
 * checked by the callers (`limits.ts`) before anything gets here, and again by whoever holds the data.
 */
export interface KvStore extends Disposable {
	readonly kind: 'remote' | 'simulated' | 'local' | 'file';
	readonly namespace: string;
	/** The id of the account that it belongs to; none for local data and files. */
	readonly account?: string | undefined;
	/** What a person calls it: the account and the title, or the folder. Not yet safe for a terminal. */
	readonly label: string;
	/** What the label calls the account; none for local data and files. */
	readonly accountLabel?: string | undefined;
	/** What the label calls the namespace: its title, its binding or its id. */
	readonly title?: string | undefined;
	readonly batch: BatchLimits;
	/** What is left of the quota of its calls. Only of a store whose calls are limited. */
	readonly quota?: (() => QuotaLeft) | undefined;

	/** One page of keys in byte order, expired ones left out. */
	list(query: ListQuery, signal: AbortSignal): Promise<KeyPage>;
	/** The value and expiry of a key, `undefined` if it does not exist. Metadata: see `metadata`. */
	get(key: string, signal: AbortSignal): Promise<StoredValue | undefined>;
	/** The metadata of a key: `null` when it has none, `undefined` if there is no such key (where the store can tell). */
	metadata(key: string, signal: AbortSignal): Promise<JsonValue | undefined>;
	/** Up to `batch.reads` values, each of one version of its key; one alone is read however large it is, several fail with what `isTooMuch` tells. Keys that do not exist are not in the map. */
	getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>>;
	/**
	 * Bytes of a value, at once and without reading it; `undefined` where there is none, or it cannot be told. Only of a
	 * store that can.
	 */
	size?(key: string): number | undefined;
	put(key: string, value: Uint8Array, options: WriteOptions, signal: AbortSignal): Promise<void>;
	/** Done also when the key did not exist. Returns whether it existed, `undefined` where the store does not know. */
	delete(key: string, signal: AbortSignal): Promise<boolean | undefined>;
	/**
	 * Renames a key in one step, over whatever has the new name, where `isExpected` says yes to what both names hold at that
	 * moment. Returns whether it did. Only of a store that can.
	 */
	move?(
		from: string,
		to: string,
		isExpected: (source: StoredValue | undefined, target: StoredValue | undefined) => boolean,
		signal: AbortSignal,
	): Promise<boolean>;
	/** Writes a batch in its order: of two entries with one key the later one stands. */
	putMany(entries: readonly BulkEntry[], signal: AbortSignal): Promise<BatchOutcome>;
	deleteMany(keys: readonly string[], signal: AbortSignal): Promise<BatchOutcome>;
	[Symbol.dispose](): void;
}
