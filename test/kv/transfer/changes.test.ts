import fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import {createNamespace} from '../../../source/kv/namespaces.ts';
import {readValues} from '../../../source/kv/read-window.ts';
import {openRemoteStore} from '../../../source/kv/remote-store.ts';
import type {KvStore, WriteOptions} from '../../../source/kv/store.ts';
import {compareStores} from '../../../source/kv/transfer/difference.ts';
import type {Entry} from '../../../source/kv/transfer/entry.ts';
import {walkKeys} from '../../../source/kv/transfer/listing.ts';
import {readEntries} from '../../../source/kv/transfer/read-entries.ts';
import {requireSingleAccount} from '../../../source/service/accounts.ts';
import {connectSimulated} from '../../../source/service/connect.ts';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {getRunCount} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf} from '../support/workspace.ts';

const simulators: Simulator[] = [];

afterEach(() => {
	for (const one of simulators.splice(0)) one.close();
});

/**
 * Opens one namespace as two stores. `hooks.before` is called before each request of `store`, so that someone
 * else can change the namespace through `others`.
 */
async function openSharedNamespace(): Promise<{
	store: KvStore;
	others: KvStore;
	requests: string[];
	hooks: {before: (asked: string) => Promise<unknown> | undefined};
	setFaults(text: string): void;
}> {
	const simulator = createSimulator({samples: false});
	simulators.push(simulator);
	const requests: string[] = [];
	const hooks = {before: (_asked: string): Promise<unknown> | undefined => undefined};
	const options = {userAgent: 'test', environment: {LEDGE_TIME_SCALE: '0.001'}};
	const theirs = connectSimulated(request => simulator.fetch(request), options);
	const ours = connectSimulated(async request => {
		// The method and what follows `/namespaces/ID/`, which has 45 characters.
		const {pathname} = new URL(request.url);
		const what = `${request.method} ${pathname.slice(pathname.lastIndexOf('/namespaces/') + 45)}`;
		requests.push(what);
		await hooks.before(what);
		return simulator.fetch(request);
	}, options);
	const {id: account} = await requireSingleAccount(theirs, neverAbortedSignal);
	const {id: namespace} = await createNamespace(theirs, account, {title: 'T'}, neverAbortedSignal);
	const open = (client: typeof ours) =>
		openRemoteStore({client, account, namespace, label: 'T', isSimulated: true});
	return {
		store: open(ours),
		others: open(theirs),
		requests,
		hooks,
		setFaults: text => simulator.faults.replace(text),
	};
}

const baseExpiration = Math.floor(Date.now() / 1000) + 100_000;

/**
 * A version of a key. As text, all versions look the same, because their bytes are not UTF-8. No metadata
 * repeats, because that would hide a change.
 */
type Version = {readonly bytes: Buffer} & WriteOptions;

const version = (number: number): Version => ({
	bytes: Buffer.from([0x80 + number]),
	...(number > 0 && {metadata: {version: number}}),
	...(number % 4 === 0 && {expiration: baseExpiration + number}),
});

const toComparable = (value: Omit<Entry, 'key'>) => ({
	bytes: Buffer.from(value.bytes).toString('hex'),
	metadata: value.metadata ?? null,
	expiration: value.expiration ?? null,
});

const put = (store: KvStore, key: string, {bytes, ...rest}: Version) =>
	store.put(key, bytes, rest, neverAbortedSignal);

describe('a value read in two responses', () => {
	test('has one version, whatever was written in between', async () => {
		const moment = fc.record({
			request: fc.integer({min: 0, max: 8}),
			key: fc.constantFrom('a', 'b'),
			does: fc.constantFrom('write', 'delete'),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(moment, {maxLength: 6}), async moments => {
				const {store, others, hooks} = await openSharedNamespace();
				let number = 0;
				const writtenVersions = new Map<string, unknown[]>();
				const write = async (key: string) => {
					const next = version(number++);
					writtenVersions.set(key, [...(writtenVersions.get(key) ?? []), toComparable(next)]);
					await put(others, key, next);
				};
				const deleteKey = async (key: string) => {
					writtenVersions.set(key, [...(writtenVersions.get(key) ?? []), undefined]);
					await others.delete(key, neverAbortedSignal);
				};
				await write('a');
				await write('b');
				let request = 0;
				hooks.before = async () => {
					const requestIndex = request++;
					for (const {request: when, key, does} of moments)
						if (when === requestIndex) await (does === 'write' ? write(key) : deleteKey(key));
				};
				const found = await store.getMany(['a', 'b'], neverAbortedSignal);
				for (const key of ['a', 'b']) {
					const value = found.get(key);
					expect(writtenVersions.get(key)).toContainEqual(value && toComparable(value));
				}
			}),
			{numRuns: getRunCount(60)},
		);
	});

	test('whose metadata differs each time is reported, and not read forever', async () => {
		const {store, others, hooks, requests} = await openSharedNamespace();
		let number = 1;
		const next = () => put(others, 'hot', version(3 * number++ + 1));
		await next();
		hooks.before = what => (what.startsWith('POST') ? next() : undefined);
		expect(await failureOf(store.getMany(['hot'], neverAbortedSignal))).toMatchObject({
			code: 'changed_meanwhile',
			message: expect.stringContaining('"hot"'),
		});
		expect(requests.length).toBeLessThan(20);
	});

	test('costs two more requests than the values alone', async () => {
		const {store, others, requests} = await openSharedNamespace();
		for (let at = 0; at < 10; at++) await put(others, `k${at}`, version(at));
		await others.put('text', Buffer.from('plain'), {}, neverAbortedSignal);
		expect(
			(await store.getMany([...Array.from({length: 10}, (_, at) => `k${at}`), 'text'], neverAbortedSignal))
				.size,
		).toBe(11);
		expect(requests).toHaveLength(12);
	});
});

