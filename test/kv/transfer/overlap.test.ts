import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {BulkEntry, KvStore, StoredValue} from '../../../source/kv/store.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {createTickingClock, names, openForTest} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const concurrency = 6;
const keysPerRead = 100;

/** A service whose responses take one turn of the event loop. */
class SlowService extends MemoryStore {
	requestCount = 0;
	responseCount = 0;
	mostInFlight = 0;

	constructor(count: number) {
		super({batch: {keysPerRead, concurrency}});
		for (let at = 0; at < count; at++)
			this.stored.set(`k${String(at).padStart(6, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	}

	override async getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		this.requestCount++;
		this.mostInFlight = Math.max(this.mostInFlight, this.requestCount - this.responseCount);
		await turn();
		const found = await super.getMany(keys, signal);
		this.responseCount++;
		return found;
	}
}

/** Wraps a store so that it writes batches with this `putMany`. */
function withPutMany(store: KvStore, putMany: KvStore['putMany']): KvStore {
	return new Proxy(store, {
		get(target, property) {
			if (property === 'putMany') return putMany;
			const value: unknown = Reflect.get(target, property);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

const copyAll = (space: Workspace, from: KvStore, to: KvStore) =>
	startCopy(
		from,
		to,
		{
			from: {place: 'simulated', namespace: 'from'},
			onlyMissing: false,
			failed: space.path('failed.ndjson'),
		},
		{signal: neverAborted, environment: space.environment, wait: async () => {}},
	).finished;

test('a copy into local data requests and receives values while it writes a batch', async () => {
	using space = makeWorkspace();
	const from = new SlowService(5000);
	const local = openForTest({elapsed: createTickingClock()});
	const countsDuringBatches: {newRequestCount: number; newResponseCount: number}[] = [];
	const to = withPutMany(local, async (entries: readonly BulkEntry[], signal: AbortSignal) => {
		const {requestCount: requestCountBefore, responseCount: responseCountBefore} = from;
		const outcome = await local.putMany(entries, signal);
		countsDuringBatches.push({
			newRequestCount: from.requestCount - requestCountBefore,
			newResponseCount: from.responseCount - responseCountBefore,
		});
		return outcome;
	});
	await copyAll(space, from, to);
	expect(names(local.listEntries())).toEqual([...from.stored.keys()]);
	expect(countsDuringBatches).toHaveLength(5);
	// Later batches may find that everything has already been read ahead.
	for (const {newRequestCount, newResponseCount} of countsDuringBatches.slice(0, 2)) {
		expect(newRequestCount).toBeGreaterThanOrEqual(concurrency);
		expect(newResponseCount).toBeGreaterThanOrEqual(concurrency);
	}
});

test('while a batch is delayed, values are read ahead only as far as memory allows', async () => {
	using space = makeWorkspace();
	const from = new SlowService(6000);
	const local = openForTest({elapsed: createTickingClock()});
	const gate = Promise.withResolvers<void>();
	let startedCount = 0;
	const to = withPutMany(local, async (entries: readonly BulkEntry[], signal: AbortSignal) => {
		startedCount++;
		await gate.promise;
		return local.putMany(entries, signal);
	});
	const job = copyAll(space, from, to);
	for (let turns = 0; turns < 1000; turns++) await turn();
	expect(startedCount).toBe(1);
	const batch = local.batchLimits.entries / keysPerRead;
	// The batch being written, the one that waits for it, and the reads in flight.
	expect(from.requestCount).toBeGreaterThanOrEqual(2 * batch + concurrency);
	expect(from.requestCount).toBeLessThanOrEqual(2 * batch + 2 * concurrency + 1);
	gate.resolve();
	await job;
	expect(from.mostInFlight).toBeLessThanOrEqual(2 * concurrency);
	expect([...local.listEntries()]).toHaveLength(6000);
});
