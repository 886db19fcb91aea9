import {afterEach, describe, expect, test} from 'vitest';
import {listKeyPages} from '../../source/kv/keys.ts';
import {createNamespace, getNamespaceByTitle, renameNamespace} from '../../source/kv/namespaces.ts';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import type {KvStore} from '../../source/kv/store.ts';
import {requireSingleAccount} from '../../source/service/accounts.ts';
import type {Client} from '../../source/service/client.ts';
import {connectSimulated} from '../../source/service/connect.ts';
import {createSimulator, type Simulator} from '../../source/simulator/simulator.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';

const simulators: Simulator[] = [];

afterEach(() => {
	for (const one of simulators.splice(0)) one.close();
});

/** The response of a deployment that does not have `POST …/bulk/delete` yet. */
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

async function openSimulatedStore(
	faults = '',
	{older = false, decodesKeys}: {readonly older?: boolean; readonly decodesKeys?: boolean} = {},
): Promise<{
	store: KvStore;
	client: Client;
	account: string;
	getRequests: () => readonly string[];
	setFaults(text: string): void;
}> {
	const simulator = createSimulator({samples: false});
	simulators.push(simulator);
	const requests: string[] = [];
	const client = connectSimulated(
		request => {
			// The method and what follows `/namespaces/ID/`, which has 45 characters.
			const {pathname} = new URL(request.url);
			requests.push(`${request.method} ${pathname.slice(pathname.lastIndexOf('/namespaces/') + 45)}`);
			return older && pathname.endsWith('/bulk/delete')
				? Promise.resolve(unknownEndpoint())
				: simulator.fetch(request);
		},
		{userAgent: 'test', environment: {LEDGE_TIME_SCALE: '0.001'}},
	);
	const {id: account} = await requireSingleAccount(client, neverAbortedSignal);
	const {id: namespace} = await createNamespace(client, account, {title: 'T'}, neverAbortedSignal);
	const setFaults = (text: string) => {
		simulator.faults.clear();
		simulator.faults.add(text);
	};
	setFaults(faults);
	requests.length = 0;
	return {
		store: openRemoteStore({client, account, namespace, label: 'Acme › T', isSimulated: true, decodesKeys}),
		client,
		account,
		getRequests: () => requests,
		setFaults,
	};
}

const bytes = (text: string) => Buffer.from(text);

/** Names that mean something in a URL, or to a program that builds one. */
const oddNames = [
	'a/b',
	'%41',
	'100%',
	'a^b',
	'...',
	'.../x',
	'a\u001fb',
	'a?b#c',
	'a b+c',
	' ',
	'\n',
	'ключ/🗝',
];

