import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {type Failure, isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {bytes, names, neverAborted, openDatabase, openForTest, temporaryRoot, textOf} from './temporary.ts';

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
	const error = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!isFailure(error)) throw new Error(`no failure but ${error}`);
	return error;
};

describe('a database locked by another process', () => {
	async function lockedStore(patience: number) {
		const root = temporaryRoot();
		const store = openForTest({root, patience});
		await store.put('k', bytes('old'), {}, neverAborted);
		const paths = getNamespacePaths(root, 'N');
		const holder = openDatabase(paths.database);
		holder.exec('BEGIN IMMEDIATE');
		return {store, holder, place: paths};
	}

	test('is waited for and then reported, and leaves nothing of the write', async () => {
		const {store, holder, place: paths} = await lockedStore(300);
		const failure = await failureOf(store.put('k', bytes('new'), {}, neverAborted));
		expect(failure.code).toBe('local_store_busy');
		expect(failure.message).toContain(paths.database);
		expect(failure.details.why).toContain('dev server');
		expect(readdirSync(paths.blobs)).toHaveLength(1);
		expect(textOf(await store.get('k', neverAborted))).toBe('old');
		expect((await failureOf(store.deleteMany(['k'], neverAborted))).code).toBe('local_store_busy');
		holder.exec('ROLLBACK');
		await store.put('k', bytes('new'), {}, neverAborted);
		expect(textOf(await store.get('k', neverAborted))).toBe('new');
	});

	test('is written as soon as it is unlocked', async () => {
		const {store, holder} = await lockedStore(20_000);
		const writing = store.put('k', bytes('new'), {}, neverAborted);
		setImmediate(() => holder.exec('ROLLBACK'));
		await writing;
		expect(textOf(await store.get('k', neverAborted))).toBe('new');
	});

	test('is no longer waited for after an interrupt', async () => {
		const {store, holder, place: paths} = await lockedStore(60_000);
		const controller = new AbortController();
		const writing = failureOf(store.putMany([{key: 'k', value: 'new'}], controller.signal));
		controller.abort();
		expect((await writing).code).toBe('interrupted');
		expect(readdirSync(paths.blobs)).toHaveLength(1);
		holder.exec('ROLLBACK');
	});
});

describe('a damaged store', () => {
	test('is reported with advice', async () => {
		const root = temporaryRoot();
		const {database} = getNamespacePaths(root, 'N');
		mkdirSync(dirname(database), {recursive: true});
		writeFileSync(database, 'this is no database, but long enough to be taken for one'.repeat(100));
		const store = openForTest({root});
		for (const work of [
			store.get('k', neverAborted),
			store.list({}, neverAborted),
			store.deleteMany(['k'], neverAborted),
		]) {
			const failure = await failureOf(work);
			expect(failure.code).toBe('local_store_damaged');
			expect(failure.message).toContain(database);
			expect(failure.next).toContain('ledge kv local check');
		}
		expect((await failureOf(store.put('k', bytes('v'), {}, neverAborted))).code).toBe('local_store_damaged');
		expect(() => [...store.listEntries()]).toThrow('cannot be read');
	});

	test('with metadata that is not JSON names the key', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {metadata: {a: 1}}, neverAborted);
		const database = openDatabase(getNamespacePaths(root, 'N').database);
		database.exec("UPDATE _mf_entries SET metadata = '{broken'");
		expect((await failureOf(store.list({}, neverAborted))).details.why).toContain('"k"');
		expect((await failureOf(store.metadata('k', neverAborted))).code).toBe('local_store_damaged');
		expect((await failureOf(store.get('k', neverAborted))).code).toBe('local_store_damaged');
		expect(names(store.listEntries())).toEqual(['k']);
	});

	test('with a table of other columns is reported as damaged, not read as empty', async () => {
		const root = temporaryRoot();
		const {database: file} = getNamespacePaths(root, 'N');
		mkdirSync(dirname(file), {recursive: true});
		const database = openDatabase(file);
		database.exec('CREATE TABLE _mf_entries (other)');
		expect((await failureOf(openForTest({root}).get('k', neverAborted))).code).toBe('local_store_damaged');
	});
});

