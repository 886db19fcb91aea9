import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createInterruptedFailure, Failure} from '../../../source/failure.ts';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {writesFormat} from '../../../source/kv/bulk/entries.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import type {BulkJob, StartBulkOptions} from '../../../source/kv/bulk/job.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import type {BulkProgress} from '../../../source/kv/bulk/progress.ts';
import {reopenBulkJob} from '../../../source/kv/bulk/resume.ts';
import {putWork} from '../../../source/kv/bulk/work.ts';
import type {BulkEntry} from '../../../source/kv/store.ts';
import {anyJobCodec} from '../../../source/state/job-record.ts';
import {listJobs} from '../../../source/state/jobs.ts';
import {readJournal} from '../../../source/state/journal.ts';
import {getRunCount, isFull} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const now = 1_800_000_000;
const target = {place: 'https://api.example.test', account: 'a1', namespace: 'memory'};

const createEntries = (count: number): BulkEntry[] =>
	Array.from({length: count}, (_, at) => ({key: `key:${at + 1}`, value: `value ${at + 1}`}));

/** A clock that advances by `step` milliseconds per call, so that each acknowledged batch is recorded. */
function clock(step = 1000): () => number {
	let time = 0;
	return () => (time += step);
}

async function start(
	space: Workspace,
	store: MemoryStore,
	entries: readonly unknown[] | string,
	more: Partial<StartBulkOptions> = {},
): Promise<BulkJob> {
	const text = typeof entries === 'string' ? entries : JSON.stringify(entries);
	const path = space.writeFile('load.json', text);
	const options = {environment: space.environment, stdin: streamOf(text), signal: neverAborted};
	const checked = await checkInput(await openInput(path, options), writesFormat, {now, signal: neverAborted});
	return startBulk(putWork, store, checked, {
		signal: neverAborted,
		environment: space.environment,
		cwd: space.folder,
		target,
		now: clock(),
		elapsed: clock(),
		wait: async () => {},
		...more,
	});
}

async function resume(
	space: Workspace,
	store: MemoryStore,
	id: string,
	more: Partial<StartBulkOptions> = {},
): Promise<BulkJob> {
	const {checked, resumed} = await reopenBulkJob(putWork, id, {
		environment: space.environment,
		target,
		now,
		signal: neverAborted,
	});
	return startBulk(putWork, store, checked, {
		signal: neverAborted,
		environment: space.environment,
		cwd: space.folder,
		target,
		resumed,
		now: clock(),
		elapsed: clock(),
		wait: async () => {},
		...more,
	});
}

const getExpectedTexts = (entries: readonly BulkEntry[]): Record<string, string> =>
	Object.fromEntries(entries.map(({key, value}) => [key, value]));

/** Fails batch after batch from the given one on. */
function failFrom(first: number, failure: () => Failure): () => void {
	let batches = 0;
	return () => {
		if (++batches >= first) throw failure();
	};
}

const serviceFailed = () => new Failure('service_failed', 'The service failed.', {http: 503, next: 'Wait.'});

