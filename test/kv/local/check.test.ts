import {
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {checkLocalData} from '../../../source/kv/local/check.ts';
import {listLocalNamespaces} from '../../../source/kv/local/namespaces.ts';
import {createBlobId, getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {moveOrphansAside, removeOrphans} from '../../../source/kv/local/orphans.ts';
import {bytes, names, neverAborted, openForTest, temporaryRoot, textOf} from './temporary.ts';

const hour = 3_600_000;

/** Writes a file, `hours` old, into the folder of blobs. No row refers to it. */
function createLeftover(
	root: string,
	namespace: string,
	hours: number,
	name = createBlobId(Date.now()),
): string {
	const file = join(getNamespacePaths(root, namespace).blobs, name);
	writeFileSync(file, 'left over');
	const modifiedSeconds = (Date.now() - hours * hour) / 1000;
	utimesSync(file, modifiedSeconds, modifiedSeconds);
	return file;
}

async function createFilledRoot(...ids: string[]): Promise<string> {
	const root = temporaryRoot();
	for (const namespace of ids) {
		const store = openForTest({root, namespace});
		await store.putMany(
			[
				{key: 'a', value: '1'},
				{key: 'b', value: '2', expiration_ttl: 60},
			],
			neverAborted,
		);
	}
	return root;
}

describe('a check of local data', () => {
	test('finds nothing without a store, and creates nothing', async () => {
		const root = temporaryRoot();
		expect(await checkLocalData({root, signal: neverAborted})).toEqual({
			root,
			databases: [],
			lost: [],
			orphans: [],
			young: 0,
		});
		expect(existsSync(root)).toBe(false);
	});

	test('counts the keys of an intact store, including expired ones', async () => {
		const root = await createFilledRoot('one', 'имя é', '../../evil');
		const report = await checkLocalData({
			root,
			ids: ['../../evil'],
			signal: neverAborted,
			now: () => Date.now() + 100 * hour,
		});
		expect(report).toMatchObject({lost: [], orphans: [], young: 0});
		const databases = report.databases.map(({namespace, keys, problems}) => ({namespace, keys, problems}));
		expect(databases).toHaveLength(3);
		for (const namespace of ['one', 'имя é', '../../evil'])
			expect(databases).toContainEqual({namespace, keys: 2, problems: []});
	});

	test('names the keys whose value is missing', async () => {
		const root = await createFilledRoot('one', 'two');
		const {blobs} = getNamespacePaths(root, 'one');
		for (const blob of readdirSync(blobs)) rmSync(join(blobs, blob));
		const report = await checkLocalData({root, signal: neverAborted});
		expect(report.lost.map(({namespace, key}) => [namespace, key])).toEqual([
			['one', 'a'],
			['one', 'b'],
		]);
	});

	test('reports a blob that no database names as an orphan after 24 hours', async () => {
		const root = await createFilledRoot('one');
		const oldFile = createLeftover(root, 'one', 25);
		createLeftover(root, 'one', 23);
		createLeftover(root, 'one', 99, 'not-a-blob.txt');
		const report = await checkLocalData({root, signal: neverAborted});
		expect(report.orphans).toEqual([
			{file: oldFile, folder: 'one', bytes: 9, modified: statSync(oldFile).mtimeMs},
		]);
		expect(report.young).toBe(1);
	});

	test('does not report a blob used by another id in the same folder as an orphan', async () => {
		const root = await createFilledRoot('a:b', 'a_b');
		const report = await checkLocalData({root, signal: neverAborted, now: () => Date.now() + 100 * hour});
		expect(readdirSync(getNamespacePaths(root, 'a:b').blobs)).toHaveLength(4);
		expect(report).toMatchObject({orphans: [], lost: []});
	});

	test('reports no orphans while a database cannot be read', async () => {
		const root = await createFilledRoot('one', 'two');
		createLeftover(root, 'two', 99);
		const {database} = getNamespacePaths(root, 'one');
		for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, {force: true});
		writeFileSync(database, 'x'.repeat(8192));
		const report = await checkLocalData({root, signal: neverAborted});
		expect(report.databases.find(({namespace}) => namespace === 'one')?.problems).toEqual([
			'file is not a database',
		]);
		expect(report.orphans).toEqual([]);
		expect(report.orphansUnknown).toContain(database);
	});

	test('stops on its abort signal', async () => {
		const root = await createFilledRoot('one');
		await expect(checkLocalData({root, signal: AbortSignal.abort()})).rejects.toMatchObject({
			code: 'interrupted',
		});
	});
});

describe('orphans', () => {
	test('are moved into a folder that is not a namespace, and can be restored', async () => {
		const root = await createFilledRoot('one', 'two');
		const files = [createLeftover(root, 'one', 25), createLeftover(root, 'two', 25)];
		const {orphans} = await checkLocalData({root, signal: neverAborted});
		const {folder, moved} = moveOrphansAside(root, orphans, Date.UTC(2026, 10, 21, 4, 5, 6));
		expect(moved).toBe(2);
		expect(folder).toBe(join(root, 'kv', '.ledge-orphans-20261121T040506Z'));
		expect(files.some(file => existsSync(file))).toBe(false);
		expect(existsSync(join(folder, 'one', basename(`${files[0]}`)))).toBe(true);
		expect((await checkLocalData({root, signal: neverAborted})).orphans).toEqual([]);
		expect(
			listLocalNamespaces(root)
				.map(({namespace}) => namespace)
				.sort(),
		).toEqual(['one', 'two']);
		renameSync(join(folder, 'one', basename(`${files[0]}`)), `${files[0]}`);
		const secondReport = await checkLocalData({root, signal: neverAborted});
		expect(moveOrphansAside(root, secondReport.orphans, Date.UTC(2026, 10, 21, 4, 5, 6)).folder).toBe(
			`${folder}-2`,
		);
	});

	test('are removed, and missing ones are skipped', async () => {
		const root = await createFilledRoot('one');
		const files = [createLeftover(root, 'one', 25), createLeftover(root, 'one', 25)];
		const {orphans} = await checkLocalData({root, signal: neverAborted});
		rmSync(`${files[0]}`);
		expect(removeOrphans(orphans)).toBe(1);
		expect(readdirSync(getNamespacePaths(root, 'one').blobs)).toHaveLength(2);
		expect(moveOrphansAside(root, orphans).moved).toBe(0);
		const store = openForTest({root, namespace: 'one'});
		expect(textOf(await store.get('a', neverAborted))).toBe('1');
	});
});

describe('the list of namespaces', () => {
	test('contains ids from folders and given ids, with their numbers of keys', async () => {
		const root = await createFilledRoot('plain', 'a:b');
		const listKeyCounts = (ids: string[], now = Date.now()) =>
			listLocalNamespaces(root, ids, now).map(({namespace, keys}) => ({namespace, keys}));
		expect(listKeyCounts(['a:b', 'not there'])).toContainEqual({namespace: 'a:b', keys: 2});
		expect(listKeyCounts([])).toContainEqual({namespace: 'plain', keys: 2});
		expect(listKeyCounts([])).toContainEqual({namespace: undefined, keys: 2});
		expect(listKeyCounts(['a:b'], Date.now() + hour)).toContainEqual({namespace: 'a:b', keys: 1});
	});

	test('omits the bookkeeping of the peer', async () => {
		const root = await createFilledRoot('plain');
		const {database} = getNamespacePaths(root, 'plain');
		writeFileSync(join(database, '..', 'metadata.sqlite'), '');
		mkdirSync(join(root, 'kv', 'no blobs'));
		expect(listLocalNamespaces(root)).toHaveLength(1);
		const store = openForTest({root, namespace: 'plain'});
		await store.put('c', bytes('3'), {}, neverAborted);
		expect(names(store.listEntries())).toHaveLength(3);
	});
});
