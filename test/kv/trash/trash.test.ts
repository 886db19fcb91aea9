import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {openKeyNamesInput} from '../../../source/kv/bulk/names-input.ts';
import type {KvStore, StoredValue} from '../../../source/kv/store.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {openFileStore} from '../../../source/kv/transfer/file-store.ts';
import {type KeyNames, readKeyNames} from '../../../source/kv/transfer/names.ts';
import {findBatch, listBatches, type TrashBatch} from '../../../source/kv/trash/batch.ts';
import {
	countDaysLeft,
	describeTrashOutcome,
	shouldUseTrash,
	trashLimits,
} from '../../../source/kv/trash/limits.ts';
import {
	fillTrash,
	holdBatch,
	holdResumedBatch,
	listTrash,
	removeTrashBatch,
} from '../../../source/kv/trash/trash.ts';
import {createJob} from '../../../source/state/jobs.ts';
import {takeLock} from '../../../source/state/lock.ts';
import {getRunCount} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';

const {signal} = new AbortController();
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 22);
const batchDescription = {
	reason: 'deleted',
	deleted: now,
	target: {place: 'simulated', namespace: 'n'},
	label: 'Acme › n',
	command: 'kv delete',
} as const;

async function createKeyNames({environment}: Workspace, names: readonly string[]): Promise<KeyNames> {
	async function* groups() {
		yield names;
	}
	return readKeyNames(await openKeyNamesInput(groups(), {environment, signal, label: 'names'}), signal);
}

type Options = {deleted?: number; capacity?: number; signal?: AbortSignal; progress?: (done: number) => void};

const fill = async (space: Workspace, store: KvStore, names: KeyNames, options: Options = {}) =>
	fillTrash(
		store,
		names,
		{...batchDescription, deleted: options.deleted ?? now},
		{signal, ...options, environment: space.environment},
	);

/** Fills a batch with some keys, and releases its lock. */
async function createBatch(
	space: Workspace,
	keys: readonly string[],
	options: Options = {},
): Promise<TrashBatch> {
	using held = await fill(space, storeWith(keys), await createKeyNames(space, keys), options);
	if (!held) throw new TypeError('No key was kept.');
	return held.batch;
}

function storeWith(
	keys: readonly string[],
	storeOptions: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 3}, ...storeOptions});
	for (const key of keys) store.stored.set(key, {bytes: Buffer.from(`value of ${key}`)});
	return store;
}

const listTrashFiles = ({state}: Workspace): string[] =>
	existsSync(join(state, 'trash')) ? readdirSync(join(state, 'trash')) : [];

/** Copies the missing keys of a batch back, as a restore does. */
async function restoreBatch(space: Workspace, batch: TrashBatch, store: KvStore, nowMs = now) {
	const {environment} = space;
	const unchangedKeys: string[] = [];
	const input = await openInput(batch.path, {environment, stdin: streamOf(''), signal});
	using from = await openFileStore(input, signal);
	const names: string[] = [];
	for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
		const page = await from.list({...(cursor !== undefined && {cursor})}, signal);
		names.push(...page.entries.map(({name}) => name));
		cursor = page.cursor;
	}
	const copy = {
		from: {place: `file:${batch.path}`},
		onlyMissing: true,
		restores: true,
		failed: space.path('failed'),
	} as const;
	const result = await startCopy(from, store, copy, {
		signal,
		environment,
		names: await createKeyNames(space, names),
		now: () => nowMs,
		wait: async () => {},
		onKept: keys => void unchangedKeys.push(...keys),
	}).finished;
	return {...result, unchangedKeys: unchangedKeys.sort()};
}

describe('using the trash by default', () => {
	test.each([
		[1, undefined, true],
		[10_000, undefined, true],
		[10_001, undefined, false],
		[10_001, true, true],
		[2, false, false],
	] as const)('%d keys, with the choice %s', (keyCount, choice, usesTrash) => {
		expect(shouldUseTrash(keyCount, choice)).toBe(usesTrash);
		expect(describeTrashOutcome(keyCount, choice).includes('in the trash for 7 days')).toBe(usesTrash);
	});
});

const someBytes = fc.uint8Array({maxLength: 40});
const metadata = fc.option(
	fc.dictionary(fc.string({maxLength: 5}), fc.jsonValue({maxDepth: 2}), {maxKeys: 3}),
	{nil: undefined},
);
const expiration = fc.option(fc.integer({min: Math.floor(now / 1000) + 1000, max: 8_000_000_000}), {
	nil: undefined,
});
const anyContents = fc.dictionary(
	fc.string({unit: 'grapheme', minLength: 1, maxLength: 12}).filter(key => key !== '.' && key !== '..'),
	fc.record({bytes: someBytes, metadata, expiration}),
	{maxKeys: 60},
);