describe('bulk put', () => {
	test('writes everything, in as few batches and with as much parallelism as allowed', async () => {
		using space = makeWorkspace();
		// Each batch waits until the third one arrives, so all three must be in flight at once.
		const thirdArrival = Promise.withResolvers<void>();
		let arrived = 0;
		const store = new MemoryStore({
			batch: {concurrency: 3},
			faults: {
				before: () => {
					if (++arrived === 3) thirdArrival.resolve();
					return thirdArrival.promise;
				},
			},
		});
		const entries = createEntries(25_000);
		const job = await start(space, store, entries);
		expect(await job.finished).toMatchObject({
			entries: 25_000,
			done: 25_000,
			skipped: 0,
			refused: 0,
			failedFile: undefined,
			requests: 3,
			recordingFailure: undefined,
		});
		expect(store.texts()).toEqual(getExpectedTexts(entries));
		expect(store.batches.map(({length}) => length)).toEqual([10_000, 10_000, 5000]);
		expect(store.mostAtOnce).toBe(3);
	});

	test('sends nothing for an empty array', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		expect(await (await start(space, store, [])).finished).toMatchObject({done: 0, requests: 0});
		expect(store.batches).toEqual([]);
	});

	test('keeps no journal for a job of one batch', async () => {
		using space = makeWorkspace();
		await (await start(space, new MemoryStore(), createEntries(100))).finished;
		expect(readdirSync(space.folder)).toEqual(['load.json']);
	});

	test('passes on metadata, lifetimes and base64', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		const job = await start(space, store, [
			{key: 'a', value: 'AP8=', base64: true, metadata: {v: 1}, expiration: now + 100},
		]);
		await job.finished;
		expect(store.stored.get('a')).toEqual({
			bytes: Buffer.from([0, 255]),
			metadata: {v: 1},
			expiration: now + 100,
		});
	});

	test('sends a value that is too large for JSON in its own request', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {bytes: 5000}});
		const value = '\u0001'.repeat(2000);
		const job = await start(space, store, [
			{key: 'a', value: 'x'},
			{key: 'large', value},
			{key: 'b', value: 'y'},
		]);
		expect(await job.finished).toMatchObject({done: 3});
		expect(store.texts()).toEqual({a: 'x', large: value, b: 'y'});
		expect(store.batches).toEqual([['a'], ['b']]);
	});

	test.runIf(isFull)('keeps requests in memory small, whatever size the service accepts', async () => {
		using space = makeWorkspace();
		let maxBytesInFlight = 0;
		let bytesInFlight = 0;
		const entries = Array.from({length: 66}, (_, at) => ({key: `k${at}`, value: 'x'.repeat(1_000_000)}));
		const store = new MemoryStore({
			batch: {concurrency: 100},
			faults: {
				async before(keys) {
					bytesInFlight += keys.length * 1_000_000;
					maxBytesInFlight = Math.max(maxBytesInFlight, bytesInFlight);
					await new Promise(setImmediate);
					bytesInFlight -= keys.length * 1_000_000;
				},
			},
		});
		await (await start(space, store, entries)).finished;
		expect(store.stored.size).toBe(66);
		expect(maxBytesInFlight).toBeLessThanOrEqual(64_000_000);
	});

	test('skips invalid entries, and counts them', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		const job = await start(space, store, [
			{key: 'a', value: 'x'},
			{key: 'b', value: 7},
			{key: 'c', value: 'z'},
		]);
		expect(await job.finished).toMatchObject({entries: 3, done: 2, skipped: 1});
		expect(store.texts()).toEqual({a: 'x', c: 'z'});
	});

	test('reports each acknowledged batch, with figures that add up', async () => {
		using space = makeWorkspace();
		const progressReports: BulkProgress[] = [];
		const store = new MemoryStore({batch: {entries: 100}});
		const job = await start(space, store, createEntries(950), {progress: one => progressReports.push(one)});
		await job.finished;
		const acknowledged = progressReports.map(one => one.acknowledged ?? 0).filter(count => count > 0);
		expect(acknowledged).toEqual([100, 100, 100, 100, 100, 100, 100, 100, 100, 50]);
		expect(progressReports.at(-1)).toMatchObject({
			phase: 'done',
			done: 950,
			total: 950,
			inFlight: 0,
			refused: 0,
		});
		expect(progressReports.every(({inFlight}) => inFlight <= 6)).toBe(true);
		expect(job.getProgress().done).toBe(950);
	});
});

