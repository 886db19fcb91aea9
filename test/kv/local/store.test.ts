import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {bytes, names, never, openDatabase, openForTest, temporaryRoot, textOf} from './temporary.ts';

describe('a store that does not exist', () => {
	test('reads as empty and is not created', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		expect(await store.get('k', never)).toBeUndefined();
		expect(await store.metadata('k', never)).toBeUndefined();
		expect(await store.list({}, never)).toEqual({entries: []});
		expect([...store.listEntries()]).toEqual([]);
		expect((await store.getMany(['a', 'b'], never)).size).toBe(0);
		await store.delete('k', never);
		expect(await store.deleteMany(['a', 'b'], never)).toEqual({done: 2, refused: [], absent: 2});
		expect(existsSync(root)).toBe(false);
	});

	test('knows no size, and after a write the size of the value in bytes', async () => {
		const store = openForTest({root: temporaryRoot()});
		expect(store.size?.('k')).toBeUndefined();
		await store.put('k', bytes('né'), {}, never);
		await store.put('empty', bytes(''), {}, never);
		expect([store.size?.('k'), store.size?.('empty'), store.size?.('absent')]).toEqual([3, 0, undefined]);
		await store.delete('k', never);
		expect(store.size?.('k')).toBeUndefined();
		expect(store.size?.('\ud800')).toBeUndefined();
	});

	test('is created by the first write, like the peer does', async () => {
		const root = temporaryRoot();
		const store = openForTest({root, namespace: '../../evil'});
		await store.put('k', bytes('v'), {}, never);
		const place = getNamespacePaths(root, '../../evil');
		expect(readdirSync(join(root, 'kv')).sort()).toEqual(['______evil', 'miniflare-KVNamespaceObject']);
		const [blob] = readdirSync(place.blobs);
		expect(readFileSync(join(place.blobs, `${blob}`), 'utf8')).toBe('v');
		const database = openDatabase(place.database, {readOnly: true});
		expect(database.prepare('SELECT * FROM _mf_entries').all()).toEqual([
			{key: 'k', blob_id: blob, expiration: null, metadata: null},
		]);
		expect(database.prepare('PRAGMA journal_mode').get()).toEqual({journal_mode: 'wal'});
		expect(database.prepare('PRAGMA page_size').get()).toEqual({page_size: 4096});
		expect(database.prepare("SELECT sql FROM sqlite_schema WHERE name = '_mf_entries'").get()).toEqual({
			sql: 'CREATE TABLE _mf_entries (\n  key TEXT PRIMARY KEY,\n  blob_id TEXT NOT NULL,\n  expiration INTEGER,\n  metadata TEXT\n)',
		});
	});

	test('reads as empty if only its file was created', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {}, never);
		const {database} = getNamespacePaths(root, 'N');
		store[Symbol.dispose]();
		writeFileSync(database, '');
		const again = openForTest({root});
		expect(await again.get('k', never)).toBeUndefined();
		await again.put('k', bytes('new'), {}, never);
		expect(textOf(await again.get('k', never))).toBe('new');
	});

	test('cannot be opened without an id', () => {
		expect(() => openForTest({namespace: ''})).toThrow('The namespace id is empty');
	});
});

