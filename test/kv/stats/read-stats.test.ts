import {describe, expect, test} from 'vitest';
import {expirySpans} from '../../../source/kv/stats/expiries.ts';
import {type KvStats, StatsReading, type StatsRequest} from '../../../source/kv/stats/read-stats.ts';
import type {KeyPage, KvStore, ListQuery, StoredValue} from '../../../source/kv/store.ts';
import {isFull} from '../../support/full.ts';
import {createSeededRandom} from '../../support/seed.ts';
import {MemoryStore} from '../support/memory-store.ts';

const now = 1_800_000_000;
const neverAborted = new AbortController().signal;
const defaultRequest: StatsRequest = {sampling: 2000, seed: 1, depth: 2, now};

async function statsOf(store: KvStore, request: Partial<StatsRequest> = {}): Promise<KvStats> {
	const reading = new StatsReading(store, {...defaultRequest, ...request});
	for await (const _ of reading.run(neverAborted));
	return reading.stats;
}

/** Creates a store with these keys, whose values have these sizes in bytes. */
function createStore(sizes: Readonly<Record<string, number>>, options = {}): MemoryStore {
	const store = new MemoryStore(options);
	for (const [key, size] of Object.entries(sizes)) store.stored.set(key, {bytes: Buffer.alloc(size)});
	return store;
}

/** A store of 100,000 keys, whose values are created when they are read. */
class LargeStore extends MemoryStore {
	readonly names = Array.from({length: 100_000}, (_, at) => `k:${String(at).padStart(6, '0')}`);
	readonly sizes: Uint32Array;
	listCallCount = 0;

	constructor(sizeAt: (at: number) => number) {
		super();
		this.sizes = Uint32Array.from(this.names, (_, at) => sizeAt(at));
	}

	override async list({cursor = '0', limit = 1000}: ListQuery): Promise<KeyPage> {
		this.listCallCount++;
		const from = Number(cursor);
		const entries = this.names.slice(from, from + limit).map(name => ({name}));
		const next = from + limit;
		return {entries, ...(next < this.names.length && {cursor: String(next)})};
	}

	override async getMany(keys: readonly string[]): Promise<Map<string, StoredValue>> {
		this.batches.push([...keys]);
		return new Map(keys.map(key => [key, {bytes: new Uint8Array(this.sizes[Number(key.slice(2))] ?? 0)}]));
	}
}

describe('stats of a namespace of 100,000 keys', () => {
	const uniform = createSeededRandom(5);
	const shapes: Readonly<Record<string, (at: number) => number>> = {
		uniform: () => Math.floor(uniform() * 2000),
		'sorted by name': at => Math.floor(at / 50),
		'log-normal': () =>
			Math.floor(Math.exp(6 + Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()))),
		'few large ones': at => (at % 100 === 0 ? 20_000 : 200),
		'nine of ten empty': at => (at % 10 === 0 ? 800 : 0),
	};

	test('from a sample of 2,000 are within the stated error', async () => {
		const hits = {total: 0, median: 0, buckets: 0};
		let [trialCount, bucketCount] = [0, 0];
		for (const sizeAt of Object.values(shapes)) {
			const store = new LargeStore(sizeAt);
			const sorted = store.sizes.toSorted();
			const sum = sorted.reduce((before, size) => before + size, 0);
			for (let draw = 0; draw < (isFull ? 8 : 2); draw++) {
				trialCount++;
				store.listCallCount = 0;
				store.batches.length = 0;
				const {sizes, keys} = await statsOf(store, {seed: trialCount});
				expect(keys).toBe(100_000);
				expect(sizes).toMatchObject({measured: 2000, missingCount: 0, isExact: false});
				expect(store.listCallCount).toBe(100);
				expect(store.batches.length).toBe(20);
				if (!sizes) throw new Error('no sizes');
				if (sizes.total.low <= sum && sum <= sizes.total.high) hits.total++;
				const median = sorted[50_000] ?? 0;
				if (sizes.median.low <= median && median <= sizes.median.high) hits.median++;
				for (const {from, below, keys: count} of sizes.buckets) {
					const truth = sorted.filter(size => size >= from && size < below).length;
					bucketCount++;
					if (count.low <= truth && truth <= count.high) hits.buckets++;
				}
			}
		}
		expect(hits.total / trialCount).toBeGreaterThanOrEqual(0.9);
		expect(hits.median / trialCount).toBeGreaterThanOrEqual(0.9);
		expect(hits.buckets / bucketCount).toBeGreaterThanOrEqual(0.93);
	});
});