describe('rejected keys', () => {
	test('are retried at the end, then reported, and the file contains exactly those', async () => {
		using space = makeWorkspace();
		const entries = createEntries(25_000).map((entry, at) =>
			at === 17_000 ? {...entry, metadata: {v: 1}, expiration_ttl: 60} : entry,
		);
		const refuse = new Map([
			['key:42', Number.POSITIVE_INFINITY],
			['key:17001', Number.POSITIVE_INFINITY],
		]);
		const store = new MemoryStore({faults: {refuse}});
		const waits: number[] = [];
		const job = await start(space, store, entries, {
			wait: async milliseconds => {
				waits.push(milliseconds);
			},
		});
		const result = await job.finished;
		expect(result).toMatchObject({
			done: 24_998,
			refused: 2,
			failedFile: space.path('load.json.failed.ndjson'),
		});
		expect(result.refusedSamples.map(({entry, key, why}) => [entry, key, why])).toEqual([
			[42, 'key:42', 'refused by the test'],
			[17_001, 'key:17001', 'refused by the test'],
		]);
		expect(store.batches.slice(3)).toEqual([
			['key:42', 'key:17001'],
			['key:42', 'key:17001'],
		]);
		expect(waits).toEqual([1000, 4000]);
		const failed = readFileSync(result.failedFile ?? '', 'utf8');
		expect(
			failed
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
		).toEqual([entries[41], entries[17_000]]);
		expect(statSync(result.failedFile ?? '').mode & 0o777).toBe(0o600);
		const rest = getExpectedTexts(entries);
		delete rest['key:42'];
		delete rest['key:17001'];
		expect(store.texts()).toEqual(rest);
	});

	test('produce a file that the same command accepts', async () => {
		using space = makeWorkspace();
		const refuse = new Map([['key:7', 3]]);
		const store = new MemoryStore({faults: {refuse}});
		const {failedFile = ''} = await (await start(space, store, createEntries(10))).finished;
		const secondJob = await start(space, store, readFileSync(failedFile, 'utf8'), {failed: 'second.ndjson'});
		expect(await secondJob.finished).toMatchObject({entries: 1, done: 1, refused: 0});
		expect(store.texts()).toEqual(getExpectedTexts(createEntries(10)));
	});

	test('that succeed in the end are not a failure', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({faults: {refuse: new Map([['key:3', 2]])}});
		expect(await (await start(space, store, createEntries(10))).finished).toMatchObject({
			done: 10,
			refused: 0,
		});
		expect(existsSync(space.path('load.json.failed.ndjson'))).toBe(false);
	});

	test('are written to the chosen file', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({faults: {refuse: new Map([['key:3', 9]])}});
		const job = await start(space, store, createEntries(10), {failed: 'rest.ndjson'});
		expect(await job.finished).toMatchObject({failedFile: space.path('rest.ndjson')});
	});

	test('never overwrite a file, which is checked before anything is sent', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		space.writeFile('load.json.failed.ndjson', 'precious');
		const job = await start(space, store, createEntries(10));
		expect(await failureOf(job.finished)).toMatchObject({code: 'file_exists'});
		expect(store.batches).toEqual([]);
		expect(readFileSync(space.path('load.json.failed.ndjson'), 'utf8')).toBe('precious');
	});

	test('are reported even if their file cannot be written', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({
			faults: {
				refuse: new Map([['key:3', 9]]),
				before: () => void mkdirSync(space.path('rest.ndjson'), {recursive: true}),
			},
		});
		const result = await (await start(space, store, createEntries(10), {failed: 'rest.ndjson'})).finished;
		expect(result).toMatchObject({refused: 1, failedFile: undefined});
		expect(result.failedFileFailure).toMatchObject({code: 'file_exists'});
	});

	describe('of two runs of one file at the same time', () => {
		async function startBoth(
			space: Workspace,
			stores: readonly MemoryStore[],
			more: Partial<StartBulkOptions>,
		) {
			const path = space.writeFile('load.json', JSON.stringify(createEntries(10)));
			const {environment} = space;
			const inputOptions = {environment, stdin: streamOf(''), signal: neverAborted};
			const checks = await Promise.all(
				stores.map(async () =>
					checkInput(await openInput(path, inputOptions), writesFormat, {now, signal: neverAborted}),
				),
			);
			const options = {
				signal: neverAborted,
				environment,
				cwd: space.folder,
				target,
				wait: async () => {},
				...more,
			};
			return stores.flatMap((store, at) => {
				const checked = checks[at];
				return checked ? [startBulk(putWork, store, checked, options)] : [];
			});
		}

		test('are in a separate file for each', async () => {
			using space = makeWorkspace();
			const createRefusingStore = () => new MemoryStore({faults: {refuse: new Map([['key:3', 9]])}});
			const jobs = await startBoth(space, [createRefusingStore(), createRefusingStore()], {});
			const files = await Promise.all(jobs.map(async job => (await job.finished).failedFile ?? ''));
			expect(files.toSorted()).toEqual([
				space.path('load.json.failed.2.ndjson'),
				space.path('load.json.failed.ndjson'),
			]);
			for (const file of files) expect(readFileSync(file, 'utf8')).toContain('key:3');
		});

		test('are in a chosen file only for the first run, and the second sends nothing', async () => {
			using space = makeWorkspace();
			const gate = Promise.withResolvers<void>();
			const [one, other] = [new MemoryStore({faults: {before: () => gate.promise}}), new MemoryStore()];
			const [first, second] = await startBoth(space, [one, other], {failed: 'rest.ndjson'});
			expect(await failureOf(second?.finished ?? Promise.resolve())).toMatchObject({
				code: 'job_running',
				message: `Another process is writing ${JSON.stringify(space.path('rest.ndjson'))}.`,
			});
			expect(other.batches).toEqual([]);
			gate.resolve();
			expect(await first?.finished).toMatchObject({done: 10});
			expect(readdirSync(space.folder).filter(name => name.includes('lock'))).toEqual([]);
		});
	});

	test('that were never sent make the response malformed', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		store.putMany = async entries => ({done: entries.length - 1, refused: [{key: 'stranger'}]});
		expect(await failureOf((await start(space, store, createEntries(10))).finished)).toMatchObject({
			code: 'answer_malformed',
		});
	});
});

