import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {BulkEntry, KvStore, StoredValue} from '../../../source/kv/store.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {names, openForTest, ticking} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

const never = new AbortController().signal;
const concurrency = 6;
const keysPerRead = 100;

/** A service whose answers need a turn of the event loop to come in. */
class Service extends MemoryStore {
	asked = 0;
	answered = 0;
	mostInFlight = 0;

	constructor(count: number) {
		super({batch: {keysPerRead, concurrency}});
		for (let at = 0; at < count; at++)
			this.stored.set(`k${String(at).padStart(6, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	}

	override async getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		this.asked++;
		this.mostInFlight = Math.max(this.mostInFlight, this.asked - this.answered);
		await turn();
		const found = await super.getMany(keys, signal);
		this.answered++;
		return found;
	}
}

/** A store whose batches of entries are written by `putMany` instead. */
function writingBy(store: KvStore, putMany: KvStore['putMany']): KvStore {
	return new Proxy(store, {
		get(target, property) {
			if (property === 'putMany') return putMany;
			const value: unknown = Reflect.get(target, property);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

const copied = (space: Workspace, from: KvStore, to: KvStore) =>
	startCopy(
		from,
		to,
		{
			from: {place: 'simulated', namespace: 'from'},
			onlyMissing: false,
			failed: space.path('failed.ndjson'),
		},
		{signal: never, environment: space.environment, wait: async () => {}},
	).finished;

test('a copy into local data requests and receives values while it writes a batch', async () => {
	using space = makeWorkspace();
	const from = new Service(5000);
	const local = openForTest({elapsed: ticking()});
	const during: {asked: number; answered: number}[] = [];
	const to = writingBy(local, async (entries: readonly BulkEntry[], signal: AbortSignal) => {
		const {asked, answered} = from;
		const outcome = await local.putMany(entries, signal);
		during.push({asked: from.asked - asked, answered: from.answered - answered});
		return outcome;
	});
	await copied(space, from, to);
	expect(names(local.listEntries())).toEqual([...from.stored.keys()]);
	expect(during).toHaveLength(5);
	// Behind the first ones everything is read ahead.
	for (const {asked, answered} of during.slice(0, 2)) {
		expect(asked).toBeGreaterThanOrEqual(concurrency);
		expect(answered).toBeGreaterThanOrEqual(concurrency);
	}
});

test('while a batch is delayed, values are read ahead only as far as memory allows', async () => {
	using space = makeWorkspace();
	const from = new Service(6000);
	const local = openForTest({elapsed: ticking()});
	const held = Promise.withResolvers<void>();
	let begun = 0;
	const to = writingBy(local, async (entries: readonly BulkEntry[], signal: AbortSignal) => {
		begun++;
		await held.promise;
		return local.putMany(entries, signal);
	});
	const job = copied(space, from, to);
	for (let turns = 0; turns < 1000; turns++) await turn();
	expect(begun).toBe(1);
	const batch = local.batchLimits.entries / keysPerRead;
	// The batch that is written, the one that waits for it, and what is read beside them.
	expect(from.asked).toBeGreaterThanOrEqual(2 * batch + concurrency);
	expect(from.asked).toBeLessThanOrEqual(2 * batch + 2 * concurrency + 1);
	held.resolve();
	await job;
	expect(from.mostInFlight).toBeLessThanOrEqual(2 * concurrency);
	expect([...local.listEntries()]).toHaveLength(6000);
});