test('random keys that are deleted and restored are the same, byte for byte', async () => {
	await fc.assert(
		fc.asyncProperty(anyContents, fc.integer({min: 1, max: 9}), async (contents, keysPerRead) => {
			using space = makeWorkspace();
			const store = new MemoryStore({batch: {keysPerRead, concurrency: 3}});
			for (const [key, {bytes, metadata: data, expiration: end}] of Object.entries(contents))
				store.stored.set(key, {
					bytes,
					...(data !== undefined && {metadata: JSON.parse(JSON.stringify(data))}),
					...(end !== undefined && {expiration: end}),
				});
			const before = new Map([...store.stored].map(([key, stored]) => [key, toComparable(stored)]));
			const keys = Object.keys(contents);
			using held = await fill(space, store, await createKeyNames(space, keys));
			await store.deleteMany(keys, signal);
			expect(store.stored.size).toBe(0);
			expect(held?.batch.keys ?? 0).toBe(keys.length);
			if (held)
				expect(await restoreBatch(space, held.batch, store)).toMatchObject({done: keys.length, kept: 0});
			expect(new Map([...store.stored].map(([key, stored]) => [key, toComparable(stored)]))).toEqual(before);
		}),
		{numRuns: getRunCount(40), seed: 4711},
	);
});

const toComparable = ({bytes, ...rest}: StoredValue) => ({
	...rest,
	base64: Buffer.from(bytes).toString('base64'),
});

describe('filling the trash', () => {
	test('stores each key once even if a file names it twice, and no missing keys', async () => {
		using space = makeWorkspace();
		const store = storeWith(['a', 'b']);
		using held = await fill(space, store, await createKeyNames(space, ['b', 'a', 'b', 'gone', 'a']));
		expect(held?.batch).toMatchObject({keys: 2, label: 'Acme › n', command: 'kv delete'});
		expect(readFileSync(held?.batch.path ?? '', 'utf8').split('\n').length).toBe(3);
	});

	test('with only missing keys leaves nothing behind', async () => {
		using space = makeWorkspace();
		expect(await fill(space, storeWith([]), await createKeyNames(space, ['a', 'b']))).toBeUndefined();
		expect(listTrashFiles(space)).toEqual([]);
	});

	test('hides its content from other users', async () => {
		using space = makeWorkspace();
		const {path, id} = await createBatch(space, ['a', 'b']);
		const modes = [
			join(space.state, 'trash'),
			join(space.state, 'trash', id),
			path,
			join(path, '../about.json'),
		];
		expect(modes.map(name => (statSync(name).mode & 0o777).toString(8))).toEqual([
			'700',
			'700',
			'600',
			'600',
		]);
	});

	test('beyond its limit leaves nothing behind, and reports the limit and the free space', async () => {
		using space = makeWorkspace();
		const first = await createBatch(space, ['a', 'b']);
		const names = await createKeyNames(space, ['a', 'b']);
		const usedBytes = first.bytes + statSync(join(first.path, '../about.json')).size;
		const capacity = usedBytes + first.bytes;
		using exact = await fill(space, storeWith(['a', 'b']), names, {capacity});
		expect(exact?.batch.bytes).toBe(first.bytes);
		exact?.[Symbol.dispose]();
		removeTrashBatch(space.environment, exact?.batch.id ?? '');
		const failure = await failureOf(fill(space, storeWith(['a', 'b']), names, {capacity: capacity - 1}));
		expect(failure).toMatchObject({
			code: 'trash_full',
			message: expect.stringContaining('nothing was deleted'),
		});
		expect((failure as Failure).details.why).toBe(
			`The trash holds at most ${capacity - 1} bytes, of which ${first.bytes - 1} are free.`,
		);
		expect(listTrashFiles(space)).toEqual([first.id]);
	});

	test('counts a batch being filled by another process', async () => {
		using space = makeWorkspace();
		await createBatch(space, ['a', 'b']);
		mkdirSync(join(space.state, 'trash', 'other'));
		writeFileSync(join(space.state, 'trash', 'other', 'keys.ndjson.part'), '');
		truncateSync(join(space.state, 'trash', 'other', 'keys.ndjson.part'), trashLimits.maxBytes);
		using _lock = takeLock(join(space.state, 'trash', 'other'));
		const failure = await failureOf(
			fill(space, storeWith(['a', 'b']), await createKeyNames(space, ['a', 'b'])),
		);
		expect(failure).toMatchObject({code: 'trash_full'});
		expect((failure as Failure).details.why).toContain('of which 0 are free');
	});

	test.each([1, 2, 3, 4])('that fails at read %d, or is cancelled there, leaves nothing behind', async at => {
		using space = makeWorkspace();
		const keys = Array.from({length: 28}, (_, number) => `k${number}`);
		let reads = 0;
		const before = () => {
			if (++reads === at) throw new Failure('unreachable', 'The line is cut.');
		};
		const names = await createKeyNames(space, keys);
		const broken = storeWith(keys, {batch: {keysPerRead: 7, concurrency: 1}, faults: {before}});
		expect(await failureOf(fill(space, broken, names))).toMatchObject({code: 'unreachable'});
		expect(listTrashFiles(space)).toEqual([]);
		const controller = new AbortController();
		await failureOf(
			fill(space, storeWith(keys), names, {
				signal: controller.signal,
				progress: done => done >= at * 7 && controller.abort(),
			}),
		);
		expect(listTrashFiles(space)).toEqual([]);
	});

	test.each([
		'write',
		'datasync',
	] as const)('on a full disk (%s) fails, and leaves nothing behind', async method => {
		using space = makeWorkspace();
		const names = await createKeyNames(space, ['a', 'b']);
		const probe = await open(space.path('probe'), 'w');
		const full = vi
			.spyOn(Object.getPrototypeOf(probe), method)
			.mockRejectedValue(Object.assign(new Error('no space left'), {code: 'ENOSPC'}));
		await probe.close();
		const failure = await failureOf(fill(space, storeWith(['a', 'b']), names));
		full.mockRestore();
		expect(failure).toMatchObject({
			code: 'file_failed',
			message: 'The 2 keys cannot be kept in the trash, so nothing was deleted.',
			details: {why: expect.stringMatching(/^The disk is full: /)},
		});
		expect(listTrashFiles(space)).toEqual([]);
	});

	test('fails if the state directory cannot be created', async () => {
		using space = makeWorkspace();
		const names = await createKeyNames(space, ['a', 'b']);
		const environment = {LEDGE_STATE_DIR: space.writeFile('in-the-way', '')};
		const failed = fillTrash(storeWith(['a', 'b']), names, batchDescription, {environment, signal});
		expect(await failureOf(failed)).toMatchObject({code: 'file_failed'});
	});
});

