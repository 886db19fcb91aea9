import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {startExport} from '../../../source/kv/transfer/export-job.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const never = new AbortController().signal;

/** Keys whose names begin with a letter; `before` comes before each reading. */
function filled(letter: string, count: number, before = async () => {}): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 10, concurrency: 2}, faults: {before}});
	for (let at = 0; at < count; at++)
		store.stored.set(`${letter}${String(at).padStart(4, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const linesOf = (store: MemoryStore): string =>
	[...store.stored].map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`).join('');

const begin = ({environment}: Workspace, store: MemoryStore, path: string, over: boolean) =>
	startExport(
		store,
		{path, over},
		{
			signal: never,
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
		const store = filled('a', 100, () => gate.promise);
		const first = begin(space, store, path, over);
		const second = await failureOf(begin(space, filled('b', 3), path, over));
		expect(second).toMatchObject({
			code: 'job_running',
			message: `Another process is writing ${JSON.stringify(path)}.`,
			details: {why: expect.stringContaining(`Process ${process.pid} `)},
		});
		gate.resolve();
		expect(await first).toMatchObject({done: 100});
		expect(readFileSync(path, 'utf8')).toBe(linesOf(store));
		expect(readdirSync(space.folder).sort()).toEqual(['all.ndjson', 'state']);
	});

	test('the file is free again after the first has ended, however it ended', async () => {
		using space = makeWorkspace();
		const path = space.path('all.ndjson');
		const broken = filled('a', 30, () => Promise.reject(new TypeError('The line is cut.')));
		await failureOf(begin(space, broken, path, over));
		expect(await begin(space, filled('b', 3), path, true)).toMatchObject({done: 3});
	});
});
