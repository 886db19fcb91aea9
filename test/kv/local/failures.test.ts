import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {type Failure, isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {bytes, names, never, openDatabase, openForTest, temporaryRoot, textOf} from './temporary.ts';

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
		await store.put('k', bytes('old'), {}, never);
		const place = getNamespacePaths(root, 'N');
		const holder = openDatabase(place.database);
		holder.exec('BEGIN IMMEDIATE');
		return {store, holder, place};
	}

	test('is waited for, and then named, and nothing of the write remains', async () => {
		const {store, holder, place} = await lockedStore(300);
		const failure = await failureOf(store.put('k', bytes('new'), {}, never));
		expect(failure.code).toBe('local_store_busy');
		expect(failure.message).toContain(place.database);
		expect(failure.details.why).toContain('dev server');
		expect(readdirSync(place.blobs)).toHaveLength(1);
		expect(textOf(await store.get('k', never))).toBe('old');
		expect((await failureOf(store.deleteMany(['k'], never))).code).toBe('local_store_busy');
		holder.exec('ROLLBACK');
		await store.put('k', bytes('new'), {}, never);
		expect(textOf(await store.get('k', never))).toBe('new');
	});

	test('is written as soon as it is unlocked', async () => {
		const {store, holder} = await lockedStore(20_000);
		const writing = store.put('k', bytes('new'), {}, never);
		setImmediate(() => holder.exec('ROLLBACK'));
		await writing;
		expect(textOf(await store.get('k', never))).toBe('new');
	});

	test('is no longer waited for after an interrupt', async () => {
		const {store, holder, place} = await lockedStore(60_000);
		const controller = new AbortController();
		const writing = failureOf(store.putMany([{key: 'k', value: 'new'}], controller.signal));
		controller.abort();
		expect((await writing).code).toBe('interrupted');
		expect(readdirSync(place.blobs)).toHaveLength(1);
		holder.exec('ROLLBACK');
	});
});

describe('a damaged store', () => {
	test('is named, with advice', async () => {
		const root = temporaryRoot();
		const {database} = getNamespacePaths(root, 'N');
		mkdirSync(dirname(database), {recursive: true});
		writeFileSync(database, 'this is no database, but long enough to be taken for one'.repeat(100));
		const store = openForTest({root});
		for (const work of [store.get('k', never), store.list({}, never), store.deleteMany(['k'], never)]) {
			const failure = await failureOf(work);
			expect(failure.code).toBe('local_store_damaged');
			expect(failure.message).toContain(database);
			expect(failure.next).toContain('ledge kv local check');
		}
		expect((await failureOf(store.put('k', bytes('v'), {}, never))).code).toBe('local_store_damaged');
		expect(() => [...store.listEntries()]).toThrow('cannot be read');
	});

	test('with metadata that is not JSON names the key', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {metadata: {a: 1}}, never);
		const database = openDatabase(getNamespacePaths(root, 'N').database);
		database.exec("UPDATE _mf_entries SET metadata = '{broken'");
		expect((await failureOf(store.list({}, never))).details.why).toContain('"k"');
		expect((await failureOf(store.metadata('k', never))).code).toBe('local_store_damaged');
		expect((await failureOf(store.get('k', never))).code).toBe('local_store_damaged');
		expect(names(store.listEntries())).toEqual(['k']);
	});

	test('with a table of other columns is damaged, not empty', async () => {
		const root = temporaryRoot();
		const {database: file} = getNamespacePaths(root, 'N');
		mkdirSync(dirname(file), {recursive: true});
		const database = openDatabase(file);
		database.exec('CREATE TABLE _mf_entries (other)');
		expect((await failureOf(openForTest({root}).get('k', never))).code).toBe('local_store_damaged');
	});
});

