import type {KvStore} from './store.ts';

/** A store that reads as the one behind it does, and tells its writes instead of doing them (`--dry-run`). Values are not told. */
export function planningStore(store: KvStore, tell: (operation: string) => void): KvStore {
	return {
		kind: store.kind,
		namespace: store.namespace,
		label: store.label,
		batch: store.batch,
		list: (query, signal) => store.list(query, signal),
		get: (key, signal) => store.get(key, signal),
		metadata: (key, signal) => store.metadata(key, signal),
		getMany: (keys, signal) => store.getMany(keys, signal),
		async put(key, value) {
			tell(`put ${JSON.stringify(key)}, ${value.length} bytes`);
		},
		async delete(key) {
			tell(`delete ${JSON.stringify(key)}`);
		},
		async putMany(entries) {
			tell(`put ${entries.length} keys, the first ${JSON.stringify(entries[0]?.key)}`);
			return {done: entries.length, refused: []};
		},
		async deleteMany(keys) {
			tell(`delete ${keys.length} keys, the first ${JSON.stringify(keys[0])}`);
			return {done: keys.length, refused: []};
		},
		[Symbol.dispose]: () => store[Symbol.dispose](),
	};
}
