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
import {bytes, never, openForTest, temporaryRoot, textOf} from './temporary.ts';

/** Where a namespace is, with its three keys, the one in the middle to be damaged. */
type Spoilt = {
	readonly root: string;
	readonly database: string;
	readonly blobs: string;
	/** The file of the value of `m`. */
	readonly blob: string;
	/** A folder outside the local data, with a file of the value's name that must not be read. */
	readonly outside: string;
};

async function filled(): Promise<Spoilt> {
	const root = temporaryRoot();
	const store = openForTest({root});
	await store.put('m', bytes('middle'), {metadata: {a: 1}}, never);
	const {database, blobs} = getNamespacePaths(root, 'N');
	const [name = ''] = readdirSync(blobs);
	await store.put('a', bytes('first'), {}, never);
	await store.put('z', bytes('last'), {}, never);
	store[Symbol.dispose]();
	const outside = join(dirname(root), 'outside');
	mkdirSync(outside);
	writeFileSync(join(outside, name), 'SECRET');
	return {root, database, blobs, blob: join(blobs, name), outside};
}

/** Changes rows behind the back of the store. */
function rows(sql: string): (place: Spoilt) => void {
	return ({database}) => {
		const connection = new DatabaseSync(database);
		connection.exec(sql);
		connection.close();
	};
}

/** Moves a file or folder away, and puts a link to it in its place. */
function linked(path: string): void {
	renameSync(path, `${path}-moved`);
	symlinkSync(`${path}-moved`, path);
}

/** Makes one call of the file system fail for a path, as a bad disk does. */
function failing(call: 'openSync' | 'fstatSync' | 'readFileSync' | 'lstatSync', code: string) {
	return (path: string): void => {
		const real = fs[call] as (...given: unknown[]) => unknown;
		let opened: unknown;
		const open = fs.openSync;
		fs.openSync = ((...given: Parameters<typeof open>) => {
			const descriptor = open(...given);
			if (given[0] === path) opened = descriptor;
			return descriptor;
		}) as typeof open;
		const through = call === 'openSync' ? fs.openSync : real;
		(fs as unknown as Record<string, unknown>)[call] = (...given: unknown[]) => {
			if (given[0] === path || (opened !== undefined && given[0] === opened))
				throw Object.assign(new Error(`${code}: i/o error`), {code, syscall: call});
			return (through as (...given: unknown[]) => unknown)(...given);
		};
		syncBuiltinESMExports();
		onTestFinished(() => {
			fs.openSync = open;
			(fs as unknown as Record<string, unknown>)[call] = call === 'openSync' ? open : real;
			syncBuiltinESMExports();
		});
	};
}

type Ways = 'values' | 'rows' | 'lists';

/**
 * What can be wrong, and which ways of reading cannot work then: `values` those that read values, `rows` also a
 * listing, `lists` a listing alone (the values of other keys can be read).
 */
