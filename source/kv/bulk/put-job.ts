import type {BatchOutcome, BulkEntry, KvStore} from '../store.ts';
import type {CheckedInput} from './check.ts';
import type {Item} from './entries.ts';
import {type BulkJob, type StartOptions, startBulk} from './job.ts';
import type {BulkWork} from './passes.ts';

const work: BulkWork<BulkEntry> = {
	kind: 'bulk-put',
	participle: 'written',
	ordered: true,
	expirationOf: ({expiration}) => expiration,
	send: putItems,
};

/** Writes a batch; a value that takes more bytes as JSON than a request may have goes by itself. */
export async function putItems(
	store: KvStore,
	items: readonly Item<BulkEntry>[],
	signal: AbortSignal,
): Promise<BatchOutcome> {
	const [only, ...others] = items;
	if (only && others.length === 0 && only.bytes > store.batch.bytes) {
		await putAlone(store, only, signal);
		return {done: 1, refused: []};
	}
	return store.putMany(
		items.map(({content}) => content),
		signal,
	);
}

/** Writes all entries of a checked input that are not written yet. See `startBulk`. */
export const startBulkPut = (
	store: KvStore,
	checked: CheckedInput<BulkEntry>,
	options: StartOptions,
): BulkJob => startBulk(store, checked, work, options);

/** The same with the entries of an export. */
export const startImport = (
	store: KvStore,
	checked: CheckedInput<BulkEntry>,
	options: StartOptions,
): BulkJob => startBulk(store, checked, {...work, kind: 'import'}, options);

/** A value that takes more bytes as JSON than a request may have, which it does not take by itself. */
async function putAlone(store: KvStore, {content}: Item<BulkEntry>, signal: AbortSignal): Promise<void> {
	const {key, value, base64, metadata, expiration, expiration_ttl: ttl} = content;
	await store.put(
		key,
		Buffer.from(value, base64 ? 'base64' : 'utf8'),
		{
			...(metadata !== undefined && {metadata}),
			...(expiration !== undefined && {expiration}),
			...(ttl !== undefined && {ttl}),
		},
		signal,
	);
}
