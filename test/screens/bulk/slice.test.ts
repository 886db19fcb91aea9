import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import {openKeyNamesInput} from '../../../source/kv/bulk/names-input.ts';
import {deleteWork} from '../../../source/kv/bulk/work.ts';
import {Recorder} from '../../../source/kv/job/recorder.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {buildBulkFacts} from '../../../source/screens/bulk/facts.ts';
import {sendBulk} from '../../../source/screens/bulk/start.ts';
import {
	type BulkStage,
	buildRefusedRows,
	countRefused,
	formatBulkLabel,
	formatBulkSummary,
} from '../../../source/screens/bulk/state.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import {toLocalPlace} from '../../../source/state/job-record.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {
	createAnotherStore,
	createEntries,
	createInputFile,
	createTestNamespace,
	createTickingClock,
	findNamespaceRow,
	localRow,
	readKeyNames,
	runCheckedBulk,
} from '../support/bulk.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Expects the run to be in this state, and returns its stage. */
function expectStage<State extends BulkStage['state']>(
	{bulk: {data: bulk}}: LedgeState,
	expectedState: State,
): Extract<BulkStage, {state: State}> {
	const stage = bulk?.stage;
	expect(stage?.state).toBe(expectedState);
	return stage as Extract<BulkStage, {state: State}>;
}

const isSending = ({bulk: {data: bulk}}: LedgeState) => bulk?.stage.state === 'sending';