describe('values', () => {
	test.each([
		['empty', new Uint8Array()],
		['binary', Uint8Array.of(0, 255, 254, 10, 13, 0, 128)],
		['25 MiB', new Uint8Array(26_214_400).fill(7)],
	])('%s come back byte for byte', async (_, value) => {
		const store = openForTest();
		await store.put('k', value, {}, never);
		const found = await store.get('k', never);
		expect(found?.bytes.length).toBe(value.length);
		expect(Buffer.compare(found?.bytes ?? bytes('absent'), value)).toBe(0);
	});

	test('of 25 MiB and a byte are refused, and leave nothing behind', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		const failed = await store.put('k', new Uint8Array(26_214_401), {}, never).catch(error => error);
		expect(isFailure(failed, 'limit')).toBe(true);
		expect(failed.details.why).toContain('26214401');
		expect(existsSync(root)).toBe(false);
	});

	test('are overwritten without keeping the old blob', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('one'), {}, never);
		await store.put('k', bytes('two'), {}, never);
		expect(textOf(await store.get('k', never))).toBe('two');
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(1);
		await store.delete('k', never);
		expect(await store.get('k', never)).toBeUndefined();
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(0);
	});

	test('without a blob are damaged until they are written again', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {}, never);
		rmSync(getNamespacePaths(root, 'N').blobs, {recursive: true});
		await expect(store.get('k', never)).rejects.toThrow('The value of the key "k" cannot be read.');
		await store.put('k', bytes('again'), {}, never);
		expect(textOf(await store.get('k', never))).toBe('again');
	});

	test('are not read from outside the folder, whatever a row contains', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {}, never);
		writeFileSync(join(root, 'secret'), 'secret');
		const database = openDatabase(getNamespacePaths(root, 'N').database);
		database.exec("UPDATE _mf_entries SET blob_id = '../../../secret'");
		await expect(store.get('k', never)).rejects.toMatchObject({code: 'local_store_damaged'});
		await store.delete('k', never);
		expect(existsSync(join(root, 'secret'))).toBe(true);
	});
});

describe('keys', () => {
	const odd = [
		' ',
		'\t\n',
		'a\0b',
		'a\0c',
		'\ufffd',
		'\uffff',
		'😀',
		'é',
		'e\u0301',
		'-k',
		'a/b?c#%41',
		'\x7f',
	];

	test('of every kind stay distinct, byte for byte', async () => {
		const store = openForTest();
		for (const key of odd) await store.put(key, bytes(`value of ${key}`), {}, never);
		for (const key of odd) expect(textOf(await store.get(key, never))).toBe(`value of ${key}`);
		const sorted = [...odd].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
		expect(names(store.listEntries())).toEqual(sorted);
		expect(names((await store.list({}, never)).entries)).toEqual(sorted);
	});

	test('of 512 bytes work, but not of 513', async () => {
		const store = openForTest();
		await store.put('é'.repeat(256), bytes('v'), {}, never);
		expect(textOf(await store.get('é'.repeat(256), never))).toBe('v');
		await expect(store.put('x'.repeat(513), bytes('v'), {}, never)).rejects.toMatchObject({code: 'limit'});
	});

	test('that are not Unicode are absent, and deleting one affects no other', async () => {
		const store = openForTest();
		await store.put('\ufffd', bytes('v'), {}, never);
		expect(await store.get('\ud800', never)).toBeUndefined();
		await store.delete('\ud800', never);
		expect(textOf(await store.get('\ufffd', never))).toBe('v');
		await expect(store.put('\ud800', bytes('v'), {}, never)).rejects.toMatchObject({code: 'limit'});
	});

	test('differ by case', async () => {
		const store = openForTest();
		await store.put('a', bytes('small'), {}, never);
		expect(await store.get('A', never)).toBeUndefined();
		expect((await store.list({prefix: 'A'}, never)).entries).toEqual([]);
	});
});

describe('metadata', () => {
	test('is stored as JSON, and distinguished from no metadata and no key', async () => {
		const store = openForTest();
		await store.put('some', bytes('v'), {metadata: {a: [1, null, 'é']}}, never);
		await store.put('none', bytes('v'), {}, never);
		expect(await store.metadata('some', never)).toEqual({a: [1, null, 'é']});
		expect(await store.metadata('none', never)).toBeNull();
		expect(await store.metadata('absent', never)).toBeUndefined();
		expect(await store.get('some', never)).toEqual({bytes: Buffer.from('v'), metadata: {a: [1, null, 'é']}});
		expect(await store.get('none', never)).toEqual({bytes: Buffer.from('v')});
		expect((await store.list({}, never)).entries).toEqual([
			{name: 'none'},
			{name: 'some', metadata: {a: [1, null, 'é']}},
		]);
		expect([...store.listEntries()]).toEqual([{name: 'none'}, {name: 'some'}]);
		expect([...store.listEntries({metadata: true})][1]).toEqual({
			name: 'some',
			metadata: {a: [1, null, 'é']},
		});
	});

	test('is removed by an overwrite without metadata', async () => {
		const store = openForTest();
		await store.put('k', bytes('v'), {metadata: {a: 1}}, never);
		await store.put('k', bytes('v'), {}, never);
		expect(await store.metadata('k', never)).toBeNull();
	});
});

