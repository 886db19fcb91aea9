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
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {makeWorkspace, streamOf} from './support/workspace.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
/** Two values fit into one read, three do not. */
const value = 'v'.repeat(maxReadBytes * 0.4);

/** Reads all keys in one call, which may be too much for the store, and then in parts with `readValues`. */
async function readTogetherAndInParts(store: KvStore) {
	const together = await store.getMany(keys, neverAbortedSignal).then(
		() => 'read',
		error => (isRequestTooLarge(error) ? 'too much' : error),
	);
	async function* groups() {
		yield keys;
	}
	const found: string[] = [];
	for await (const pairs of readValues(store, groups(), key => key, neverAbortedSignal))
		for (const [key, stored] of pairs) if (stored?.bytes.length === value.length) found.push(key);
	return {together, found};
}

const entries = keys.map(key => ({key, value}));
const expectedResult = {together: 'too much', found: keys};

test('large values of the service are read in parts, whatever it could return at once', async () => {
	using simulator = createSimulator({samples: false});
	const client = connectSimulated(request => simulator.fetch(request), {userAgent: 'test', environment: {}});
	const {id: account} = await requireSingleAccount(client, neverAbortedSignal);
	const {id: namespace} = await createNamespace(client, account, {title: 'T'}, neverAbortedSignal);
	using store = openRemoteStore({client, account, namespace, label: 'T', isSimulated: true});
	await store.putMany(entries, neverAbortedSignal);
	expect(await readTogetherAndInParts(store)).toEqual(expectedResult);
});

test('large values of local data are read in parts', async () => {
	using space = makeWorkspace();
	using store = openLocalStore({root: space.folder, namespace: 'N'});
	await store.putMany(entries, neverAbortedSignal);
	expect(await readTogetherAndInParts(store)).toEqual(expectedResult);
});

test('large values of a file are read in parts', async () => {
	using space = makeWorkspace();
	const path = space.writeFile('all.ndjson', entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
	const input = await openInput(path, {environment: {}, stdin: streamOf(''), signal: neverAbortedSignal});
	using store = await openFileStore(input, neverAbortedSignal);
	expect(await readTogetherAndInParts(store)).toEqual(expectedResult);
});