describe('a value too large for a bulk response', () => {
	test('keeps its metadata and expiry', async () => {
		const {store, others, setFaults} = await openSharedNamespace();
		const large = {bytes: Buffer.alloc(50_000, 'x'), metadata: {of: 'large'}, expiration: baseExpiration};
		await put(others, 'large', large);
		await put(others, 'none', {bytes: Buffer.from('y')});
		setFaults('status=413 path=/bulk/get');
		async function* groups() {
			yield ['large', 'missing', 'none'];
		}
		const read = await Array.fromAsync(readValues(store, groups(), key => key, neverAbortedSignal));
		expect(read.flat().map(([key, value]) => [key, value && toComparable(value)])).toEqual([
			['large', toComparable(large)],
			['missing', undefined],
			['none', {bytes: '79', metadata: null, expiration: null}],
		]);
	});

	test('also has one version', async () => {
		const {store, others, hooks, setFaults} = await openSharedNamespace();
		await put(others, 'large', version(1));
		setFaults('status=413 path=/bulk/get');
		let writes = 0;
		hooks.before = what =>
			what.startsWith('GET values') && writes++ === 0 ? put(others, 'large', version(5)) : undefined;
		const value = (await store.getMany(['large'], neverAbortedSignal)).get('large');
		expect(value && toComparable(value)).toEqual(toComparable(version(5)));
	});
});

describe('between the listing and the read', () => {
	const change: Readonly<Record<string, (others: KvStore) => Promise<unknown>>> = {
		deleted: others => others.delete('b', neverAbortedSignal),
		'another value': others => put(others, 'b', {bytes: Buffer.from('new')}),
		'another metadata': others => put(others, 'b', {bytes: Buffer.from('old'), metadata: {new: true}}),
		'an expiry': others => put(others, 'b', {bytes: Buffer.from('old'), expiration: baseExpiration}),
		'a new key': others => put(others, 'bb', {bytes: Buffer.from('new')}),
	};

	test.each(Object.keys(change))('%s: the read gives the current state', async what => {
		const {store, others, hooks} = await openSharedNamespace();
		for (const key of ['a', 'b', 'c']) await put(others, key, {bytes: Buffer.from('old'), metadata: {key}});
		let isChanged = false;
		hooks.before = request => {
			if (isChanged || !request.startsWith('POST bulk/get')) return undefined;
			isChanged = true;
			return change[what]?.(others);
		};
		const [run, ...furtherRuns] = await Array.fromAsync(
			readEntries(store, walkKeys(store, {}, neverAbortedSignal), neverAbortedSignal),
		);
		expect(furtherRuns).toEqual([]);
		const currentValues = await others.getMany(['a', 'b', 'c'], neverAbortedSignal);
		expect(run?.entries.map(entry => [entry.key, toComparable(entry)])).toEqual(
			[...currentValues].map(([key, value]) => [key, toComparable(value)]),
		);
		expect(run?.missingNames).toEqual(what === 'deleted' ? ['b'] : []);
	});

	test('a key deleted on one side is a difference, and counted as missing', async () => {
		const {store, others, hooks} = await openSharedNamespace();
		const other = new MemoryStore();
		for (const key of ['a', 'b', 'c']) {
			await put(others, key, {bytes: Buffer.from('x')});
			other.stored.set(key, {bytes: Buffer.from('x')});
		}
		hooks.before = request =>
			request.startsWith('POST bulk/get') ? others.delete('b', neverAbortedSignal) : undefined;
		const compared = await Array.fromAsync(compareStores(store, other, {}, neverAbortedSignal));
		expect(compared).toMatchObject([
			{sameCount: 2, missingCount: 1, differences: [{kind: 'only in other', key: 'b'}]},
		]);
	});
});