describe('lists', () => {
	test('are split into pages, whose cursor is the last key in base64', async () => {
		const store = openForTest();
		const keys = Array.from({length: 25}, (_, index) => `k${String(index).padStart(2, '0')}`);
		await store.putMany(
			keys.map(key => ({key, value: key})),
			never,
		);
		const first = await store.list({limit: 10}, never);
		expect(names(first.entries)).toEqual(keys.slice(0, 10));
		expect(first.cursor).toBe(Buffer.from('k09').toString('base64'));
		const second = await store.list({limit: 10, cursor: first.cursor ?? ''}, never);
		const third = await store.list({limit: 10, cursor: second.cursor ?? ''}, never);
		expect(names(third.entries)).toEqual(keys.slice(20));
		expect(third.cursor).toBeUndefined();
	});

	test('that end on a full page have no cursor', async () => {
		const store = openForTest();
		await store.putMany(
			Array.from({length: 10}, (_, index) => ({key: `k${index}`, value: ''})),
			never,
		);
		expect((await store.list({limit: 10}, never)).cursor).toBeUndefined();
	});

	test('match the prefix by bytes, including the last key of each length', async () => {
		const store = openForTest();
		const keys = [
			'a',
			'a\x7f',
			'a\x7f\x7f',
			'a\u07ff',
			'a\uffff',
			'a\u{10ffff}',
			'a\u{10ffff}z',
			'b',
			'aé',
			'é',
			'éa',
			'ê',
		];
		await store.putMany(
			keys.map(key => ({key, value: ''})),
			never,
		);
		for (const prefix of ['', ...keys]) {
			const expected = keys
				.filter(key => key.startsWith(prefix))
				.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
			expect(names((await store.list({prefix}, never)).entries)).toEqual(expected);
			expect(names(store.listEntries({prefix}))).toEqual(expected);
		}
	});

	test('continue inside the prefix', async () => {
		const store = openForTest();
		await store.putMany(
			['a', 'b1', 'b2', 'b3', 'c'].map(key => ({key, value: ''})),
			never,
		);
		const page = await store.list({prefix: 'b', limit: 2}, never);
		expect(names(page.entries)).toEqual(['b1', 'b2']);
		expect(await store.list({prefix: 'b', limit: 2, cursor: page.cursor ?? ''}, never)).toEqual({
			entries: [{name: 'b3'}],
		});
	});

	test('refuse a cursor that no list returned', async () => {
		await expect(openForTest().list({cursor: 'not base64'}, never)).rejects.toMatchObject({
			code: 'input_malformed',
		});
	});

	test('see writes made in the meantime, and lock nothing', async () => {
		const store = openForTest();
		const all = Array.from({length: 2500}, (_, index) => ({
			key: `k${String(index).padStart(4, '0')}`,
			value: '',
		}));
		await store.putMany(all.slice(0, 1000), never);
		await store.putMany(all.slice(1000, 2000), never);
		const seen: string[] = [];
		for (const {name} of store.listEntries()) {
			if (seen.length === 0) await store.putMany(all.slice(2000), never);
			seen.push(name);
		}
		expect(seen).toEqual(all.map(entry => entry.key));
	});
});

