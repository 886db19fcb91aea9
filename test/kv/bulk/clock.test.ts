import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {writesFormat} from '../../../source/kv/bulk/entries.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import {putWork} from '../../../source/kv/bulk/work.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {startExport} from '../../../source/kv/transfer/export-job.ts';
import {listJobs} from '../../../source/state/jobs.ts';
import {eventually} from '../../support/eventually.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const hour = 3_600_000;
const target = {place: 'simulated', namespace: 'one'};

beforeEach(() => vi.useFakeTimers({toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

/** A store that answers two calls. The next ones wait for `openGate`; the first resolves `arrived`. */
function createGatedStore(): {store: MemoryStore; openGate(): void; arrived: Promise<void>} {
	const gate = Promise.withResolvers<void>();
	const arrived = Promise.withResolvers<void>();
	let calls = 0;
	const store = new MemoryStore({
		batch: {keysPerRead: 10, entries: 10, concurrency: 1},
		faults: {
			async before() {
				if (++calls < 3) return;
				arrived.resolve();
				await gate.promise;
			},
		},
	});
	return {store, openGate: gate.resolve, arrived: arrived.promise};
}

const fillStore = (store: MemoryStore): MemoryStore => {
	for (let at = 0; at < 100; at++) store.stored.set(`k${100 + at}`, {bytes: Buffer.from('v')});
	return store;
};

const jobStarters = {
	async put(space: Workspace, store: MemoryStore) {
		const text = JSON.stringify(Array.from({length: 100}, (_, at) => ({key: `k${at}`, value: 'v'})));
		const {environment} = space;
		const inputOptions = {environment, stdin: streamOf(''), signal: neverAborted};
		const input = await openInput(space.writeFile('load.json', text), inputOptions);
		const checked = await checkInput(input, writesFormat, {now: 0, signal: neverAborted});
		return startBulk(putWork, store, checked, {signal: neverAborted, environment, cwd: space.folder, target});
	},
	async export({environment, path}: Workspace, store: MemoryStore) {
		const exportOptions = {path: path('all.ndjson'), over: false};
		const recorded = {title: 'export', target, options: exportOptions};
		return startExport(fillStore(store), exportOptions, {signal: neverAborted, environment, recorded});
	},
	async copy({environment, path}: Workspace, store: MemoryStore) {
		const copyOptions = {from: target, onlyMissing: false, failed: path('failed.ndjson')};
		const recorded = {title: 'copy', target, options: copyOptions};
		const options = {signal: neverAborted, environment, recorded, wait: async () => {}};
		return startCopy(fillStore(new MemoryStore({batch: {keysPerRead: 10}})), store, copyOptions, options);
	},
};

test.each(
	(['put', 'export', 'copy'] as const).flatMap(kind => [
		{kind, by: -hour, way: 'back'},
		{kind, by: hour, way: 'forth'},
	]),
)('setting the clock $way by an hour during $kind affects neither the records nor the rate and duration', async ({
	kind,
	by,
}) => {
	using space = makeWorkspace();
	const {store, openGate, arrived} = createGatedStore();
	const job = await jobStarters[kind](space, store);
	await arrived;
	vi.setSystemTime(Date.now() + by);
	vi.advanceTimersByTime(2000);
	await eventually(async () => {
		const [listedJob] = await listJobs(space.environment);
		expect(listedJob && 'record' in listedJob && listedJob.record.done).toBeGreaterThan(0);
	});
	const {rate} = job.getProgress();
	expect(rate).toBeGreaterThanOrEqual(0);
	expect(rate).toBeLessThanOrEqual(20);
	openGate();
	const {milliseconds} = await job.finished;
	expect(milliseconds).toBeGreaterThanOrEqual(2000);
	expect(milliseconds).toBeLessThan(60_000);
});
