import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {actions} from '../../../source/screens/actions.ts';
import {buildJobRows} from '../../../source/screens/jobs/slice.ts';
import {allKeys, type ChosenKeys} from '../../../source/screens/keys/chosen-keys.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {formatTransferSummary, isTransferring} from '../../../source/screens/transfer/state.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildRow = (id: string): NamespaceRow => ({
	name: `local:${id}`,
	where: 'local',
	id,
	title: id,
	bindings: [],
});

async function createFilledStore(count: number): Promise<TestStore> {
	const testStore = createTestStore({local: true});
	using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	const entries = Array.from({length: count}, (_, at) => ({
		key: `k${String(at).padStart(5, '0')}`,
		value: `v${at}`,
	}));
	await store.putMany(entries, testStore.signal);
	return testStore;
}

const readLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

describe('an export', () => {
	test('finishes, and says so', async () => {
		const testStore = await createFilledStore(300);
		const path = join(testStore.folder, 'out.ndjson');
		await testStore.state().transfer.exportTo(buildRow('one'), allKeys, path, testStore.signal);
		expect(readLines(path)).toHaveLength(300);
		expect(testStore.state().transfer.data?.stage).toMatchObject({state: 'done', result: {done: 300}});
		expect(testStore.state().messages.latest?.text).toContain('Exported 300 keys');
		testStore.state().transfer.leave();
		expect(testStore.state().transfer.data).toBeUndefined();
	});

	test('can be cancelled before its job starts, and says so', async () => {
		const {state, folder} = await createFilledStore(3);
		const path = join(folder, 'out.ndjson');
		const completion = state().work.run('exporting one', 'long', signal =>
			state().transfer.exportTo(buildRow('one'), allKeys, path, signal),
		);
		expect(state().transfer.data?.stage).toEqual({state: 'opening'});
		state().transfer.cancel();
		expect(await completion).toBe(false);
		expect(state().messages.latest?.text).toBe('Stopped: exporting one.');
		expect(state().transfer.data?.stage).toMatchObject({state: 'stopped', id: undefined});
		expect(existsSync(path)).toBe(false);
	});

	test('does not run beside another one', async () => {
		const testStore = await createFilledStore(300);
		const first = testStore
			.state()
			.transfer.exportTo(buildRow('one'), allKeys, join(testStore.folder, 'a'), testStore.signal);
		expect(isTransferring(testStore.state().transfer.data)).toBe(true);
		await expect(
			testStore
				.state()
				.transfer.exportTo(buildRow('one'), allKeys, join(testStore.folder, 'b'), testStore.signal),
		).rejects.toMatchObject({code: 'usage'});
		testStore.state().transfer.leave();
		expect(testStore.state().transfer.data).toBeDefined();
		await first;
	});

	test('waits while paused, and is in the list of jobs; once cancelled, the job continues with the rest', async () => {
		const testStore = await createFilledStore(3000);
		const path = join(testStore.folder, 'out.ndjson');
		const work = testStore.state().transfer.exportTo(buildRow('one'), allKeys, path, testStore.signal);
		await testStore.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		testStore.state().transfer.pause(true);
		expect(formatTransferSummary(testStore.state().transfer.data)).toMatch(/^export paused at /);
		expect(buildJobRows(testStore.state())[0]).toMatchObject({
			state: 'here',
			screen: 'transfer',
			about: 'the export is paused',
		});
		// A job is recorded once it has lasted a moment, or was paused.
		await testStore.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		testStore.state().transfer.cancel();
		await expect(work).rejects.toMatchObject({code: 'interrupted'});
		expect(existsSync(path)).toBe(false);
		const [job] = testStore.state().jobs.data.recordedJobs;
		if (!job) throw new Error('There is no job.');
		expect(
			listHintedActions(actions, {
				...testStore.state(),
				navigation: {...testStore.state().navigation, stack: ['home', 'transfer']},
			})[0]?.id,
		).toBe('transfer.go-on');
		const {from} = testStore.state().transfer.data ?? {};
		await testStore.state().transfer.resume(job, testStore.signal);
		expect(testStore.state().transfer.data).toMatchObject({from, to: path});
		expect(buildJobRows(testStore.state())[0]?.name).toMatch(/ into out\.ndjson$/);
		expect(readLines(path)).toHaveLength(3000);
		expect(testStore.state().jobs.data.recordedJobs).toMatchObject([{record: {status: 'done'}}]);
	});
});