test('an entry that expires on the way is omitted and counted, and the others are written', async () => {
	using space = makeWorkspace();
	const nearExpiration = now + 61;
	const refusal = new Failure('refused_by_service', 'Invalid expiration.', {http: 400, service: [10_033]});
	let calls = 0;
	const store = new MemoryStore({
		faults: {
			before(keys) {
				calls++;
				if (keys.includes('soon')) throw refusal;
			},
		},
	});
	const entries = [
		{key: 'soon', value: 'v', expiration: nearExpiration},
		{key: 'stays', value: 'v'},
		{key: 'later', value: 'v', expiration: nearExpiration + 1000},
	];
	const job = await start(space, store, entries, {now: () => now * 1000});
	expect(await job.finished).toMatchObject({done: 2, expired: 1, refused: 0});
	expect([...store.stored.keys()].sort()).toEqual(['later', 'stays']);
	expect(calls).toBeGreaterThan(1);
});

describe('batches that are too large', () => {
	const tooLarge = () => new Failure('refused_by_service', 'Too large.', {http: 413});
	const noAnswer = () => new Failure('timed_out', 'No answer in time.');
	const edgeGaveUp = () => new Failure('service_failed', 'The origin took too long.', {http: 524});

	test.each([
		['413', tooLarge],
		['a time-out', noAnswer],
		['524', edgeGaveUp],
	])('are halved after %s until they succeed, and later ones are smaller at once', async (_what, failure) => {
		using space = makeWorkspace();
		let refused = 0;
		const store = new MemoryStore({
			batch: {concurrency: 1},
			faults: {
				before(keys) {
					if (keys.length <= 3000) return;
					refused++;
					throw failure();
				},
			},
		});
		const entries = createEntries(25_000);
		expect(await (await start(space, store, entries)).finished).toMatchObject({done: 25_000, refused: 0});
		expect(store.texts()).toEqual(getExpectedTexts(entries));
		// Two batches fail, and both halves of each: the second was filled before the first failed.
		expect(refused).toBeLessThanOrEqual(6);
		expect(store.batches.at(-1)?.length).toBeLessThanOrEqual(3000);
	});

	test('are halved down to one entry, which is then reported with the reason', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({
			faults: {
				before(keys) {
					if (keys.includes('key:777')) throw noAnswer();
				},
			},
		});
		const result = await (await start(space, store, createEntries(2000))).finished;
		expect(result).toMatchObject({done: 1999, refused: 1});
		expect(result.refusedSamples).toMatchObject([
			{entry: 777, key: 'key:777', why: 'No answer in time. It may have taken effect anyway.'},
		]);
		expect(JSON.parse(readFileSync(result.failedFile ?? '', 'utf8'))).toEqual(createEntries(777).at(-1));
	});
});

