import type {QuotaLeft} from '../service/limiter.ts';
import type {JsonValue} from '../text/json.ts';
import type {KeptNamespace} from './jurisdiction.ts';

/** A key in a listing. `expiration` is in whole UNIX seconds, as on the wire. */
export type KeyEntry = {
	readonly name: string;
	readonly expiration?: number;
	readonly metadata?: JsonValue;
};

/** One page of a listing, in byte order of the names. No cursor on the last page. */
export type KeyPage = {
	readonly entries: readonly KeyEntry[];
	readonly cursor?: string;
};

export type ListQuery = {
	readonly prefix?: string;
	/** The cursor of the previous page. */
	readonly cursor?: string;
	/** Entries per page, 10 to 1,000; default 1,000. */
	readonly limit?: number;
};

export type StoredValue = {
	readonly bytes: Uint8Array;
	/** UNIX seconds; absent when the key does not expire. */
	readonly expiration?: number;
	/** Present if the key has metadata; `get` of a remote store never returns it. */
	readonly metadata?: JsonValue;
	/**
	 * True if a bulk read returned the value alone (older deployments); expiry and metadata are in the
	 * listing.
	 */
	readonly valueOnly?: true;
};

/** How long a key lives: `ttl` in seconds wins over `expiration` in UNIX seconds. */
export type Lifetime = {
	readonly ttl?: number;
	readonly expiration?: number;
};

export type WriteOptions = Lifetime & {readonly metadata?: JsonValue};

/** A bulk write entry, as in files, stores and requests. With `base64`, the store decodes the value. */
export type BulkEntry = {
	readonly key: string;
	readonly value: string;
	readonly metadata?: JsonValue;
	readonly expiration?: number;
	readonly expiration_ttl?: number;
	readonly base64?: boolean;
};

/** The outcome of a batch. Keys in `refused` were not written; all others are durable. */
export type BatchOutcome = {
	readonly done: number;
	readonly refused: readonly {readonly key: string; readonly why?: string}[];
	/** Deleted keys that did not exist, if the store knows; they count as done. */
	readonly absent?: number;
	/** Keys that were to be deleted and still exist; they do not count as done. */
	readonly undeletedKeys?: readonly string[];
};

/** Limits of one batch, so that code that fills batches need not know the store. */
export type BatchLimits = {
	readonly entries: number;
	/** Bytes per request, measured as `JSON.stringify` of the entries. */
	readonly bytes: number;
	/** Maximum number of keys per `getMany`. */
	readonly keysPerRead: number;
	readonly concurrency: number;
};

/**
 * One namespace, local or remote. All stores follow the same rules and fail with the same codes. Callers
 * check limits (`limits.ts`) first; the store that holds the data checks them again.
 */
export interface KvStore extends Disposable {
	readonly kind: 'remote' | 'simulated' | 'local' | 'file';
	readonly namespace: string;
	/** Account id; none for local data and files. */
	readonly account?: string | undefined;
	/** Display name: account and title, or folder. Not yet safe for a terminal. */
	readonly label: string;
	/** The account's part of the label; none for local data and files. */
	readonly accountLabel?: string | undefined;
	/** The namespace's part of the label: its title, binding or id. */
	readonly title?: string | undefined;
	readonly batchLimits: BatchLimits;
	/** Returns the remaining call quota. Only on stores whose calls are limited. */
	readonly quota?: (() => QuotaLeft) | undefined;

	/** Returns one page of keys in byte order, without expired ones. */
	list(query: ListQuery, signal: AbortSignal): Promise<KeyPage>;
	/** Returns value and expiry; undefined if the key does not exist. For metadata, see `metadata`. */
	get(key: string, signal: AbortSignal): Promise<StoredValue | undefined>;
	/**
	 * Returns the metadata of a key: null if it has none, undefined if the key does not exist (if the store
	 * can tell).
	 */
	metadata(key: string, signal: AbortSignal): Promise<JsonValue | undefined>;
	/**
	 * Returns up to `batchLimits.keysPerRead` values, each from one version of its key. A single value may
	 * have any size; several fail if they are too large together (`isRequestTooLarge`). Missing keys are not
	 * in the map.
	 */
	getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>>;
	/** Reads title and jurisdiction of the namespace. Only on stores of the service. */
	describe?(signal: AbortSignal): Promise<KeptNamespace>;
	/**
	 * Returns the size of a value in bytes without reading it; undefined if it is missing or unknown. Only on
	 * stores that support it.
	 */
	size?(key: string): number | undefined;
	/**
	 * Returns texts that change with every write of a value, by key, without reading the values. Only on
	 * stores that support it.
	 */
	findVersions?(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
	put(key: string, value: Uint8Array, options: WriteOptions, signal: AbortSignal): Promise<void>;
	/**
	 * Deletes a key; succeeds if it does not exist. Returns whether it existed; undefined if the store does
	 * not know.
	 */
	delete(key: string, signal: AbortSignal): Promise<boolean | undefined>;
	/**
	 * Renames a key atomically, replacing the target, if `isExpected` accepts the current state of both
	 * names. Returns whether it did. Only on stores that support it.
	 */
	move?(
		from: string,
		to: string,
		isExpected: (source: StoredValue | undefined, target: StoredValue | undefined) => boolean,
		signal: AbortSignal,
	): Promise<boolean>;
	/** Writes a batch in order: for duplicate keys the last entry wins. */
	putMany(entries: readonly BulkEntry[], signal: AbortSignal): Promise<BatchOutcome>;
	deleteMany(keys: readonly string[], signal: AbortSignal): Promise<BatchOutcome>;
	[Symbol.dispose](): void;
}
