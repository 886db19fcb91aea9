import {expect, test} from 'vitest';
import {openInput} from '../../source/kv/bulk/input.ts';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {createNamespace} from '../../source/kv/namespaces.ts';
import {maxReadBytes} from '../../source/kv/read-limit.ts';
import {readValues} from '../../source/kv/read-window.ts';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import {isRequestTooLarge} from '../../source/kv/send.ts';
import type {KvStore} from '../../source/kv/store.ts';
import {openFileStore} from '../../source/kv/transfer/file-store.ts';
import {requireSingleAccount} from '../../source/service/accounts.ts';
import {connectSimulated} from '../../source/service/connect.ts';
import {createSimulator} from '../../source/simulator/simulator.ts';
import {never} from '../service/scripted-transport.ts';
import {makeWorkspace, streamOf} from './support/workspace.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
/** Two of them are not too much, three are. */
const value = 'v'.repeat(maxReadBytes * 0.4);

/** Whether all keys together are too much for a store, and what comes of reading them all the same. */
async function read(store: KvStore) {
	const together = await store.getMany(keys, never).then(
		() => 'read',
		error => (isRequestTooLarge(error) ? 'too much' : error),
	);
	async function* groups() {
		yield keys;
	}
	const found: string[] = [];
	for await (const pairs of readValues(store, groups(), key => key, never))
		for (const [key, stored] of pairs) if (stored?.bytes.length === value.length) found.push(key);
	return {together, found};
}

const entries = keys.map(key => ({key, value}));
const inParts = {together: 'too much', found: keys};

test('large values of the service come in parts, whatever it could answer at once', async () => {
	using simulator = createSimulator({samples: false});
	const client = connectSimulated(request => simulator.fetch(request), {userAgent: 'test', environment: {}});
	const {id: account} = await requireSingleAccount(client, never);
	const {id: namespace} = await createNamespace(client, account, 'T', never);
	using store = openRemoteStore({client, account, namespace, label: 'T', isSimulated: true});
	await store.putMany(entries, never);
	expect(await read(store)).toEqual(inParts);
});

test('large values of local data come in parts', async () => {
	using space = makeWorkspace();
	using store = openLocalStore({root: space.folder, namespace: 'N'});
	await store.putMany(entries, never);
	expect(await read(store)).toEqual(inParts);
});

test('large values of a file come in parts', async () => {
	using space = makeWorkspace();
	const path = space.file('all.ndjson', entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
	const input = await openInput(path, {environment: {}, stdin: streamOf(''), signal: never});
	using store = await openFileStore(input, never);
	expect(await read(store)).toEqual(inParts);
});
