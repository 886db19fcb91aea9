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
import {never} from '../../service/scripted-transport.ts';
import {runs} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf} from '../support/workspace.ts';

const opened: Simulator[] = [];

afterEach(() => {
	for (const one of opened.splice(0)) one.close();
});

/** A namespace, and the same namespace as someone else writes to it at certain requests of the first. */
async function shared(): Promise<{
	store: KvStore;
	others: KvStore;
	asked: string[];
	at: {before: (asked: string) => Promise<unknown> | undefined};
	faults(text: string): void;
}> {
	const simulator = createSimulator({samples: false});
	opened.push(simulator);
	const asked: string[] = [];
	const at = {before: (_asked: string): Promise<unknown> | undefined => undefined};
	const options = {userAgent: 'test', environment: {LEDGE_TIME_SCALE: '0.001'}};
	const theirs = connectSimulated(request => simulator.fetch(request), options);
	const ours = connectSimulated(async request => {
		const {pathname} = new URL(request.url);
		const what = `${request.method} ${pathname.slice(pathname.lastIndexOf('/namespaces/') + 45)}`;
		asked.push(what);
		await at.before(what);
		return simulator.fetch(request);
	}, options);
	const {id: account} = await requireSingleAccount(theirs, never);
	const {id: namespace} = await createNamespace(theirs, account, 'T', never);
	const open = (client: typeof ours) =>
		openRemoteStore({client, account, namespace, label: 'T', isSimulated: true});
	return {store: open(ours), others: open(theirs), asked, at, faults: text => simulator.faults.replace(text)};
}

const soon = Math.floor(Date.now() / 1000) + 100_000;

/** A version of a key that no text tells from the next one; metadata that comes back would hide a change. */
type Version = {readonly bytes: Buffer} & WriteOptions;

const version = (number: number): Version => ({
	bytes: Buffer.from([0x80 + number]),
	...(number > 0 && {metadata: {version: number}}),
	...(number % 4 === 0 && {expiration: soon + number}),
});

const shown = (value: Omit<Entry, 'key'>) => ({
	bytes: Buffer.from(value.bytes).toString('hex'),
	metadata: value.metadata ?? null,
	expiration: value.expiration ?? null,
});

const put = (store: KvStore, key: string, {bytes, ...rest}: Version) => store.put(key, bytes, rest, never);

describe('a value read in two answers', () => {
	test('has one version, whatever was written in between', async () => {
		const moment = fc.record({
			request: fc.integer({min: 0, max: 8}),
			key: fc.constantFrom('a', 'b'),
			does: fc.constantFrom('write', 'delete'),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(moment, {maxLength: 6}), async moments => {
				const {store, others, at} = await shared();
				let number = 0;
				const seen = new Map<string, unknown[]>();
				const write = async (key: string) => {
					const next = version(number++);
					seen.set(key, [...(seen.get(key) ?? []), shown(next)]);
					await put(others, key, next);
				};
				const drop = async (key: string) => {
					seen.set(key, [...(seen.get(key) ?? []), undefined]);
					await others.delete(key, never);
				};
				await write('a');
				await write('b');
				let request = 0;
				at.before = async () => {
					const here = request++;
					for (const {request: when, key, does} of moments)
						if (when === here) await (does === 'write' ? write(key) : drop(key));
				};
				const found = await store.getMany(['a', 'b'], never);
				for (const key of ['a', 'b']) {
					const value = found.get(key);
					expect(seen.get(key)).toContainEqual(value && shown(value));
				}
			}),
			{numRuns: runs(60)},
		);
	});

	test('whose metadata differs each time is reported, and not read forever', async () => {
		const {store, others, at, asked} = await shared();
		let number = 1;
		const next = () => put(others, 'hot', version(3 * number++ + 1));
		await next();
		at.before = what => (what.startsWith('POST') ? next() : undefined);
		expect(await failureOf(store.getMany(['hot'], never))).toMatchObject({
			code: 'changed_meanwhile',
			message: expect.stringContaining('"hot"'),
		});
		expect(asked.length).toBeLessThan(20);
	});

	test('costs two more requests than the values alone', async () => {
		const {store, others, asked} = await shared();
		for (let at = 0; at < 10; at++) await put(others, `k${at}`, version(at));
		await others.put('text', Buffer.from('plain'), {}, never);
		expect(
			(await store.getMany([...Array.from({length: 10}, (_, at) => `k${at}`), 'text'], never)).size,
		).toBe(11);
		expect(asked).toHaveLength(12);
	});
});

