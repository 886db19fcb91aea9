import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {openKeyNamesInput} from '../../../source/kv/bulk/names-input.ts';
import {recheckInput} from '../../../source/kv/bulk/resume.ts';
import {isSameState, readWholeKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import type {KvStore, StoredValue} from '../../../source/kv/store.ts';
import type {TransferProgress, TransferResult} from '../../../source/kv/transfer/job.ts';
import {type KeyNames, readKeyNames} from '../../../source/kv/transfer/names.ts';
import {type RenameJobOptions, renameCodec, startRename} from '../../../source/kv/transfer/rename-job.ts';
import {
	type CollisionMode,
	countRename,
	listNamesToRename,
	type PrefixChange,
} from '../../../source/kv/transfer/renamed-names.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {createVirtualClock} from '../../support/run.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const change: PrefixChange = {from: 'user:', to: 'account:'};
const toBuffer = (value: string) => Buffer.from(value);

function createFilledStore(
	keyCount: number,
	options: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 4, concurrency: 1}, ...options});
	store.stored.set('apart', {bytes: toBuffer('apart')});
	for (let at = 0; at < keyCount; at++) {
		store.stored.set(`user:${String(at).padStart(3, '0')}`, {
			bytes: at % 3 === 0 ? Buffer.from([0xff, at]) : toBuffer(`value ${at}`),
			...(at % 2 === 0 && {metadata: {at}}),
			...(at % 5 === 0 && {expiration: 4_000_000_000 + at}),
		});
	}
	return store;
}

/** Reads a key with value, metadata and expiration. */
const readKey = async (store: KvStore, name: string): Promise<WholeKey | undefined> =>
	readWholeKey(store, name, neverAborted);

async function listKeysToRename(
	{environment}: Workspace,
	store: KvStore,
	prefixChange = change,
): Promise<KeyNames> {
	const groups = listNamesToRename(store, prefixChange, neverAborted);
	return readKeyNames(
		await openKeyNamesInput(groups, {label: 'keys', environment, signal: neverAborted}),
		neverAborted,
	);
}

const optionsOf = (space: Workspace, collisions: CollisionMode, prefixChange = change): RenameJobOptions => ({
	...prefixChange,
	collisions,
	failed: space.path('left.ndjson'),
});

async function rename(
	space: Workspace,
	store: KvStore,
	{
		collisions = 'refuse',
		prefixChange = change,
		clock = createVirtualClock().client,
		progress,
	}: {
		collisions?: CollisionMode;
		prefixChange?: PrefixChange;
		clock?: ReturnType<typeof createVirtualClock>['client'];
		progress?: (progress: TransferProgress) => void;
	} = {},
): Promise<TransferResult> {
	const options = optionsOf(space, collisions, prefixChange);
	return startRename(store, options, {
		signal: neverAborted,
		environment: space.environment,
		names: await listKeysToRename(space, store, prefixChange),
		recorded: {title: 'rename', target: {place: 'simulated'}, options},
		// A separate clock for the journal, so that progress is recorded at every step.
		elapsed: createTickingClock(),
		clock,
		...(progress && {progress}),
		isDryRun: false,
	}).finished;
}

function createTickingClock(): () => number {
	let time = 0;
	return () => (time += 1000);
}

/** Resumes the only job there is, to its end. */
async function resumeJob({environment}: Workspace, store: KvStore): Promise<TransferResult> {
	const [job] = await listJobs(environment);
	const openedJob = await openJob(environment, job?.id ?? '', renameCodec);
	const {input, options} = openedJob.record.header;
	if (!input) throw new Error('the job has no names');
	return startRename(store, options, {
		signal: neverAborted,
		environment,
		resumed: openedJob,
		names: await recheckInput(job?.id ?? '', input, keysFormat, {now: 0, signal: neverAborted}),
		elapsed: createTickingClock(),
		clock: createVirtualClock().client,
		isDryRun: false,
	}).finished;
}

const expectRenamed = (
	store: MemoryStore,
	before: ReadonlyMap<string, StoredValue>,
	prefixChange = change,
): void => {
	const expectedContent = new Map(
		[...before].map(([name, value]) => [
			name.startsWith(prefixChange.from) ? prefixChange.to + name.slice(prefixChange.from.length) : name,
			value,
		]),
	);
	expect(new Set(store.stored.keys())).toEqual(new Set(expectedContent.keys()));
	for (const [name, value] of expectedContent) expect(store.stored.get(name)).toEqual(value);
};