describe('a selection', () => {
	const names = ['k00001', 'k00007', 'k02999', 'nowhere'];
	const selectNames = (): ChosenKeys => ({kind: 'selected', names: createNamesOrigin(names)});

	test('is exported alone, as it was when chosen, and leaves no list of names', async () => {
		const testStore = await createFilledStore(3000);
		const path = join(testStore.folder, 'out.ndjson');
		await testStore.state().transfer.exportTo(buildRow('one'), selectNames(), path, testStore.signal);
		expect(readLines(path).map(line => JSON.parse(line).key)).toEqual(names.slice(0, 3));
		expect(testStore.state().transfer.data).toMatchObject({
			keys: '4 keys',
			stage: {result: {done: 3, gone: 1}},
		});
		expect(readdirSync(join(testStore.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});

	test('remains the same after stopping and resuming', async () => {
		const testStore = await createFilledStore(3000);
		const path = join(testStore.folder, 'out.ndjson');
		const work = testStore.state().transfer.exportTo(buildRow('one'), selectNames(), path, testStore.signal);
		await testStore.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		testStore.state().transfer.pause(true);
		testStore.state().transfer.cancel();
		await expect(work).rejects.toMatchObject({code: 'interrupted'});
		const [job] = testStore.state().jobs.data.recordedJobs;
		if (!job || !('record' in job)) throw new Error('There is no job.');
		expect(job.record.header.title).toMatch(/^export 4 keys of .* into /);
		await testStore.state().transfer.resume(job, testStore.signal);
		expect(readLines(path)).toHaveLength(3);
		expect(readdirSync(join(testStore.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});
});

describe('a copy', () => {
	test('fills the other store', async () => {
		const testStore = await createFilledStore(300);
		await testStore
			.state()
			.transfer.copyTo(
				buildRow('one'),
				{kind: 'prefix', prefix: 'k0001'},
				{storeName: 'local:two', onlyMissing: false},
				testStore.signal,
			);
		using two = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'two'});
		expect((await two.list({}, testStore.signal)).entries).toHaveLength(10);
	});

	test('that cannot be written to the audit log says so beside its result, once', async () => {
		const testStore = await createFilledStore(3);
		mkdirSync(join(testStore.folder, 'state/audit.ndjson'), {recursive: true, mode: 0o700});
		const copyAllKeys = (storeName: string) =>
			testStore
				.state()
				.transfer.copyTo(buildRow('one'), allKeys, {storeName, onlyMissing: false}, testStore.signal);
		await copyAllKeys('local:two');
		expect(testStore.state().messages.latest).toMatchObject({
			kind: 'warned',
			text: expect.stringMatching(/^Copied 3 keys .* Not in the audit log: copy from .* \(done\)\./),
		});
		await copyAllKeys('local:three');
		expect(testStore.state().messages.latest).toMatchObject({kind: 'said'});
	});

	test('into itself is refused, and does not block another one', async () => {
		const testStore = await createFilledStore(3);
		const copy = testStore
			.state()
			.transfer.copyTo(
				buildRow('one'),
				allKeys,
				{storeName: 'local:one', onlyMissing: false},
				testStore.signal,
			);
		await expect(copy).rejects.toMatchObject({code: 'usage'});
		expect(isTransferring(testStore.state().transfer.data)).toBe(false);
	});
});
