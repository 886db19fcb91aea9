import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {buildJobRows, listUnfinishedJobs} from '../../../source/screens/jobs/slice.ts';
import {formatJobsStatus} from '../../../source/screens/jobs/view.tsx';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import type {JournalHeader} from '../../../source/state/job-record.ts';
import {createJob} from '../../../source/state/jobs.ts';
import {
	createAnotherStore,
	createEntries,
	createInputFile,
	createTestNamespace,
	createTickingClock,
	localRow,
	runCheckedBulk,
} from '../support/bulk.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildHeader = (id: string, more: Partial<JournalHeader<null>> = {}): JournalHeader<null> => ({
	id,
	kind: 'bulk-put',
	created: 1_800_000_000_000,
	title: `bulk put ${id}.json, Acme › LOAD`,
	target: {place: 'simulated', account: 'a', namespace: 'n'},
	total: 100,
	options: null,
	...more,
});

/** Creates a job that a process started and did not finish. */
async function createUnfinishedJob(
	{env}: TestStore,
	id: string,
	more: Partial<JournalHeader<null>> = {},
): Promise<void> {
	const journal = await createJob(env, buildHeader(id, more), [
		{type: 'range', ranges: [[1, 61]]},
		{type: 'failed', why: 'Interrupted.'},
	]);
	await journal.close();
}

const summarizeRows = ({state}: Pick<TestStore, 'state'>) =>
	buildJobRows(state()).map(({id, state: jobState, done, total}) => [id, jobState, done, total]);

test('without a state directory there are no jobs, and nothing is created', async () => {
	const testStore = createTestStore();
	await testStore.state().jobs.load(testStore.signal);
	expect(testStore.state().jobs.data).toMatchObject({reading: 'read', recordedJobs: []});
	expect(existsSync(testStore.env.LEDGE_STATE_DIR ?? '')).toBe(false);
});

test('unfinished jobs come first, then completed ones, then damaged ones', async () => {
	const testStore = createTestStore();
	const finished = await createJob(testStore.env, buildHeader('done'), [
		{type: 'done', done: 100, refused: 0},
	]);
	await finished.close();
	writeFileSync(join(testStore.env.LEDGE_STATE_DIR ?? '', 'jobs', 'damaged.ndjson'), 'hello\n');
	await createUnfinishedJob(testStore, 'left');
	await testStore.state().jobs.load(testStore.signal);
	expect(summarizeRows(testStore)).toEqual([
		['left', 'unfinished', 60, 100],
		['done', 'done', 100, 100],
		['damaged', 'damaged', undefined, undefined],
	]);
	expect(listUnfinishedJobs(testStore.state()).map(({id}) => id)).toEqual(['left']);
	const [unfinished, , damaged] = buildJobRows(testStore.state());
	expect(unfinished?.about).toBe('Interrupted.');
	expect(damaged?.title).toMatch(/is damaged\.$/);
});

test('a job in use by a process says so, and cannot be forgotten', async () => {
	const testStore = createTestStore();
	const journal = await createJob(testStore.env, buildHeader('busy'));
	onTestFinished(() => journal.close());
	await testStore.state().jobs.load(testStore.signal);
	expect(buildJobRows(testStore.state())).toMatchObject([
		{state: 'running', about: 'this ledge is working on it'},
	]);
	await expect(testStore.state().jobs.forget('busy', testStore.signal)).rejects.toMatchObject({
		code: 'job_running',
	});
	await testStore.state().jobs.load(testStore.signal);
	expect(buildJobRows(testStore.state())).toHaveLength(1);
});

test('a job that runs in another context says where it runs and how to get there', async () => {
	const testStore = createTestStore();
	const target = {place: 'https://api.example/', account: 'a', namespace: 'n', context: 'prod'};
	const journal = await createJob(testStore.env, buildHeader('left behind', {target}));
	onTestFinished(() => journal.close());
	await testStore.state().jobs.load(testStore.signal);
	expect(buildJobRows(testStore.state())).toMatchObject([{about: 'running in prod: C switches to it'}]);
});

test('forgetting a job also deletes its stored input', async () => {
	const testStore = createTestStore();
	const inputs = join(testStore.env.LEDGE_STATE_DIR ?? '', 'inputs');
	mkdirSync(inputs, {recursive: true, mode: 0o700});
	const path = join(inputs, 'kept.input');
	writeFileSync(path, '"a"\n');
	await createUnfinishedJob(testStore, 'left', {input: {path, size: 4, modified: 0, digest: '', kept: true}});
	await createUnfinishedJob(testStore, 'other');
	await testStore.state().jobs.load(testStore.signal);
	testStore.state().jobs.move(1);
	await testStore.state().jobs.forget('left', testStore.signal);
	expect(summarizeRows(testStore)).toEqual([['other', 'unfinished', 60, 100]]);
	expect(testStore.state().jobs.data.cursor).toBe(0);
	expect(existsSync(path)).toBe(false);
});

test('the cursor stays on its job when others arrive, and within the list', async () => {
	const testStore = createTestStore();
	await createUnfinishedJob(testStore, 'one');
	await testStore.state().jobs.load(testStore.signal);
	await createUnfinishedJob(testStore, 'two');
	await createUnfinishedJob(testStore, 'three');
	await testStore.state().jobs.load(testStore.signal);
	expect(buildJobRows(testStore.state())[testStore.state().jobs.data.cursor]?.id).toBe('one');
	testStore.state().jobs.move(Number.NEGATIVE_INFINITY);
	expect(testStore.state().jobs.data.cursor).toBe(0);
	testStore.state().jobs.move(Number.POSITIVE_INFINITY);
	expect(testStore.state().jobs.data.cursor).toBe(2);
});