describe('a file system error', () => {
	test('because a file blocks a folder is reported, and nothing is half-written', async () => {
		const root = temporaryRoot();
		mkdirSync(join(root, 'kv'), {recursive: true});
		writeFileSync(join(root, 'kv', 'N'), 'in the way');
		const failure = await failureOf(openForTest({root}).put('k', bytes('v'), {}, never));
		expect(failure.code).toBe('file_failed');
		expect(failure.message).toContain(join(root, 'kv', 'N'));
		expect(names(openForTest({root}).listEntries())).toEqual([]);
	});

	test('because the database cannot be created removes the blob again', async () => {
		const root = temporaryRoot();
		const place = getNamespacePaths(root, 'N');
		mkdirSync(dirname(dirname(place.database)), {recursive: true});
		writeFileSync(dirname(place.database), 'in the way');
		const failure = await failureOf(openForTest({root}).put('k', bytes('v'), {}, never));
		expect(failure.code).toBe('file_failed');
		expect(readdirSync(place.blobs)).toEqual([]);
	});

	test('because the id is longer than a file name is reported', async () => {
		const failure = await failureOf(
			openForTest({namespace: 'я'.repeat(200)}).put('k', bytes('v'), {}, never),
		);
		expect(failure.code).toBe('file_failed');
		expect(failure.next).toContain('shorter');
	});
});

test('a batch that fails halfway keeps the old values, and leaves no new blob', async () => {
	const root = temporaryRoot();
	const place = getNamespacePaths(root, 'N');
	const store = openForTest({root});
	await store.put('k', bytes('old'), {}, never);
	const other = openDatabase(place.database);
	other.exec(`CREATE TRIGGER refusing BEFORE INSERT ON _mf_entries WHEN NEW.key = 'last'
		BEGIN SELECT RAISE(ABORT, 'refused'); END`);
	const entries = ['k', 'other', 'last'].map(key => ({key, value: 'new'}));
	expect((await failureOf(store.putMany(entries, never))).details.why).toBe('refused');
	expect(textOf(await store.get('k', never))).toBe('old');
	expect(names(store.listEntries())).toEqual(['k']);
	expect(readdirSync(place.blobs)).toHaveLength(1);
});

describe('a read-only folder', () => {
	const nobody = 65_534;
	const root = process.geteuid?.() === 0;
	afterEach(() => {
		if (root) process.seteuid?.(0);
	});

	/** Makes everything under a folder readable and nothing writable, for whoever runs this from now on. */
	function takeAway(folder: string): void {
		for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true}))
			chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
		chmodSync(folder, 0o555);
		chmodSync(dirname(folder), 0o555);
		if (root) process.seteuid?.(nobody);
	}

	function giveBack(folder: string): void {
		if (root) process.seteuid?.(0);
		chmodSync(dirname(folder), 0o755);
		chmodSync(folder, 0o755);
		for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true}))
			chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
	}

	async function filled(): Promise<string> {
		const place = temporaryRoot();
		using store = openLocalStore({root: place, namespace: 'N'});
		await store.put('k', bytes('v'), {}, never);
		return place;
	}

	test('is read, and a write is refused with the reason', async () => {
		const place = await filled();
		takeAway(place);
		try {
			using store = openLocalStore({root: place, namespace: 'N'});
			expect(textOf(await store.get('k', never))).toBe('v');
			expect(names(store.listEntries())).toEqual(['k']);
			const failure = await failureOf(store.put('k', bytes('new'), {}, never));
			expect(failure.code).toBe('file_failed');
			expect(failure.next).toContain('they are writable');
			expect((await failureOf(store.delete('k', never))).code).toBe('file_failed');
		} finally {
			giveBack(place);
		}
		expect(readdirSync(getNamespacePaths(place, 'N').blobs)).toHaveLength(1);
	});

	test('is read if the newest entries are only in the log', async () => {
		const place = temporaryRoot();
		const {database} = getNamespacePaths(place, 'N');
		const store = openForTest({root: place});
		await store.put('k', bytes('v'), {}, never);
		const log = readFileSync(`${database}-wal`);
		const main = readFileSync(database);
		expect(log.length).toBeGreaterThan(0);
		store[Symbol.dispose]();
		writeFileSync(database, main);
		writeFileSync(`${database}-wal`, log);
		takeAway(place);
		try {
			using again = openLocalStore({root: place, namespace: 'N'});
			expect(textOf(await again.get('k', never))).toBe('v');
		} finally {
			giveBack(place);
		}
		expect(existsSync(`${database}-shm`)).toBe(false);
		expect(statSync(`${database}-wal`).size).toBe(log.length);
	});

	test('is read while a process with write permission has it open', async () => {
		const place = temporaryRoot();
		const writer = openForTest({root: place});
		await writer.put('k', bytes('v'), {}, never);
		takeAway(place);
		try {
			using store = openLocalStore({root: place, namespace: 'N'});
			expect(textOf(await store.get('k', never))).toBe('v');
		} finally {
			giveBack(place);
		}
	});
});
