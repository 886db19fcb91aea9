import {afterEach, describe, expect, test} from 'vitest';
import {listKeyPages} from '../../source/kv/keys.ts';
import {createNamespace, getNamespaceByTitle, renameNamespace} from '../../source/kv/namespaces.ts';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import type {KvStore} from '../../source/kv/store.ts';
import {requireSingleAccount} from '../../source/service/accounts.ts';
import type {Client} from '../../source/service/client.ts';
import {connectSimulated} from '../../source/service/connect.ts';
import {createSimulator, type Simulator} from '../../source/simulator/simulator.ts';
import {never} from '../service/scripted-transport.ts';

const opened: Simulator[] = [];

afterEach(() => {
	for (const one of opened.splice(0)) one.close();
});

/** As a deployment of before `POST …/bulk/delete` answers it. */
const unknownEndpoint = () =>
	Response.json(
		{
			success: false,
			errors: [{code: 10_025, message: 'endpoint does not exist'}],
			messages: [],
			result: null,
		},
		{status: 404},
	);

async function simulated(
	faults = '',
	{older = false} = {},
): Promise<{
	store: KvStore;
	client: Client;
	account: string;
	asked: () => readonly string[];
	faults(text: string): void;
}> {
	const simulator = createSimulator({samples: false});
	opened.push(simulator);
	const asked: string[] = [];
	const client = connectSimulated(
		request => {
			const {pathname} = new URL(request.url);
			asked.push(`${request.method} ${pathname.slice(pathname.lastIndexOf('/namespaces/') + 45)}`);
			return older && pathname.endsWith('/bulk/delete')
				? Promise.resolve(unknownEndpoint())
				: simulator.fetch(request);
		},
		{userAgent: 'test', environment: {LEDGE_TIME_SCALE: '0.001'}},
	);
	const {id: account} = await requireSingleAccount(client, never);
	const {id: namespace} = await createNamespace(client, account, 'T', never);
	const setFaults = (text: string) => {
		simulator.faults.clear();
		simulator.faults.add(text);
	};
	setFaults(faults);
	asked.length = 0;
	return {
		store: openRemoteStore({client, account, namespace, label: 'Acme › T', isSimulated: true}),
		client,
		account,
		asked: () => asked,
		faults: setFaults,
	};
}

const bytes = (text: string) => Buffer.from(text);

describe('the remote store against the simulated service', () => {
	test('a value with metadata and expiration is read back as it was written', async () => {
		const {store} = await simulated();
		const value = Buffer.from([0, 255, 1, 2]);
		const expiration = Math.floor(Date.now() / 1000) + 600;
		await store.put('a/b c?', value, {metadata: {v: 1}, expiration}, never);
		const found = await store.get('a/b c?', never);
		expect(Buffer.from(found?.bytes ?? [])).toEqual(value);
		expect(found?.expiration).toBe(expiration);
		expect(await store.metadata('a/b c?', never)).toEqual({v: 1});
		expect(await store.get('other', never)).toBeUndefined();
	});

	test('pages of keys form the whole list, and a limited one ends with a cursor', async () => {
		const {store} = await simulated();
		const names = Array.from({length: 2345}, (_, index) => `k${String(index).padStart(5, '0')}`);
		await store.putMany(
			names.map(key => ({key, value: 'v'})),
			never,
		);
		const listed: string[] = [];
		for await (const page of listKeyPages(store, {}, never))
			listed.push(...page.entries.map(entry => entry.name));
		expect(listed).toEqual(names);
		for (const limit of [10, 1000, 1005, 2000, 2344]) {
			const some: string[] = [];
			let cursor: string | undefined;
			for await (const page of listKeyPages(store, {limit}, never)) {
				some.push(...page.entries.map(entry => entry.name));
				cursor = page.cursor;
			}
			expect(some).toEqual(names.slice(0, limit));
			const rest: string[] = [];
			for await (const page of listKeyPages(store, {cursor}, never))
				rest.push(...page.entries.map(entry => entry.name));
			expect(rest).toEqual(names.slice(limit));
		}
	});

	test('keys that the service rejects are returned by name', async () => {
		const {store} = await simulated('refuse-keys=b,c');
		const outcome = await store.putMany(
			['a', 'b', 'c', 'd'].map(key => ({key, value: 'v'})),
			never,
		);
		expect(outcome.done).toBe(2);
		expect(outcome.refused.map(one => one.key)).toEqual(['b', 'c']);
	});

	test('an older deployment that answers null counts as fully done', async () => {
		const {store} = await simulated('old-bulk');
		expect(await store.putMany([{key: 'a', value: 'v'}], never)).toEqual({done: 1, refused: []});
		expect(await store.deleteMany(['a'], never)).toEqual({done: 1, refused: []});
		expect(await store.get('a', never)).toBeUndefined();
	});

	test('bytes that are not UTF-8 are also read exactly in bulk', async () => {
		const {store} = await simulated();
		await store.put('text', bytes('plain'), {metadata: {m: true}}, never);
		await store.put('binary', Buffer.from([0xff, 0xfe, 0]), {}, never);
		await store.put('replacement', bytes('\ufffd'), {}, never);
		const found = await store.getMany(['text', 'binary', 'replacement', 'missing'], never);
		expect([...found.keys()].toSorted()).toEqual(['binary', 'replacement', 'text']);
		expect(Buffer.from(found.get('binary')?.bytes ?? [])).toEqual(Buffer.from([0xff, 0xfe, 0]));
		expect(Buffer.from(found.get('replacement')?.bytes ?? []).toString()).toBe('\ufffd');
		expect(found.get('text')?.metadata).toEqual({m: true});
	});

	test('the older call is used if bulk/delete is unknown', async () => {
		const {store, asked} = await simulated('', {older: true});
		await store.putMany([{key: 'a', value: 'v'}], never);
		expect((await store.deleteMany(['a'], never)).done).toBe(1);
		expect(asked()).toEqual(['PUT bulk', 'POST bulk/delete', 'DELETE bulk']);
		expect(await store.get('a', never)).toBeUndefined();
	});

	test('keys named like object properties are ordinary keys', async () => {
		const {store} = await simulated();
		for (const key of ['__proto__', 'constructor', 'toString']) {
			expect((await store.getMany([key], never)).size).toBe(0);
			await store.put(key, bytes(key), {}, never);
			expect(Buffer.from((await store.getMany([key], never)).get(key)?.bytes ?? []).toString()).toBe(key);
		}
	});

	test('a rename succeeds with either form of the answer', async () => {
		for (const faults of ['', 'older-rename']) {
			const {client, account, store, faults: set} = await simulated();
			set(faults);
			await renameNamespace(client, account, store.namespace, 'Other', never);
			expect((await getNamespaceByTitle(client, account, 'Other', never)).id).toBe(store.namespace);
		}
	});

	test('the id of a namespace cannot escape its place in the path', async () => {
		const {client, account} = await simulated();
		const open = (namespace: string) =>
			openRemoteStore({client, account, namespace, label: '', isSimulated: true});
		expect(() => open('..')).toThrow('cannot be the id');
		await expect(open('../../../zones').list({}, never)).rejects.toThrow();
	});
});
