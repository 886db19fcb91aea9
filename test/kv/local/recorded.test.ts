// The store in fixtures/ was written by the real peer (test/interop/record-fixture.ts), all in the log.
import {cpSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {checkLocalData} from '../../../source/kv/local/check.ts';
import {listLocalNamespaces} from '../../../source/kv/local/namespaces.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {bytes, names, neverAborted, openForTest, temporaryRoot, textOf} from './temporary.ts';

const fixtureRoot = fileURLToPath(new URL('fixtures/wrangler-state/v3', import.meta.url));
const expiration = 2_147_483_647;

function copyFixture(): string {
	const root = temporaryRoot();
	cpSync(fixtureRoot, root, {recursive: true});
	return root;
}

const now = () => 1_800_000_000_000;

describe('data written by the peer', () => {
	test('is listed in order, with expiry and metadata', async () => {
		const store = openForTest({root: copyFixture(), namespace: 'nsid1', now});
		expect((await store.list({}, neverAborted)).entries).toEqual([
			{name: 'a\0b'},
			{name: 'binary'},
			{name: 'described', metadata: {name: 'имя', deep: {list: [1, null, true]}}},
			{name: 'empty'},
			{name: 'everything', expiration, metadata: {v: 1}},
			{name: 'expiring', expiration},
			{name: `long:${'x'.repeat(507)}`},
			{name: 'overwritten'},
			{name: 'text'},
			{name: 'ключ/é 😀?#%41'},
			{name: '\uffff'},
		]);
	});

	test.each([
		['text', 'hello'],
		['empty', ''],
		['described', 'with metadata'],
		['everything', 'all of it'],
		['ключ/é 😀?#%41', 'unicode'],
		['a\0b', 'NUL in the key'],
		['\uffff', 'last of the plane'],
		[`long:${'x'.repeat(507)}`, '512 bytes of key'],
		['overwritten', 'new'],
		['deleted', undefined],
	])('is read: %j', async (key, value) => {
		const store = openForTest({root: copyFixture(), namespace: 'nsid1', now});
		expect(textOf(await store.get(key, neverAborted))).toBe(value);
	});

	test('is read byte for byte if binary', async () => {
		const store = openForTest({root: copyFixture(), namespace: 'nsid1', now});
		expect(await store.get('binary', neverAborted)).toEqual({
			bytes: Buffer.from([0, 255, 254, 10, 13, 0, 128]),
		});
	});

	test.each(['имя é', '../../evil'])('is found under the namespace id %j', async namespace => {
		const store = openForTest({root: copyFixture(), namespace, now});
		expect(textOf(await store.get('k', neverAborted))).toBe(`value in ${namespace}`);
	});

	test('expires', async () => {
		const store = openForTest({root: copyFixture(), namespace: 'nsid1', now: () => expiration * 1000 + 1});
		expect(await store.get('expiring', neverAborted)).toBeUndefined();
		expect(names(store.listEntries())).not.toContain('expiring');
	});

	test('is changed and deleted together with its blobs', async () => {
		const root = copyFixture();
		const {blobs} = getNamespacePaths(root, 'nsid1');
		const before = readdirSync(blobs).length;
		const store = openForTest({root, namespace: 'nsid1', now});
		await store.put('text', bytes('changed'), {}, neverAborted);
		expect(textOf(await store.get('text', neverAborted))).toBe('changed');
		expect(readdirSync(blobs)).toHaveLength(before);
		await store.deleteMany(['empty', 'binary'], neverAborted);
		expect(readdirSync(blobs)).toHaveLength(before - 2);
	});

	test('is intact, and named as far as the folders allow', async () => {
		const root = copyFixture();
		const report = await checkLocalData({root, signal: neverAborted, now});
		expect(report).toMatchObject({lost: [], orphans: [], young: 0});
		expect(report.databases.flatMap(database => database.problems)).toEqual([]);
		const keyCounts = listLocalNamespaces(root, ['../../evil'], now()).map(({namespace, keys}) => [
			namespace,
			keys,
		]);
		expect(keyCounts.sort()).toEqual([
			['../../evil', 1],
			['nsid1', 11],
			['имя é', 1],
		]);
		expect(readdirSync(join(root, 'kv')).sort()).toEqual(readdirSync(join(fixtureRoot, 'kv')).sort());
	});
});
