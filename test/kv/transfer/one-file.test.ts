import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {startExport} from '../../../source/kv/transfer/export-job.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;

/** A store with keys that begin with `letter`; `before` is called before each read. */
function createFilledStore(letter: string, count: number, before = async () => {}): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 10, concurrency: 2}, faults: {before}});
	for (let at = 0; at < count; at++)
		store.stored.set(`${letter}${String(at).padStart(4, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const linesOf = (store: MemoryStore): string =>
	[...store.stored].map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`).join('');

const runExport = ({environment}: Workspace, store: MemoryStore, path: string, over: boolean) =>
	startExport(
		store,
		{path, over},
		{
			signal: neverAborted,
			environment,
			recorded: {title: 'export', target: {place: 'simulated'}, options: {path, over}},
		},
	).finished;

describe.each([
	{over: false, title: 'into a new file'},
	{over: true, title: 'over a file'},
])('two simultaneous exports $title', ({over}) => {
	test('the second is refused and names the holder, and the first is complete', async () => {
		using space = makeWorkspace();
		const path = space.path('all.ndjson');
		if (over) writeFileSync(path, 'from yesterday');
		const gate = Promise.withResolvers<void>();
		const store = createFilledStore('a', 100, () => gate.promise);
		const first = runExport(space, store, path, over);
		const secondFailure = await failureOf(runExport(space, createFilledStore('b', 3), path, over));
		expect(secondFailure).toMatchObject({
			code: 'job_running',
			message: `Another process is writing ${JSON.stringify(path)}.`,
			details: {why: expect.stringContaining(`Process ${process.pid} `)},
		});
		gate.resolve();
		expect(await first).toMatchObject({done: 100});
		expect(readFileSync(path, 'utf8')).toBe(linesOf(store));
		expect(readdirSync(space.folder).sort()).toEqual(['all.ndjson', 'state']);
	});

	test('the file is free again after the first has failed', async () => {
		using space = makeWorkspace();
		const path = space.path('all.ndjson');
		const broken = createFilledStore('a', 30, () => Promise.reject(new TypeError('The line is cut.')));
		await failureOf(runExport(space, broken, path, over));
		expect(await runExport(space, createFilledStore('b', 3), path, true)).toMatchObject({done: 3});
	});
});
