import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {type GetOptions, getAllValues} from '../../../source/kv/bulk/get-job.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {checkReadSize} from '../../../source/kv/read-limit.ts';
import {getRunCount, isFull} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, streamOf} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;

async function* get(
	store: MemoryStore,
	keys: readonly string[],
	options: Partial<GetOptions> = {},
): AsyncGenerator<[string, string | undefined]> {
	using space = makeWorkspace();
	const path = space.writeFile('names.json', JSON.stringify(keys));
	const input = await openInput(path, {environment: {}, stdin: streamOf(''), signal: neverAborted});
	const checked = await checkInput(input, keysFormat, {now: 0, signal: neverAborted});
	for await (const [key, value] of getAllValues(store, checked, {signal: neverAborted, ...options}))
		yield [key, value && Buffer.from(value.bytes).toString()];
}

function createFilledStore(
	values: Readonly<Record<string, string>>,
	options: ConstructorParameters<typeof MemoryStore>[0] = {},
) {
	const store = new MemoryStore(options);
	for (const [key, value] of Object.entries(values)) store.stored.set(key, {bytes: Buffer.from(value)});
	return store;
}

const createNames = (count: number): string[] => Array.from({length: count}, (_, at) => `k${at}`);

describe('bulk get', () => {
	test('returns each key once, in the order of the input, and undefined for missing ones', async () => {
		const keys = fc.array(fc.integer({min: 0, max: 30}), {maxLength: 80});
		await fc.assert(
			fc.asyncProperty(
				keys,
				fc.constantFrom('local' as const, 'remote' as const),
				async (keyNumbers, kind) => {
					let turn = 0;
					const store = createFilledStore(
						Object.fromEntries(createNames(20).map(key => [key, `value of ${key}`])),
						{
							kind,
							batch: {keysPerRead: 5, concurrency: 3},
							faults: {
								async before() {
									for (let wait = (turn++ * 7) % 5; wait > 0; wait--) await Promise.resolve();
								},
							},
						},
					);
					const requestedKeys = keyNumbers.map(number => `k${number}`);
					const found = await Array.fromAsync(get(store, requestedKeys));
					expect(found).toEqual(
						[...new Set(requestedKeys)].map(key => [
							key,
							store.stored.has(key) ? `value of ${key}` : undefined,
						]),
					);
					expect(store.batches.flat().sort()).toEqual([...new Set(requestedKeys)].sort());
				},
			),
			{numRuns: getRunCount(100)},
		);
	});

	test('requests a hundred keys at a time, in several parallel batches', async () => {
		const store = createFilledStore({k1: 'v'});
		expect(await Array.fromAsync(get(store, createNames(1000)))).toHaveLength(1000);
		expect(store.batches.map(({length}) => length)).toEqual(Array.from({length: 10}, () => 100));
		expect(store.mostAtOnce).toBeGreaterThan(3);
	});

	test('requests fewer keys if values are large, and does not read far ahead of its reader', async () => {
		const value = 'x'.repeat(2_000_000);
		let fetchedCount = 0;
		const store = createFilledStore(Object.fromEntries(createNames(60).map(key => [key, value])), {
			kind: 'local',
			faults: {
				before(keys) {
					checkReadSize(keys.length * value.length, keys);
					fetchedCount += keys.length;
				},
			},
		});
		let readCount = 0;
		for await (const _pair of get(store, createNames(60))) {
			readCount++;
			// 5 values (10 MB) in memory, and a batch of 2 (4 MB) that may be in flight.
			expect(fetchedCount - readCount).toBeLessThanOrEqual(5 + 2);
		}
		expect(readCount).toBe(60);
	});

	test('halves a batch that the service cannot answer, down to a single key', async () => {
		const store = createFilledStore(
			{k3: 'large', k4: 'small'},
			{
				faults: {
					before(keys) {
						if (keys.includes('k3') && keys.length > 1)
							throw new Failure('refused_by_service', 'Too large.', {http: 413});
					},
				},
			},
		);
		expect(Object.fromEntries(await Array.fromAsync(get(store, createNames(7))))).toMatchObject({
			k3: 'large',
			k4: 'small',
		});
	});

	test.runIf(isFull)(
		'keeps only two reads of large values in memory, even after many missing keys',
		async () => {
			const value = 'x'.repeat(1_000_000);
			const largeKeys = createNames(130).slice(100);
			const store = createFilledStore(Object.fromEntries(largeKeys.map(key => [key, value])), {
				batch: {keysPerRead: 20, concurrency: 1},
			});
			const order: string[] = [];
			let fetchedCount = 0;
			const {getMany} = MemoryStore.prototype;
			store.getMany = async function (keys, signal) {
				const found = await getMany.call(this, keys, signal);
				checkReadSize(found.size * value.length, keys);
				fetchedCount += found.size;
				return found;
			};
			for await (const [key, found] of get(store, createNames(130))) {
				order.push(key);
				if (found) fetchedCount--;
				// Two reads of 4 MB each, of values of 1 MB.
				expect(fetchedCount).toBeLessThanOrEqual(2 * 4);
			}
			expect(order).toEqual(createNames(130));
		},
	);

	test('fails with the original failure, after the earlier results', async () => {
		const store = createFilledStore(
			{k0: 'v'},
			{
				batch: {keysPerRead: 2, concurrency: 2},
				faults: {
					before(keys) {
						if (keys.includes('k4')) throw new Failure('service_failed', 'Broken.');
					},
				},
			},
		);
		const seen: string[] = [];
		const read = async () => {
			for await (const [key] of get(store, createNames(10))) seen.push(key);
		};
		expect(await failureOf(read())).toMatchObject({code: 'service_failed'});
		expect(seen).toEqual(['k0', 'k1', 'k2', 'k3']);
	});

	test('stops running requests when its reader stops', async () => {
		const signals: AbortSignal[] = [];
		const store = createFilledStore(
			{},
			{batch: {keysPerRead: 2}, faults: {before: (_keys, signal) => void signals.push(signal)}},
		);
		for await (const _pair of get(store, createNames(100))) break;
		expect(signals.length).toBeGreaterThan(0);
		expect(signals.every(({aborted}) => aborted)).toBe(true);
	});

	test('reports how many keys have been read', async () => {
		const reportedCounts: number[] = [];
		const store = createFilledStore({}, {batch: {keysPerRead: 10}});
		await Array.fromAsync(get(store, createNames(25), {progress: done => reportedCounts.push(done)}));
		expect(reportedCounts).toEqual([10, 20, 25]);
	});
});