describe('keys that occur more than once in the input', () => {
	test('end with the value of their last entry, however they are batched', async () => {
		const someEntries = fc.array(
			fc.record({
				key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
				times: fc.integer({min: 0, max: 4}),
			}),
			{minLength: 1, maxLength: 40},
		);
		await fc.assert(
			fc.asyncProperty(someEntries, fc.integer({min: 1, max: 5}), async (wanted, size) => {
				using space = makeWorkspace();
				const entries = wanted.map(({key}, at) => ({key, value: `${at}`}));
				// About one key in five is refused once.
				const refuse = new Map(wanted.map(({key, times}) => [key, times === 4 ? 1 : 0]));
				let turn = 0;
				const store = new MemoryStore({
					batch: {entries: size, concurrency: 4},
					faults: {
						refuse,
						// Batches overtake each other.
						async before() {
							for (let wait = (turn++ * 3) % 5; wait > 0; wait--) await new Promise(setImmediate);
						},
					},
				});
				const {done, refused} = await (await start(space, store, entries)).finished;
				expect({done, refused}).toEqual({done: entries.length, refused: 0});
				expect(store.texts()).toEqual(getExpectedTexts(entries));
				for (const batch of store.batches) expect(new Set(batch).size).toBe(batch.length);
			}),
			{numRuns: getRunCount(150)},
		);
	});

	test('come after all others, one batch at a time', async () => {
		using space = makeWorkspace();
		const entries = [...createEntries(50), {key: 'key:1', value: 'second'}, {key: 'key:1', value: 'third'}];
		const store = new MemoryStore({batch: {entries: 10}});
		await (await start(space, store, entries)).finished;
		expect(store.batches.slice(-3)).toEqual([['key:1'], ['key:1'], ['key:1']]);
		expect(store.texts()['key:1']).toBe('third');
	});

	test('are never sent in parallel', async () => {
		using space = makeWorkspace();
		const entries = [...createEntries(20), ...createEntries(20)];
		const store = new MemoryStore({
			batch: {entries: 3},
			faults: {before: () => new Promise(resolve => setImmediate(resolve))},
		});
		await (await start(space, store, entries)).finished;
		expect(store.mostAtOnce).toBe(1);
	});

	test('do not restore an overruled entry when the job resumes after an interrupt', async () => {
		using space = makeWorkspace();
		const entries = ['a', 'a', 'b', 'b'].map((key, at) => ({key, value: `${at}`}));
		const first = new MemoryStore({
			batch: {entries: 1},
			faults: {refuse: new Map([['a', 1]]), before: failFrom(3, serviceFailed)},
		});
		const job = await start(space, first, entries);
		await failureOf(job.finished);
		expect(first.texts()).toEqual({a: '1'});
		const second = new MemoryStore({batch: {entries: 1}});
		expect(await (await resume(space, second, job.id)).finished).toMatchObject({done: 4, refused: 0});
		expect(second.batches).toEqual([['b'], ['b']]);
	});

	test('do not restore an overruled entry that was rejected', async () => {
		using space = makeWorkspace();
		const entries = [
			{key: 'a', value: 'first'},
			{key: 'a', value: 'last'},
		];
		const store = new MemoryStore({faults: {refuse: new Map([['a', 1]])}});
		expect(await (await start(space, store, entries)).finished).toMatchObject({done: 2, refused: 0});
		expect(store.texts()).toEqual({a: 'last'});
		expect(store.batches).toEqual([['a'], ['a']]);
	});

	test('report only the last entry if all of them are rejected', async () => {
		using space = makeWorkspace();
		const entries = [
			{key: 'a', value: 'first'},
			{key: 'a', value: 'last'},
			{key: 'b', value: 'b'},
		];
		const store = new MemoryStore({faults: {refuse: new Map([['a', 9]])}});
		const result = await (await start(space, store, entries)).finished;
		expect(result).toMatchObject({done: 2, refused: 1, refusedSamples: [{entry: 2}]});
		expect(JSON.parse(readFileSync(result.failedFile ?? '', 'utf8'))).toEqual({key: 'a', value: 'last'});
	});
});

