import {describe, expect, test} from 'vitest';
import {type KeyListingPage, type KeyListingQuery, listKeyPages} from '../../source/kv/keys.ts';
import type {KvStore} from '../../source/kv/store.ts';
import {MemoryStore} from './support/memory-store.ts';

/** Creates a store with `count` keys that records the limit of each request. */
function storeOf(
	kind: KvStore['kind'],
	count: number,
): {store: MemoryStore; requestedLimits: (number | undefined)[]} {
	const store = new MemoryStore({kind});
	for (let index = 0; index < count; index++)
		store.stored.set(`k${String(index).padStart(5, '0')}`, {bytes: new Uint8Array()});
	const requestedLimits: (number | undefined)[] = [];
	const list = store.list.bind(store);
	store.list = query => {
		requestedLimits.push(query.limit);
		return list(query);
	};
	return {store, requestedLimits};
}

async function pagesOf(store: KvStore, query: KeyListingQuery): Promise<KeyListingPage[]> {
	const pages: KeyListingPage[] = [];
	for await (const page of listKeyPages(store, query, new AbortController().signal)) pages.push(page);
	return pages;
}

describe('a listing with a limit', () => {
	test('requests exactly that many keys from local data, and its cursor continues after them', async () => {
		const {store, requestedLimits} = storeOf('local', 8);
		const [first] = await pagesOf(store, {limit: 2});
		expect(first?.entries.map(entry => entry.name)).toEqual(['k00000', 'k00001']);
		const [next] = await pagesOf(store, {limit: 2, cursor: first?.cursor});
		expect(next?.entries.map(entry => entry.name)).toEqual(['k00002', 'k00003']);
		expect(requestedLimits).toEqual([2, 2]);
	});

	test.each([
		'remote',
		'simulated',
	] as const)('of fewer than 10 keys is cut by the client if the store is %s, and says so', async kind => {
		const {store, requestedLimits} = storeOf(kind, 12);
		const [page, ...furtherPages] = await pagesOf(store, {limit: 2});
		expect(furtherPages).toEqual([]);
		expect(page?.entries).toHaveLength(2);
		expect(page).toMatchObject({hasUnreachableKeys: true});
		expect(page?.cursor).toBeUndefined();
		expect(requestedLimits).toEqual([10]);
	});

	test('is not cut if it contains all keys', async () => {
		const {store} = storeOf('remote', 2);
		expect(await pagesOf(store, {limit: 2})).toEqual([{entries: [{name: 'k00000'}, {name: 'k00001'}]}]);
	});

	test.each(['local', 'remote'] as const)('of more than a page ends on a page boundary (%s)', async kind => {
		const {store} = storeOf(kind, 1200);
		const pages = await pagesOf(store, {limit: 1005});
		expect(pages.flatMap(page => page.entries)).toHaveLength(1005);
		const [rest] = await pagesOf(store, {cursor: pages.at(-1)?.cursor});
		expect(rest?.entries[0]?.name).toBe('k01005');
	});
});

test('a listing whose pages need no waiting lets other events through between them', async () => {
	const controller = new AbortController();
	let pageCount = 0;
	const store = {
		kind: 'local',
		label: 'test',
		async list() {
			controller.signal.throwIfAborted();
			return {entries: [{name: `k${++pageCount}`}], cursor: String(pageCount)};
		},
	} as unknown as KvStore;
	setImmediate(() => controller.abort());
	const pages = listKeyPages(store, {}, controller.signal);
	await expect(async () => {
		for await (const _page of pages) if (pageCount > 1000) return;
	}).rejects.toThrow();
	expect(pageCount).toBeLessThan(10);
});
