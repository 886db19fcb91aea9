import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {bytes, names, neverAborted, openDatabase, openForTest, temporaryRoot, textOf} from './temporary.ts';

describe('a store that does not exist', () => {
	test('reads as empty and is not created', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		expect(await store.get('k', neverAborted)).toBeUndefined();
		expect(await store.metadata('k', neverAborted)).toBeUndefined();
		expect(await store.list({}, neverAborted)).toEqual({entries: []});
		expect([...store.listEntries()]).toEqual([]);
		expect((await store.getMany(['a', 'b'], neverAborted)).size).toBe(0);
		await store.delete('k', neverAborted);
		expect(await store.deleteMany(['a', 'b'], neverAborted)).toEqual({done: 2, refused: [], absent: 2});
		expect(existsSync(root)).toBe(false);
	});

	test('has no sizes, and after a write returns the size of the value in bytes', async () => {
		const store = openForTest({root: temporaryRoot()});
		expect(store.size?.('k')).toBeUndefined();
		await store.put('k', bytes('né'), {}, neverAborted);
		await store.put('empty', bytes(''), {}, neverAborted);
		expect([store.size?.('k'), store.size?.('empty'), store.size?.('absent')]).toEqual([3, 0, undefined]);
		await store.delete('k', neverAborted);
		expect(store.size?.('k')).toBeUndefined();
		expect(store.size?.('\ud800')).toBeUndefined();
	});

	test('is created by the first write, like a store that wrangler creates', async () => {
		const root = temporaryRoot();
		const store = openForTest({root, namespace: '../../evil'});
		await store.put('k', bytes('v'), {}, neverAborted);
		const paths = getNamespacePaths(root, '../../evil');
		expect(readdirSync(join(root, 'kv')).sort()).toEqual(['______evil', 'miniflare-KVNamespaceObject']);
		const [blob] = readdirSync(paths.blobs);
		expect(readFileSync(join(paths.blobs, `${blob}`), 'utf8')).toBe('v');
		const database = openDatabase(paths.database, {readOnly: true});
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
		await store.put('k', bytes('v'), {}, neverAborted);
		const {database} = getNamespacePaths(root, 'N');
		store[Symbol.dispose]();
		writeFileSync(database, '');
		const reopenedStore = openForTest({root});
		expect(await reopenedStore.get('k', neverAborted)).toBeUndefined();
		await reopenedStore.put('k', bytes('new'), {}, neverAborted);
		expect(textOf(await reopenedStore.get('k', neverAborted))).toBe('new');
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
		await store.put('k', value, {}, neverAborted);
		const found = await store.get('k', neverAborted);
		expect(found?.bytes.length).toBe(value.length);
		expect(Buffer.compare(found?.bytes ?? bytes('absent'), value)).toBe(0);
	});

	test('of 25 MiB and a byte are refused, and leave nothing behind', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		const failed = await store.put('k', new Uint8Array(26_214_401), {}, neverAborted).catch(error => error);
		expect(isFailure(failed, 'limit')).toBe(true);
		expect(failed.details.why).toContain('26214401');
		expect(existsSync(root)).toBe(false);
	});

	test('are overwritten without keeping the old blob', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('one'), {}, neverAborted);
		await store.put('k', bytes('two'), {}, neverAborted);
		expect(textOf(await store.get('k', neverAborted))).toBe('two');
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(1);
		await store.delete('k', neverAborted);
		expect(await store.get('k', neverAborted)).toBeUndefined();
		expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(0);
	});

	test('without a blob are damaged until they are written again', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {}, neverAborted);
		rmSync(getNamespacePaths(root, 'N').blobs, {recursive: true});
		await expect(store.get('k', neverAborted)).rejects.toThrow('The value of the key "k" cannot be read.');
		await store.put('k', bytes('again'), {}, neverAborted);
		expect(textOf(await store.get('k', neverAborted))).toBe('again');
	});

	test('are not read from outside the folder, whatever a row contains', async () => {
		const root = temporaryRoot();
		const store = openForTest({root});
		await store.put('k', bytes('v'), {}, neverAborted);
		writeFileSync(join(root, 'secret'), 'secret');
		const database = openDatabase(getNamespacePaths(root, 'N').database);
		database.exec("UPDATE _mf_entries SET blob_id = '../../../secret'");
		await expect(store.get('k', neverAborted)).rejects.toMatchObject({code: 'local_store_damaged'});
		await store.delete('k', neverAborted);
		expect(existsSync(join(root, 'secret'))).toBe(true);
	});
});