describe('a file system error', () => {
	test('because a file blocks a folder is reported, and nothing is half-written', async () => {
		const root = temporaryRoot();
		mkdirSync(join(root, 'kv'), {recursive: true});
		writeFileSync(join(root, 'kv', 'N'), 'in the way');
		const failure = await failureOf(openForTest({root}).put('k', bytes('v'), {}, neverAborted));
		expect(failure.code).toBe('file_failed');
		expect(failure.message).toContain(join(root, 'kv', 'N'));
		expect(names(openForTest({root}).listEntries())).toEqual([]);
	});

	test('because the database cannot be created removes the blob again', async () => {
		const root = temporaryRoot();
		const paths = getNamespacePaths(root, 'N');
		mkdirSync(dirname(dirname(paths.database)), {recursive: true});
		writeFileSync(dirname(paths.database), 'in the way');
		const failure = await failureOf(openForTest({root}).put('k', bytes('v'), {}, neverAborted));
		expect(failure.code).toBe('file_failed');
		expect(readdirSync(paths.blobs)).toEqual([]);
	});

	test('because the id is longer than a file name is reported', async () => {
		const failure = await failureOf(
			openForTest({namespace: 'я'.repeat(200)}).put('k', bytes('v'), {}, neverAborted),
		);
		expect(failure.code).toBe('file_failed');
		expect(failure.next).toContain('shorter');
	});
});

test('a batch that fails halfway keeps the old values, and leaves no new blob', async () => {
	const root = temporaryRoot();
	const paths = getNamespacePaths(root, 'N');
	const store = openForTest({root});
	await store.put('k', bytes('old'), {}, neverAborted);
	const connection = openDatabase(paths.database);
	connection.exec(`CREATE TRIGGER refusing BEFORE INSERT ON _mf_entries WHEN NEW.key = 'last'
		BEGIN SELECT RAISE(ABORT, 'refused'); END`);
	const entries = ['k', 'other', 'last'].map(key => ({key, value: 'new'}));
	expect((await failureOf(store.putMany(entries, neverAborted))).details.why).toBe('refused');
	expect(textOf(await store.get('k', neverAborted))).toBe('old');
	expect(names(store.listEntries())).toEqual(['k']);
	expect(readdirSync(paths.blobs)).toHaveLength(1);
});

describe('a read-only folder', () => {
	const nobody = 65_534;
	const isRoot = process.geteuid?.() === 0;
	afterEach(() => {
		if (isRoot) process.seteuid?.(0);
	});

	/** Makes everything under a folder read-only, and drops the rights of root, who could write. */
	function makeReadOnly(folder: string): void {
		for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true}))
			chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
		chmodSync(folder, 0o555);
		chmodSync(dirname(folder), 0o555);
		if (isRoot) process.seteuid?.(nobody);
	}

	function makeWritable(folder: string): void {
		if (isRoot) process.seteuid?.(0);
		chmodSync(dirname(folder), 0o755);
		chmodSync(folder, 0o755);
		for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true}))
			chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
	}

	async function createFilledRoot(): Promise<string> {
		const storeRoot = temporaryRoot();
		using store = openLocalStore({root: storeRoot, namespace: 'N'});
		await store.put('k', bytes('v'), {}, neverAborted);
		return storeRoot;
	}

	test('is read, and a write is refused with the reason', async () => {
		const storeRoot = await createFilledRoot();
		makeReadOnly(storeRoot);
		try {
			using store = openLocalStore({root: storeRoot, namespace: 'N'});
			expect(textOf(await store.get('k', neverAborted))).toBe('v');
			expect(names(store.listEntries())).toEqual(['k']);
			const failure = await failureOf(store.put('k', bytes('new'), {}, neverAborted));
			expect(failure.code).toBe('file_failed');
			expect(failure.next).toContain('they are writable');
			expect((await failureOf(store.delete('k', neverAborted))).code).toBe('file_failed');
		} finally {
			makeWritable(storeRoot);
		}
		expect(readdirSync(getNamespacePaths(storeRoot, 'N').blobs)).toHaveLength(1);
	});

	test('is read if the newest entries are only in the log', async () => {
		const storeRoot = temporaryRoot();
		const {database} = getNamespacePaths(storeRoot, 'N');
		const store = openForTest({root: storeRoot});
		await store.put('k', bytes('v'), {}, neverAborted);
		const log = readFileSync(`${database}-wal`);
		const main = readFileSync(database);
		expect(log.length).toBeGreaterThan(0);
		store[Symbol.dispose]();
		writeFileSync(database, main);
		writeFileSync(`${database}-wal`, log);
		makeReadOnly(storeRoot);
		try {
			using reopenedStore = openLocalStore({root: storeRoot, namespace: 'N'});
			expect(textOf(await reopenedStore.get('k', neverAborted))).toBe('v');
		} finally {
			makeWritable(storeRoot);
		}
		expect(existsSync(`${database}-shm`)).toBe(false);
		expect(statSync(`${database}-wal`).size).toBe(log.length);
	});

	test('is read while a process with write permission has it open', async () => {
		const storeRoot = temporaryRoot();
		const writer = openForTest({root: storeRoot});
		await writer.put('k', bytes('v'), {}, neverAborted);
		makeReadOnly(storeRoot);
		try {
			using store = openLocalStore({root: storeRoot, namespace: 'N'});
			expect(textOf(await store.get('k', neverAborted))).toBe('v');
		} finally {
			makeWritable(storeRoot);
		}
	});
});