describe('checking', () => {
	test('counts expired entries and repeated keys before anything is asked', async () => {
		const testStore = createTestStore();
		const row = await createTestNamespace(testStore, 'LOAD');
		const lines = [
			'{"key":"a","value":"1"}',
			'{"key":"b","value":"1"}',
			'{"key":"b","value":"2"}',
			'{"key":"c","value":"1","expiration":1600000000}',
		];
		const {state, signal} = testStore;
		await state().bulk.check(
			'import',
			row,
			createInputFile(testStore, 'load.ndjson', lines.join('\n')),
			signal,
		);
		const bulk = state().bulk.data;
		if (!bulk) throw new Error('Nothing was checked.');
		const facts = buildBulkFacts(bulk, [], Date.now());
		expect(facts[0]).toMatchObject({
			name: 'checked',
			text: '4 entries · 1 expired or expiring within a minute, left out',
		});
		expect(facts.find(({name}) => name === 'to write')?.text).toMatch(/^2 keys \(3 entries\), to /);
		sendBulk(createTestApp(testStore));
		expect(state().dialog.current).toMatchObject({title: 'Write 2 keys to LOAD?'});
	});

	test('lists the bad entries with line and rule, and sends nothing', async () => {
		const testStore = createTestStore();
		const row = await createTestNamespace(testStore, 'LOAD');
		const lines = ['{"key":"a","value":"1"}', '{"key":"","value":"2"}', 'nonsense', '{"key":"b","value":3}'];
		const callCount = testStore.simulator.calls.list().length;
		await testStore
			.state()
			.bulk.check(
				'bulk-put',
				row,
				createInputFile(testStore, 'load.ndjson', lines.join('\n')),
				testStore.signal,
			);
		const {check} = expectStage(testStore.state(), 'checked');
		expect(check).toMatchObject({entryCount: 4, validCount: 1, problemCount: 3});
		expect(
			buildRefusedRows(expectStage(testStore.state(), 'checked')).map(({position, refusedBy}) => [
				position,
				refusedBy,
			]),
		).toEqual([
			['line 2', 'check'],
			['line 3', 'check'],
			['line 4', 'check'],
		]);
		expect(testStore.simulator.calls.list()).toHaveLength(callCount);
		expect(await readKeyNames(testStore, row)).toEqual(new Set());
	});

	test('keeps a thousand problems, and counts them all', async () => {
		const testStore = createTestStore();
		const badEntries = Array.from({length: 1500}, () => ({key: ''}));
		await testStore
			.state()
			.bulk.check('bulk-put', localRow, createInputFile(testStore, 'bad.json', badEntries), testStore.signal);
		const stage = expectStage(testStore.state(), 'checked');
		expect(buildRefusedRows(stage)).toHaveLength(1000);
		expect(countRefused(stage)).toBe(1500);
	});

	test('warns about repeated and odd keys', async () => {
		const testStore = createTestStore();
		const entries = [...createEntries(2), ...createEntries(1), {key: 'a\u001b[2J b', value: ''}];
		await testStore
			.state()
			.bulk.check('bulk-put', localRow, createInputFile(testStore, 'odd.json', entries), testStore.signal);
		const {warnings} = expectStage(testStore.state(), 'checked').check;
		expect(warnings.map(text => text.split(':')[0])).toEqual([
			'Repeated keys',
			'Keys with white space or control characters',
		]);
	});

	test('fails for a file that is not JSON, and another run may follow', async () => {
		const testStore = createTestStore();
		const {state, signal} = testStore;
		const broken = createInputFile(testStore, 'broken.json', 'hello');
		await expect(state().bulk.check('bulk-put', localRow, broken, signal)).rejects.toMatchObject({
			code: 'input_malformed',
		});
		expect(expectStage(state(), 'failed').failure.code).toBe('input_malformed');
		await state().bulk.check(
			'bulk-put',
			localRow,
			createInputFile(testStore, 'good.json', createEntries(1)),
			signal,
		);
		expectStage(state(), 'checked');
	});

	test('leaves nothing behind when cancelled with esc', async () => {
		const testStore = createTestStore();
		const origin = createInputFile(testStore, 'load.json', createEntries(100));
		const checked = testStore
			.state()
			.work.run('checking', 'read', signal =>
				testStore.state().bulk.check('bulk-put', localRow, origin, signal),
			);
		expect(testStore.state().bulk.data?.stage.state).toBe('checking');
		expect(testStore.state().work.cancelReads()).toBe(true);
		testStore.state().bulk.leave();
		expect(await checked).toBe(false);
		expect(testStore.state().bulk.data).toBeUndefined();
		expect(testStore.state().messages.latest?.text).toBe('Stopped: checking.');
	});

	test('is refused in a read-only ledge, before the file is read', async () => {
		const {state, signal} = createTestStore({simulate: true, readOnly: true});
		const missing = {kind: 'file', path: '/nowhere'} as const;
		await expect(state().bulk.check('bulk-delete', localRow, missing, signal)).rejects.toMatchObject({
			code: 'read_only',
		});
		expect(state().bulk.data).toBeUndefined();
	});

	test('refuses a second run at the same time', async () => {
		const testStore = createTestStore();
		const origin = createInputFile(testStore, 'load.json', createEntries(1));
		await testStore.state().bulk.check('bulk-put', localRow, origin, testStore.signal);
		await expect(
			testStore.state().bulk.check('bulk-put', localRow, origin, testStore.signal),
		).rejects.toThrow('A bulk run is already in progress.');
		expect(testStore.state().bulk.leave()).toBe(false);
		expect(testStore.state().messages.latest?.text).toBe('Nothing was sent.');
		await testStore.state().bulk.check('bulk-put', localRow, origin, testStore.signal);
	});
});

