import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {exportCodec, startExport} from '../../../source/kv/transfer/export-job.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {getRunCount} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;

/** A store whose values are text, empty or not UTF-8, some with metadata or an expiry. */
function createFilledStore(
	count: number,
	storeOptions: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 3}, ...storeOptions});
	for (let at = 0; at < count; at++)
		store.stored.set(`k${at % 2 ? '\u{1f600}' : '\uffee'}${at}`, {
			bytes: at % 3 === 0 ? Buffer.from([0xff, at]) : Buffer.from(at % 5 === 0 ? '' : `value ${at}`),
			...(at % 4 === 0 && {metadata: {at, text: 'ä'}}),
			...(at % 6 === 0 && {expiration: 4_000_000_000 + at}),
		});
	return store;
}

const formatExpectedLines = (store: MemoryStore): string =>
	[...store.stored]
		.sort(([one], [other]) => compareKeys(one, other))
		.map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`)
		.join('');

/** A clock that advances by a second per call, so that progress is recorded at every step. */
function clock(): () => number {
	let time = 0;
	return () => (time += 1000);
}

function startExportJob(space: Workspace, store: MemoryStore, path: string) {
	return startExport(
		store,
		{path, over: false},
		{
			signal: neverAborted,
			environment: space.environment,
			recorded: {title: 'export', target: {place: 'simulated'}, options: {path, over: false}},
			elapsed: clock(),
		},
	);
}

describe('an export', () => {
	test('contains each key once, complete and in byte order, and is private to its user', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(100);
		const path = join(space.folder, 'all.ndjson');
		const result = await startExportJob(space, store, path).finished;
		expect(readFileSync(path, 'utf8')).toBe(formatExpectedLines(store));
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(result).toMatchObject({done: 100, gone: 0});
	});

	test('stopped anywhere and resumed is the same as without a stop', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({min: 0, max: 12}), {minLength: 1, maxLength: 4}),
				fc.constantFrom('all.ndjson', 'all.ndjson.gz'),
				async (cuts, name) => {
					using space = makeWorkspace();
					const path = join(space.folder, name);
					let callsLeft = cuts[0] ?? 0;
					const store = createFilledStore(80, {
						faults: {
							before() {
								if (callsLeft-- === 0) throw new Failure('connection_lost', 'The line is cut.');
							},
						},
					});
					let job = startExportJob(space, store, path);
					for (const cut of [...cuts.slice(1), Number.POSITIVE_INFINITY]) {
						await job.finished.catch(() => {});
						const [unfinished] = await listJobs(space.environment);
						callsLeft = cut;
						if (!unfinished) job = startExportJob(space, store, path);
						else if ('record' in unfinished && unfinished.record.status !== 'done')
							job = startExport(
								store,
								{path, over: false},
								{
									signal: neverAborted,
									environment: space.environment,
									resumed: await openJob(space.environment, unfinished.id, exportCodec),
									elapsed: clock(),
								},
							);
					}
					await job.finished;
					const [finishedJob] = await listJobs(space.environment);
					const bytes = readFileSync(path);
					expect(finishedJob).toMatchObject({record: {status: 'done', done: 80}});
					expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).toBe(
						formatExpectedLines(store),
					);
				},
			),
			{numRuns: getRunCount(40)},
		);
	});

	test('reports a key that was deleted while being read, and omits it', async () => {
		using space = makeWorkspace();
		const store: MemoryStore = createFilledStore(20, {
			faults: {before: keys => void store.stored.delete(keys[0] ?? '')},
		});
		const path = join(space.folder, 'all.ndjson');
		const result = await startExportJob(space, store, path).finished;
		expect(result.done + result.gone).toBe(20);
		expect(readFileSync(path, 'utf8')).toBe(formatExpectedLines(store));
	});

	test('does not overwrite an existing file', async () => {
		using space = makeWorkspace();
		const path = space.writeFile('all.ndjson', 'mine');
		expect(await failureOf(startExportJob(space, createFilledStore(3), path).finished)).toMatchObject({
			code: 'file_exists',
		});
		expect(readFileSync(path, 'utf8')).toBe('mine');
	});
});