describe('keys that have another form in a URL', () => {
	test.each(oddNames)('%j is written, read, listed and deleted under its name', async name => {
		const {store} = await openSimulatedStore();
		await store.put(name, bytes('value'), {metadata: {v: 1}}, neverAbortedSignal);
		await store.put(encodeURIComponent(name), bytes('another key'), {}, neverAbortedSignal);
		expect(Buffer.from((await store.get(name, neverAbortedSignal))?.bytes ?? []).toString()).toBe(
			encodeURIComponent(name) === name ? 'another key' : 'value',
		);
		expect((await store.list({}, neverAbortedSignal)).entries.map(entry => entry.name)).toContain(name);
		await store.delete(name, neverAbortedSignal);
		expect(await store.get(name, neverAbortedSignal)).toBeUndefined();
		expect(await store.metadata(name, neverAbortedSignal)).toBeUndefined();
	});

	test('are refused before anything is sent, if the namespace is known not to decode them', async () => {
		const {store, getRequests} = await openSimulatedStore('encoded-keys', {decodesKeys: false});
		const refusal = {code: 'limit', message: expect.stringContaining("can't be used in a URL")};
		const {get, metadata, put, delete: remove} = store;
		for (const name of oddNames.filter(one => encodeURIComponent(one) !== one)) {
			await expect(get(name, neverAbortedSignal)).rejects.toMatchObject(refusal);
			await expect(metadata(name, neverAbortedSignal)).rejects.toMatchObject(refusal);
			await expect(put(name, bytes(''), {}, neverAbortedSignal)).rejects.toMatchObject(refusal);
			await expect(remove(name, neverAbortedSignal)).rejects.toMatchObject(refusal);
		}
		expect(getRequests()).toEqual([]);
		await put('...', bytes('plain'), {}, neverAbortedSignal);
		expect(Buffer.from((await get('...', neverAbortedSignal))?.bytes ?? [])).toEqual(bytes('plain'));
		await store.putMany([{key: 'a/b', value: 'in JSON'}], neverAbortedSignal);
		const values = await store.getMany(['a/b'], neverAbortedSignal);
		expect(Buffer.from(values.get('a/b')?.bytes ?? [])).toEqual(bytes('in JSON'));
	});

	test('are explained when they are not found, with one more read', async () => {
		const {store, getRequests} = await openSimulatedStore('encoded-keys');
		await store.putMany([{key: 'a/b', value: 'x'}], neverAbortedSignal);
		expect(await store.get('plain', neverAbortedSignal)).toBeUndefined();
		const before = getRequests().length;
		await expect(store.get('a/b', neverAbortedSignal)).rejects.toMatchObject({
			code: 'limit',
			details: {why: expect.stringContaining('supports_url_encoding is false')},
		});
		expect(getRequests().slice(before)).toEqual(['GET values/a%2Fb', 'GET ']);
		await expect(store.put('c/d', bytes(''), {}, neverAbortedSignal)).rejects.toMatchObject({code: 'limit'});
		expect(getRequests()).toHaveLength(before + 2);
	});

	test('are missing if the namespace decodes them, which is read once', async () => {
		const {store, getRequests} = await openSimulatedStore();
		expect(await store.get('a/b', neverAbortedSignal)).toBeUndefined();
		expect(await store.get('c/d', neverAbortedSignal)).toBeUndefined();
		expect(getRequests()).toEqual(['GET values/a%2Fb', 'GET ', 'GET values/c%2Fd']);
	});
});

