import {expect, test} from 'vitest';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {importFormat} from '../../../source/kv/bulk/entries.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import {importWork} from '../../../source/kv/bulk/work.ts';
import type {BulkEntry} from '../../../source/kv/store.ts';
import {StrictStore} from '../support/strict-store.ts';
import {makeWorkspace, streamOf} from '../support/workspace.ts';

const {signal} = new AbortController();
const now = 2_000_000_000;

async function runImport(store: StrictStore, entries: readonly BulkEntry[], clientSeconds: number) {
	using space = makeWorkspace();
	const text = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
	const {environment, folder: cwd} = space;
	using input = await openInput('-', {environment, stdin: streamOf(text), signal});
	const checked = await checkInput(input, importFormat, {now, signal});
	return await startBulk(importWork, store, checked, {
		signal,
		environment,
		cwd,
		now: () => clientSeconds * 1000,
	}).finished;
}

const entries = Array.from({length: 100}, (_, at) => ({
	key: `k${at}`,
	value: 'x',
	expiration: now + 61 + at,
}));

test('entries that have expired when they are sent are omitted, and the others are written', async () => {
	const store = new StrictStore();
	store.time = now + 11;
	const result = await runImport(store, entries, now + 11);
	expect(result).toMatchObject({done: 90, expired: 10, refused: 0});
	expect(store.stored.size).toBe(90);
});

test('a store whose clock is ahead costs a few entries and requests, but does not fail the import', async () => {
	const store = new StrictStore();
	store.time = now + 11;
	const {done, expired, refused} = await runImport(store, entries, now);
	expect([done + expired, refused, store.stored.size]).toEqual([100, 0, done]);
	expect(expired).toBeGreaterThanOrEqual(10);
	expect(expired).toBeLessThan(20);
});

test('an invalid expiration that the clock does not explain is reported', async () => {
	const store = new StrictStore();
	store.time = now + 1000;
	await expect(runImport(store, [{key: 'k', value: 'x', expiration: now + 900}], now)).rejects.toMatchObject({
		code: 'refused_by_service',
	});
});