describe('a batch in the trash', () => {
	test('is removed after seven days and not before, and a clock set back removes nothing', async () => {
		using space = makeWorkspace();
		const {id} = await createBatch(space, ['a', 'b']);
		const idsAt = async (time: number) => (await listTrash(space.environment, time)).map(one => one.id);
		expect(await idsAt(now - 400 * day)).toEqual([id]);
		expect(await idsAt(now + 7 * day)).toEqual([id]);
		expect(await idsAt(now + 7 * day + 1)).toEqual([]);
		expect(listTrashFiles(space)).toEqual([]);
	});

	test('has its days left rounded up', () => {
		expect(
			[0, 1, day, 6.5 * day, 7 * day, 9 * day].map(after => countDaysLeft({deleted: now}, now + after)),
		).toEqual([7, 7, 6, 1, 0, 0]);
	});

	test('stays while an unfinished job needs it', async () => {
		using space = makeWorkspace();
		const [deleting, restoring, unneeded] = [
			await createBatch(space, ['a', 'b']),
			await createBatch(space, ['a', 'b']),
			await createBatch(space, ['a', 'b']),
		];
		const header = {created: now, title: 'a job', target: batchDescription.target};
		const jobs = [
			{
				...header,
				id: 'aaaa',
				kind: 'bulk-delete',
				options: {skipInvalid: false, failed: 'f', trash: deleting.id},
			},
			{...header, id: 'bbbb', kind: 'copy', options: {from: {place: `file:${restoring.path}`}}},
		];
		for (const job of jobs) await (await createJob(space.environment, job)).close();
		const remainingIds = (await listTrash(space.environment, now + 8 * day)).map(({id}) => id);
		expect(remainingIds.sort()).toEqual([deleting.id, restoring.id].sort());
		expect(remainingIds).not.toContain(unneeded.id);
	});

	test('of a resumed deletion stays for seven days after it was resumed', async () => {
		using space = makeWorkspace();
		const {id} = await createBatch(space, ['a', 'b']);
		holdResumedBatch(space.environment, id, now + 6 * day)?.[Symbol.dispose]();
		expect(await listTrash(space.environment, now + 12 * day)).toMatchObject([{id, deleted: now + 6 * day}]);
		expect(holdResumedBatch(space.environment, 'gone', now)).toBeUndefined();
	});

	test('that is incomplete is not listed, and is removed by the next listing unless it is being filled', async () => {
		using space = makeWorkspace();
		const {id} = await createBatch(space, ['a', 'b']);
		for (const name of ['cut', 'filling']) {
			mkdirSync(join(space.state, 'trash', name));
			writeFileSync(join(space.state, 'trash', name, 'keys.ndjson'), '{"key":"a","value":"b"}\n');
		}
		const lock = takeLock(join(space.state, 'trash', 'filling'));
		expect(listBatches(space.environment).map(one => one.id)).toEqual([id]);
		expect((await listTrash(space.environment, now)).map(one => one.id)).toEqual([id]);
		expect(
			listTrashFiles(space)
				.filter(name => !name.includes('.lock'))
				.sort(),
		).toEqual([id, 'filling'].sort());
		lock[Symbol.dispose]();
		await listTrash(space.environment, now);
		expect(listTrashFiles(space)).toEqual([id]);
	});

	test('is not removed by others while it is filled or restored', async () => {
		using space = makeWorkspace();
		const {id} = await createBatch(space, ['a', 'b']);
		using held = holdBatch(space.environment, id);
		expect(() => removeTrashBatch(space.environment, id)).toThrow('Another process is using ');
		expect(await listTrash(space.environment, now + 8 * day)).toMatchObject([{id}]);
		held[Symbol.dispose]();
		removeTrashBatch(space.environment, id);
		expect(listTrashFiles(space)).toEqual([]);
	});

	test.each(['', '..', '../jobs', 'UPPER', 'none'])('is not found by the id %j', id => {
		using space = makeWorkspace();
		expect(() => findBatch(space.environment, id)).toThrow(`The trash has no entry ${JSON.stringify(id)}.`);
	});

	test.each([
		'',
		'null',
		'{"v":1}',
		'{"v":1,"keys":"2"}',
	])('whose description is %j is not listed', async text => {
		using space = makeWorkspace();
		const {path} = await createBatch(space, ['a', 'b']);
		writeFileSync(join(path, '../about.json'), text);
		expect(listBatches(space.environment)).toEqual([]);
	});
});

