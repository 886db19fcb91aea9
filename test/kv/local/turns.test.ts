import {readdirSync} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {names, never, openForTest, temporaryRoot, textOf, ticking} from './temporary.ts';

const count = 1000;
const keys = Array.from({length: count}, (_, index) => `k${String(index).padStart(4, '0')}`);
const entries = (value: string) => keys.map(key => ({key, value: `${value} ${key}`}));
/** How often everything else has its turn during a batch, at the least. */
const least = count / 20;

/** How often everything else in this process had its turn until the work was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
	let isDone = false;
	let turns = 0;
	const done = work.finally(() => {
		isDone = true;
	});
	for (; !isDone; turns++) await turn();
	await done;
	return turns;
}

test('other work gets its turn while a batch is written, replaced and deleted', async () => {
	const root = temporaryRoot();
	const store = openForTest({root, elapsed: ticking()});
	expect(await turnsDuring(store.putMany(entries('one'), never))).toBeGreaterThan(least);
	// The new files are made, and the old ones are removed.
	expect(await turnsDuring(store.putMany(entries('two'), never))).toBeGreaterThan(2 * least);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(count);
	expect(names(store.listEntries())).toEqual(keys);
	expect(await turnsDuring(store.deleteMany(keys, never))).toBeGreaterThan(least);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toEqual([]);
});

test('a batch aborted while its files are created leaves nothing behind', async () => {
	const root = temporaryRoot();
	const store = openForTest({root, elapsed: ticking()});
	await store.putMany(entries('one').slice(0, 10), never);
	const abort = new AbortController();
	const writing = store.putMany(entries('two'), abort.signal).catch((error: unknown) => error);
	await turn();
	expect(readdirSync(getNamespacePaths(root, 'N').blobs).length).toBeGreaterThan(10);
	abort.abort();
	expect(isFailure(await writing, 'interrupted')).toBe(true);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(10);
	expect(names(store.listEntries())).toEqual(keys.slice(0, 10));
	expect(textOf(await store.get('k0000', never))).toBe('one k0000');
});

test("simultaneous batches do not lose each other's data", async () => {
	const root = temporaryRoot();
	const store = openForTest({root, elapsed: ticking()});
	await Promise.all([
		store.putMany(entries('one'), never),
		store.putMany(entries('two'), never),
		store.deleteMany(keys.slice(0, 100), never),
	]);
	const left = names(store.listEntries());
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(left.length);
	expect((await store.getMany(left, never)).size).toBe(left.length);
});
