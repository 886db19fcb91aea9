import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore, StoredValue} from '../store.ts';
import {type Entry, toEntry} from './entry.ts';
import type {ListedKeys, WalkPosition} from './listing.ts';
import {readNamedEntry} from './names.ts';

/** Consecutive keys that were read together. */
export type EntryRun = {
	readonly entries: readonly Entry[];
	/** Keys that were listed but no longer existed when read: deleted or expired. */
	readonly missingNames: readonly string[];
	/** Position of the walk after them. */
	readonly position: WalkPosition;
};

/**
 * Reads listed keys completely and in order. Several reads run concurrently with the listing, as far ahead as
 * memory allows.
 */
export async function* readEntries(
	store: KvStore,
	listed: AsyncIterable<ListedKeys>,
	signal: AbortSignal,
): AsyncGenerator<EntryRun> {
	const pages = new WeakMap<KeyEntry, ListedKeys>();
	async function* listKeyGroups() {
		for await (const page of listed) {
			for (const key of page.keys) pages.set(key, page);
			yield page.keys;
		}
	}
	const toWholeEntry = (key: KeyEntry, stored: StoredValue) =>
		pages.get(key)?.isNamesOnly ? readNamedEntry(store, key.name, stored, signal) : toEntry(key, stored);
	for await (const pairs of readValues(store, listKeyGroups(), ({name}) => name, signal)) {
		const lastKey = pairs.at(-1)?.[0];
		if (!lastKey) continue;
		const entries: Entry[] = [];
		const missingNames: string[] = [];
		for (const [key, stored] of pairs) {
			const entry = stored && (await toWholeEntry(key, stored));
			if (entry) entries.push(entry);
			else missingNames.push(key.name);
		}
		yield {entries, missingNames, position: {after: lastKey.name, cursor: pages.get(lastKey)?.cursor}};
	}
}