describe('a restore', () => {
	test('skips keys that were written again, and names them', async () => {
		using space = makeWorkspace();
		const store = storeWith(['a', 'b', 'c']);
		const batch = await createBatch(space, ['a', 'b', 'c']);
		store.stored.clear();
		store.stored.set('b', {bytes: Buffer.from('new')});
		expect(await restoreBatch(space, batch, store)).toMatchObject({done: 2, kept: 1, unchangedKeys: ['b']});
		expect(store.texts()).toEqual({a: 'value of a', b: 'new', c: 'value of c'});
	});

	test('writes keys that the service still shows unchanged, as it may for a minute after their deletion', async () => {
		using space = makeWorkspace();
		const store = storeWith(['a', 'b']);
		const batch = await createBatch(space, ['a', 'b']);
		const stale = storeWith(['a', 'b']);
		const storeWithStaleReads: KvStore = Object.assign(store, {getMany: stale.getMany.bind(stale)});
		store.stored.clear();
		expect(await restoreBatch(space, batch, storeWithStaleReads)).toMatchObject({
			done: 2,
			kept: 0,
			unchangedKeys: [],
		});
		expect(store.texts()).toEqual({a: 'value of a', b: 'value of b'});
	});

	test.each([
		['metadata', {metadata: {v: 1}}],
		['an expiry', {expiration: 4_000_000_000}],
	])('treats a key with the same value and another %s as different', async (_what, other) => {
		using space = makeWorkspace();
		const batch = await createBatch(space, ['a', 'b']);
		const store = storeWith(['a', 'b']);
		store.stored.set('a', {bytes: Buffer.from('value of a'), ...other});
		expect(await restoreBatch(space, batch, store)).toMatchObject({done: 1, unchangedKeys: ['a']});
		expect(store.stored.get('a')).toMatchObject(other);
	});

	test('omits keys that have expired or will within a minute', async () => {
		using space = makeWorkspace();
		const store = storeWith(['past', 'soon', 'later', 'never']);
		const nowSeconds = now / 1000;
		// The restore takes place 1,000 s later: `past` has expired by then, and `soon` has 59 s left.
		for (const [key, expiration] of [
			['past', nowSeconds + 100],
			['soon', nowSeconds + 1059],
			['later', nowSeconds + 1061],
		] as const)
			store.stored.set(key, {bytes: Buffer.from(key), expiration});
		using held = await fill(space, store, await createKeyNames(space, ['past', 'soon', 'later', 'never']));
		store.stored.clear();
		if (!held) throw new TypeError('No key was kept.');
		expect(await restoreBatch(space, held.batch, store, now + 1_000_000)).toMatchObject({
			done: 2,
			expired: 2,
		});
		expect([...store.stored.keys()].sort()).toEqual(['later', 'never']);
	});
});