describe('a rename of a prefix', () => {
	test('moves value, metadata and expiry to the new names, and nothing else', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(30);
		const before = new Map(store.stored);
		expect(await rename(space, store)).toMatchObject({
			done: 30,
			both: 0,
			kept: 0,
			refused: 0,
			failedFile: undefined,
		});
		expectRenamed(store, before);
	});

	test('moves a value of 25 MiB that is not text', async () => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		const bytes = Buffer.alloc(26_214_400, 0xfe);
		store.stored.set('user:big', {bytes, metadata: {v: 1}});
		await rename(space, store);
		expect([...store.stored.keys()]).toEqual(['account:big']);
		const {bytes: renamed = toBuffer(''), metadata} = store.stored.get('account:big') ?? {};
		expect([Buffer.compare(renamed, bytes), metadata]).toEqual([0, {v: 1}]);
	});

	test.each([
		['the new prefix begins with the old one', {from: 'user:', to: 'user:v2:'}],
		['the old prefix begins with the new one', {from: 'user:', to: 'us'}],
		['there was no prefix', {from: '', to: 'all/'}],
		['the prefix is removed', {from: 'user:', to: ''}],
	])('%s: each key is renamed once, and not again if the new prefix also matches', async (_what, prefixChange) => {
		using space = makeWorkspace();
		const store = createFilledStore(12);
		const before = new Map(store.stored);
		await rename(space, store, {prefixChange});
		expectRenamed(store, before, prefixChange);
		const after = new Map(store.stored);
		if (prefixChange.to.startsWith(prefixChange.from)) {
			expect(await rename(space, store, {prefixChange})).toMatchObject({done: 0});
			expect(store.stored).toEqual(after);
		}
	});
});

type Call = 'getMany' | 'putMany' | 'deleteMany';

/** A store that dies before or after call number `at`: it throws TypeErrors, which no service failure is. */
function createKilledStore(
	store: MemoryStore,
	at: number,
	when: 'before' | 'after',
): {store: KvStore; calls: number} {
	const state = {store: Object.create(store) as KvStore, calls: 0};
	const runCall = async <T>(work: () => Promise<T>): Promise<T> => {
		const callIndex = state.calls++;
		if (callIndex === at && when === 'before') throw new TypeError('killed');
		if (callIndex > at) throw new TypeError('dead');
		const result = await work();
		if (callIndex === at) throw new TypeError('killed');
		return result;
	};
	const overrides: Pick<KvStore, Call> = {
		getMany: (keys, signal) => runCall(() => store.getMany(keys, signal)),
		putMany: (entries, signal) => runCall(() => store.putMany(entries, signal)),
		deleteMany: (keys, signal) => runCall(() => store.deleteMany(keys, signal)),
	};
	Object.assign(state.store, overrides);
	return state;
}

const keyCount = 9;

/** Counts the calls of a run without interruption. */
async function countCalls(collisions: CollisionMode): Promise<number> {
	using space = makeWorkspace();
	const counted = createKilledStore(createFilledStore(keyCount), Number.POSITIVE_INFINITY, 'before');
	await rename(space, counted.store, {collisions});
	return counted.calls;
}

describe.each<CollisionMode>([
	'refuse',
	'only-missing',
	'overwrite',
])('a rename killed at every step, collisions: %s', collisions => {
	test('leaves each key under one name, or under both with the same content, and renames all when resumed', async () => {
		const steps = await countCalls(collisions);
		expect(steps).toBeGreaterThan(12);
		for (let at = 0; at < steps; at++) {
			for (const when of ['before', 'after'] as const) {
				using space = makeWorkspace();
				const store = createFilledStore(keyCount);
				const before = new Map(store.stored);
				await failureOf(rename(space, createKilledStore(store, at, when).store, {collisions}));
				await expectNothingLost(store, before, `${when} call ${at}`);
				if ((await listJobs(space.environment)).length === 0) await rename(space, store, {collisions});
				else expect(await resumeJob(space, store)).toMatchObject({done: keyCount, gone: 0, both: 0, kept: 0});
				expectRenamed(store, before);
			}
		}
	}, 120_000);

	test('may be killed once more while it is resumed', async () => {
		const steps = await countCalls(collisions);
		for (let at = 0; at < steps; at += 3) {
			using space = makeWorkspace();
			const store = createFilledStore(keyCount);
			const before = new Map(store.stored);
			await failureOf(
				rename(space, createKilledStore(store, Math.floor(steps / 2), 'after').store, {collisions}),
			);
			await resumeJob(space, createKilledStore(store, at, 'after').store).catch(() => {});
			await expectNothingLost(store, before, `call ${at} of the second run`);
			const [job] = await listJobs(space.environment);
			if (job && 'record' in job && job.record.status !== 'done') await resumeJob(space, store);
			expectRenamed(store, before);
		}
	}, 120_000);
});

