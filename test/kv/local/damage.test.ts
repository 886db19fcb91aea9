import {execFileSync} from 'node:child_process';
import fs, {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {toFailure} from '../../../source/failure.ts';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {getAllValues} from '../../../source/kv/bulk/get-job.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {checkLocalData} from '../../../source/kv/local/check.ts';
import {listLocalNamespaces} from '../../../source/kv/local/namespaces.ts';
import {createBlobId, getNamespacePaths} from '../../../source/kv/local/naming.ts';
import type {LocalStore} from '../../../source/kv/local/store.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {compareStores} from '../../../source/kv/transfer/difference.ts';
import {startExport} from '../../../source/kv/transfer/export-job.ts';
import {searchStore} from '../../../source/kv/transfer/search.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';
import {bytes, neverAborted, openForTest, temporaryRoot, textOf} from './temporary.ts';

/** Where a namespace is stored. It has the keys `a`, `m` and `z`, of which tests damage `m`. */
type NamespaceLocation = {
	readonly root: string;
	readonly database: string;
	readonly blobs: string;
	/** The file of the value of `m`. */
	readonly blob: string;
	/** A folder outside the local data, with a file of the value's name that must not be read. */
	readonly outside: string;
};

async function createFilledNamespace(): Promise<NamespaceLocation> {
	const root = temporaryRoot();
	const store = openForTest({root});
	await store.put('m', bytes('middle'), {metadata: {a: 1}}, neverAborted);
	const {database, blobs} = getNamespacePaths(root, 'N');
	const [name = ''] = readdirSync(blobs);
	await store.put('a', bytes('first'), {}, neverAborted);
	await store.put('z', bytes('last'), {}, neverAborted);
	store[Symbol.dispose]();
	const outside = join(dirname(root), 'outside');
	mkdirSync(outside);
	writeFileSync(join(outside, name), 'SECRET');
	return {root, database, blobs, blob: join(blobs, name), outside};
}

/** Returns a damage that runs SQL on the database, bypassing the store. */
function runSql(sql: string): (place: NamespaceLocation) => void {
	return ({database}) => {
		const connection = new DatabaseSync(database);
		connection.exec(sql);
		connection.close();
	};
}

/** Replaces a file or folder by a link to it. */
function replaceByLink(path: string): void {
	renameSync(path, `${path}-moved`);
	symlinkSync(`${path}-moved`, path);
}

/** Returns a damage that makes a call of the file system fail for a path, as a bad disk does. */
function failCall(call: 'openSync' | 'fstatSync' | 'readFileSync' | 'lstatSync', code: string) {
	return (path: string): void => {
		const real = fs[call] as (...given: unknown[]) => unknown;
		let opened: unknown;
		const open = fs.openSync;
		fs.openSync = ((...args: Parameters<typeof open>) => {
			const descriptor = open(...args);
			if (args[0] === path) opened = descriptor;
			return descriptor;
		}) as typeof open;
		const originalCall = call === 'openSync' ? fs.openSync : real;
		(fs as unknown as Record<string, unknown>)[call] = (...args: unknown[]) => {
			if (args[0] === path || (opened !== undefined && args[0] === opened))
				throw Object.assign(new Error(`${code}: i/o error`), {code, syscall: call});
			return (originalCall as (...given: unknown[]) => unknown)(...args);
		};
		syncBuiltinESMExports();
		onTestFinished(() => {
			fs.openSync = open;
			(fs as unknown as Record<string, unknown>)[call] = call === 'openSync' ? open : real;
			syncBuiltinESMExports();
		});
	};
}

type StoppedReads = 'values' | 'rows' | 'lists';

/**
 * The kinds of damage, and which reads they stop: `values` all that read values, `rows` also listings, and
 * `lists` only those that list keys (single values can be read).
 */
const damages: readonly (readonly [
	string,
	(place: NamespaceLocation) => void,
	{readonly stops: StoppedReads; readonly why: RegExp; readonly code?: string},
])[] = [
	['a value whose file does not exist', ({blob}) => rmSync(blob), {stops: 'values', why: /does not exist/}],
	[
		'values without their folder',
		({blobs}) => rmSync(blobs, {recursive: true}),
		{stops: 'values', why: /does not exist/},
	],
	[
		'a value that is a link to a file outside',
		({blob, outside}) => {
			rmSync(blob);
			// The name of a blob has 80 characters.
			symlinkSync(join(outside, blob.slice(-80)), blob);
		},
		{stops: 'values', why: /is a symbolic link/},
	],
	[
		'a value that is a link to itself',
		({blob}) => replaceByLink(blob),
		{stops: 'values', why: /is a symbolic link/},
	],
	[
		'a value that is a pipe',
		({blob}) => {
			rmSync(blob);
			execFileSync('mkfifo', [blob]);
		},
		{stops: 'values', why: /is not a regular file/},
	],
	[
		'a value that is a folder',
		({blob}) => {
			rmSync(blob);
			mkdirSync(blob);
		},
		{stops: 'values', why: /is not a regular file/},
	],
	[
		'a value outside the folder',
		runSql("UPDATE _mf_entries SET blob_id = '../../../../outside/x' WHERE key = 'm'"),
		{stops: 'values', why: /is not a file of the namespace/},
	],
	[
		'a value that the disk does not return',
		({blob}) => failCall('readFileSync', 'EIO')(blob),
		{stops: 'values', why: /EIO/, code: 'file_failed'},
	],
	[
		'a value that may not be opened',
		({blob}) => failCall('openSync', 'EACCES')(blob),
		{stops: 'values', why: /EACCES/, code: 'file_failed'},
	],
	[
		'a file in the place of the folder of the values',
		({blobs}) => {
			rmSync(blobs, {recursive: true});
			writeFileSync(blobs, '');
		},
		{stops: 'values', why: /ENOTDIR/, code: 'file_failed'},
	],
	[
		'a folder of values that is a link',
		({blobs}) => replaceByLink(blobs),
		{stops: 'values', why: /symbolic link/},
	],
	[
		'a namespace that is a link',
		({blobs}) => replaceByLink(dirname(blobs)),
		{stops: 'values', why: /symbolic link/},
	],
	[
		'a folder of stores that is a link',
		({root}) => replaceByLink(join(root, 'kv')),
		{stops: 'rows', why: /symbolic link/},
	],
	[
		'a folder of databases that is a link',
		({database}) => replaceByLink(dirname(database)),
		{stops: 'rows', why: /symbolic link/},
	],
	[
		'a database that is a link',
		({database}) => replaceByLink(database),
		{stops: 'rows', why: /not a regular file/},
	],
	[
		'a database that is a pipe',
		({database}) => {
			rmSync(database);
			execFileSync('mkfifo', [database]);
		},
		{stops: 'rows', why: /not a regular file/},
	],
	[
		'a log that is a pipe',
		({database}) => {
			execFileSync('mkfifo', [`${database}-wal`]);
		},
		{stops: 'rows', why: /not a regular file/},
	],
	[
		'a database that may not be looked at',
		({database}) => failCall('lstatSync', 'EACCES')(database),
		{stops: 'rows', why: /EACCES/, code: 'file_failed'},
	],
	[
		'a file in the place of all local data',
		({root}) => {
			rmSync(root, {recursive: true});
			writeFileSync(root, '');
		},
		{stops: 'rows', why: /ENOTDIR/, code: 'file_failed'},
	],
	[
		'a file in the place of the databases',
		({database}) => {
			rmSync(dirname(database), {recursive: true});
			writeFileSync(dirname(database), '');
		},
		{stops: 'rows', why: /ENOTDIR/, code: 'file_failed'},
	],
	[
		'an expiration that is a text',
		runSql("UPDATE _mf_entries SET expiration = 'soon' WHERE key = 'm'"),
		{stops: 'rows', why: /expiration of the key "m" is not a number/},
	],
	[
		'an expiration without an end',
		runSql("UPDATE _mf_entries SET expiration = 9e999 WHERE key = 'm'"),
		{stops: 'rows', why: /expiration of the key "m" is not a number/},
	],
	[
		'metadata that is not JSON',
		runSql("UPDATE _mf_entries SET metadata = '{' WHERE key = 'm'"),
		{stops: 'rows', why: /metadata of the key "m" cannot be read as JSON/},
	],
	[
		'a key that is not valid UTF-8, between others',
		runSql("INSERT INTO _mf_entries VALUES (CAST(x'6dff' AS TEXT), 'x', NULL, NULL)"),
		{stops: 'lists', why: /key "m\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not valid UTF-8, behind all others',
		runSql("INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', NULL, NULL)"),
		{stops: 'lists', why: /key "\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not valid UTF-8, beside one that it looks like',
		runSql(
			"INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', NULL, NULL), (CAST(x'efbfbd' AS TEXT), 'y', NULL, NULL)",
		),
		{stops: 'lists', why: /key "\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not text',
		runSql("INSERT INTO _mf_entries VALUES (x'6dff', 'x', NULL, NULL)"),
		{stops: 'lists', why: /BLOB/},
	],
];

const collect = async <Thing>(things: AsyncIterable<Thing> | Iterable<Thing>): Promise<Thing[]> =>
	Array.fromAsync(things as AsyncIterable<Thing>);

/** Each way of reading the store, and what it needs of it. */
const readers: Record<
	string,
	{needs: 'values' | 'one value' | 'rows'; read: (store: LocalStore, space: Workspace) => Promise<unknown>}
> = {
	get: {needs: 'one value', read: store => store.get('m', neverAborted)},
	'get of many': {needs: 'one value', read: store => store.getMany(['a', 'm', 'z'], neverAborted)},
	'bulk get': {
		needs: 'one value',
		async read(store, space) {
			const path = space.writeFile('names.json', '["a","m"]');
			const input = await openInput(path, {environment: {}, stdin: streamOf(''), signal: neverAborted});
			const checked = await checkInput(input, keysFormat, {now: 0, signal: neverAborted});
			return collect(getAllValues(store, checked, {signal: neverAborted}));
		},
	},
	list: {needs: 'rows', read: store => store.list({}, neverAborted)},
	'list in pages of one': {
		needs: 'rows',
		async read(store) {
			for (let cursor: string | undefined, page = 0; page < 10; page++) {
				const found = await store.list({limit: 1, ...(cursor && {cursor})}, neverAborted);
				({cursor} = found);
				if (cursor === undefined) return;
			}
			throw new TypeError('It does not end.');
		},
	},
	'all entries': {needs: 'rows', read: async store => [...store.listEntries({metadata: true})]},
	export: {
		needs: 'values',
		async read(store, space) {
			const path = space.path('all.ndjson');
			const options = {path, over: false};
			const recorded = {title: 'export', target: {place: 'simulated' as const}, options};
			const job = startExport(store, options, {
				signal: neverAborted,
				environment: space.environment,
				recorded,
			});
			try {
				return await job.finished;
			} finally {
				// An incomplete export never has the final name.
				expect(existsSync(path)).toBe(false);
			}
		},
	},
	copy: {
		needs: 'values',
		read(store, space) {
			const copy = {from: {place: 'simulated' as const}, onlyMissing: false, failed: space.path('failed')};
			const recorded = {title: 'copy', target: {place: 'simulated' as const}, options: copy};
			const options = {signal: neverAborted, environment: space.environment, recorded, wait: async () => {}};
			return startCopy(store, new MemoryStore(), copy, options).finished;
		},
	},
	diff: {
		needs: 'values',
		read(store) {
			const other = new MemoryStore();
			for (const key of ['a', 'm', 'z']) other.stored.set(key, {bytes: bytes('other')});
			return collect(compareStores(store, other, {}, neverAborted));
		},
	},
	'diff from the other side': {
		needs: 'values',
		read(store) {
			const other = new MemoryStore();
			for (const key of ['a', 'm', 'z']) other.stored.set(key, {bytes: bytes('other')});
			return collect(compareStores(other, store, {}, neverAborted));
		},
	},
	search: {
		needs: 'values',
		read: store =>
			collect(
				searchStore(
					store,
					{pattern: 'x', isRegex: false, ignoresCase: false, within: 'values'},
					neverAborted,
				),
			),
	},
};

const isStopped = (stops: StoppedReads, needs: (typeof readers)[string]['needs']): boolean =>
	stops === 'rows' || (stops === 'values' ? needs !== 'rows' : needs !== 'one value');

/** Returns what the work fails with, or undefined. */
const failureOf = (work: () => Promise<unknown>): Promise<ReturnType<typeof toFailure> | undefined> =>
	work().then(
		() => undefined,
		(error: unknown) => toFailure(error),
	);

describe.each(damages)('%s', (_what, spoil, {stops, why, code = 'local_store_damaged'}) => {
	test.each(
		Object.entries(readers).filter(([, {needs}]) => isStopped(stops, needs)),
	)('is reported by %s', async (_way, {read}) => {
		using space = makeWorkspace();
		const location = await createFilledNamespace();
		spoil(location);
		const failure = await failureOf(async () => read(openForTest({root: location.root}), space));
		expect(failure).toMatchObject({code, details: {why: expect.stringMatching(why)}});
		expect(JSON.stringify([failure?.message, failure?.details])).not.toContain('SECRET');
	});
});

describe('damaged values', () => {
	test.each(
		damages.filter(([, , {stops}]) => stops !== 'rows'),
	)('%s: a check completes and reports it', async (what, spoil, {stops}) => {
		const location = await createFilledNamespace();
		spoil(location);
		const {databases, lost} = await checkLocalData({
			root: location.root,
			ids: ['N'],
			signal: neverAborted,
			now: () => Date.now() + 1e9,
		});
		// A check does not read the files of values, so it cannot tell that one is unreadable.
		if (/disk|may not/.test(what)) return;
		const problems = databases.flatMap(database => database.problems);
		expect(stops === 'lists' ? problems : lost).not.toEqual([]);
	});

	test('leave the others readable, and can be deleted or written again', async () => {
		const location = await createFilledNamespace();
		rmSync(location.blob);
		const store = openForTest({root: location.root});
		expect(textOf(await store.get('a', neverAborted))).toBe('first');
		const {lost} = await checkLocalData({root: location.root, ids: ['N'], signal: neverAborted});
		expect(lost).toMatchObject([{key: 'm'}]);
		await store.put('m', bytes('again'), {}, neverAborted);
		expect(textOf(await store.get('m', neverAborted))).toBe('again');
		rmSync(join(location.blobs, readdirSync(location.blobs).at(-1) ?? ''));
		await store.deleteMany(['a', 'm', 'z'], neverAborted);
		expect((await store.list({}, neverAborted)).entries).toEqual([]);
	});

	test('are not reported for a value that is overwritten or deleted while being read', async () => {
		const location = await createFilledNamespace();
		const reader = openForTest({root: location.root});
		const writer = openForTest({root: location.root});
		const real = fs.openSync;
		const changesBetween: (() => void)[] = [];
		fs.openSync = ((...args: Parameters<typeof real>) => {
			if (args[0] === location.blob) changesBetween.shift()?.();
			return real(...args);
		}) as typeof real;
		syncBuiltinESMExports();
		onTestFinished(() => {
			fs.openSync = real;
			syncBuiltinESMExports();
		});
		const connection = new DatabaseSync(location.database);
		onTestFinished(() => connection.close());
		const blobId = createBlobId(0);
		writeFileSync(join(location.blobs, blobId), 'overwritten');
		changesBetween.push(() => {
			connection.exec(`UPDATE _mf_entries SET blob_id = '${blobId}' WHERE key = 'm'`);
			rmSync(location.blob);
		});
		expect(textOf(await reader.get('m', neverAborted))).toBe('overwritten');
		connection.exec(`UPDATE _mf_entries SET blob_id = '${location.blob.slice(-80)}' WHERE key = 'm'`);
		changesBetween.push(() => connection.exec("DELETE FROM _mf_entries WHERE key = 'm'"));
		expect(await reader.get('m', neverAborted)).toBeUndefined();
		await writer.put('m', bytes('new'), {}, neverAborted);
		expect(textOf(await reader.get('m', neverAborted))).toBe('new');
	});
});

describe('a key that is not valid UTF-8', () => {
	test('is counted and named by a check, and orphans are still found', async () => {
		const location = await createFilledNamespace();
		runSql(
			"INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', 'soon', '{'), (x'00', 'y', NULL, NULL)",
		)(location);
		const orphan = join(location.blobs, createBlobId(0));
		writeFileSync(orphan, '');
		const report = await checkLocalData({
			root: location.root,
			ids: ['N'],
			signal: neverAborted,
			now: () => Date.now() + 1e9,
		});
		expect(report.databases).toMatchObject([
			{
				keys: 5,
				problems: [
					'the key "\ufffd" is not valid UTF-8',
					'the key "\ufffd" has an expiration that is not a number',
					'the key "\ufffd" has metadata that is not JSON',
					'the key "\\u0000" is not text',
				],
			},
		]);
		expect(report.lost.map(({blob}) => blob)).toEqual(['x', 'y']);
		expect(report.orphans.map(({file}) => file)).toEqual([orphan]);
	});

	test('is named up to a limit and counted if there are many', async () => {
		const location = await createFilledNamespace();
		runSql(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
			INSERT INTO _mf_entries SELECT CAST(x'ff' || i AS TEXT), 'x', NULL, NULL FROM n`)(location);
		const {databases} = await checkLocalData({root: location.root, ids: ['N'], signal: neverAborted});
		expect(databases[0]?.keys).toBe(2503);
		expect(databases[0]?.problems).toHaveLength(101);
		expect(databases[0]?.problems.at(-1)).toBe('and 2400 more');
	});

	test('does not hide a key that contains a replacement character', async () => {
		const location = await createFilledNamespace();
		const store = openForTest({root: location.root});
		await store.put('\ufffd', bytes('fine'), {}, neverAborted);
		await store.put('m\ufffdz', bytes('fine'), {}, neverAborted);
		expect((await store.list({}, neverAborted)).entries.map(({name}) => name)).toEqual([
			'a',
			'm',
			'm\ufffdz',
			'z',
			'\ufffd',
		]);
		expect(await store.list({prefix: '\ufffd'}, neverAborted)).toMatchObject({entries: [{name: '\ufffd'}]});
	});
});

describe('as a user without permissions', () => {
	const nobody = 65_534;

	test.runIf(process.geteuid?.() === 0).each(['root', 'kv', 'databases', 'values'] as const)(
		'the folder of %s that may not be entered is reported, not treated as empty',
		async folderKind => {
			const location = await createFilledNamespace();
			const folder = {
				root: location.root,
				kv: join(location.root, 'kv'),
				databases: dirname(location.database),
				values: location.blobs,
			}[folderKind];
			chmodSync(dirname(location.root), 0o755);
			chmodSync(folder, 0o000);
			process.seteuid?.(nobody);
			try {
				const store = openForTest({root: location.root});
				const expected = {code: 'file_failed', details: {why: expect.stringContaining('EACCES')}};
				expect(await failureOf(() => store.get('m', neverAborted))).toMatchObject(expected);
				if (folderKind === 'values') return;
				expect(await failureOf(() => store.list({}, neverAborted))).toMatchObject(expected);
				expect(await failureOf(async () => [...store.listEntries()])).toMatchObject(expected);
				expect(await failureOf(() => store.deleteMany(['m'], neverAborted))).toMatchObject(expected);
				expect(await failureOf(async () => listLocalNamespaces(location.root, ['N']))).toMatchObject(
					expected,
				);
				expect(
					await failureOf(() => checkLocalData({root: location.root, ids: ['N'], signal: neverAborted})),
				).toMatchObject(expected);
			} finally {
				process.seteuid?.(0);
				chmodSync(folder, 0o755);
			}
		},
	);
});
