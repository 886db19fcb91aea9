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
	const space = createTestStore({local: true});
	using store = openLocalStore({root: `${space.folder}/.wrangler/state/v3`, namespace: 'one'});
	const entries = Array.from({length: count}, (_, at) => ({
		key: `k${String(at).padStart(5, '0')}`,
		value: `v${at}`,
	}));
	await store.putMany(entries, space.signal);
	return space;
}

const readLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

describe('an export', () => {
	test('finishes, and says so', async () => {
		const space = await createFilledStore(300);
		const path = join(space.folder, 'out.ndjson');
		await space.state().transfer.exportTo(buildRow('one'), allKeys, path, space.signal);
		expect(readLines(path)).toHaveLength(300);
		expect(space.state().transfer.data?.stage).toMatchObject({state: 'done', result: {done: 300}});
		expect(space.state().messages.latest?.text).toContain('Exported 300 keys');
		space.state().transfer.leave();
		expect(space.state().transfer.data).toBeUndefined();
	});

	test('does not run beside another one', async () => {
		const space = await createFilledStore(300);
		const first = space
			.state()
			.transfer.exportTo(buildRow('one'), allKeys, join(space.folder, 'a'), space.signal);
		expect(isTransferring(space.state().transfer.data)).toBe(true);
		await expect(
			space.state().transfer.exportTo(buildRow('one'), allKeys, join(space.folder, 'b'), space.signal),
		).rejects.toMatchObject({code: 'usage'});
		space.state().transfer.leave();
		expect(space.state().transfer.data).toBeDefined();
		await first;
	});

	test('waits while paused, and is in the list of jobs; once cancelled, the job continues with the rest', async () => {
		const space = await createFilledStore(3000);
		const path = join(space.folder, 'out.ndjson');
		const work = space.state().transfer.exportTo(buildRow('one'), allKeys, path, space.signal);
		await space.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		space.state().transfer.pause(true);
		expect(formatTransferSummary(space.state().transfer.data)).toMatch(/^export paused at /);
		expect(buildJobRows(space.state())[0]).toMatchObject({
			state: 'here',
			screen: 'transfer',
			about: 'the export is paused',
		});
		// A job is recorded once it has lasted a moment, or was paused.
		await space.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		space.state().transfer.cancel();
		await expect(work).rejects.toMatchObject({code: 'interrupted'});
		expect(existsSync(path)).toBe(false);
		const [job] = space.state().jobs.data.recordedJobs;
		if (!job) throw new Error('There is no job.');
		expect(
			listHintedActions(actions, {
				...space.state(),
				navigation: {...space.state().navigation, stack: ['home', 'transfer']},
			})[0]?.id,
		).toBe('transfer.go-on');
		const {from} = space.state().transfer.data ?? {};
		await space.state().transfer.resume(job, space.signal);
		expect(space.state().transfer.data).toMatchObject({from, to: path});
		expect(buildJobRows(space.state())[0]?.name).toMatch(/ into out\.ndjson$/);
		expect(readLines(path)).toHaveLength(3000);
		expect(space.state().jobs.data.recordedJobs).toMatchObject([{record: {status: 'done'}}]);
	});
});

describe('a selection', () => {
	const names = ['k00001', 'k00007', 'k02999', 'nowhere'];
	const selectNames = (): ChosenKeys => ({kind: 'selected', names: createNamesOrigin(names)});

	test('is exported alone, as it was when chosen, and leaves no list of names', async () => {
		const space = await createFilledStore(3000);
		const path = join(space.folder, 'out.ndjson');
		await space.state().transfer.exportTo(buildRow('one'), selectNames(), path, space.signal);
		expect(readLines(path).map(line => JSON.parse(line).key)).toEqual(names.slice(0, 3));
		expect(space.state().transfer.data).toMatchObject({keys: '4 keys', stage: {result: {done: 3, gone: 1}}});
		expect(readdirSync(join(space.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});

	test('remains the same after stopping and resuming', async () => {
		const space = await createFilledStore(3000);
		const path = join(space.folder, 'out.ndjson');
		const work = space.state().transfer.exportTo(buildRow('one'), selectNames(), path, space.signal);
		await space.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'running');
		space.state().transfer.pause(true);
		space.state().transfer.cancel();
		await expect(work).rejects.toMatchObject({code: 'interrupted'});
		const [job] = space.state().jobs.data.recordedJobs;
		if (!job || !('record' in job)) throw new Error('There is no job.');
		expect(job.record.header.title).toMatch(/^export 4 keys of .* into /);
		await space.state().transfer.resume(job, space.signal);
		expect(readLines(path)).toHaveLength(3);
		expect(readdirSync(join(space.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});
});

describe('a copy', () => {
	test('fills the other store', async () => {
		const space = await createFilledStore(300);
		await space
			.state()
			.transfer.copyTo(
				buildRow('one'),
				{kind: 'prefix', prefix: 'k0001'},
				{storeName: 'local:two', onlyMissing: false},
				space.signal,
			);
		using two = openLocalStore({root: `${space.folder}/.wrangler/state/v3`, namespace: 'two'});
		expect((await two.list({}, space.signal)).entries).toHaveLength(10);
	});

	test('that cannot be written to the audit log says so beside its result, once', async () => {
		const space = await createFilledStore(3);
		mkdirSync(join(space.folder, 'state/audit.ndjson'), {recursive: true, mode: 0o700});
		const copyAllKeys = (storeName: string) =>
			space.state().transfer.copyTo(buildRow('one'), allKeys, {storeName, onlyMissing: false}, space.signal);
		await copyAllKeys('local:two');
		expect(space.state().messages.latest).toMatchObject({
			kind: 'warned',
			text: expect.stringMatching(/^Copied 3 keys .* Not in the audit log: copy from .* \(done\)\./),
		});
		await copyAllKeys('local:three');
		expect(space.state().messages.latest).toMatchObject({kind: 'said'});
	});

	test('into itself is refused, and does not block another one', async () => {
		const space = await createFilledStore(3);
		const copy = space
			.state()
			.transfer.copyTo(buildRow('one'), allKeys, {storeName: 'local:one', onlyMissing: false}, space.signal);
		await expect(copy).rejects.toMatchObject({code: 'usage'});
		expect(isTransferring(space.state().transfer.data)).toBe(false);
	});
});
