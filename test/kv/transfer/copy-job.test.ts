import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {
	type CopyJobOptions,
	type CopyOptions,
	copyCodec,
	startCopy,
} from '../../../source/kv/transfer/copy-job.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {getRunCount} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {StrictStore} from '../support/strict-store.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const wait = async () => {};
/** UNIX seconds. `clock()` starts 500 s earlier. */
const baseTime = 2_000_000_000;

function createFilledStore(
	count: number,
	storeOptions: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 3, entries: 10}, ...storeOptions});
	for (let at = 0; at < count; at++)
		store.stored.set(`k${at % 2 ? '\u{1f600}' : '\uffee'}${at}`, {
			bytes: at % 3 === 0 ? Buffer.from([0xff, at]) : Buffer.from(at % 5 === 0 ? '' : `value ${at}`),
			...(at % 4 === 0 && {metadata: {at, text: 'ä'}}),
			...(at % 6 === 0 && {expiration: baseTime + 1000 + at}),
		});
	return store;
}

/** A clock that starts at `baseTime` - 500 s. It advances by 100 ms per call, so that every step is recorded. */
function clock(): () => number {
	let time = baseTime * 1000 - 500_000;
	return () => (time += 100);
}

function startCopyJob(
	space: Workspace,
	from: MemoryStore,
	to: MemoryStore,
	copyOptions: Partial<CopyOptions> = {},
	jobOptions: Partial<Pick<CopyJobOptions, 'now' | 'wait' | 'progress'>> = {},
) {
	const copy: CopyOptions = {
		from: {place: 'simulated', namespace: 'from'},
		onlyMissing: false,
		failed: space.path('failed.ndjson'),
		...copyOptions,
	};
	return startCopy(from, to, copy, {
		signal: neverAborted,
		environment: space.environment,
		recorded: {title: 'copy', target: {place: 'simulated'}, options: copy},
		now: clock(),
		elapsed: clock(),
		wait,
		...jobOptions,
	});
}

const contents = ({stored}: MemoryStore) =>
	new Map(
		[...stored].map(([key, {bytes, ...rest}]) => [key, {...rest, bytes: Buffer.from(bytes).toString('hex')}]),
	);

const recordedOptions = (job: object): CopyOptions =>
	(job as {readonly record: {readonly header: {readonly options: CopyOptions}}}).record.header.options;

