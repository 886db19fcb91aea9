import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type Entry, entryOf} from './entry.ts';
import type {ListedKeys, Place} from './listing.ts';

/** Some keys in a row, read whole. */
export type ReadRun = {
	readonly entries: readonly Entry[];
	/** Keys that were listed, and were gone when their values were read: deleted meanwhile, or expired. */
	readonly gone: readonly string[];
	/** Where the walk stands behind them. */
	readonly place: Place;
};

/**
 * Listed keys, read whole and in their order. Several readings of values are under way at once while the listing goes
 * on, no further ahead than memory allows.
 */
export async function* readEntries(
	store: KvStore,
	listed: AsyncIterable<ListedKeys>,
	signal: AbortSignal,
): AsyncGenerator<ReadRun> {
	const cursors = new WeakMap<KeyEntry, string | undefined>();
	async function* groups() {
		for await (const {keys, cursor} of listed) {
			for (const key of keys) cursors.set(key, cursor);
			yield keys;
		}
	}
	for await (const read of readValues(store, groups(), ({name}) => name, signal)) {
		const last = read.at(-1)?.[0];
		if (!last) continue;
		const entries: Entry[] = [];
		const gone: string[] = [];
		for (const [key, stored] of read)
			if (stored) entries.push(entryOf(key, stored));
			else gone.push(key.name);
		yield {entries, gone, place: {after: last.name, cursor: cursors.get(last)}};
	}
}
