import {quantity} from '../text/figures.ts';
import type {KvStore} from './store.ts';

/**
 * Wraps a store for `--dry-run`: reads go through, writes are reported (without their values) and not made.
 */
export function planningStore(store: KvStore, tell: (operation: string) => void): KvStore {
	return {
		kind: store.kind,
		namespace: store.namespace,
		account: store.account,
		label: store.label,
		batch: store.batch,
		quota: store.quota,
		list: (query, signal) => store.list(query, signal),
		get: (key, signal) => store.get(key, signal),
		metadata: (key, signal) => store.metadata(key, signal),
		getMany: (keys, signal) => store.getMany(keys, signal),
		async put(key, value) {
			tell(`put ${JSON.stringify(key)}, ${quantity(value.length, 'byte')}`);
		},
		async delete(key) {
			tell(`delete ${JSON.stringify(key)}`);
			return undefined;
		},
		async putMany(entries) {
			tell(`put ${quantity(entries.length, 'key')}, the first ${JSON.stringify(entries[0]?.key)}`);
			return {done: entries.length, refused: []};
		},
		async deleteMany(keys) {
			tell(`delete ${quantity(keys.length, 'key')}, the first ${JSON.stringify(keys[0])}`);
			return {done: keys.length, refused: []};
		},
		[Symbol.dispose]: () => store[Symbol.dispose](),
	};
}
