import {readdirSync} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {createTickingClock, names, neverAborted, openForTest, temporaryRoot, textOf} from './temporary.ts';

const count = 1000;
const keys = Array.from({length: count}, (_, index) => `k${String(index).padStart(4, '0')}`);
const createEntries = (value: string) => keys.map(key => ({key, value: `${value} ${key}`}));
/** Turns of the event loop that a batch must leave to other work: one per 20 keys. */
const minTurns = count / 20;

/** Counts the turns of the event loop until the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
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
	const store = openForTest({root, elapsed: createTickingClock()});
	expect(await countTurns(store.putMany(createEntries('one'), neverAborted))).toBeGreaterThan(minTurns);
	// Creates the new files and removes the old ones, so there must be twice as many turns.
	expect(await countTurns(store.putMany(createEntries('two'), neverAborted))).toBeGreaterThan(2 * minTurns);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(count);
	expect(names(store.listEntries())).toEqual(keys);
	expect(await countTurns(store.deleteMany(keys, neverAborted))).toBeGreaterThan(minTurns);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toEqual([]);
});

test('a batch aborted while its files are created leaves nothing behind', async () => {
	const root = temporaryRoot();
	const store = openForTest({root, elapsed: createTickingClock()});
	await store.putMany(createEntries('one').slice(0, 10), neverAborted);
	const abort = new AbortController();
	const writing = store.putMany(createEntries('two'), abort.signal).catch((error: unknown) => error);
	await turn();
	expect(readdirSync(getNamespacePaths(root, 'N').blobs).length).toBeGreaterThan(10);
	abort.abort();
	expect(isFailure(await writing, 'interrupted')).toBe(true);
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(10);
	expect(names(store.listEntries())).toEqual(keys.slice(0, 10));
	expect(textOf(await store.get('k0000', neverAborted))).toBe('one k0000');
});

test("simultaneous batches do not lose each other's data", async () => {
	const root = temporaryRoot();
	const store = openForTest({root, elapsed: createTickingClock()});
	await Promise.all([
		store.putMany(createEntries('one'), neverAborted),
		store.putMany(createEntries('two'), neverAborted),
		store.deleteMany(keys.slice(0, 100), neverAborted),
	]);
	const remainingNames = names(store.listEntries());
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(remainingNames.length);
	expect((await store.getMany(remainingNames, neverAborted)).size).toBe(remainingNames.length);
});
