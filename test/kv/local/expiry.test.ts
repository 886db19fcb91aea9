import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {bytes, names, neverAborted, openDatabase, openForTest, temporaryRoot, textOf} from './temporary.ts';

const start = 1_800_000_000_500;

function storeWithClock() {
	const clock = {now: start};
	const root = temporaryRoot();
	return {clock, root, store: openForTest({root, now: () => clock.now})};
}

test('a ttl counts from the whole second, and overrides an expiration', async () => {
	const {store, root} = storeWithClock();
	await store.put('k', bytes('v'), {ttl: 60, expiration: 1_900_000_000}, neverAborted);
	await store.putMany([{key: 'b', value: 'v', expiration_ttl: 61, expiration: 1_900_000_000}], neverAborted);
	expect(await store.get('k', neverAborted)).toMatchObject({expiration: 1_800_000_060});
	expect(await store.get('b', neverAborted)).toMatchObject({expiration: 1_800_000_061});
	const database = openDatabase(getNamespacePaths(root, 'N').database, {readOnly: true});
	expect(
		database.prepare("SELECT expiration, typeof(expiration) AS kind FROM _mf_entries WHERE key = 'k'").get(),
	).toEqual({
		expiration: 1_800_000_060_000,
		kind: 'integer',
	});
});

test('a read treats a key as absent from its exact millisecond, a list one later', async () => {
	const {store, clock} = storeWithClock();
	await store.put('k', bytes('v'), {expiration: 1_800_000_100, metadata: {a: 1}}, neverAborted);
	clock.now = 1_800_000_099_999;
	expect(textOf(await store.get('k', neverAborted))).toBe('v');
	expect(await store.metadata('k', neverAborted)).toEqual({a: 1});
	clock.now = 1_800_000_100_000;
	expect(await store.get('k', neverAborted)).toBeUndefined();
	expect(await store.metadata('k', neverAborted)).toBeUndefined();
	expect((await store.getMany(['k'], neverAborted)).size).toBe(0);
	expect((await store.list({}, neverAborted)).entries).toEqual([
		{name: 'k', expiration: 1_800_000_100, metadata: {a: 1}},
	]);
	clock.now = 1_800_000_100_001;
	expect((await store.list({}, neverAborted)).entries).toEqual([]);
	expect([...store.listEntries()]).toEqual([]);
});

test('reads leave expired rows in place, and the next write removes them with their blobs', async () => {
	const {store, clock, root} = storeWithClock();
	const {blobs, database: file} = getNamespacePaths(root, 'N');
	await store.putMany(
		[
			{key: 'a', value: 'v', expiration_ttl: 60},
			{key: 'b', value: 'v'},
		],
		neverAborted,
	);
	clock.now += 3_600_000;
	await store.list({}, neverAborted);
	await store.get('a', neverAborted);
	expect(readdirSync(blobs)).toHaveLength(2);
	await store.put('c', bytes('v'), {}, neverAborted);
	expect(readdirSync(blobs)).toHaveLength(2);
	const database = openDatabase(file, {readOnly: true});
	expect(database.prepare('SELECT key FROM _mf_entries ORDER BY key').all()).toEqual([
		{key: 'b'},
		{key: 'c'},
	]);
});

test('an expired key that is written again exists', async () => {
	const {store, clock} = storeWithClock();
	await store.put('k', bytes('old'), {ttl: 60}, neverAborted);
	clock.now += 3_600_000;
	await store.put('k', bytes('new'), {}, neverAborted);
	expect(textOf(await store.get('k', neverAborted))).toBe('new');
	expect(names(store.listEntries())).toEqual(['k']);
});

test('an expiry beyond any date is read without an error', async () => {
	const {store, root} = storeWithClock();
	await store.put('k', bytes('v'), {}, neverAborted);
	const database = openDatabase(getNamespacePaths(root, 'N').database);
	database.exec('UPDATE _mf_entries SET expiration = 9223372036854775807');
	expect(textOf(await store.get('k', neverAborted))).toBe('v');
	expect(names(store.listEntries())).toEqual(['k']);
});
