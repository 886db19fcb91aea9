import type {BatchOutcome, BulkEntry, KvStore} from '../store.ts';
import {type BulkFormat, type Item, importFormat, keysFormat, writesFormat} from './entries.ts';

export type BulkWork<Content> = {
	readonly kind: 'bulk-put' | 'bulk-delete' | 'import';
	readonly command: 'bulk put' | 'bulk delete' | 'import';
	readonly pastVerb: 'Wrote' | 'Deleted' | 'Imported';
	/** Participle for finished entries. */
	readonly participle: 'written' | 'deleted';
	/** True if the order of entries with the same key matters. */
	readonly isOrdered: boolean;
	readonly format: BulkFormat<Content>;
	/** Returns when an entry expires (UNIX seconds), to leave it out if it comes too late. */
	readonly getExpiration?: (content: Content) => number | undefined;
	send(store: KvStore, items: readonly Item<Content>[], signal: AbortSignal): Promise<BatchOutcome>;
};

export const putWork: BulkWork<BulkEntry> = {
	kind: 'bulk-put',
	command: 'bulk put',
	pastVerb: 'Wrote',
	participle: 'written',
	isOrdered: true,
	format: writesFormat,
	getExpiration: ({expiration}) => expiration,
	send: putItems,
};

export const importWork: BulkWork<BulkEntry> = {
	...putWork,
	kind: 'import',
	command: 'import',
	pastVerb: 'Imported',
	format: importFormat,
};

export const deleteWork: BulkWork<string> = {
	kind: 'bulk-delete',
	command: 'bulk delete',
	pastVerb: 'Deleted',
	participle: 'deleted',
	// Deleting a key twice, in any order, is the same as deleting it once.
	isOrdered: false,
	format: keysFormat,
	send: (store, items, signal) => store.deleteMany([...new Set(items.map(({key}) => key))], signal),
};

/**
 * Writes a batch. An entry that is too large for a JSON request is alone in its batch; its value is sent as
 * raw bytes.
 */
export async function putItems(
	store: KvStore,
	items: readonly Item<BulkEntry>[],
	signal: AbortSignal,
): Promise<BatchOutcome> {
	const entries = items.map(({content}) => content);
	const [onlyEntry, ...otherEntries] = entries;
	if (!onlyEntry || otherEntries.length > 0 || (items[0]?.bytes ?? 0) <= store.batchLimits.bytes)
		return store.putMany(entries, signal);
	const {key, value, base64, expiration_ttl: ttl, ...options} = onlyEntry;
	const bytes = Buffer.from(value, base64 ? 'base64' : 'utf8');
	await store.put(key, bytes, {...options, ...(ttl !== undefined && {ttl})}, signal);
	return {done: 1, refused: []};
}