describe('batches', () => {
	test('are written in order, so that the later of two entries wins', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		const outcome = await store.putMany(
			[
				{key: 'k', value: 'one'},
				{key: 'k', value: 'two'},
			],
			never,
		);
		expect(outcome).toEqual({done: 2, refused: []});
		expect(textOf(await store.get('k', never))).toBe('two');
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(1);
	});

	test('decode base64, and refuse invalid base64', async () => {
		const store = openForTest();
		const outcome = await store.putMany(
			[
				{key: 'good', value: 'AP/+', base64: true},
				{key: 'loose', value: 'AP/+\n', base64: true},
				{key: 'unpadded', value: 'AA', base64: true},
				{key: 'text', value: 'AP/+'},
			],
			never,
		);
		expect(outcome.done).toBe(2);
		expect(outcome.refused).toEqual([
			{key: 'loose', why: 'The value is not base64, although its entry says so.'},
			{key: 'unpadded', why: 'The value is not base64, although its entry says so.'},
		]);
		expect((await store.get('good', never))?.bytes).toEqual(Buffer.from([0, 255, 254]));
		expect(textOf(await store.get('text', never))).toBe('AP/+');
		expect(await store.get('loose', never)).toBeUndefined();
	});

	test('refuse entries that break a limit, with the rule and the figure, and write the rest', async () => {
		const store = openForTest({now: () => 1_000_000_000_000});
		const outcome = await store.putMany(
			[
				{key: '', value: ''},
				{key: 'x'.repeat(513), value: ''},
				{key: 'ttl', value: '', expiration_ttl: 59},
				{key: 'past', value: '', expiration: 1_000_000_000},
				{key: 'fraction', value: '', expiration: 2_000_000_000.5},
				{key: 'metadata', value: '', metadata: {long: 'x'.repeat(1024)}},
				{key: 'fine', value: ''},
			],
			never,
		);
		expect(outcome.done).toBe(1);
		expect(outcome.refused.map(({why}) => why)).toEqual([
			expect.stringContaining('at least 1 byte'),
			expect.stringContaining('513'),
			expect.stringContaining('at least 60 seconds; this one is 59'),
			expect.stringContaining('has passed'),
			expect.stringContaining('whole number'),
			expect.stringContaining('1035'),
		]);
	});

	test('of deletes count missing keys as done', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.putMany(
			[
				{key: 'a', value: ''},
				{key: 'b', value: ''},
			],
			never,
		);
		expect(await store.deleteMany(['a', 'never was'], never)).toEqual({done: 2, refused: [], absent: 1});
		expect(names(store.listEntries())).toEqual(['b']);
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(1);
	});

	test('of reads omit missing keys', async () => {
		const store = openForTest();
		await store.putMany(
			[
				{key: 'a', value: '1'},
				{key: 'b', value: '2'},
			],
			never,
		);
		const found = await store.getMany(['a', 'x', 'b'], never);
		expect([...found].map(([key, value]) => [key, textOf(value)])).toEqual([
			['a', '1'],
			['b', '2'],
		]);
	});
});

test('an aborted signal stops everything before a write', async () => {
	const root = temporaryRoot();
	const store = openForTest({root});
	const aborted = AbortSignal.abort();
	const interrupted = {code: 'interrupted'};
	await expect(store.put('k', bytes('v'), {}, aborted)).rejects.toMatchObject(interrupted);
	await expect(store.putMany([{key: 'k', value: 'v'}], aborted)).rejects.toMatchObject(interrupted);
	await expect(store.deleteMany(['k'], aborted)).rejects.toMatchObject(interrupted);
	await expect(store.get('k', aborted)).rejects.toMatchObject(interrupted);
	expect(() => [...store.listEntries({signal: aborted})]).toThrow('Interrupted');
	expect(existsSync(root)).toBe(false);
});

test('a store deleted and recreated while open is read and written in its new place', async () => {
	const root = temporaryRoot();
	const store = openForTest({root});
	await store.put('old', bytes('v'), {}, never);
	expect(names(store.listEntries())).toEqual(['old']);
	rmSync(root, {recursive: true});
	expect(names(store.listEntries())).toEqual([]);
	await store.put('new', bytes('v'), {}, never);
	expect(names(store.listEntries())).toEqual(['new']);
	expect(names(openForTest({root}).listEntries())).toEqual(['new']);
	rmSync(dirname(getNamespacePaths(root, 'N').blobs), {recursive: true});
	await store.put('newer', bytes('v'), {}, never);
	expect(textOf(await store.get('newer', never))).toBe('v');
});

test('two ids that share a folder of blobs do not affect each other', async () => {
	const root = temporaryRoot();
	const one = openForTest({root, namespace: 'a:b'});
	const other = openForTest({root, namespace: 'a_b'});
	await one.put('k', bytes('one'), {}, never);
	await other.put('k', bytes('other'), {}, never);
	await one.delete('k', never);
	expect(textOf(await other.get('k', never))).toBe('other');
});