const damages: readonly (readonly [
	string,
	(place: Spoilt) => void,
	{readonly stops: Ways; readonly why: RegExp; readonly code?: string},
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
			symlinkSync(join(outside, blob.slice(-80)), blob);
		},
		{stops: 'values', why: /is a symbolic link/},
	],
	[
		'a value that is a link to itself',
		({blob}) => linked(blob),
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
		rows("UPDATE _mf_entries SET blob_id = '../../../../outside/x' WHERE key = 'm'"),
		{stops: 'values', why: /is not a file of the namespace/},
	],
	[
		'a value that the disk does not return',
		({blob}) => failing('readFileSync', 'EIO')(blob),
		{stops: 'values', why: /EIO/, code: 'file_failed'},
	],
	[
		'a value that may not be opened',
		({blob}) => failing('openSync', 'EACCES')(blob),
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
	['a folder of values that is a link', ({blobs}) => linked(blobs), {stops: 'values', why: /symbolic link/}],
	[
		'a namespace that is a link',
		({blobs}) => linked(dirname(blobs)),
		{stops: 'values', why: /symbolic link/},
	],
	[
		'a folder of stores that is a link',
		({root}) => linked(join(root, 'kv')),
		{stops: 'rows', why: /symbolic link/},
	],
	[
		'a folder of databases that is a link',
		({database}) => linked(dirname(database)),
		{stops: 'rows', why: /symbolic link/},
	],
	['a database that is a link', ({database}) => linked(database), {stops: 'rows', why: /not a regular file/}],
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
		({database}) => failing('lstatSync', 'EACCES')(database),
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
		rows("UPDATE _mf_entries SET expiration = 'soon' WHERE key = 'm'"),
		{stops: 'rows', why: /expiration of the key "m" is not a number/},
	],
	[
		'an expiration without an end',
		rows("UPDATE _mf_entries SET expiration = 9e999 WHERE key = 'm'"),
		{stops: 'rows', why: /expiration of the key "m" is not a number/},
	],
	[
		'metadata that is not JSON',
		rows("UPDATE _mf_entries SET metadata = '{' WHERE key = 'm'"),
		{stops: 'rows', why: /metadata of the key "m" cannot be read as JSON/},
	],
	[
		'a key that is not valid UTF-8, between others',
		rows("INSERT INTO _mf_entries VALUES (CAST(x'6dff' AS TEXT), 'x', NULL, NULL)"),
		{stops: 'lists', why: /key "m\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not valid UTF-8, behind all others',
		rows("INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', NULL, NULL)"),
		{stops: 'lists', why: /key "\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not valid UTF-8, beside one that it looks like',
		rows(
			"INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', NULL, NULL), (CAST(x'efbfbd' AS TEXT), 'y', NULL, NULL)",
		),
		{stops: 'lists', why: /key "\ufffd" is not valid UTF-8/},
	],
	[
		'a key that is not text',
		rows("INSERT INTO _mf_entries VALUES (x'6dff', 'x', NULL, NULL)"),
		{stops: 'lists', why: /BLOB/},
	],
];

const all = async <Thing>(things: AsyncIterable<Thing> | Iterable<Thing>): Promise<Thing[]> =>
	Array.fromAsync(things as AsyncIterable<Thing>);

/** Each way of reading the store, and what it needs of it. */
const ways: Record<
	string,
	{needs: 'values' | 'one value' | 'rows'; read: (store: LocalStore, space: Workspace) => Promise<unknown>}
> = {
	get: {needs: 'one value', read: store => store.get('m', never)},
	'get of many': {needs: 'one value', read: store => store.getMany(['a', 'm', 'z'], never)},
	'bulk get': {
		needs: 'one value',
		async read(store, space) {
			const path = space.file('names.json', '["a","m"]');
			const input = await openInput(path, {environment: {}, stdin: streamOf(''), signal: never});
			const checked = await checkInput(input, keysFormat, {now: 0, signal: never});
			return all(getAllValues(store, checked, {signal: never}));
		},
	},
	list: {needs: 'rows', read: store => store.list({}, never)},
	'list in pages of one': {
		needs: 'rows',
		async read(store) {
			for (let cursor: string | undefined, page = 0; page < 10; page++) {
				const found = await store.list({limit: 1, ...(cursor && {cursor})}, never);
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
			const job = startExport(store, options, {signal: never, environment: space.environment, recorded});
			try {
				return await job.finished;
			} finally {
				// What is only in part there never has the name of the whole.
				expect(existsSync(path)).toBe(false);
			}
		},
	},
	copy: {
		needs: 'values',
		read(store, space) {
			const copy = {from: {place: 'simulated' as const}, onlyMissing: false, failed: space.path('failed')};
			const recorded = {title: 'copy', target: {place: 'simulated' as const}, options: copy};
			const options = {signal: never, environment: space.environment, recorded, wait: async () => {}};
			return startCopy(store, new MemoryStore(), copy, options).finished;
		},
	},
	diff: {
		needs: 'values',
		read(store) {
			const other = new MemoryStore();
			for (const key of ['a', 'm', 'z']) other.stored.set(key, {bytes: bytes('other')});
			return all(compareStores(store, other, {}, never));
		},
	},
	'diff from the other side': {
		needs: 'values',
		read(store) {
			const other = new MemoryStore();
			for (const key of ['a', 'm', 'z']) other.stored.set(key, {bytes: bytes('other')});
			return all(compareStores(other, store, {}, never));
		},
	},
	search: {
		needs: 'values',
		read: store =>
			all(searchStore(store, {pattern: 'x', isRegex: false, ignoresCase: false, within: 'values'}, never)),
	},
};

const isStopped = (stops: Ways, needs: (typeof ways)[string]['needs']): boolean =>
	stops === 'rows' || (stops === 'values' ? needs !== 'rows' : needs !== 'one value');

/** What it fails with; undefined if it does not. */
const failureOf = (work: () => Promise<unknown>): Promise<ReturnType<typeof toFailure> | undefined> =>
	work().then(
		() => undefined,
		(error: unknown) => toFailure(error),
	);

describe.each(damages)('%s', (_what, spoil, {stops, why, code = 'local_store_damaged'}) => {
	test.each(
		Object.entries(ways).filter(([, {needs}]) => isStopped(stops, needs)),
	)('is reported by %s', async (_way, {read}) => {
		using space = makeWorkspace();
		const place = await filled();
		spoil(place);
		const failure = await failureOf(async () => read(openForTest({root: place.root}), space));
		expect(failure).toMatchObject({code, details: {why: expect.stringMatching(why)}});
		expect(JSON.stringify([failure?.message, failure?.details])).not.toContain('SECRET');
	});
});

describe('damaged values', () => {
	test.each(
		damages.filter(([, , {stops}]) => stops !== 'rows'),
	)('%s: a check completes and reports it', async (_what, spoil, {stops}) => {
		const place = await filled();
		spoil(place);
		const report = await failureOf(async () => {
			const {databases, lost, orphans} = await checkLocalData({
				root: place.root,
				ids: ['N'],
				signal: never,
				now: () => Date.now() + 1e9,
			});
			const problems = databases.flatMap(database => database.problems);
			// Whose file may not be read only reading it tells: a check looks no further than at the kind of file.
			if (stops === 'lists' ? problems.length > 0 : lost.length > 0) throw new TypeError('reported');
			expect(orphans).toEqual([]);
		});
		if (!/disk|may not/.test(_what)) expect(report).toBeDefined();
	});

	test('leave the others readable, and can be deleted or written again', async () => {
		const place = await filled();
		rmSync(place.blob);
		const store = openForTest({root: place.root});
		expect(textOf(await store.get('a', never))).toBe('first');
		const {lost} = await checkLocalData({root: place.root, ids: ['N'], signal: never});
		expect(lost).toMatchObject([{key: 'm'}]);
		await store.put('m', bytes('again'), {}, never);
		expect(textOf(await store.get('m', never))).toBe('again');
		rmSync(join(place.blobs, readdirSync(place.blobs).at(-1) ?? ''));
		await store.deleteMany(['a', 'm', 'z'], never);
		expect((await store.list({}, never)).entries).toEqual([]);
	});

	test('are not reported for a value that is overwritten or deleted while being read', async () => {
		const place = await filled();
		const reader = openForTest({root: place.root});
		const writer = openForTest({root: place.root});
		const real = fs.openSync;
		const between: (() => void)[] = [];
		fs.openSync = ((...given: Parameters<typeof real>) => {
			if (given[0] === place.blob) between.shift()?.();
			return real(...given);
		}) as typeof real;
		syncBuiltinESMExports();
		onTestFinished(() => {
			fs.openSync = real;
			syncBuiltinESMExports();
		});
		const other = new DatabaseSync(place.database);
		onTestFinished(() => other.close());
		const id = createBlobId(0);
		writeFileSync(join(place.blobs, id), 'overwritten');
		between.push(() => {
			other.exec(`UPDATE _mf_entries SET blob_id = '${id}' WHERE key = 'm'`);
			rmSync(place.blob);
		});
		expect(textOf(await reader.get('m', never))).toBe('overwritten');
		other.exec(`UPDATE _mf_entries SET blob_id = '${place.blob.slice(-80)}' WHERE key = 'm'`);
		between.push(() => other.exec("DELETE FROM _mf_entries WHERE key = 'm'"));
		expect(await reader.get('m', never)).toBeUndefined();
		await writer.put('m', bytes('new'), {}, never);
		expect(textOf(await reader.get('m', never))).toBe('new');
	});
});

describe('a key that is not valid UTF-8', () => {
	test('is counted and named by a check, and orphans are still found', async () => {
		const place = await filled();
		rows("INSERT INTO _mf_entries VALUES (CAST(x'ff' AS TEXT), 'x', 'soon', '{'), (x'00', 'y', NULL, NULL)")(
			place,
		);
		const orphan = join(place.blobs, createBlobId(0));
		writeFileSync(orphan, '');
		const report = await checkLocalData({
			root: place.root,
			ids: ['N'],
			signal: never,
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
		const place = await filled();
		rows(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
			INSERT INTO _mf_entries SELECT CAST(x'ff' || i AS TEXT), 'x', NULL, NULL FROM n`)(place);
		const {databases} = await checkLocalData({root: place.root, ids: ['N'], signal: never});
		expect(databases[0]?.keys).toBe(2503);
		expect(databases[0]?.problems).toHaveLength(101);
		expect(databases[0]?.problems.at(-1)).toBe('and 2400 more');
	});

	test('does not hide a key that contains a replacement character', async () => {
		const place = await filled();
		const store = openForTest({root: place.root});
		await store.put('\ufffd', bytes('fine'), {}, never);
		await store.put('m\ufffdz', bytes('fine'), {}, never);
		expect((await store.list({}, never)).entries.map(({name}) => name)).toEqual([
			'a',
			'm',
			'm\ufffdz',
			'z',
			'\ufffd',
		]);
		expect(await store.list({prefix: '\ufffd'}, never)).toMatchObject({entries: [{name: '\ufffd'}]});
	});
});

describe('as a user without permissions', () => {
	const nobody = 65_534;

	test.runIf(process.geteuid?.() === 0).each(['root', 'kv', 'databases', 'values'] as const)(
		'the folder of %s that may not be entered is reported, not treated as empty',
		async which => {
			const place = await filled();
			const folder = {
				root: place.root,
				kv: join(place.root, 'kv'),
				databases: dirname(place.database),
				values: place.blobs,
			}[which];
			chmodSync(dirname(place.root), 0o755);
			chmodSync(folder, 0o000);
			process.seteuid?.(nobody);
			try {
				const store = openForTest({root: place.root});
				const expected = {code: 'file_failed', details: {why: expect.stringContaining('EACCES')}};
				expect(await failureOf(() => store.get('m', never))).toMatchObject(expected);
				if (which === 'values') return;
				expect(await failureOf(() => store.list({}, never))).toMatchObject(expected);
				expect(await failureOf(async () => [...store.listEntries()])).toMatchObject(expected);
				expect(await failureOf(() => store.deleteMany(['m'], never))).toMatchObject(expected);
				expect(await failureOf(async () => listLocalNamespaces(place.root, ['N']))).toMatchObject(expected);
				expect(
					await failureOf(() => checkLocalData({root: place.root, ids: ['N'], signal: never})),
				).toMatchObject(expected);
			} finally {
				process.seteuid?.(0);
				chmodSync(folder, 0o755);
			}
		},
	);
});
