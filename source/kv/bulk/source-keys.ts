import {estimateCallSeconds} from '../../service/limiter.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {formatQuantity} from '../../text/figures.ts';
import {readValues} from '../read-window.ts';
import type {BatchOutcome, KvStore} from '../store.ts';

/** Keys per deletion: few enough that the source barely changes between check and deletion. */
const maxKeysPerDeletion = 1000;

/**
 * Wraps the target so that deletions leave out keys that the source has by now: `source` is read right before
 * each batch, and keys found there are returned in `undeletedKeys`. The caller still disposes of the target.
 */
export function protectSourceKeys(target: KvStore, source: KvStore): KvStore {
	return {
		kind: target.kind,
		namespace: target.namespace,
		account: target.account,
		label: target.label,
		batchLimits: {...target.batchLimits, entries: Math.min(target.batchLimits.entries, maxKeysPerDeletion)},
		quota: target.quota,
		list: (query, signal) => target.list(query, signal),
		get: (key, signal) => target.get(key, signal),
		metadata: (key, signal) => target.metadata(key, signal),
		getMany: (keys, signal) => target.getMany(keys, signal),
		put: (key, value, options, signal) => target.put(key, value, options, signal),
		delete: (key, signal) => target.delete(key, signal),
		putMany: (entries, signal) => target.putMany(entries, signal),
		async deleteMany(keys, signal): Promise<BatchOutcome> {
			const existingKeys = await findExistingKeys(source, keys, signal);
			const extraKeys = keys.filter(key => !existingKeys.has(key));
			const outcome =
				extraKeys.length > 0 ? await target.deleteMany(extraKeys, signal) : {done: 0, refused: []};
			return {...outcome, undeletedKeys: [...existingKeys]};
		},
		[Symbol.dispose]() {},
	};
}

async function findExistingKeys(
	store: KvStore,
	keys: readonly string[],
	signal: AbortSignal,
): Promise<ReadonlySet<string>> {
	const existingKeys = new Set<string>();
	async function* yieldKeys() {
		yield keys;
	}
	for await (const pairs of readValues(store, yieldKeys(), key => key, signal))
		for (const [key, value] of pairs) if (value) existingKeys.add(key);
	return existingKeys;
}

/** Describes what `protectSourceKeys` does for a number of keys, and what it costs. Labels are raw data. */
export function describeSourceCheck(source: KvStore, keyCount: number): string {
	const effect = `Reads ${source.label} again before each batch, and keeps the keys that exist there by then`;
	const quota = source.quota?.();
	if (!quota) return `${effect}.`;
	const calls = Math.ceil(keyCount / source.batchLimits.keysPerRead);
	const seconds = estimateCallSeconds(calls, quota);
	const duration = seconds < 1 ? '' : `, ${formatDuration(seconds)} or more`;
	return `${effect}: ${formatQuantity(calls, 'call')}${duration}.`;
}