describe.each(['remote', 'local'] as const)('a run, %s', where => {
	const getTargetRow = async (testStore: ReturnType<typeof createTestStore>) =>
		where === 'local' ? localRow : createTestNamespace(testStore, 'LOAD');

	test('writes the valid entries and reports them; a second run then deletes keys', async () => {
		const testStore = createTestStore();
		const row = await getTargetRow(testStore);
		const entries = [...createEntries(3), {key: '.', value: 'no'}];
		await testStore
			.state()
			.bulk.check('bulk-put', row, createInputFile(testStore, 'first.json', entries), testStore.signal);
		expect(await runCheckedBulk(testStore.state)).toBe(true);
		expect(expectStage(testStore.state(), 'done').result).toMatchObject({
			entries: 4,
			done: 3,
			skipped: 1,
			refused: 0,
		});
		expect(testStore.state().messages.latest?.text).toBe('Wrote 3 of 4 keys in namespace LOAD (1 skipped).');
		expect([...(await readKeyNames(testStore, row))]).toEqual(['load:1', 'load:2', 'load:3']);

		await testStore
			.state()
			.bulk.check(
				'bulk-delete',
				row,
				createInputFile(testStore, 'names.json', ['load:1', 'load:2']),
				testStore.signal,
			);
		expect(await runCheckedBulk(testStore.state)).toBe(true);
		expect(testStore.state().messages.latest?.text).toBe(
			`Deleted 2 keys in namespace LOAD. u restores them; V opens the trash.`,
		);
		expect([...(await readKeyNames(testStore, row))]).toEqual(['load:3']);
		expect(testStore.state().work.list).toEqual([]);
	});

	test('still reports the result when left just as the job has finished', async () => {
		const testStore = createTestStore();
		const row = await getTargetRow(testStore);
		await testStore
			.state()
			.bulk.check(
				'bulk-put',
				row,
				createInputFile(testStore, 'load.json', createEntries(1)),
				testStore.signal,
			);
		const ended = runCheckedBulk(testStore.state);
		await testStore.until(({bulk: {data: bulk}}) => bulk?.stage.state === 'done');
		testStore.state().bulk.leave();
		expect(await ended).toBe(true);
		expect(testStore.state().messages.latest?.text).toBe('Wrote 1 key in namespace LOAD.');
	});

	test('marks the open list of its namespace as outdated', async () => {
		const testStore = createTestStore();
		const row = await getTargetRow(testStore);
		await testStore.state().keys.open(row, testStore.signal);
		await testStore
			.state()
			.bulk.check(
				'bulk-put',
				row,
				createInputFile(testStore, 'load.json', createEntries(1)),
				testStore.signal,
			);
		await runCheckedBulk(testStore.state);
		expect(testStore.state().messages.latest?.text).toBe('Wrote 1 key in namespace LOAD.');
		expect(testStore.state().keys.data).toMatchObject({isStale: true, index: {count: 0}});
		await testStore.state().keys.refresh();
		await testStore.until(({keys: {data: keys}}) => keys?.index.count === 1 && !keys.isStale);
	});

	test('deletes the selected keys, drops them from the list, and leaves no file with their names', async () => {
		const testStore = createTestStore();
		const {state, signal, env} = testStore;
		const row = await getTargetRow(testStore);
		await state().bulk.check(
			'bulk-put',
			row,
			createInputFile(testStore, 'load.json', createEntries(20)),
			signal,
		);
		await runCheckedBulk(state);
		await state().keys.open(row, signal);
		void state().work.run('listing', 'background', () => state().keys.list(signal));
		await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		const index = state().keys.data?.index;
		index?.selectRange(0, 15, true);
		const origin = createNamesOrigin(index?.listSelectedNames() ?? []);
		expect(origin.count).toBe(15);
		await state().bulk.check('bulk-delete', row, origin, signal);
		expect(formatBulkLabel(state().bulk.data)).toBe('bulk delete 15 selected keys, LOAD');
		expect(await runCheckedBulk(state)).toBe(true);
		expect(index?.count).toBe(5);
		expect(index?.selectedCount).toBe(0);
		expect(await readKeyNames(testStore, row)).toHaveProperty('size', 5);
		expect(readdirSync(join(env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});
});

describe('keys under a prefix', () => {
	test('are counted, shown with the first ten as samples, and deleted by the run', async () => {
		const testStore = createTestStore({simulate: true});
		const {state, signal} = testStore;
		const row = await createTestNamespace(testStore, 'LOAD');
		await state().bulk.check(
			'bulk-put',
			row,
			createInputFile(testStore, 'load.json', createEntries(20)),
			signal,
		);
		await runCheckedBulk(state);
		const prefix = 'load:1';
		const keysUnderPrefix = ['load:1', ...Array.from({length: 10}, (_, at) => `load:1${at}`)];
		await state().bulk.check('bulk-delete', row, {kind: 'prefix', prefix}, signal);
		expect(expectStage(state(), 'checked').check).toMatchObject({
			validCount: keysUnderPrefix.length,
			samples: keysUnderPrefix.slice(0, 10),
		});
		expect(formatBulkLabel(state().bulk.data)).toBe(`bulk delete keys under ${prefix}, LOAD`);
		await runCheckedBulk(state);
		expect(await readKeyNames(testStore, row)).toHaveProperty('size', 20 - keysUnderPrefix.length);
	});

	test('give an empty check if there are none', async () => {
		const testStore = createTestStore({simulate: true});
		const {state, signal} = testStore;
		const row = await createTestNamespace(testStore, 'LOAD');
		await state().bulk.check('bulk-delete', row, {kind: 'prefix', prefix: 'nowhere:'}, signal);
		expect(expectStage(state(), 'checked').check).toMatchObject({entryCount: 0, validCount: 0});
	});
});

describe('a running job', () => {
	/** Checks a file of 50,000 entries: five batches, of which two are sent at the same time. */
	async function checkLongInput(faults = '') {
		const testStore = createTestStore({simulate: true, concurrency: 2}, {faults, now: createTickingClock()});
		const row = await createTestNamespace(testStore, 'LOAD');
		const origin = createInputFile(testStore, 'load.json', createEntries(50_000));
		await testStore.state().bulk.check('bulk-put', row, origin, testStore.signal);
		return {...testStore, testStore, row};
	}

	test('pauses and resumes', async () => {
		const {state, until, testStore, row} = await checkLongInput();
		const ended = runCheckedBulk(state);
		await until(isSending);
		state().bulk.pause(true);
		expect(expectStage(state(), 'sending').progress.paused).toBe(true);
		await until(
			({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.inFlight === 0,
		);
		const {done} = expectStage(state(), 'sending').progress;
		expect(done).toBeLessThan(50_000);
		expect(formatBulkSummary(state().bulk.data)).toBe(`bulk put paused at ${Math.floor(done / 500)}%`);
		state().bulk.pause(false);
		expect(await ended).toBe(true);
		expect(expectStage(state(), 'done').result.done).toBe(50_000);
		expect(await readKeyNames(testStore, row)).toHaveProperty('size', 50_000);
	});

	test('shows a falling rate while no responses arrive', async () => {
		const testStore = createTestStore({simulate: true}, {faults: 'hang method=PUT path=/bulk after=1'});
		const {state, until, signal} = testStore;
		const row = await createTestNamespace(testStore, 'LOAD');
		await state().bulk.check(
			'bulk-put',
			row,
			createInputFile(testStore, 'load.json', createEntries(20_000)),
			signal,
		);
		void runCheckedBulk(state);
		await until(
			({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.done === 10_000,
		);
		const {rate} = expectStage(state(), 'sending').progress;
		await until(
			({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.rate < rate / 2,
		);
		state().bulk.cancel();
	});

	test('continues after its screen is left, with its figures in the status line', async () => {
		const {state, until} = await checkLongInput();
		const ended = runCheckedBulk(state);
		await until(isSending);
		expect(state().bulk.leave()).toBe(false);
		state().navigation.go('home');
		expect(formatBulkSummary(state().bulk.data)).toMatch(/^bulk put \d+%$/);
		expect(await ended).toBe(true);
		expect(state().messages.latest?.text).toBe('Wrote 50,000 keys in namespace LOAD.');
	});

	test('keeps the finished part when cancelled, and resumes with the rest from the jobs', async () => {
		const {state, until, testStore, row} = await checkLongInput('hang method=PUT path=/bulk after=2');
		const callCountBefore = testStore.simulator.calls.count;
		const ended = runCheckedBulk(state);
		await until(({bulk: {data: bulk}}) => {
			if (bulk?.stage.state !== 'sending') return false;
			const {done, inFlight} = bulk.stage.progress;
			// Two batches are answered, and two more have arrived: only entries that were sent are in doubt.
			return done === 20_000 && inFlight === 2 && testStore.simulator.calls.count === callCountBefore + 4;
		});
		state().bulk.cancel();
		expect(expectStage(state(), 'sending').cancelled).toBe(true);
		expect(await ended).toBe(false);
		expect(expectStage(state(), 'stopped')).toMatchObject({
			progress: {done: 20_000},
			failure: {code: 'interrupted'},
		});
		expect(state().messages.latest?.text).toBe(
			'Stopped: bulk put load.json, LOAD. 20000 of 50000 entries are known to be written; up to 20000 more may be.',
		);
		const [job] = state().jobs.data.recordedJobs;
		expect(job).toMatchObject({record: {done: 20_000, status: 'failed'}});

		testStore.simulator.faults.clear();
		if (job) await state().bulk.resume(job, testStore.signal);
		expect(await runCheckedBulk(state)).toBe(true);
		expect(expectStage(state(), 'done').result).toMatchObject({done: 50_000, requests: 3});
		expect(await readKeyNames(testStore, row)).toHaveProperty('size', 50_000);
	});

	test('delays quitting for two seconds at most', async () => {
		const {state, until} = await checkLongInput('hang method=PUT path=/bulk');
		const ended = runCheckedBulk(state);
		await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'sending');
		// Like a hanging disk: stopping the recorder never finishes.
		const unresolvedStop = Promise.withResolvers<void>();
		const stopSpy = vi.spyOn(Recorder.prototype, 'stop').mockReturnValue(unresolvedStop.promise);
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => {
			vi.useRealTimers();
			stopSpy.mockRestore();
		});
		let hasQuit = false;
		const quitting = state()
			.bulk.end()
			.then(() => {
				hasQuit = true;
			});
		expect(state().bulk.isQuitting).toBe(true);
		await vi.advanceTimersByTimeAsync(1900);
		expect(hasQuit).toBe(false);
		await vi.advanceTimersByTimeAsync(100);
		await quitting;
		unresolvedStop.resolve();
		await ended;
	});

	test('stopped in the middle is resumed by another ledge', async () => {
		const {state, until, testStore} = await checkLongInput('hang method=PUT path=/bulk after=3');
		void runCheckedBulk(state);
		const jobsFolder = join(testStore.env.LEDGE_STATE_DIR ?? '', 'jobs');
		await until(
			({bulk: {data: bulk}}) =>
				bulk?.stage.state === 'sending' && bulk.stage.progress.done === 30_000 && existsSync(jobsFolder),
		);
		for (const work of state().work.list) work.cancel();
		await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'stopped');
		testStore.simulator.faults.clear();

		const other = createAnotherStore(testStore);
		await other.state().jobs.load(testStore.signal);
		const [job] = other.state().jobs.data.recordedJobs;
		if (!job) throw new Error('There is no job.');
		await other.state().bulk.resume(job, testStore.signal);
		expect(await runCheckedBulk(other.state)).toBe(true);
		expect(expectStage(other.state(), 'done').result).toMatchObject({done: 50_000, requests: 2});
		expect(await readKeyNames(testStore, findNamespaceRow(state(), 'LOAD'))).toHaveProperty('size', 50_000);
	});

	test('deleting extra keys keeps those added to the source since, and says so after resuming', async () => {
		const testStore = createTestStore();
		const {state, env, folder, signal} = testStore;
		const root = join(folder, '.wrangler/state/v3');
		const targetOf = (namespace: string) => ({place: toLocalPlace(root), namespace});
		using source = openLocalStore({root, namespace: 'source'});
		using target = openLocalStore({root, namespace: 'target'});
		await source.put('both', Buffer.from('v'), {}, signal);
		const names = createEntries(1500).map(({key}) => key);
		await target.putMany([...createEntries(1000)], signal);
		await target.putMany(createEntries(1500).slice(1000), signal);
		async function* groups() {
			yield names;
		}
		const input = await openKeyNamesInput(groups(), {label: 'extra keys', environment: env, signal});
		const checked = await checkInput(input, keysFormat, {now: 0, signal});
		const stop = new AbortController();
		const interrupted = startBulk(deleteWork, target, checked, {
			signal: stop.signal,
			environment: env,
			cwd: folder,
			target: targetOf('target'),
			source: {store: source, target: targetOf('source')},
			progress: ({done}) => done > 0 && stop.abort(),
		});
		await expect(interrupted.finished).rejects.toMatchObject({code: 'interrupted'});
		const keyAddedToSource = names.at(-1) ?? '';
		await source.put(keyAddedToSource, Buffer.from('new'), {}, signal);

		await state().jobs.load(signal);
		const [job] = state().jobs.data.recordedJobs;
		if (!job) throw new Error('There is no job.');
		await state().bulk.resume(job, signal);
		expect(await runCheckedBulk(state)).toBe(true);
		expect(expectStage(state(), 'done').result).toMatchObject({
			done: 1499,
			protectedCount: 1,
			protectedSamples: [keyAddedToSource],
		});
		expect(state().messages.latest?.text).toContain('1 kept, now in the source');
		expect((await target.list({}, signal)).entries.map(({name}) => name)).toEqual([keyAddedToSource]);
	});

	test('only takes longer after 429 or a cut connection', async () => {
		const {state} = await checkLongInput(
			'status=429 retry-after=1 path=/bulk times=2; lost-answer path=/bulk times=1',
		);
		expect(await runCheckedBulk(state)).toBe(true);
		expect(expectStage(state(), 'done').result).toMatchObject({done: 50_000, refused: 0});
		expect(state().activity.data.count.failed).toBeGreaterThanOrEqual(2);
	});

	test('stops when the service keeps failing, and can be resumed', async () => {
		const {state, testStore} = await checkLongInput('status=403 path=/bulk after=4');
		expect(await runCheckedBulk(state)).toBe(false);
		const stage = expectStage(state(), 'stopped');
		expect(stage.failure.details.left).toMatch(/entries are written/);
		expect(state().messages.latest).toMatchObject({kind: 'failed'});
		expect(state().jobs.data.recordedJobs).toHaveLength(1);
		expect(testStore.state().work.list).toEqual([]);
	});
});

describe('keys rejected by the service', () => {
	const hostileKey = 'load:\u001b[2J\u202e';
	const faults = `refuse-keys=load:2,${encodeURIComponent(hostileKey)}`;

	test('are listed, and saved in a file readable only by its owner', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		const row = await createTestNamespace(testStore, 'LOAD');
		const entries = [...createEntries(3), {key: hostileKey, value: 'x'}];
		await testStore
			.state()
			.bulk.check('bulk-put', row, createInputFile(testStore, 'load.json', entries), testStore.signal);
		expect(await runCheckedBulk(testStore.state)).toBe(true);
		const stage = expectStage(testStore.state(), 'done');
		expect(buildRefusedRows(stage).map(({position, key, refusedBy}) => [position, key, refusedBy])).toEqual([
			['entry 2', 'load:2', 'service'],
			['entry 4', hostileKey, 'service'],
		]);
		const {failedFile = ''} = stage.result;
		expect(failedFile).toBe(join(testStore.folder, 'load.json.failed.ndjson'));
		expect(statSync(failedFile).mode & 0o777).toBe(0o600);
		expect(
			readFileSync(failedFile, 'utf8')
				.trim()
				.split('\n')
				.map(line => JSON.parse(line).key),
		).toEqual(['load:2', hostileKey]);
		expect(testStore.state().messages.latest).toMatchObject({
			kind: 'failed',
			failure: {code: 'partly_failed'},
		});
	});

	test('never overwrite the file of an earlier run', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		const row = await createTestNamespace(testStore, 'LOAD');
		writeFileSync(join(testStore.folder, 'load.json.failed.ndjson'), 'of the run before');
		await testStore
			.state()
			.bulk.check(
				'bulk-put',
				row,
				createInputFile(testStore, 'load.json', createEntries(3)),
				testStore.signal,
			);
		await runCheckedBulk(testStore.state);
		expect(expectStage(testStore.state(), 'done').result.failedFile).toBe(
			join(testStore.folder, 'load.json.failed.2.ndjson'),
		);
		expect(readFileSync(join(testStore.folder, 'load.json.failed.ndjson'), 'utf8')).toBe('of the run before');
	});

	test('stay in the list of keys after the others were deleted', async () => {
		const testStore = createTestStore({simulate: true});
		const {state, signal} = testStore;
		const row = await createTestNamespace(testStore, 'LOAD');
		await state().bulk.check(
			'bulk-put',
			row,
			createInputFile(testStore, 'load.json', createEntries(4)),
			signal,
		);
		await runCheckedBulk(state);
		testStore.simulator.faults.replace('refuse-keys=load:2');
		await state().keys.open(row, signal);
		void state().work.run('listing', 'background', () => state().keys.list(signal));
		await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		const index = state().keys.data?.index;
		index?.selectRange(0, 3, true);
		await state().bulk.check('bulk-delete', row, createNamesOrigin(index?.listSelectedNames() ?? []), signal);
		await runCheckedBulk(state);
		expect(expectStage(state(), 'done').result).toMatchObject({done: 2, refused: 1});
		expect(index?.count).toBe(2);
		expect([...(index?.listSelectedNames() ?? [])]).toEqual(['load:2']);
	});
});

test('the list of rejected entries keeps its cursor within the list, and esc closes it first', async () => {
	const testStore = createTestStore();
	const badEntries = Array.from({length: 5}, () => ({key: ''}));
	await testStore
		.state()
		.bulk.check('bulk-put', localRow, createInputFile(testStore, 'bad.json', badEntries), testStore.signal);
	testStore.state().bulk.toggleRefused();
	testStore.state().bulk.move(Number.POSITIVE_INFINITY, 0);
	expect(testStore.state().bulk.data?.refusedList).toEqual({cursor: 4});
	testStore.state().bulk.move(-10, 0);
	expect(testStore.state().bulk.data?.refusedList).toEqual({cursor: 0});
	expect(testStore.state().bulk.leave()).toBe(true);
	expectStage(testStore.state(), 'checked');
});

test('a path is completed up to the first choice, and reported if it leads nowhere', () => {
	const testStore = createTestStore();
	const {state, folder} = testStore;
	mkdirSync(join(folder, 'data'));
	for (const name of ['sessions-1.json', 'sessions-2.json', 'größe.json'])
		writeFileSync(join(folder, 'data', name), '');
	const {completeInputPath, resolveInputPath, checkInputPath} = state().paths;
	const complete = (path: string) => completeInputPath(path).text;
	expect(complete('da')).toBe('data/');
	expect(completeInputPath('data/s')).toEqual({
		text: 'data/sessions-',
		matches: ['sessions-1.json', 'sessions-2.json'],
	});
	expect(complete('data/sessions-2')).toBe('data/sessions-2.json');
	expect(complete(join(folder, 'data', 'gr'))).toBe(join(folder, 'data', 'größe.json'));
	expect(complete('data/x')).toBe('data/x');
	expect(complete('nowhere/x')).toBe('nowhere/x');
	expect(resolveInputPath('data/sessions-1.json')).toBe(join(folder, 'data', 'sessions-1.json'));
	expect(checkInputPath('data/sessions-1.json')).toBeUndefined();
	expect(checkInputPath('data')).toBe('This is a folder.');
	expect(checkInputPath('data/none')).toBe('No such file.');
	expect(checkInputPath(' ')).toBe('Enter a file name.');
	expect(checkInputPath('a\u0000b')).toMatch(/null bytes/);
});

test('after all listed keys have been deleted, the next keys are listed', async () => {
	const testStore = createTestStore();
	const {state, signal, until} = testStore;
	await testStore.openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	const index = state().keys.data?.index;
	const row = findNamespaceRow(state(), 'catalogue');
	index?.selectRange(0, index.count, true);
	await state().bulk.check('bulk-delete', row, createNamesOrigin(index?.listSelectedNames() ?? []), signal);
	expect(await runCheckedBulk(state)).toBe(true);
	await until(({keys: {data: keys}}) => (keys?.rows.count ?? 0) > 0);
	expect(index?.selectedCount).toBe(0);
});