/** Expects each key under its old name, its new name or both, with its original content. */
async function expectNothingLost(
	store: MemoryStore,
	before: ReadonlyMap<string, StoredValue>,
	when: string,
): Promise<void> {
	const original = new MemoryStore();
	for (const [name, value] of before) original.stored.set(name, value);
	for (const name of before.keys()) {
		if (!name.startsWith(change.from)) continue;
		const originalKey = await readKey(original, name);
		const keysUnderBothNames = [
			await readKey(store, name),
			await readKey(store, change.to + name.slice(change.from.length)),
		];
		const found = keysUnderBothNames.filter(one => one !== undefined);
		expect(found.length, `${name}, killed ${when}`).toBeGreaterThan(0);
		for (const one of found)
			expect(originalKey && isSameState(one, originalKey), `${name}, killed ${when}`).toBe(true);
	}
}

describe('changes during a rename', () => {
	const readFailedLines = (space: Workspace) =>
		readFileSync(space.path('left.ndjson'), 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as object);

	/** A store that calls `callback` right after the first write. */
	function afterFirstWrite(store: MemoryStore, callback: () => void): KvStore {
		const wrappedStore = Object.create(store) as KvStore;
		wrappedStore.getMany = (names, signal) => store.getMany(names, signal);
		wrappedStore.deleteMany = (names, signal) => store.deleteMany(names, signal);
		let isFirst = true;
		wrappedStore.putMany = async (entries, signal) => {
			const outcome = await store.putMany(entries, signal);
			if (isFirst) callback();
			isFirst = false;
			return outcome;
		};
		return wrappedStore;
	}

	test('a key that someone changes is not deleted, and is listed', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(6);
		const theirs = {bytes: toBuffer('theirs')};
		const changing = afterFirstWrite(store, () => store.stored.set('user:001', theirs));
		const result = await rename(space, changing);
		expect(result).toMatchObject({done: 5, both: 1, failedFile: space.path('left.ndjson')});
		expect(store.stored.get('user:001')).toEqual(theirs);
		expect(store.stored.get('account:001')?.bytes).toEqual(toBuffer('value 1'));
		expect(readFailedLines(space)).toEqual([
			{key: 'user:001', to: 'account:001', why: 'changed during the rename'},
		]);
	});

	test('a key that someone deletes exists under its new name', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(6);
		const deleting = afterFirstWrite(store, () => store.stored.delete('user:001'));
		expect(await rename(space, deleting)).toMatchObject({done: 6, both: 0});
		expect(store.stored.has('account:001')).toBe(true);
	});

	test('a key whose new name someone writes is not deleted', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(6);
		const theirs = {bytes: toBuffer('theirs')};
		const writing = afterFirstWrite(store, () => store.stored.set('account:001', theirs));
		expect(await rename(space, writing)).toMatchObject({done: 5, both: 1});
		expect(store.stored.has('user:001')).toBe(true);
		expect(store.stored.get('account:001')).toEqual(theirs);
		expect(readFailedLines(space)).toMatchObject([{key: 'user:001'}]);
	});

	test('keys that are rejected or about to expire stay under their old names', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(6, {faults: {refuse: new Map([['account:002', 9]])}});
		const clock = createVirtualClock().client;
		const nearExpiration = Math.floor(Date.now() / 1000) + 30;
		store.stored.set('user:soon', {bytes: toBuffer('s'), expiration: nearExpiration});
		expect(await rename(space, store, {clock})).toMatchObject({done: 5, refused: 1, expired: 1});
		expect(store.stored.has('user:002')).toBe(true);
		expect(store.stored.has('user:soon')).toBe(true);
		expect(readFailedLines(space)).toEqual([
			{key: 'user:002', to: 'account:002', why: 'rejected by the service: refused by the test'},
		]);
	});

	test('a rejected deletion leaves the key under both names', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(3, {faults: {refuse: new Map([['user:001', 9]])}});
		expect(await rename(space, store)).toMatchObject({done: 2, both: 1});
		expect(readFailedLines(space)).toMatchObject([{why: 'the service refused to delete the old name'}]);
	});

	test.each([
		[60_000, {done: 3, both: 0}],
		[200_000, {done: 0, both: 3}],
	])('reads stay stale for %i ms after the first write', async (staleMs, figures) => {
		using space = makeWorkspace();
		const store = createFilledStore(3);
		const clock = createVirtualClock().client;
		const before = new Map(store.stored);
		let writtenAt: number | undefined;
		const staleStore = afterFirstWrite(store, () => {
			writtenAt = clock.elapsed();
		});
		staleStore.getMany = async (names, signal) => {
			if (writtenAt === undefined || clock.elapsed() - writtenAt >= staleMs)
				return store.getMany(names, signal);
			return new Map(
				names.flatMap(name => (before.has(name) ? [[name, before.get(name) as StoredValue]] : [])),
			);
		};
		expect(await rename(space, staleStore, {clock})).toMatchObject(figures);
		expect(store.stored.has('account:001')).toBe(true);
		expect(store.stored.has('user:001')).toBe(figures.both > 0);
	});
});