describe('keys', () => {
	const oddKeys = [
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
		for (const key of oddKeys) await store.put(key, bytes(`value of ${key}`), {}, neverAborted);
		for (const key of oddKeys) expect(textOf(await store.get(key, neverAborted))).toBe(`value of ${key}`);
		const sorted = [...oddKeys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
		expect(names(store.listEntries())).toEqual(sorted);
		expect(names((await store.list({}, neverAborted)).entries)).toEqual(sorted);
	});

	test('of 512 bytes work, but not of 513', async () => {
		const store = openForTest();
		await store.put('é'.repeat(256), bytes('v'), {}, neverAborted);
		expect(textOf(await store.get('é'.repeat(256), neverAborted))).toBe('v');
		await expect(store.put('x'.repeat(513), bytes('v'), {}, neverAborted)).rejects.toMatchObject({
			code: 'limit',
		});
	});

	test('that are not Unicode are absent, and deleting one affects no other', async () => {
		const store = openForTest();
		await store.put('\ufffd', bytes('v'), {}, neverAborted);
		expect(await store.get('\ud800', neverAborted)).toBeUndefined();
		await store.delete('\ud800', neverAborted);
		expect(textOf(await store.get('\ufffd', neverAborted))).toBe('v');
		await expect(store.put('\ud800', bytes('v'), {}, neverAborted)).rejects.toMatchObject({code: 'limit'});
	});

	test('differ by case', async () => {
		const store = openForTest();
		await store.put('a', bytes('small'), {}, neverAborted);
		expect(await store.get('A', neverAborted)).toBeUndefined();
		expect((await store.list({prefix: 'A'}, neverAborted)).entries).toEqual([]);
	});
});

