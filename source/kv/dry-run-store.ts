import {formatPlainQuantity} from '../text/figures.ts';
import type {KvStore} from './store.ts';

/**
 * Wraps a store for `--dry-run`: reads go through, writes are reported (without their values) and not made.
 */
export function createDryRunStore(store: KvStore, reportWrite: (operation: string) => void): KvStore {
	return {
		kind: store.kind,
		namespace: store.namespace,
		account: store.account,
		label: store.label,
		batchLimits: store.batchLimits,
		quota: store.quota,
		list: (query, signal) => store.list(query, signal),
		get: (key, signal) => store.get(key, signal),
		metadata: (key, signal) => store.metadata(key, signal),
		getMany: (keys, signal) => store.getMany(keys, signal),
		async put(key, value) {
			reportWrite(`put ${JSON.stringify(key)}, ${formatPlainQuantity(value.length, 'byte')}`);
		},
		async delete(key) {
			reportWrite(`delete ${JSON.stringify(key)}`);
			return undefined;
		},
		async putMany(entries) {
			reportWrite(
				`put ${formatPlainQuantity(entries.length, 'key')}, first ${JSON.stringify(entries[0]?.key)}`,
			);
			return {done: entries.length, refused: []};
		},
		async deleteMany(keys) {
			reportWrite(`delete ${formatPlainQuantity(keys.length, 'key')}, first ${JSON.stringify(keys[0])}`);
			return {done: keys.length, refused: []};
		},
		[Symbol.dispose]: () => store[Symbol.dispose](),
	};
}