describe('new names used by other keys', () => {
	const createStoreWithTakenNames = () => {
		const store = createFilledStore(6);
		store.stored.set('account:001', {bytes: toBuffer('another')});
		// A key with the same content, as an interrupted run leaves it, is not another key.
		store.stored.set('account:002', store.stored.get('user:002') as StoredValue);
		return store;
	};

	test('are counted, but not those left by an interrupted run', async () => {
		using space = makeWorkspace();
		const store = createStoreWithTakenNames();
		const names = await listKeysToRename(space, store);
		expect(await countRename(store, change, names, neverAborted)).toEqual({
			keyCount: 6,
			samples: Array.from({length: 6}, (_, at) => [`user:00${at}`, `account:00${at}`]),
			takenCount: 1,
			takenSamples: ['account:001'],
		});
		names.input[Symbol.dispose]();
	});

	test('count once in the total of the progress', async () => {
		using space = makeWorkspace();
		const seen: TransferProgress[] = [];
		await rename(space, createStoreWithTakenNames(), {
			collisions: 'only-missing',
			progress: one => void seen.push(one),
		});
		expect(seen.at(-1)).toMatchObject({settled: 6, total: 6, kept: 1});
	});

	test.each<[CollisionMode, object, string, boolean]>([
		['refuse', {done: 5, kept: 1}, 'another', true],
		['only-missing', {done: 5, kept: 1, failedFile: undefined}, 'another', true],
		['overwrite', {done: 6, kept: 0, failedFile: undefined}, 'value 1', false],
	])('%s', async (collisions, figures, value, keepsOldName) => {
		using space = makeWorkspace();
		const store = createStoreWithTakenNames();
		expect(await rename(space, store, {collisions})).toMatchObject(figures);
		expect(store.texts()['account:001']).toBe(value);
		expect(store.stored.has('user:001')).toBe(keepsOldName);
		expect(store.stored.has('user:002')).toBe(false);
	});

	test.each<[string, PrefixChange, string[], string]>([
		[
			'a name over 512 bytes',
			{from: 'a', to: 'x'.repeat(300)},
			[`a${'b'.repeat(213)}`],
			'The key is too long.',
		],
		['the name "."', {from: 'a', to: ''}, ['a.'], 'is not allowed'],
		['an empty name', {from: 'a', to: ''}, ['a'], 'The key is empty.'],
		['a name that is renamed itself', {from: 'a:b:', to: 'a:'}, ['a:b:b:x', 'a:b:x'], 'will also be renamed'],
	])('%s is refused before anything is written', async (_what, prefixChange, names, what) => {
		using space = makeWorkspace();
		const store = new MemoryStore();
		for (const name of names) store.stored.set(name, {bytes: toBuffer('v')});
		const keyNames = await listKeysToRename(space, store, prefixChange);
		const failure = await failureOf(countRename(store, prefixChange, keyNames, neverAborted));
		expect(failure).toMatchObject({code: 'limit', message: expect.stringContaining(what)});
		expect(store.batches).toEqual([]);
		keyNames.input[Symbol.dispose]();
	});
});