describe('a job that stops', () => {
	test('reports its progress and how to resume, lets running batches end, and records them', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({
			batch: {entries: 100, concurrency: 4},
			faults: {before: failFrom(5, serviceFailed)},
		});
		const job = await start(space, store, createEntries(1000));
		expect(await failureOf(job.finished)).toMatchObject({
			code: 'service_failed',
			details: {
				http: 503,
				left: '400 of 1000 entries are known to be written; up to 200 more may be.',
			},
			next: `Wait.\n\`ledge jobs resume ${job.id}\` resumes the rest.`,
		});
		const record = await readJournal(`${space.state}/jobs/${job.id}.ndjson`, anyJobCodec);
		expect(record).toMatchObject({status: 'failed', why: 'The service failed.', done: 400});
		expect(record.header).toMatchObject({
			kind: 'bulk-put',
			target,
			total: 1000,
			input: {path: space.path('load.json'), kept: false},
		});
	});

	test('has no value of a key in its journal', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {entries: 10}, faults: {before: failFrom(3, serviceFailed)}});
		const job = await start(space, store, createEntries(100));
		await failureOf(job.finished);
		expect(readFileSync(`${space.state}/jobs/${job.id}.ndjson`, 'utf8')).not.toContain('value 1');
	});

	test('resumes and writes exactly the rest', async () => {
		using space = makeWorkspace();
		const entries = createEntries(1000);
		const first = new MemoryStore({
			batch: {entries: 100, concurrency: 1},
			faults: {before: failFrom(4, () => new Failure('unreachable', 'Gone.'))},
		});
		const job = await start(space, first, entries);
		await failureOf(job.finished);
		const second = new MemoryStore({batch: {entries: 100}});
		const resumedJob = await resume(space, second, job.id);
		expect(resumedJob.id).toBe(job.id);
		expect(await resumedJob.finished).toMatchObject({entries: 1000, done: 1000});
		const writtenKeys = [...first.batches.flat(), ...second.batches.flat()];
		expect(writtenKeys).toEqual(entries.map(({key}) => key));
		const [listed] = await listJobs(space.environment);
		expect(listed && 'record' in listed && listed.record).toMatchObject({status: 'done', done: 1000});
	});

	test('at any moment, with rejections and repeated keys, ends with the same content once resumed', async () => {
		const steps = fc.array(fc.integer({min: 1, max: 6}), {minLength: 1, maxLength: 5});
		const keys = fc.array(fc.integer({min: 1, max: 25}), {minLength: 1, maxLength: 60});
		await fc.assert(
			fc.asyncProperty(keys, steps, fc.boolean(), async (wanted, stops, losesResponse) => {
				using space = makeWorkspace();
				const entries = wanted.map((key, at) => ({key: `k${key}`, value: `${at}`}));
				const store = new MemoryStore({batch: {entries: 3, concurrency: 3}});
				// All runs share one store, so that refusals and the order of writes carry over.
				let callsLeft = 0;
				const refusedBefore = new Set<string>();
				const putMany = store.putMany.bind(store);
				store.putMany = async (batch, signal) => {
					if (--callsLeft < 0 && !losesResponse) throw serviceFailed();
					const refused = batch.filter(
						({key, value}) => key.endsWith('3') && !refusedBefore.has(value) && refusedBefore.add(value),
					);
					const outcome = await putMany(
						batch.filter(entry => !refused.includes(entry)),
						signal,
					);
					if (callsLeft < 0) throw serviceFailed();
					return {done: outcome.done, refused};
				};
				let job: BulkJob | undefined;
				let ended = false;
				for (const step of [...stops, 10_000]) {
					callsLeft = step;
					const isRecorded: boolean = job !== undefined && existsSync(`${space.state}/jobs/${job.id}.ndjson`);
					job = job && isRecorded ? await resume(space, store, job.id) : await start(space, store, entries);
					try {
						const {done, refused} = await job.finished;
						expect({done, refused}).toEqual({done: entries.length, refused: 0});
						ended = true;
						break;
					} catch (error) {
						expect(error).toMatchObject({code: 'service_failed'});
					}
				}
				expect(ended).toBe(true);
				expect(store.texts()).toEqual(getExpectedTexts(entries));
			}),
			{numRuns: getRunCount(150)},
		);
	});

	test('reports an interrupt, and resumes where it was', async () => {
		using space = makeWorkspace();
		const controller = new AbortController();
		const entries = createEntries(500);
		const store = new MemoryStore({
			batch: {entries: 100, concurrency: 1},
			faults: {
				before(keys, signal) {
					if (keys.includes('key:301')) controller.abort();
					if (signal.aborted) throw createInterruptedFailure();
				},
			},
		});
		const job = await start(space, store, entries, {signal: controller.signal});
		expect(await failureOf(job.finished)).toMatchObject({
			code: 'interrupted',
			details: {left: '300 of 500 entries are known to be written; up to 100 more may be.'},
		});
		await (await resume(space, store, job.id)).finished;
		expect(store.batches.flat()).toEqual(entries.map(({key}) => key));
	});

	test('is recorded when cancelled before any response, and reports what may have been written', async () => {
		using space = makeWorkspace();
		const sent = Promise.withResolvers<void>();
		const store = new MemoryStore({
			faults: {
				after: (_keys, signal) =>
					new Promise((_resolve, reject) => {
						signal.addEventListener('abort', () => reject(createInterruptedFailure()));
						sent.resolve();
					}),
			},
		});
		const progressReports: BulkProgress[] = [];
		const job = await start(space, store, createEntries(5), {
			progress: progress => progressReports.push(progress),
		});
		await sent.promise;
		expect(progressReports).toMatchObject([
			{done: 0, inFlight: 1, waitingSince: expect.any(Number), record: 'coming'},
		]);
		job.cancel();
		expect(await failureOf(job.finished)).toMatchObject({
			code: 'interrupted',
			details: {
				left: '0 of 5 entries are known to be written; up to 5 more may be.',
			},
			next: `\`ledge jobs resume ${job.id}\` resumes the rest.`,
		});
		expect(job.getProgress()).toMatchObject({record: 'made', waitingSince: undefined});
		expect(await (await resume(space, new MemoryStore(), job.id)).finished).toMatchObject({done: 5});
	});

	test('is recorded after a lost response, and reports what may have been written', async () => {
		using space = makeWorkspace();
		const loseResponse = () => {
			throw new Failure('connection_lost', 'The connection broke.');
		};
		const job = await start(space, new MemoryStore({faults: {after: loseResponse}}), createEntries(5));
		expect(await failureOf(job.finished)).toMatchObject({
			details: {left: '0 of 5 entries are known to be written; up to 5 more may be.'},
		});
		expect(await listJobs(space.environment)).toMatchObject([{id: job.id}]);
	});

	test('leaves no journal if nothing was sent', async () => {
		using space = makeWorkspace();
		const notSent = new Failure('unreachable', 'Nothing listens there.');
		const store = new MemoryStore({faults: {before: failFrom(1, () => notSent)}});
		const failure = await failureOf((await start(space, store, createEntries(10))).finished);
		expect(failure).toMatchObject({details: {left: '0 of 10 entries are written, 10 are left.'}});
		expect(existsSync(space.state)).toBe(false);
	});

	test('works without a state directory, and says that it was not recorded', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({
			batch: {entries: 10, concurrency: 1},
			faults: {before: failFrom(3, serviceFailed)},
		});
		const job = await start(space, store, createEntries(50), {environment: {}});
		expect(await failureOf(job.finished)).toMatchObject({
			details: {
				left: expect.stringContaining('This could not be recorded'),
				next: expect.stringContaining('Start it again'),
			},
		});
		const undisturbedJob = await start(space, new MemoryStore({batch: {entries: 10}}), createEntries(50), {
			environment: {},
		});
		expect(await undisturbedJob.finished).toMatchObject({done: 50, recordingFailure: {code: 'file_failed'}});
	});

	test('is not recorded without a target', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {entries: 10}});
		await (await start(space, store, createEntries(50), {target: undefined})).finished;
		expect(existsSync(space.state)).toBe(false);
	});

	test('resumes only with its original content', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {entries: 10}, faults: {before: failFrom(3, serviceFailed)}});
		const job = await start(space, store, createEntries(50));
		await failureOf(job.finished);
		const content = readFileSync(space.path('load.json'), 'utf8');
		space.writeFile('load.json', content.replace('value 50', 'value 5x'));
		expect(await failureOf(resume(space, store, job.id))).toMatchObject({
			code: 'changed_meanwhile',
			details: {why: expect.stringContaining('different content')},
		});
		rmSync(space.path('load.json'));
		expect(await failureOf(resume(space, store, job.id))).toMatchObject({code: 'input_missing'});
		space.writeFile('load.json', content);
		await (await resume(space, new MemoryStore(), job.id)).finished;
		expect(await failureOf(resume(space, store, job.id))).toMatchObject({code: 'usage'});
	});

	test('resumes neither on another target nor twice at once', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {entries: 10}, faults: {before: failFrom(3, serviceFailed)}});
		const job = await start(space, store, createEntries(50));
		await failureOf(job.finished);
		const elsewhere = reopenBulkJob(putWork, job.id, {
			environment: space.environment,
			target: {...target, place: 'simulated'},
			now,
			signal: neverAborted,
		});
		expect(await failureOf(elsewhere)).toMatchObject({code: 'journal_invalid'});
		const gate = Promise.withResolvers<void>();
		const resumedJob = await resume(space, new MemoryStore({faults: {before: () => gate.promise}}), job.id);
		expect(await failureOf(resume(space, store, job.id))).toMatchObject({code: 'job_running'});
		gate.resolve();
		await resumedJob.finished;
	});

	test('keeps the copy of standard input until it is done', async () => {
		using space = makeWorkspace();
		const text = JSON.stringify(createEntries(50));
		const runUntilFailure = async (store: MemoryStore) => {
			const inputOptions = {environment: space.environment, stdin: streamOf(text), signal: neverAborted};
			using input = await openInput('-', inputOptions);
			const checked = await checkInput(input, writesFormat, {now, signal: neverAborted});
			const job = startBulk(putWork, store, checked, {
				signal: neverAborted,
				environment: space.environment,
				cwd: space.folder,
				target,
				now: clock(),
				elapsed: clock(),
			});
			await failureOf(job.finished);
			return job.id;
		};
		const store = new MemoryStore({
			batch: {entries: 10, concurrency: 1},
			faults: {before: failFrom(3, serviceFailed)},
		});
		const id = await runUntilFailure(store);
		expect(readdirSync(`${space.state}/inputs`)).toHaveLength(1);
		const {checked, resumed} = await reopenBulkJob(putWork, id, {
			environment: space.environment,
			target,
			now,
			signal: neverAborted,
		});
		{
			using _input = checked.input;
			const secondStore = new MemoryStore();
			const job = startBulk(putWork, secondStore, checked, {
				signal: neverAborted,
				environment: space.environment,
				cwd: space.folder,
				target,
				resumed,
			});
			await job.finished;
			expect(secondStore.stored.size).toBe(30);
		}
		expect(readdirSync(`${space.state}/inputs`)).toEqual([]);
	});
});

