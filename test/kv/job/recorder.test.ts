import {expect, onTestFinished, test, vi} from 'vitest';
import {Recorder} from '../../../source/kv/job/recorder.ts';
import {anyJobCodec} from '../../../source/state/job-record.ts';
import {createJob, listJobs} from '../../../source/state/jobs.ts';
import {readJournal} from '../../../source/state/journal.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

/** A clock that advances by a second per call. */
function clock(): () => number {
	let time = 0;
	return () => (time += 1000);
}

/** A recorder that may write once a second. */
function createRecorder({environment}: Workspace, time = clock()): Recorder {
	return new Recorder({
		recordIntervalMs: 1000,
		elapsed: time,
		create: events =>
			createJob(
				environment,
				{
					id: 'job',
					kind: 'bulk-put',
					created: 0,
					title: 'a job',
					target: {place: 'simulated'},
					options: null,
				},
				events,
			),
	});
}

async function readStatus({environment}: Workspace): Promise<string | undefined> {
	const [job] = await listJobs(environment);
	return job && (await readJournal(job.path, anyJobCodec)).status;
}

test('a job that ends while its journal is being created is done', async () => {
	using space = makeWorkspace();
	const recorder = createRecorder(space);
	recorder.noteAcknowledged([[1, 11]], false);
	await recorder.finish(10, 0);
	expect(await readStatus(space)).toBe('done');
});

test('a job that stops while its journal is being created has failed', async () => {
	using space = makeWorkspace();
	const recorder = createRecorder(space);
	recorder.noteAcknowledged([[1, 11]], false);
	await recorder.stop('Interrupted.');
	expect(await readStatus(space)).toBe('failed');
});

test('a pause that comes too late changes nothing', async () => {
	using space = makeWorkspace();
	const recorder = createRecorder(space);
	recorder.noteAcknowledged([[1, 11]], false);
	const ended = recorder.finish(10, 0);
	recorder.mark('paused');
	await ended;
	expect(await readStatus(space)).toBe('done');
});

test('acknowledged entries are recorded in time, even if nothing more is acknowledged', async () => {
	using space = makeWorkspace();
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	let time = 0;
	const recorder = createRecorder(space, () => time);
	recorder.noteAcknowledged([[1, 11]], false);
	vi.advanceTimersByTime(900);
	expect(await listJobs(space.environment)).toEqual([]);
	time = 1000;
	vi.advanceTimersByTime(100);
	await recorder.close();
	expect(await listJobs(space.environment)).toMatchObject([{record: {done: 10}}]);
});

test('sent entries are recorded in time, even if nothing is ever acknowledged', async () => {
	using space = makeWorkspace();
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	let time = 0;
	const recorder = createRecorder(space, () => time);
	recorder.begin();
	vi.advanceTimersByTime(900);
	expect(await listJobs(space.environment)).toEqual([]);
	time = 1000;
	vi.advanceTimersByTime(100);
	await recorder.close();
	expect(await listJobs(space.environment)).toMatchObject([{record: {done: 0, status: 'open'}}]);
});