describe('stats', () => {
	test('of all keys are exact: sizes, expiries, metadata, prefixes', async () => {
		const store = createStore({'a:1': 0, 'a:2': 3, 'b/x': 4, 'b/y': 100, c: 5000});
		const setFields = (key: string, more: Partial<StoredValue>) =>
			store.stored.set(key, {bytes: store.stored.get(key)?.bytes ?? new Uint8Array(), ...more});
		setFields('a:1', {expiration: now + 60, metadata: {owner: 'ann', tags: [1, 2]}});
		setFields('a:2', {expiration: now + 86_401, metadata: {owner: null}});
		setFields('b/x', {metadata: 'text'});
		const stats = await statsOf(store);
		expect(stats).toMatchObject({isListed: true, isMeasured: true, keys: 5, measuredValues: 'all'});
		expect(stats.prefixes).toMatchObject({
			ungroupedKeyCount: 1,
			groups: [
				{prefix: 'a:', keyCount: 2},
				{prefix: 'b/', keyCount: 2},
			],
		});
		expect(stats.expiries).toEqual({
			never: 3,
			spans: [1, 0, 1, 0, 0, 0],
			earliest: now + 60,
			latest: now + 86_401,
		});
		expect(stats.metadata).toMatchObject({none: 2, largest: 28, otherFields: 0});
		expect(stats.metadata.kinds).toEqual([
			{kind: 'object', keys: 2},
			{kind: 'string', keys: 1},
		]);
		expect(stats.metadata.fields).toEqual([
			{
				name: 'owner',
				keys: 2,
				kinds: [
					{kind: 'null', keys: 1},
					{kind: 'string', keys: 1},
				],
				bytes: 9,
				largest: 5,
			},
			{name: 'tags', keys: 1, kinds: [{kind: 'array', keys: 1}], bytes: 5, largest: 5},
		]);
		expect(stats.sizes).toMatchObject({
			isExact: true,
			total: {value: 5107, low: 5107, high: 5107},
			median: {value: 4},
			maxLargerCount: 0,
			isUncertain: false,
		});
		expect(stats.sizes?.buckets.map(({from, below, keys}) => [from, below, keys.value])).toEqual([
			[0, 1, 1],
			[1, 4, 1],
			[4, 16, 1],
			[16, 64, 0],
			[64, 256, 1],
			[256, 1024, 0],
			[1024, 4096, 0],
			[4096, 16_384, 1],
		]);
		expect(stats.sizes?.largest[0]).toEqual({key: 'c', bytes: 5000});
	});

	test('of an empty namespace are exactly zero', async () => {
		const stats = await statsOf(new MemoryStore());
		expect(stats).toMatchObject({isListed: true, isMeasured: true, keys: 0});
		expect(stats.sizes).toMatchObject({
			isExact: true,
			total: {value: 0, high: 0},
			buckets: [],
			maxLargerCount: 0,
		});
	});

	test('without values read no values', async () => {
		const store = createStore({a: 1, b: 2});
		expect(await statsOf(store, {sampling: 'none'})).toMatchObject({
			keys: 2,
			sizes: undefined,
			measuredValues: 'none',
		});
		expect(store.batches).toEqual([]);
	});

	test('from a sample that covers all values are exact', async () => {
		const store = createStore(Object.fromEntries(Array.from({length: 2500}, (_, at) => [`k${at}`, at])));
		const {sizes, measuredValues} = await statsOf(store, {sampling: 'all'});
		expect(measuredValues).toBe('all');
		expect(sizes).toMatchObject({measured: 2500, isExact: true, total: {value: (2500 * 2499) / 2}});
	});

	test('of a store that knows sizes read no values', async () => {
		const store = createStore({a: 1, b: 20}, {kind: 'local'});
		const storeWithSizes = Object.assign(store, {size: (key: string) => store.stored.get(key)?.bytes.length});
		const {sizes, measuredValues} = await statsOf(storeWithSizes, {sampling: 1});
		expect(measuredValues).toBe('all');
		expect(sizes).toMatchObject({isExact: true, total: {value: 21}});
		expect(store.batches).toEqual([]);
	});

	test('omit keys that are gone when they are measured', async () => {
		const names = Array.from({length: 400}, (_, at) => `k${at}`);
		const store = createStore(Object.fromEntries(names.map(name => [name, 10])), {
			faults: {
				before: (keys: readonly string[]) => {
					for (const key of keys) if (Number(key.slice(1)) % 4 === 0) store.stored.delete(key);
				},
			},
		});
		const {sizes, keys} = await statsOf(store);
		expect(keys).toBe(400);
		expect(sizes).toMatchObject({measured: 300, missingCount: 100, isExact: true, total: {value: 3000}});
	});

	test('that are stopped keep their results, and say that they are partial', async () => {
		const store = createStore(Object.fromEntries(Array.from({length: 3000}, (_, at) => [`k${at}`, at])));
		const reading = new StatsReading(store, defaultRequest);
		const controller = new AbortController();
		await expect(async () => {
			for await (const {phase} of reading.run(controller.signal)) if (phase === 'listing') controller.abort();
		}).rejects.toThrow();
		expect(reading.stats).toMatchObject({isListed: false, isMeasured: false, keys: 1000, sizes: undefined});
	});

	test('whose measuring fails give estimates from the part of the sample that was read', async () => {
		let batchCount = 0;
		const store = createStore(Object.fromEntries(Array.from({length: 3000}, (_, at) => [`k${at}`, at])), {
			batch: {concurrency: 1},
			faults: {
				before: () => {
					if (++batchCount > 5) throw new Error('line cut');
				},
			},
		});
		const reading = new StatsReading(store, defaultRequest);
		await expect(async () => {
			for await (const _ of reading.run(neverAborted));
		}).rejects.toThrow('line cut');
		const {sizes, isMeasured, isListed} = reading.stats;
		expect({isListed, isMeasured}).toEqual({isListed: true, isMeasured: false});
		expect(sizes?.measured).toBe(500);
		expect(sizes?.total.low).toBeLessThan((3000 * 2999) / 2);
		expect(sizes?.total.high).toBeGreaterThan((3000 * 2999) / 2);
	});

	test('have a range for every expiry', async () => {
		const store = new MemoryStore();
		const times = [-5, 0, 3600, 3601, 86_400, 86_401, 604_800, 2_592_000, 31_536_000, 31_536_001];
		for (const time of times) store.stored.set(`k${time}`, {bytes: new Uint8Array(), expiration: now + time});
		const {expiries} = await statsOf(store);
		expect(expiries.spans).toEqual([3, 2, 2, 1, 1, 1]);
		expect(expiries.spans.length).toBe(expirySpans.length);
	});
});