test('reopening puts the cursor on the first job, even a new one; once moved, the cursor stays', async () => {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	const getSelectedJobId = () => buildJobRows(state())[state().jobs.data.cursor]?.id;
	const done = await createJob(testStore.env, buildHeader('one'), [{type: 'done', done: 100, refused: 0}]);
	await done.close();
	await state().jobs.load(signal);
	await createUnfinishedJob(testStore, 'two');
	await state().jobs.open(signal);
	expect(getSelectedJobId()).toBe('two');
	const reading = state().jobs.open(signal);
	state().jobs.move(1);
	await createUnfinishedJob(testStore, 'three');
	await reading;
	expect(getSelectedJobId()).toBe('one');
});

test('the run of this session is the first row, from its check to its end', async () => {
	const testStore = createTestStore(
		{simulate: true},
		{now: createTickingClock(), faults: 'hang method=PUT path=/bulk after=1'},
	);
	const {state, signal, until} = testStore;
	const row = await createTestNamespace(testStore, 'LOAD');
	await state().bulk.check(
		'bulk-put',
		row,
		createInputFile(testStore, 'load.json', createEntries(20_000)),
		signal,
	);
	expect(buildJobRows(state())).toMatchObject([{state: 'here', done: 0, total: 20_000}]);
	state().navigation.go('jobs');
	const findEnterHint = () =>
		listHintedActions(actions, state()).find(({keys: [key]}) => key === 'enter')?.hint;
	expect(findEnterHint()).toBe('open');
	const ended = runCheckedBulk(state);
	await until(
		({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.done === 10_000,
	);
	await state().jobs.load(signal);
	expect(buildJobRows(state())).toMatchObject([
		{state: 'here', done: 10_000, title: 'bulk put load.json, LOAD'},
	]);
	expect(listUnfinishedJobs(state())).toEqual([]);

	await until(
		({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.record === 'made',
	);
	const other = createAnotherStore(testStore);
	await other.state().jobs.load(signal);
	expect(buildJobRows(other.state())).toMatchObject([{state: 'running', done: 10_000}]);

	state().bulk.cancel();
	await ended;
	expect(buildJobRows(state())).toMatchObject([{state: 'unfinished', done: 10_000, about: 'Interrupted.'}]);
});

test('a job of another kind or a damaged job is not resumed', async () => {
	const testStore = createTestStore();
	await createUnfinishedJob(testStore, 'foreign', {kind: 'copy'});
	await testStore.state().jobs.load(testStore.signal);
	const [job] = testStore.state().jobs.data.recordedJobs;
	if (!job) throw new Error('There is no job.');
	await expect(testStore.state().bulk.resume(job, testStore.signal)).rejects.toThrow(
		`This version of ledge can't resume a job of the kind "copy".`,
	);
	expect(testStore.state().bulk.data).toBeUndefined();
});

test('a job whose file has changed is not resumed, and can be reloaded', async () => {
	const testStore = createTestStore(
		{simulate: true},
		{now: createTickingClock(), faults: 'status=403 path=/bulk after=1'},
	);
	const {state, signal} = testStore;
	const row = await createTestNamespace(testStore, 'LOAD');
	await state().bulk.check(
		'bulk-put',
		row,
		createInputFile(testStore, 'load.json', createEntries(20_000)),
		signal,
	);
	await runCheckedBulk(state);
	createInputFile(testStore, 'load.json', createEntries(3));
	const [job] = state().jobs.data.recordedJobs;
	if (!job) throw new Error('There is no job.');
	await expect(state().bulk.resume(job, signal)).rejects.toMatchObject({code: 'changed_meanwhile'});
	expect(state().bulk.data?.stage).toMatchObject({state: 'failed', failure: {code: 'changed_meanwhile'}});
	await state().jobs.load(signal);
	expect(buildJobRows(state())).toMatchObject([{state: 'unfinished'}]);
	await state().bulk.check(
		'bulk-put',
		localRow,
		createInputFile(testStore, 'next.json', createEntries(1)),
		signal,
	);
});

test('a job whose namespace was deleted says so, and resuming it is not offered', async () => {
	const testStore = createTestStore(
		{simulate: true},
		{now: createTickingClock(), faults: 'status=404 code=10013 path=/bulk after=1'},
	);
	const {state, signal} = testStore;
	const row = await createTestNamespace(testStore, 'LOAD');
	const input = createInputFile(testStore, 'load.json', createEntries(20_000));
	await state().bulk.check('bulk-put', row, input, signal);
	await runCheckedBulk(state);
	const {stage} = state().bulk.data ?? {};
	if (stage?.state !== 'stopped') throw new Error('The job has not stopped.');
	expect(stage.failure.message).toBe(`Namespace ${row.id} does not exist in account Acme (simulated).`);
	expect(stage.failure.next).toContain(`ledge jobs forget ${stage.id}`);
	expect(stage.failure.next).not.toContain('jobs resume');
	const listHints = () => listHintedActions(actions, state()).map(({hint}) => hint);
	state().navigation.go('bulk');
	expect(listHints()).not.toContain('resume');
	state().bulk.leave();
	await state().jobs.load(signal);
	state().navigation.go('jobs');
	await state().namespaces.load('remote', signal);
	expect(listHints()).toContain('resume');
	await state().namespaces.delete(row, signal);
	expect(listHints()).not.toContain('resume');
	expect(formatJobsStatus(state())).toMatch(/ {3}its namespace no longer exists$/);
});