describe('metadata', () => {
	test('is stored as JSON, and distinguished from no metadata and no key', async () => {
		const store = openForTest();
		await store.put('some', bytes('v'), {metadata: {a: [1, null, 'é']}}, neverAborted);
		await store.put('none', bytes('v'), {}, neverAborted);
		expect(await store.metadata('some', neverAborted)).toEqual({a: [1, null, 'é']});
		expect(await store.metadata('none', neverAborted)).toBeNull();
		expect(await store.metadata('absent', neverAborted)).toBeUndefined();
		expect(await store.get('some', neverAborted)).toEqual({
			bytes: Buffer.from('v'),
			metadata: {a: [1, null, 'é']},
		});
		expect(await store.get('none', neverAborted)).toEqual({bytes: Buffer.from('v')});
		expect((await store.list({}, neverAborted)).entries).toEqual([
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
		await store.put('k', bytes('v'), {metadata: {a: 1}}, neverAborted);
		await store.put('k', bytes('v'), {}, neverAborted);
		expect(await store.metadata('k', neverAborted)).toBeNull();
	});
});

describe('lists', () => {
	test('are split into pages, whose cursor is the last key in base64', async () => {
		const store = openForTest();
		const keys = Array.from({length: 25}, (_, index) => `k${String(index).padStart(2, '0')}`);
		await store.putMany(
			keys.map(key => ({key, value: key})),
			neverAborted,
		);
		const first = await store.list({limit: 10}, neverAborted);
		expect(names(first.entries)).toEqual(keys.slice(0, 10));
		expect(first.cursor).toBe(Buffer.from('k09').toString('base64'));
		const second = await store.list({limit: 10, cursor: first.cursor ?? ''}, neverAborted);
		const third = await store.list({limit: 10, cursor: second.cursor ?? ''}, neverAborted);
		expect(names(third.entries)).toEqual(keys.slice(20));
		expect(third.cursor).toBeUndefined();
	});

	test('that end on a full page have no cursor', async () => {
		const store = openForTest();
		await store.putMany(
			Array.from({length: 10}, (_, index) => ({key: `k${index}`, value: ''})),
			neverAborted,
		);
		expect((await store.list({limit: 10}, neverAborted)).cursor).toBeUndefined();
	});

	test('match the prefix by bytes, even if it ends with the last character of a UTF-8 length', async () => {
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
			neverAborted,
		);
		for (const prefix of ['', ...keys]) {
			const expected = keys
				.filter(key => key.startsWith(prefix))
				.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
			expect(names((await store.list({prefix}, neverAborted)).entries)).toEqual(expected);
			expect(names(store.listEntries({prefix}))).toEqual(expected);
		}
	});

	test('continue inside the prefix', async () => {
		const store = openForTest();
		await store.putMany(
			['a', 'b1', 'b2', 'b3', 'c'].map(key => ({key, value: ''})),
			neverAborted,
		);
		const page = await store.list({prefix: 'b', limit: 2}, neverAborted);
		expect(names(page.entries)).toEqual(['b1', 'b2']);
		expect(await store.list({prefix: 'b', limit: 2, cursor: page.cursor ?? ''}, neverAborted)).toEqual({
			entries: [{name: 'b3'}],
		});
	});

	test('refuse a cursor that no list returned', async () => {
		await expect(openForTest().list({cursor: 'not base64'}, neverAborted)).rejects.toMatchObject({
			code: 'input_malformed',
		});
	});

	test('see writes made in the meantime, and lock nothing', async () => {
		const store = openForTest();
		const allEntries = Array.from({length: 2500}, (_, index) => ({
			key: `k${String(index).padStart(4, '0')}`,
			value: '',
		}));
		await store.putMany(allEntries.slice(0, 1000), neverAborted);
		await store.putMany(allEntries.slice(1000, 2000), neverAborted);
		const seen: string[] = [];
		for (const {name} of store.listEntries()) {
			if (seen.length === 0) await store.putMany(allEntries.slice(2000), neverAborted);
			seen.push(name);
		}
		expect(seen).toEqual(allEntries.map(entry => entry.key));
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
			neverAborted,
		);
		expect(outcome).toEqual({done: 2, refused: []});
		expect(textOf(await store.get('k', neverAborted))).toBe('two');
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
			neverAborted,
		);
		expect(outcome.done).toBe(2);
		expect(outcome.refused).toEqual([
			{key: 'loose', why: 'The value is not base64, although its entry says so.'},
			{key: 'unpadded', why: 'The value is not base64, although its entry says so.'},
		]);
		expect((await store.get('good', neverAborted))?.bytes).toEqual(Buffer.from([0, 255, 254]));
		expect(textOf(await store.get('text', neverAborted))).toBe('AP/+');
		expect(await store.get('loose', neverAborted)).toBeUndefined();
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
			neverAborted,
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
			neverAborted,
		);
		expect(await store.deleteMany(['a', 'never was'], neverAborted)).toEqual({
			done: 2,
			refused: [],
			absent: 1,
		});
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
			neverAborted,
		);
		const found = await store.getMany(['a', 'x', 'b'], neverAborted);
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

test('a store whose files are deleted while it is open is empty, and the next write creates it again', async () => {
	const root = temporaryRoot();
	const store = openForTest({root});
	await store.put('old', bytes('v'), {}, neverAborted);
	expect(names(store.listEntries())).toEqual(['old']);
	rmSync(root, {recursive: true});
	expect(names(store.listEntries())).toEqual([]);
	await store.put('new', bytes('v'), {}, neverAborted);
	expect(names(store.listEntries())).toEqual(['new']);
	expect(names(openForTest({root}).listEntries())).toEqual(['new']);
	rmSync(dirname(getNamespacePaths(root, 'N').blobs), {recursive: true});
	await store.put('newer', bytes('v'), {}, neverAborted);
	expect(textOf(await store.get('newer', neverAborted))).toBe('v');
});

test('two ids that share a folder of blobs do not affect each other', async () => {
	const root = temporaryRoot();
	const one = openForTest({root, namespace: 'a:b'});
	const other = openForTest({root, namespace: 'a_b'});
	await one.put('k', bytes('one'), {}, neverAborted);
	await other.put('k', bytes('other'), {}, neverAborted);
	await one.delete('k', neverAborted);
	expect(textOf(await other.get('k', neverAborted))).toBe('other');
});
