import {expect, test} from 'vitest';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {allKeys, type ChosenKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import type {KeysState} from '../../../source/screens/keys/state.ts';
import {buildLongWorkLines} from '../../../source/screens/keys/work-time.ts';
import {fullQuota} from '../../../source/service/limiter.ts';
import {createTestStore} from '../support/store.ts';

/** A remote namespace with `count` keys listed, the first half with the prefix `a:`, the rest with `b:`. */
async function createKeysState(count: number, isComplete: boolean): Promise<KeysState> {
	const {state, openNamespace} = createTestStore();
	await openNamespace('SESSIONS');
	const keys = state().keys.data;
	if (!keys) throw new Error('No keys.');
	const index = new KeyIndex();
	index.append(
		Array.from({length: count}, (_, at) => ({
			name: `${at < count / 2 ? 'a' : 'b'}:${String(at).padStart(8, '0')}`,
		})),
	);
	if (isComplete) index.finish();
	return {...keys, index, listing: {state: isComplete ? 'complete' : 'resting'}};
}

const selectPrefix = (prefix: string): ChosenKeys => ({kind: 'prefix', prefix});
const both = {content: 'both'} as const;

test('the expected duration for the chosen keys is shown before the start, with ways to shorten it', async () => {
	const keys = await createKeysState(400_000, true);
	expect(buildLongWorkLines(keys, allKeys, both)).toEqual([
		'400,000 keys take 4,400 calls: 13 min at the quota of the service.',
		'Fewer keys take less time: choose a prefix, a filter or a selection.',
	]);
	expect(buildLongWorkLines(keys, selectPrefix('a:'), both)).toEqual([
		'200,000 keys take 2,200 calls: 4 min at the quota of the service.',
		'A longer prefix covers fewer keys.',
	]);
	expect(buildLongWorkLines(keys, selectPrefix('a:0'), {content: 'names'})).toEqual([]);
	expect(buildLongWorkLines(keys, selectPrefix('c:'), both)).toEqual([]);
});

test('chosen names take one call per 100 values, and none to list them', async () => {
	const keys = await createKeysState(10, true);
	const names = createNamesOrigin(Array.from({length: 200_000}, (_, at) => `name:${at}`));
	expect(buildLongWorkLines(keys, {kind: 'selected', names}, both)[0]).toContain(
		'200,000 keys take 2,000 calls',
	);
	expect(buildLongWorkLines(keys, {kind: 'filtered', filter: 'x', names}, both)[1]).toContain(
		'A longer filter',
	);
});

test('the estimate is an example if not all keys are listed; a prefix listed in full is known', async () => {
	const keys = await createKeysState(1000, false);
	expect(buildLongWorkLines(keys, allKeys, both)[0]).toContain('1,000,000 keys take 11,000 calls: 41 min');
	expect(buildLongWorkLines(keys, selectPrefix('b:'), both)[0]).toBe(
		'The keys under b: are not counted yet. For example, 1,000,000 keys take 11,000 calls: 41 min at the quota of the service.',
	);
	expect(buildLongWorkLines(keys, selectPrefix('a:'), both)).toEqual([]);
	const local = {...keys, opened: {...keys.opened, store: {...keys.opened.store, quota: undefined}}};
	expect(buildLongWorkLines(local, allKeys, both)).toEqual([]);
});

test('the estimate uses known limits: a few keys, or the figure measured by the service', async () => {
	// Not even a full page is listed, so there is no estimate.
	expect(buildLongWorkLines(await createKeysState(6, false), allKeys, both)).toEqual([]);
	const keys = await createKeysState(1000, false);
	expect(buildLongWorkLines(keys, allKeys, both, 400_000)[0]).toContain(
		'400,000 keys take 4,400 calls: 13 min',
	);
	expect(buildLongWorkLines(keys, allKeys, both, 2000)).toEqual([]);
	expect(buildLongWorkLines(keys, selectPrefix('b:'), both, 2000)).toEqual([]);
});

test('the quota left counts the calls of this session, and local data has no quota', async () => {
	const {state, simulator, openNamespace, until} = createTestStore(
		{simulate: true},
		{variables: {LEDGE_TIME_SCALE: '1'}},
	);
	expect(state().connection.getQuotaLeft('local')).toBeUndefined();
	expect(state().connection.getQuotaLeft('remote')).toEqual(fullQuota);
	await openNamespace('SESSIONS');
	simulator.faults.replace('status=429 retry-after=300');
	const store = state().keys.data?.opened.store;
	const readController = new AbortController();
	const rejection = expect(store?.get('x', readController.signal)).rejects.toThrow();
	await until(({work: {quotaUntil}}) => quotaUntil !== undefined);
	readController.abort();
	await rejection;
	expect(store?.quota?.().waitSeconds).toBeGreaterThan(60);
	expect(state().connection.getQuotaLeft('remote')?.waitSeconds).toBeGreaterThan(60);
});

test('a quota used up by others lengthens the estimate', async () => {
	const keys = await createKeysState(400_000, true);
	const quota = () => ({calls: 0, waitSeconds: 240});
	const throttled = {...keys, opened: {...keys.opened, store: {...keys.opened.store, quota}}};
	expect(buildLongWorkLines(throttled, allKeys, both)[0]).toContain('400,000 keys take 4,400 calls: 22 min');
});

test('for a prefix that is not counted, the estimate names the whole namespace as measured by the service', async () => {
	const keys = await createKeysState(1000, false);
	expect(buildLongWorkLines(keys, selectPrefix('b:'), both, 300_000)[0]).toContain(
		'The keys under b: are not counted yet. In the whole namespace, 300,000 keys take 3,300 calls: 9 min',
	);
});