describe('a value too large for a bulk answer', () => {
	test('keeps its metadata and expiry', async () => {
		const {store, others, faults} = await shared();
		const large = {bytes: Buffer.alloc(50_000, 'x'), metadata: {of: 'large'}, expiration: soon};
		await put(others, 'large', large);
		await put(others, 'none', {bytes: Buffer.from('y')});
		faults('status=413 path=/bulk/get');
		async function* groups() {
			yield ['large', 'missing', 'none'];
		}
		const read = await Array.fromAsync(readValues(store, groups(), key => key, never));
		expect(read.flat().map(([key, value]) => [key, value && shown(value)])).toEqual([
			['large', shown(large)],
			['missing', undefined],
			['none', {bytes: '79', metadata: null, expiration: null}],
		]);
	});

	test('also has one version', async () => {
		const {store, others, at, faults} = await shared();
		await put(others, 'large', version(1));
		faults('status=413 path=/bulk/get');
		let writes = 0;
		at.before = what =>
			what.startsWith('GET values') && writes++ === 0 ? put(others, 'large', version(5)) : undefined;
		const value = (await store.getMany(['large'], never)).get('large');
		expect(value && shown(value)).toEqual(shown(version(5)));
	});
});

describe('between the listing and the read', () => {
	const change: Readonly<Record<string, (others: KvStore) => Promise<unknown>>> = {
		deleted: others => others.delete('b', never),
		'another value': others => put(others, 'b', {bytes: Buffer.from('new')}),
		'another metadata': others => put(others, 'b', {bytes: Buffer.from('old'), metadata: {new: true}}),
		'an expiry': others => put(others, 'b', {bytes: Buffer.from('old'), expiration: soon}),
		'a new key': others => put(others, 'bb', {bytes: Buffer.from('new')}),
	};

	test.each(Object.keys(change))('%s: the read gives the current state', async what => {
		const {store, others, at} = await shared();
		for (const key of ['a', 'b', 'c']) await put(others, key, {bytes: Buffer.from('old'), metadata: {key}});
		let isChanged = false;
		at.before = asked => {
			if (isChanged || !asked.startsWith('POST bulk/get')) return undefined;
			isChanged = true;
			return change[what]?.(others);
		};
		const [run, ...more] = await Array.fromAsync(readEntries(store, walkKeys(store, {}, never), never));
		expect(more).toEqual([]);
		const there = await others.getMany(['a', 'b', 'c'], never);
		expect(run?.entries.map(entry => [entry.key, shown(entry)])).toEqual(
			[...there].map(([key, value]) => [key, shown(value)]),
		);
		expect(run?.missingNames).toEqual(what === 'deleted' ? ['b'] : []);
	});

	test('a key deleted on one side is a difference, and reported as gone', async () => {
		const {store, others, at} = await shared();
		const other = new MemoryStore();
		for (const key of ['a', 'b', 'c']) {
			await put(others, key, {bytes: Buffer.from('x')});
			other.stored.set(key, {bytes: Buffer.from('x')});
		}
		at.before = asked => (asked.startsWith('POST bulk/get') ? others.delete('b', never) : undefined);
		const compared = await Array.fromAsync(compareStores(store, other, {}, never));
		expect(compared).toMatchObject([
			{sameCount: 2, missingCount: 1, differences: [{kind: 'only in other', key: 'b'}]},
		]);
	});
});