describe('the remote store against the simulated service', () => {
	test('a value with metadata and expiration is read back as it was written', async () => {
		const {store} = await openSimulatedStore();
		const value = Buffer.from([0, 255, 1, 2]);
		const expiration = Math.floor(Date.now() / 1000) + 600;
		await store.put('a/b c?', value, {metadata: {v: 1}, expiration}, neverAbortedSignal);
		const found = await store.get('a/b c?', neverAbortedSignal);
		expect(Buffer.from(found?.bytes ?? [])).toEqual(value);
		expect(found?.expiration).toBe(expiration);
		expect(await store.metadata('a/b c?', neverAbortedSignal)).toEqual({v: 1});
		expect(await store.get('other', neverAbortedSignal)).toBeUndefined();
	});

	test('pages of keys form the complete list, and a limited list ends with a cursor to continue it', async () => {
		const {store} = await openSimulatedStore();
		const names = Array.from({length: 2345}, (_, index) => `k${String(index).padStart(5, '0')}`);
		await store.putMany(
			names.map(key => ({key, value: 'v'})),
			neverAbortedSignal,
		);
		const listed: string[] = [];
		for await (const page of listKeyPages(store, {}, neverAbortedSignal))
			listed.push(...page.entries.map(entry => entry.name));
		expect(listed).toEqual(names);
		for (const limit of [10, 1000, 1005, 2000, 2344]) {
			const limitedNames: string[] = [];
			let cursor: string | undefined;
			for await (const page of listKeyPages(store, {limit}, neverAbortedSignal)) {
				limitedNames.push(...page.entries.map(entry => entry.name));
				cursor = page.cursor;
			}
			expect(limitedNames).toEqual(names.slice(0, limit));
			const remainingNames: string[] = [];
			for await (const page of listKeyPages(store, {cursor}, neverAbortedSignal))
				remainingNames.push(...page.entries.map(entry => entry.name));
			expect(remainingNames).toEqual(names.slice(limit));
		}
	});

	test('keys that the service rejects are returned by name', async () => {
		const {store} = await openSimulatedStore('refuse-keys=b,c');
		const outcome = await store.putMany(
			['a', 'b', 'c', 'd'].map(key => ({key, value: 'v'})),
			neverAbortedSignal,
		);
		expect(outcome.done).toBe(2);
		expect(outcome.refused.map(one => one.key)).toEqual(['b', 'c']);
	});

	test('an older deployment that answers null counts as fully done', async () => {
		const {store} = await openSimulatedStore('old-bulk');
		expect(await store.putMany([{key: 'a', value: 'v'}], neverAbortedSignal)).toEqual({done: 1, refused: []});
		expect(await store.deleteMany(['a'], neverAbortedSignal)).toEqual({done: 1, refused: []});
		expect(await store.get('a', neverAbortedSignal)).toBeUndefined();
	});

	test('bytes that are not UTF-8 are also read exactly in bulk', async () => {
		const {store} = await openSimulatedStore();
		await store.put('text', bytes('plain'), {metadata: {m: true}}, neverAbortedSignal);
		await store.put('binary', Buffer.from([0xff, 0xfe, 0]), {}, neverAbortedSignal);
		await store.put('replacement', bytes('\ufffd'), {}, neverAbortedSignal);
		const found = await store.getMany(['text', 'binary', 'replacement', 'missing'], neverAbortedSignal);
		expect([...found.keys()].toSorted()).toEqual(['binary', 'replacement', 'text']);
		expect(Buffer.from(found.get('binary')?.bytes ?? [])).toEqual(Buffer.from([0xff, 0xfe, 0]));
		expect(Buffer.from(found.get('replacement')?.bytes ?? []).toString()).toBe('\ufffd');
		expect(found.get('text')?.metadata).toEqual({m: true});
	});

	test('DELETE bulk is used if the service does not know POST bulk/delete', async () => {
		const {store, getRequests} = await openSimulatedStore('', {older: true});
		await store.putMany([{key: 'a', value: 'v'}], neverAbortedSignal);
		expect((await store.deleteMany(['a'], neverAbortedSignal)).done).toBe(1);
		expect(getRequests()).toEqual(['PUT bulk', 'POST bulk/delete', 'DELETE bulk']);
		expect(await store.get('a', neverAbortedSignal)).toBeUndefined();
	});

	test('keys named like object properties are ordinary keys', async () => {
		const {store} = await openSimulatedStore();
		for (const key of ['__proto__', 'constructor', 'toString']) {
			expect((await store.getMany([key], neverAbortedSignal)).size).toBe(0);
			await store.put(key, bytes(key), {}, neverAbortedSignal);
			expect(
				Buffer.from((await store.getMany([key], neverAbortedSignal)).get(key)?.bytes ?? []).toString(),
			).toBe(key);
		}
	});

	test('a rename succeeds with either form of the response', async () => {
		for (const faults of ['', 'older-rename']) {
			const {client, account, store, setFaults} = await openSimulatedStore();
			setFaults(faults);
			await renameNamespace(client, account, store.namespace, 'Other', neverAbortedSignal);
			expect((await getNamespaceByTitle(client, account, 'Other', neverAbortedSignal)).id).toBe(
				store.namespace,
			);
		}
	});

	test('the id of a namespace cannot escape its place in the path', async () => {
		const {client, account} = await openSimulatedStore();
		const open = (namespace: string) =>
			openRemoteStore({client, account, namespace, label: '', isSimulated: true});
		expect(() => open('..')).toThrow('cannot be the id');
		await expect(open('../../../zones').list({}, neverAbortedSignal)).rejects.toThrow();
	});
});
