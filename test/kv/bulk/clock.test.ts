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

const never = new AbortController().signal;
const hour = 3_600_000;
const target = {place: 'simulated', namespace: 'one'};

beforeEach(() => vi.useFakeTimers({toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

/** A store that answers so many calls, and then one for each `go`. */
function stepping(): {store: MemoryStore; go(): void; arrived: Promise<void>} {
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
	return {store, go: gate.resolve, arrived: arrived.promise};
}

const filled = (store: MemoryStore): MemoryStore => {
	for (let at = 0; at < 100; at++) store.stored.set(`k${100 + at}`, {bytes: Buffer.from('v')});
	return store;
};

const works = {
	async put(space: Workspace, store: MemoryStore) {
		const text = JSON.stringify(Array.from({length: 100}, (_, at) => ({key: `k${at}`, value: 'v'})));
		const {environment} = space;
		const opening = {environment, stdin: streamOf(''), signal: never};
		const input = await openInput(space.file('load.json', text), opening);
		const checked = await checkInput(input, writesFormat, {now: 0, signal: never});
		return startBulk(putWork, store, checked, {signal: never, environment, cwd: space.folder, target});
	},
	async export({environment, path}: Workspace, store: MemoryStore) {
		const exporting = {path: path('all.ndjson'), over: false};
		const recorded = {title: 'export', target, options: exporting};
		return startExport(filled(store), exporting, {signal: never, environment, recorded});
	},
	async copy({environment, path}: Workspace, store: MemoryStore) {
		const copying = {from: target, onlyMissing: false, failed: path('failed.ndjson')};
		const recorded = {title: 'copy', target, options: copying};
		const options = {signal: never, environment, recorded, wait: async () => {}};
		return startCopy(filled(new MemoryStore({batch: {keysPerRead: 10}})), store, copying, options);
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
	const {store, go, arrived} = stepping();
	const job = await works[kind](space, store);
	await arrived;
	vi.setSystemTime(Date.now() + by);
	vi.advanceTimersByTime(2000);
	await eventually(async () => {
		const [listed] = await listJobs(space.environment);
		expect(listed && 'record' in listed && listed.record.done).toBeGreaterThan(0);
	});
	const {rate} = job.getProgress();
	expect(rate).toBeGreaterThanOrEqual(0);
	expect(rate).toBeLessThanOrEqual(20);
	go();
	const {milliseconds} = await job.finished;
	expect(milliseconds).toBeGreaterThanOrEqual(2000);
	expect(milliseconds).toBeLessThan(60_000);
});
