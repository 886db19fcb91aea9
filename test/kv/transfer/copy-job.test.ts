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
import {runs} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {StrictStore} from '../support/strict-store.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

const never = new AbortController().signal;
const wait = async () => {};
const now = 2_000_000_000;

function filled(count: number, faults: ConstructorParameters<typeof MemoryStore>[0] = {}): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 3, entries: 10}, ...faults});
	for (let at = 0; at < count; at++)
		store.stored.set(`k${at % 2 ? '\u{1f600}' : '\uffee'}${at}`, {
			bytes: at % 3 === 0 ? Buffer.from([0xff, at]) : Buffer.from(at % 5 === 0 ? '' : `value ${at}`),
			...(at % 4 === 0 && {metadata: {at, text: 'ä'}}),
			...(at % 6 === 0 && {expiration: now + 1000 + at}),
		});
	return store;
}

/** A clock that goes on by a second whenever it is looked at: something is written down at every step. */
function clock(): () => number {
	let time = now * 1000 - 500_000;
	return () => (time += 100);
}

function begin(
	space: Workspace,
	from: MemoryStore,
	to: MemoryStore,
	part: Partial<CopyOptions> = {},
	times: Partial<Pick<CopyJobOptions, 'now' | 'wait'>> = {},
) {
	const copy: CopyOptions = {
		from: {place: 'simulated', namespace: 'from'},
		onlyMissing: false,
		failed: space.path('failed.ndjson'),
		...part,
	};
	return startCopy(from, to, copy, {
		signal: never,
		environment: space.environment,
		recorded: {title: 'copy', target: {place: 'simulated'}, options: copy},
		now: clock(),
		elapsed: clock(),
		wait,
		...times,
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
		const [from, to] = [filled(100), new MemoryStore()];
		to.stored.set('other', {bytes: Buffer.from('x')});
		const result = await begin(space, from, to).finished;
		expect(contents(to)).toEqual(contents(from).set('other', {bytes: '78'}));
		expect(result).toMatchObject({done: 100, refused: 0, expired: 0});
	});

	test('stopped anywhere on either side and resumed gives the same result as an undisturbed one', async () => {
		const cut = fc.record({side: fc.constantFrom('from', 'to', 'answer'), at: fc.integer({min: 0, max: 12})});
		await fc.assert(
			fc.asyncProperty(fc.array(cut, {minLength: 1, maxLength: 4}), async cuts => {
				using space = makeWorkspace();
				let [here, ...others] = cuts;
				let left = here?.at ?? 0;
				const strike = (side: string) => () => {
					if (here?.side === side && left-- === 0) throw new Failure('connection_lost', 'The line is cut.');
				};
				const from = filled(80, {faults: {before: strike('from')}});
				const to = new MemoryStore({
					batch: {entries: 10, concurrency: 3},
					faults: {before: strike('to'), after: strike('answer')},
				});
				let job = begin(space, from, to);
				for (;;) {
					await job.finished.catch(() => {});
					const [recorded] = await listJobs(space.environment);
					if (recorded && 'record' in recorded && recorded.record.status === 'done') break;
					[here, ...others] = others;
					left = here?.at ?? 0;
					job = recorded
						? startCopy(from, to, recordedOptions(recorded), {
								signal: never,
								environment: space.environment,
								resumed: await openJob(space.environment, recorded.id, copyCodec),
								now: clock(),
								elapsed: clock(),
								wait,
							})
						: begin(space, from, to);
				}
				const result = await job.finished;
				expect(result.done).toBe(80);
				expect(contents(to)).toEqual(contents(from));
			}),
			{numRuns: runs(60)},
		);
	});

	test('counts keys kept in the target once, wherever it is stopped', async () => {
		for (const at of [1, 2, 3, 5, 8]) {
			using space = makeWorkspace();
			let left = at;
			const from = filled(80, {
				faults: {
					before() {
						if (left-- === 0) throw new Failure('connection_lost', 'The line is cut.');
					},
				},
			});
			const to = new MemoryStore({batch: {entries: 4, concurrency: 1}});
			for (const [number, key] of [...from.stored.keys()].entries())
				if (number % 3 === 0) to.stored.set(key, {bytes: Buffer.from('theirs')});
			await begin(space, from, to, {onlyMissing: true}).finished.catch(() => {});
			const written = to.stored.size;
			const [recorded] = await listJobs(space.environment);
			const result = await (recorded
				? startCopy(from, to, recordedOptions(recorded), {
						signal: never,
						environment: space.environment,
						resumed: await openJob(space.environment, recorded.id, copyCodec),
						now: clock(),
						elapsed: clock(),
						wait,
					})
				: begin(space, from, to, {onlyMissing: true})
			).finished;
			expect(to.stored.size).toBe(80);
			expect(result.done + result.kept).toBe(80);
			// What was written and not recorded before the cut is the other store's by now.
			expect(result.kept).toBeGreaterThanOrEqual(27);
			expect(result.kept).toBeLessThanOrEqual(written);
		}
	});

	test('reads and writes only missing keys if asked to', async () => {
		using space = makeWorkspace();
		const [from, to] = [filled(50), filled(30)];
		for (const key of to.stored.keys()) to.stored.set(key, {bytes: Buffer.from('theirs')});
		const before = from.batches.length;
		const result = await begin(space, from, to, {onlyMissing: true}).finished;
		expect(result).toMatchObject({done: 20, kept: 30});
		expect(
			[...to.stored.values()].filter(({bytes}) => Buffer.from(bytes).toString() === 'theirs'),
		).toHaveLength(30);
		expect(from.batches.slice(before).flat()).toHaveLength(20);
	});

	test('counts all keys as kept if none are missing', async () => {
		using space = makeWorkspace();
		const result = await begin(space, filled(20), filled(20), {onlyMissing: true}).finished;
		expect(result).toMatchObject({done: 0, kept: 20});
	});

	test('writes keys that stay rejected to a file, and omits those that expire within a minute', async () => {
		using space = makeWorkspace();
		const from = filled(10);
		from.stored.set('soon', {bytes: Buffer.from('x'), expiration: now - 450});
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
		const result = await begin(space, from, to).finished;
		expect(result).toMatchObject({done: 11, refused: 1, expired: 1, failedFile: space.path('failed.ndjson')});
		expect(readFileSync(space.path('failed.ndjson'), 'utf8')).toBe('{"key":"bad","value":"x"}\n');
	});

	test('omits keys that come too close to expiry while they wait to be sent', async () => {
		using space = makeWorkspace();
		const read = Promise.withResolvers<void>();
		const [from, to] = [
			filled(3, {faults: {after: () => void setImmediate(read.resolve)}}),
			new StrictStore(),
		];
		for (const [at, key] of ['early', 'late'].entries())
			from.stored.set(key, {bytes: Buffer.from('x'), expiration: now + 61 + at * 1000});
		let time = now;
		const job = begin(space, from, to, {}, {now: () => time * 1000});
		job.pause();
		await read.promise;
		to.time = time += 30;
		job.resume();
		expect(await job.finished).toMatchObject({done: 4, expired: 1});
		expect([...to.stored.keys()]).toContain('late');
	});

	test('loses no batch of expiring keys to a service whose clock is ahead', async () => {
		using space = makeWorkspace();
		const [from, to] = [filled(10), new StrictStore()];
		to.time = now + 5;
		for (let at = 0; at < 20; at++)
			from.stored.set(`soon ${at}`, {bytes: Buffer.from('x'), expiration: now + 60 + at});
		const {done, expired} = await begin(space, from, to, {}, {now: () => now * 1000}).finished;
		expect(done + expired).toBe(30);
		// What is left out is a little more than what had to be, so that not every batch is refused first.
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
		const job = begin(space, filled(100), to);
		await expect.poll(() => job.getProgress().paused).toBe(true);
		cut.reject(new Failure('connection_lost', 'The line is cut.'));
		await expect(job.finished).rejects.toThrow('The line is cut.');
	});

	test('ends when cancelled, whether paused afterwards or not', async () => {
		using space = makeWorkspace();
		const job = begin(space, filled(100), new MemoryStore({batch: {entries: 5}}));
		job.cancel();
		job.pause();
		await expect(job.finished).rejects.toMatchObject({code: 'interrupted'});
	});

	test('sends nothing again while paused', async () => {
		using space = makeWorkspace();
		const waited = Promise.withResolvers<void>();
		const to = new MemoryStore({faults: {refuse: new Map([['bad', 1]])}});
		const from = filled(0);
		from.stored.set('bad', {bytes: Buffer.from('x')});
		const job = begin(
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
