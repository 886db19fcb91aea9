import {readdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {Failure, toFailure} from '../../../source/failure.ts';
import {
	isSamePlan,
	maxPollMs,
	type PossibleRename,
	performRename,
	planRename,
	type RenamePlan,
	type RenameResult,
	type Renaming,
	readBothNames,
	undoRename,
} from '../../../source/kv/change/rename.ts';
import {isSameState, readWholeKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import {limits} from '../../../source/kv/limits.ts';
import type {KvStore, StoredValue, WriteOptions} from '../../../source/kv/store.ts';
import {createVirtualClock} from '../../support/run.ts';
import {bytes, names, neverAborted, openForTest, temporaryRoot} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';

const now = 2_000_000_000;
const renaming: Renaming = {kind: 'rename', from: 'old', to: 'new'};
const copying: Renaming = {...renaming, kind: 'copy'};

const source: WholeKey = {bytes: bytes('value'), metadata: {v: [1, null]}, expiration: now + 1000};
const other: WholeKey = {bytes: bytes('other'), metadata: null};

const storedOf = ({bytes: value, metadata, expiration}: WholeKey): StoredValue => ({
	bytes: value,
	...(metadata !== null && {metadata}),
	...(expiration !== undefined && {expiration}),
});

function storeWith(keys: Record<string, WholeKey>, kind: KvStore['kind'] = 'remote'): MemoryStore {
	const store = new MemoryStore({kind});
	for (const [name, key] of Object.entries(keys)) store.stored.set(name, storedOf(key));
	return store;
}

const holds = async (store: KvStore, name: string, key: WholeKey | undefined): Promise<boolean> => {
	const stored = await readWholeKey(store, name, neverAborted);
	return stored && key ? isSameState(stored, key) : stored === key;
};

/** Plans and performs a rename, as a command does that may overwrite the target. */
async function rename(
	store: KvStore,
	operation = renaming,
	clock = createVirtualClock().client,
): Promise<RenameResult> {
	const plan = planRename(operation, await readBothNames(store, operation, neverAborted), now);
	if (!('source' in plan)) throw new Error(`nothing to do: ${plan.type}`);
	return performRename(store, operation, plan, {clock, signal: neverAborted});
}

const failureOf = async (promise: Promise<unknown>): Promise<Failure> =>
	promise.then(
		() => {
			throw new Error('it did not fail');
		},
		error => toFailure(error),
	);

describe('the plan of a rename', () => {
	const planOf = (keys: {source?: WholeKey; target?: WholeKey}, operation = renaming) =>
		planRename(operation, {source: keys.source, target: keys.target}, now);

	test.each<[string, RenamePlan, RenamePlan]>([
		['a free name', planOf({source}), {type: 'write', source, overwrittenKey: undefined}],
		[
			'another key under the new name',
			planOf({source, target: other}),
			{type: 'write', source, overwrittenKey: other},
		],
		['the same key under both names', planOf({source, target: {...source}}), {type: 'finish', source}],
		[
			'a copy with the same key under both names',
			planOf({source, target: {...source}}, copying),
			{type: 'already', source},
		],
		['a missing key', planOf({}), {type: 'absent', target: undefined}],
		[
			'a missing key, and another key under the new name',
			planOf({target: other}),
			{type: 'absent', target: other},
		],
	])('is right for %s', (_what, plan, expected) => {
		expect(plan).toEqual(expected);
	});

	test.each<[string, Partial<Renaming>, Partial<WholeKey>, string]>([
		['the same name', {to: 'old'}, {}, 'Both names are the same.'],
		['an empty name', {to: ''}, {}, 'The key is empty.'],
		['a name of dots', {to: '..'}, {}, 'The key ".." is not allowed.'],
		['a name that is too long', {to: 'é'.repeat(257)}, {}, 'The key is too long.'],
		['59 s of life', {}, {expiration: now + 59}, 'The key expires in 59 s.'],
		['no life left', {}, {expiration: now}, 'The key has expired.'],
		['an expiry beyond any date', {}, {expiration: 9_000_000_000_000}, 'The expiration is too late.'],
		['too much metadata', {}, {metadata: 'm'.repeat(1023)}, 'The metadata is too large.'],
	])('refuses %s', (_what, names, part, what) => {
		const plan = planRename({...renaming, ...names}, {source: {...source, ...part}, target: undefined}, now);
		expect(plan).toMatchObject({type: 'refused', what});
	});

	test('accepts 60 s of remaining life, and a name of 512 bytes', () => {
		const operation = {...renaming, to: 'é'.repeat(256)};
		const expiringKey = {...source, expiration: now + limits.minimumTtl};
		expect(planRename(operation, {source: expiringKey, target: undefined}, now).type).toBe('write');
	});

	test('only deletes if the expiring key is already under both names', () => {
		const expiringKey = {...source, expiration: now + 5};
		expect(planOf({source: expiringKey, target: {...expiringKey}}).type).toBe('finish');
	});

	test('differs if either name has a different key', () => {
		const plan = planOf({source, target: other});
		expect(isSamePlan(plan, planOf({source: {...source}, target: {...other}}))).toBe(true);
		expect(isSamePlan(plan, planOf({source}))).toBe(false);
		expect(isSamePlan(plan, planOf({source, target: {...other, metadata: 1}}))).toBe(false);
		expect(isSamePlan(plan, planOf({source: other, target: other}))).toBe(false);
		expect(isSamePlan(plan, planOf({source: {...source, bytes: bytes('x')}, target: other}))).toBe(false);
		expect(isSamePlan(planOf({}), planOf({}))).toBe(false);
	});
});

describe('a performed rename', () => {
	const binary = new Uint8Array(limits.valueBytes).map((_byte, at) => (at * 7919) & 0xff);

	test.each<[string, WholeKey]>([
		['a value with metadata and expiration', source],
		['a value without either', {bytes: bytes('v'), metadata: null}],
		['an empty value', {bytes: bytes(''), metadata: {a: 1}}],
		['metadata that a Worker wrote', {bytes: bytes('v'), metadata: ['x', 0, false]}],
		['25 MiB that are not text', {bytes: binary, metadata: {v: 1}, expiration: now + 60}],
	])('moves %s to the new name', async (_what, key) => {
		const store = storeWith({old: key, beside: other});
		expect(await rename(store)).toEqual({written: true, deleted: true, hasLostResponse: false});
		expect([...store.stored.keys()]).toEqual(['beside', 'new']);
		expect(await holds(store, 'new', key)).toBe(true);
	});

	test('keeps the old name for a copy', async () => {
		const store = storeWith({old: source});
		expect(await rename(store, copying)).toEqual({written: true, deleted: false, hasLostResponse: false});
		expect([await holds(store, 'old', source), await holds(store, 'new', source)]).toEqual([true, true]);
		expect(await rename(store, copying)).toEqual({written: false, deleted: false, hasLostResponse: false});
	});

	test('sends both writes and reads nothing in a dry run of a plan', async () => {
		const store = storeWith({old: source});
		const plan: PossibleRename = {type: 'write', source, overwrittenKey: undefined};
		const {store: tracedStore, calls} = traceCalls(store, {});
		await performRename(tracedStore, renaming, plan, {
			clock: createVirtualClock().client,
			signal: neverAborted,
			isDryRun: true,
		});
		expect(calls).toEqual(['put new', 'delete old']);
	});
});

describe('a rename in local data', () => {
	test('takes one step, which keeps the value in place', async () => {
		const root = temporaryRoot();
		using store = openForTest({root});
		await store.put(
			'old',
			source.bytes,
			{metadata: source.metadata, expiration: source.expiration ?? 0},
			neverAborted,
		);
		await store.put('new', other.bytes, {}, neverAborted);
		expect(await rename(store)).toEqual({written: true, deleted: true, hasLostResponse: false});
		expect(names(store.listEntries())).toEqual(['new']);
		expect(await holds(store, 'new', source)).toBe(true);
		const valueFiles = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(name =>
			/blobs\/./.test(name),
		);
		expect(valueFiles.length).toBe(1);
		expect(await rename(store, {kind: 'rename', from: 'new', to: 'again'})).toMatchObject({written: true});
		expect(await holds(store, 'again', source)).toBe(true);
	});

	test.each<[string, (store: KvStore) => Promise<unknown>]>([
		['the old name was changed', store => store.put('old', bytes('theirs'), {}, neverAborted)],
		['the old name was deleted', store => store.delete('old', neverAborted)],
		['the new name was taken', store => store.put('new', bytes('theirs'), {}, neverAborted)],
	])('writes nothing if %s', async (_what, theirs) => {
		using store = openForTest();
		await store.put('old', source.bytes, {metadata: source.metadata}, neverAborted);
		const plan = planRename(renaming, await readBothNames(store, renaming, neverAborted), now);
		await theirs(store);
		const before = [
			await readWholeKey(store, 'old', neverAborted),
			await readWholeKey(store, 'new', neverAborted),
		];
		const failure = await failureOf(
			performRename(store, renaming, plan as PossibleRename, {
				clock: createVirtualClock().client,
				signal: neverAborted,
			}),
		);
		expect(failure.code).toBe('changed_meanwhile');
		expect([
			await readWholeKey(store, 'old', neverAborted),
			await readWholeKey(store, 'new', neverAborted),
		]).toEqual(before);
	});

	test('gives a copy its own value', async () => {
		using store = openForTest();
		await store.put('old', source.bytes, {}, neverAborted);
		await rename(store, copying);
		await store.delete('old', neverAborted);
		expect(await holds(store, 'new', {bytes: source.bytes, metadata: null})).toBe(true);
	});
});

/** Something that happens right before or after call number `at`, from 0. */
type Step = {readonly at: number; readonly when: 'before' | 'after'; do(store: MemoryStore): void};

/** Records the reads and writes of a store, and runs `step` at one of them. */
function traceCalls(store: MemoryStore, {step}: {step?: Step}): {store: KvStore; calls: string[]} {
	const calls: string[] = [];
	const runCall = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
		const at = calls.push(call) - 1;
		if (step?.at === at && step.when === 'before') step.do(store);
		const result = await work();
		if (step?.at === at && step.when === 'after') step.do(store);
		return result;
	};
	const overrides: Partial<KvStore> = {
		get: key => runCall(`get ${key}`, () => store.get(key)),
		metadata: key => runCall(`metadata ${key}`, () => store.metadata(key)),
		put: (key, value, options) => runCall(`put ${key}`, () => store.put(key, value, options)),
		delete: key => runCall(`delete ${key}`, () => store.delete(key)),
	};
	return {store: Object.assign(Object.create(store) as KvStore, overrides), calls};
}

/**
 * The calls of a rename: both names are read (value and metadata each), the new one is written and read back,
 * and the old one is read again and deleted.
 */
const stepCount = 4 + 1 + 2 + 2 + 1;
const rereadIndex = stepCount - 3;
const everyStep = Array.from({length: stepCount}, (_, at) =>
	(['before', 'after'] as const).map(when => ({at, when})),
).flat();

describe.each([
	['a free name', undefined],
	['a name that is overwritten', other],
])('a rename onto %s', (_what, target) => {
	const createInitialStore = () => storeWith({old: source, ...(target && {new: target})});

	test.each(
		everyStep,
	)('killed $when step $at leaves one name or both, and running it again completes it', async moment => {
		const store = createInitialStore();
		const killed = traceCalls(store, {
			step: {
				...moment,
				do() {
					throw new TypeError('killed');
				},
			},
		});
		await failureOf(rename(killed.store));
		const [isUnderOldName, isUnderNewName] = [
			await holds(store, 'old', source),
			await holds(store, 'new', source),
		];
		expect(isUnderOldName || isUnderNewName).toBe(true);
		// The new name has the complete key, or what it had before.
		expect(isUnderNewName || (await holds(store, 'new', target))).toBe(true);
		if (isUnderOldName) await rename(store);
		expect(await holds(store, 'new', source)).toBe(true);
		expect([...store.stored.keys()]).toEqual(['new']);
	});

	test.each(
		everyStep,
	)('never loses a change to the old name by someone else $when step $at', async moment => {
		const store = createInitialStore();
		const theirs = {bytes: bytes('theirs'), metadata: {by: 'them'}};
		const changing = traceCalls(store, {
			step: {...moment, do: () => void store.stored.set('old', storedOf(theirs))},
		});
		const result = await rename(changing.store).catch(toFailure);
		const isKept = (await holds(store, 'old', theirs)) || (await holds(store, 'new', theirs));
		// A change after the last read of the value goes unnoticed: the service has no conditional deletion.
		const isNoticeable = moment.at < rereadIndex || (moment.at === rereadIndex && moment.when === 'before');
		if (isNoticeable) expect(isKept).toBe(true);
		if (result instanceof Failure) expect(await holds(store, 'old', theirs)).toBe(true);
	});

	test.each(everyStep)('is not harmed if someone else deletes the old name $when step $at', async moment => {
		const store = createInitialStore();
		const deleting = traceCalls(store, {step: {...moment, do: () => void store.stored.delete('old')}});
		await rename(deleting.store).catch(() => {});
		expect(store.stored.has('old')).toBe(false);
		const wasRead = moment.at > 3;
		if (wasRead) expect(await holds(store, 'new', source)).toBe(true);
	});
});

/** How writes fail, and how long reads are stale. */
type Fault = {
	readonly put?: 'refused' | 'lost' | 'not sent' | 'lost before';
	readonly delete?: 'refused' | 'lost' | 'lost before';
	/** Milliseconds after a write for which reads return the state before all writes. */
	readonly staleMs?: number;
	/** What someone else writes under the new name right after the write. */
	readonly theirs?: WholeKey;
};

const lostAnswer = () => new Failure('connection_lost', 'The connection broke.', {outcomeUnknown: true});
const refusal = () => new Failure('refused_by_service', 'No.', {http: 400, outcome: 'refused'});
const notSent = () => new Failure('unreachable', 'No route.', {outcome: 'not sent'});

function createFaultyStore(
	fault: Fault,
	initialKeys: Record<string, WholeKey>,
	clock = createVirtualClock().client,
) {
	const store = storeWith(initialKeys);
	const before = new Map(store.stored);
	let changedAt: number | undefined;
	const writes: string[] = [];
	const isStale = () => changedAt !== undefined && clock.elapsed() - changedAt < (fault.staleMs ?? 0);
	const readStored = (key: string) => (isStale() ? before : store.stored).get(key);
	const overrides: Partial<KvStore> = {
		get: async key => readStored(key),
		metadata: async key => (readStored(key) ? (readStored(key)?.metadata ?? null) : undefined),
		async put(key: string, value: Uint8Array, options: WriteOptions) {
			writes.push(`put ${key}`);
			if (fault.put === 'refused') throw refusal();
			if (fault.put === 'not sent') throw notSent();
			if (fault.put === 'lost before') throw lostAnswer();
			await store.put(key, value, options);
			changedAt = clock.elapsed();
			if (fault.theirs) store.stored.set(key, storedOf(fault.theirs));
			if (fault.put === 'lost') throw lostAnswer();
		},
		async delete(key: string) {
			writes.push(`delete ${key}`);
			if (fault.delete === 'refused') throw refusal();
			if (fault.delete === 'lost before') throw lostAnswer();
			await store.delete(key);
			changedAt = clock.elapsed();
			if (fault.delete === 'lost') throw lostAnswer();
			return undefined;
		},
	};
	return {store, clock, writes, faultyStore: Object.assign(Object.create(store) as KvStore, overrides)};
}

describe('a rename with lost responses or stale reads', () => {
	test.each<[string, Fault, RenameResult]>([
		['the answer to the write', {put: 'lost'}, {written: true, deleted: true, hasLostResponse: true}],
		['the answer to the deletion', {delete: 'lost'}, {written: true, deleted: true, hasLostResponse: true}],
		['both answers', {put: 'lost', delete: 'lost'}, {written: true, deleted: true, hasLostResponse: true}],
		['reads that are 60 s old', {staleMs: 60_000}, {written: true, deleted: true, hasLostResponse: false}],
		[
			'lost answers and old reads',
			{put: 'lost', delete: 'lost', staleMs: 60_000},
			{written: true, deleted: true, hasLostResponse: true},
		],
	])('settles %s by reading', async (_what, fault, expectedResult) => {
		const {store, clock, writes, faultyStore} = createFaultyStore(fault, {old: source});
		expect(await rename(faultyStore, renaming, clock)).toEqual(expectedResult);
		expect([...store.stored.keys()]).toEqual(['new']);
		expect(await holds(store, 'new', source)).toBe(true);
		expect(writes).toEqual(['put new', 'delete old']);
	});

	test.each<[string, Fault, WholeKey | undefined]>([
		['reads that are 60 s old', {staleMs: 60_000}, undefined],
		['lost answers and old reads', {put: 'lost', delete: 'lost', staleMs: 60_000}, undefined],
		['reads that are 60 s old, and another key under the new name', {staleMs: 60_000}, other],
	])('is undone by writing the old name before touching the new one: %s', async (_what, fault, overwrittenKey) => {
		const {store, clock, writes, faultyStore} = createFaultyStore(fault, {
			old: source,
			...(overwrittenKey && {new: overwrittenKey}),
		});
		await rename(faultyStore, renaming, clock);
		writes.length = 0;
		const undone = undoRename(
			faultyStore,
			{from: 'old', to: 'new', source, overwrittenKey},
			{clock, signal: neverAborted},
		);
		expect(await undone).toMatchObject({notes: []});
		expect(await holds(store, 'old', source)).toBe(true);
		expect(await holds(store, 'new', overwrittenKey)).toBe(true);
		expect(writes).toEqual(['put old', overwrittenKey ? 'put new' : 'delete new']);
	});

	const oldKeyUnchanged = '"old" is as before.';
	test.each<[string, Fault, {code: string; left: string; writes: string[]; keys: string[]}]>([
		[
			'the write is refused',
			{put: 'refused'},
			{
				code: 'refused_by_service',
				left: `Nothing was changed: ${oldKeyUnchanged}`,
				writes: ['put new'],
				keys: ['old'],
			},
		],
		[
			'the write is not sent',
			{put: 'not sent'},
			{
				code: 'unreachable',
				left: `Nothing was changed: ${oldKeyUnchanged}`,
				writes: ['put new'],
				keys: ['old'],
			},
		],
		[
			'the write is lost on its way',
			{put: 'lost before'},
			{
				code: 'connection_lost',
				left: '"new" may have been written; "old" is unchanged.',
				writes: ['put new'],
				keys: ['old'],
			},
		],
		[
			'reads never show the write',
			{staleMs: maxPollMs * 2},
			{code: 'partly_failed', left: '"old" was not deleted.', writes: ['put new'], keys: ['new', 'old']},
		],
		[
			'someone else writes the new name',
			{theirs: other},
			{code: 'changed_meanwhile', left: '"old" was not deleted.', writes: ['put new'], keys: ['new', 'old']},
		],
		[
			'someone else writes it, and the answer is lost',
			{put: 'lost', theirs: other},
			{
				code: 'connection_lost',
				left: '"new" may have been written; "old" is unchanged. "new" contains what someone else wrote.',
				writes: ['put new'],
				keys: ['new', 'old'],
			},
		],
		[
			'the deletion is refused',
			{delete: 'refused'},
			{
				code: 'refused_by_service',
				left: '"new" and "old" have the same content.',
				writes: ['put new', 'delete old'],
				keys: ['new', 'old'],
			},
		],
		[
			'the deletion is lost on its way',
			{delete: 'lost before'},
			{
				code: 'connection_lost',
				left: '"new" was written; "old" may have been deleted.',
				writes: ['put new', 'delete old'],
				keys: ['new', 'old'],
			},
		],
	])('says which names exist: %s', async (_what, fault, {code, left, writes: expectedWrites, keys}) => {
		const {store, clock, writes, faultyStore} = createFaultyStore(fault, {old: source});
		const failure = await failureOf(rename(faultyStore, renaming, clock));
		expect({code: failure.code, left: failure.details.left}).toEqual({code, left});
		expect(writes).toEqual(expectedWrites);
		expect([...store.stored.keys()].sort()).toEqual(keys);
		if (!fault.theirs) await rename(store);
		expect(await holds(store, 'new', fault.theirs ?? source)).toBe(true);
	});

	test('polls for 75 s at most, and never in local data', async () => {
		const {clock, faultyStore} = createFaultyStore({staleMs: maxPollMs * 2}, {old: source});
		const began = clock.elapsed();
		await failureOf(rename(faultyStore, renaming, clock));
		const took = clock.elapsed() - began;
		expect(took).toBeGreaterThanOrEqual(maxPollMs);
		expect(took).toBeLessThan(maxPollMs + 10_000);
		const local = createFaultyStore({staleMs: 1}, {old: source});
		Object.assign(local.faultyStore, {kind: 'local'});
		const before = local.clock.elapsed();
		await failureOf(rename(local.faultyStore, renaming, local.clock));
		expect(local.clock.elapsed()).toBe(before);
	});

	test('says which names exist if it is aborted', async () => {
		const controller = new AbortController();
		const {store, clock, faultyStore} = createFaultyStore({staleMs: 60_000}, {old: source});
		const plan: PossibleRename = {type: 'write', source, overwrittenKey: undefined};
		const abortingClock = {...clock, wait: async () => controller.abort()};
		const abortableStore = Object.assign(Object.create(faultyStore) as KvStore, {
			get: async (key: string, signal: AbortSignal) => {
				if (signal.aborted) throw new Failure('interrupted', 'Interrupted.');
				return faultyStore.get(key, signal);
			},
		});
		const failure = await failureOf(
			performRename(abortableStore, renaming, plan, {clock: abortingClock, signal: controller.signal}),
		);
		expect(failure.code).toBe('interrupted');
		expect(failure.details.left).toBe('"new" was written but could not be read back; "old" is unchanged.');
		expect([...store.stored.keys()].sort()).toEqual(['new', 'old']);
	});
});