describe('a copy', () => {
	test('copies each key completely, and leaves other keys alone', async () => {
		using space = makeWorkspace();
		const [from, to] = [createFilledStore(100), new MemoryStore()];
		to.stored.set('other', {bytes: Buffer.from('x')});
		const result = await startCopyJob(space, from, to).finished;
		expect(contents(to)).toEqual(contents(from).set('other', {bytes: '78'}));
		expect(result).toMatchObject({done: 100, refused: 0, expired: 0});
	});

	test('stopped anywhere on either side and resumed copies the same as without a stop', async () => {
		const cut = fc.record({side: fc.constantFrom('from', 'to', 'answer'), at: fc.integer({min: 0, max: 12})});
		await fc.assert(
			fc.asyncProperty(fc.array(cut, {minLength: 1, maxLength: 4}), async cuts => {
				using space = makeWorkspace();
				let [currentCut, ...laterCuts] = cuts;
				let callsLeft = currentCut?.at ?? 0;
				const failAtCut = (side: string) => () => {
					if (currentCut?.side === side && callsLeft-- === 0)
						throw new Failure('connection_lost', 'The line is cut.');
				};
				const from = createFilledStore(80, {faults: {before: failAtCut('from')}});
				const to = new MemoryStore({
					batch: {entries: 10, concurrency: 3},
					faults: {before: failAtCut('to'), after: failAtCut('answer')},
				});
				let job = startCopyJob(space, from, to);
				for (;;) {
					await job.finished.catch(() => {});
					const [recordedJob] = await listJobs(space.environment);
					if (recordedJob && 'record' in recordedJob && recordedJob.record.status === 'done') break;
					[currentCut, ...laterCuts] = laterCuts;
					callsLeft = currentCut?.at ?? 0;
					job = recordedJob
						? startCopy(from, to, recordedOptions(recordedJob), {
								signal: neverAborted,
								environment: space.environment,
								resumed: await openJob(space.environment, recordedJob.id, copyCodec),
								now: clock(),
								elapsed: clock(),
								wait,
							})
						: startCopyJob(space, from, to);
				}
				const result = await job.finished;
				expect(result.done).toBe(80);
				expect(contents(to)).toEqual(contents(from));
			}),
			{numRuns: getRunCount(60)},
		);
	});

	test('counts keys kept in the target once, wherever it is stopped', async () => {
		for (const callsBeforeCut of [1, 2, 3, 5, 8]) {
			using space = makeWorkspace();
			let callsLeft = callsBeforeCut;
			const from = createFilledStore(80, {
				faults: {
					before() {
						if (callsLeft-- === 0) throw new Failure('connection_lost', 'The line is cut.');
					},
				},
			});
			const to = new MemoryStore({batch: {entries: 4, concurrency: 1}});
			for (const [number, key] of [...from.stored.keys()].entries())
				if (number % 3 === 0) to.stored.set(key, {bytes: Buffer.from('theirs')});
			await startCopyJob(space, from, to, {onlyMissing: true}).finished.catch(() => {});
			const storedCountAfterCut = to.stored.size;
			const [recordedJob] = await listJobs(space.environment);
			const result = await (recordedJob
				? startCopy(from, to, recordedOptions(recordedJob), {
						signal: neverAborted,
						environment: space.environment,
						resumed: await openJob(space.environment, recordedJob.id, copyCodec),
						now: clock(),
						elapsed: clock(),
						wait,
					})
				: startCopyJob(space, from, to, {onlyMissing: true})
			).finished;
			expect(to.stored.size).toBe(80);
			expect(result.done + result.kept).toBe(80);
			// 27 keys were there at the start. Those written but not recorded also count as kept.
			expect(result.kept).toBeGreaterThanOrEqual(27);
			expect(result.kept).toBeLessThanOrEqual(storedCountAfterCut);
		}
	});

	test('reads and writes only missing keys if asked to', async () => {
		using space = makeWorkspace();
		const [from, to] = [createFilledStore(50), createFilledStore(30)];
		for (const key of to.stored.keys()) to.stored.set(key, {bytes: Buffer.from('theirs')});
		const before = from.batches.length;
		const result = await startCopyJob(space, from, to, {onlyMissing: true}).finished;
		expect(result).toMatchObject({done: 20, kept: 30});
		expect(
			[...to.stored.values()].filter(({bytes}) => Buffer.from(bytes).toString() === 'theirs'),
		).toHaveLength(30);
		expect(from.batches.slice(before).flat()).toHaveLength(20);
	});

	test('counts all keys as kept if none are missing, also while it lists them', async () => {
		using space = makeWorkspace();
		const reported: number[] = [];
		const result = await startCopyJob(
			space,
			createFilledStore(20),
			createFilledStore(20),
			{onlyMissing: true},
			{progress: ({kept}) => void reported.push(kept)},
		).finished;
		expect(result).toMatchObject({done: 0, kept: 20});
		// The last report, before the result, comes from the end of the listing.
		expect(reported.at(-1)).toBe(20);
		expect(reported[0]).toBe(20);
	});

	test('writes keys that stay rejected to a file, and omits those that expire within a minute', async () => {
		using space = makeWorkspace();
		const from = createFilledStore(10);
		// By the clock of the job, this key has less than a minute left.
		from.stored.set('soon', {bytes: Buffer.from('x'), expiration: baseTime - 450});
		from.stored.set('bad', {bytes: Buffer.from('x')});
		from.stored.set('slow', {bytes: Buffer.from('x')});
		const to = new MemoryStore({
			faults: {
				refuse: new Map([
					['bad', 9],
					['slow', 1],
				]),
			},
		});
		const result = await startCopyJob(space, from, to).finished;
		expect(result).toMatchObject({done: 11, refused: 1, expired: 1, failedFile: space.path('failed.ndjson')});
		expect(readFileSync(space.path('failed.ndjson'), 'utf8')).toBe('{"key":"bad","value":"x"}\n');
	});

	test('omits keys that come too close to expiry while they wait to be sent', async () => {
		using space = makeWorkspace();
		const readDone = Promise.withResolvers<void>();
		const [from, to] = [
			createFilledStore(3, {faults: {after: () => void setImmediate(readDone.resolve)}}),
			new StrictStore(),
		];
		for (const [at, key] of ['early', 'late'].entries())
			from.stored.set(key, {bytes: Buffer.from('x'), expiration: baseTime + 61 + at * 1000});
		let time = baseTime;
		const job = startCopyJob(space, from, to, {}, {now: () => time * 1000});
		job.pause();
		await readDone.promise;
		to.time = time += 30;
		job.resume();
		expect(await job.finished).toMatchObject({done: 4, expired: 1});
		expect([...to.stored.keys()]).toContain('late');
	});

	test('loses no batch of expiring keys to a service whose clock is ahead', async () => {
		using space = makeWorkspace();
		const [from, to] = [createFilledStore(10), new StrictStore()];
		to.time = baseTime + 5;
		for (let at = 0; at < 20; at++)
			from.stored.set(`soon ${at}`, {bytes: Buffer.from('x'), expiration: baseTime + 60 + at});
		const {done, expired} = await startCopyJob(space, from, to, {}, {now: () => baseTime * 1000}).finished;
		expect(done + expired).toBe(30);
		// The service refuses the first 5 of these keys. After a refusal, the job omits keys with a larger margin:
		// perhaps a few too many, but then not every later batch is refused.
		expect(expired).toBeGreaterThanOrEqual(5);
		expect(expired).toBeLessThan(10);
	});

	test('stops at once with the reason if it is paused and sending fails', async () => {
		using space = makeWorkspace();
		const cut = Promise.withResolvers<void>();
		const to = new MemoryStore({
			batch: {entries: 5},
			faults: {
				before() {
					job.pause();
					return cut.promise;
				},
			},
		});
		const job = startCopyJob(space, createFilledStore(100), to);
		await expect.poll(() => job.getProgress().paused).toBe(true);
		cut.reject(new Failure('connection_lost', 'The line is cut.'));
		await expect(job.finished).rejects.toThrow('The line is cut.');
	});

	test('ends when cancelled, even if it is paused afterwards', async () => {
		using space = makeWorkspace();
		const job = startCopyJob(space, createFilledStore(100), new MemoryStore({batch: {entries: 5}}));
		job.cancel();
		job.pause();
		await expect(job.finished).rejects.toMatchObject({code: 'interrupted'});
	});

	test('sends nothing again while paused', async () => {
		using space = makeWorkspace();
		const waited = Promise.withResolvers<void>();
		const to = new MemoryStore({faults: {refuse: new Map([['bad', 1]])}});
		const from = createFilledStore(0);
		from.stored.set('bad', {bytes: Buffer.from('x')});
		const job = startCopyJob(
			space,
			from,
			to,
			{},
			{
				async wait() {
					job.pause();
					setImmediate(waited.resolve);
				},
			},
		);
		await waited.promise;
		const before = to.batches.length;
		job.resume();
		expect(await job.finished).toMatchObject({done: 1});
		expect([before, to.batches.length]).toEqual([1, 2]);
	});
});