describe('a paused job', () => {
	test('starts nothing until it resumes', async () => {
		using space = makeWorkspace();
		let job: BulkJob | undefined;
		const paused = Promise.withResolvers<void>();
		const store = new MemoryStore({
			batch: {entries: 10, concurrency: 1},
			faults: {
				before(keys) {
					if (!keys.includes('key:21')) return;
					job?.pause();
					paused.resolve();
				},
			},
		});
		job = await start(space, store, createEntries(100));
		await paused.promise;
		for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
		expect(store.stored.size).toBe(30);
		expect(job.getProgress()).toMatchObject({paused: true, done: 30, inFlight: 0});
		job.resume();
		expect(await job.finished).toMatchObject({done: 100});
	});

	test('can be cancelled', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore({batch: {entries: 10}});
		const job = await start(space, store, createEntries(100));
		job.pause();
		await new Promise(setImmediate);
		job.cancel();
		expect(await failureOf(job.finished)).toMatchObject({code: 'interrupted'});
	});

	test('stops when a running batch fails', async () => {
		using space = makeWorkspace();
		let job: BulkJob | undefined;
		const store = new MemoryStore({
			batch: {entries: 10, concurrency: 2},
			faults: {
				async before(keys) {
					if (!keys.includes('key:21')) return;
					job?.pause();
					await new Promise(setImmediate);
					throw serviceFailed();
				},
			},
		});
		job = await start(space, store, createEntries(100));
		expect(await failureOf(job.finished)).toMatchObject({code: 'service_failed'});
	});
});
