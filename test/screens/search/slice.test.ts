import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import {leaveSearch} from '../../../source/screens/search/actions.ts';
import {hitList, maxHits, maxHitsPerValue, type SearchRequest} from '../../../source/screens/search/state.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const namespace: NamespaceRow = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []};

const buildRequest = (pattern: string, part: Partial<SearchRequest> = {}): SearchRequest => ({
	namespace,
	keys: allKeys,
	total: undefined,
	pattern,
	mode: 0,
	...part,
});

const [exactMode, expressionMode] = [1, 2];

/** A store on local data with these values, its search screen in front. */
async function createFilledStore(values: Readonly<Record<string, string>>): Promise<TestStore> {
	const testStore = createTestStore({local: true});
	using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	const entries = Object.entries(values).map(([key, value]) => ({key, value}));
	await store.putMany(entries, testStore.signal);
	testStore.state().navigation.go('search');
	return testStore;
}

const formatKeyName = (number: number) => `key-${String(number).padStart(4, '0')}`;

const buildValues = (count: number) =>
	Object.fromEntries(
		Array.from({length: count}, (_, at) => [formatKeyName(at), at % 2 === 0 ? 'a needle' : 'hay']),
	);

const listHitKeys = ({state}: TestStore) => {
	const search = state().search.data;
	return search ? hitList.listVisible(search).map(({key}) => key) : [];
};

describe('a search in values', () => {
	test('lists each line with the text, and counts keys and hits', async () => {
		const testStore = await createFilledStore({a: 'one Needle\ntwo\nneedle', b: 'hay', c: 'needle'});
		await testStore.state().search.begin(buildRequest('needle'));
		const search = testStore.state().search.data;
		expect(search?.rows.map(({key, line, offset}) => [key, line, offset])).toEqual([
			['a', 1, 4],
			['a', 3, 15],
			['c', 1, 0],
		]);
		expect(search).toMatchObject({phase: {name: 'done'}, searched: 3, found: 3, keysWithHits: 2, gone: 0});
	});

	test.each([
		[0, 'a.c', ['dot', 'dots']],
		[exactMode, 'A.C', ['dots']],
		[expressionMode, 'a.c', ['dot', 'letters']],
		[3, 'A.c', ['dot', 'dots', 'letters']],
	] as const)('in mode %i finds %s in %j', async (mode, pattern, keys) => {
		const testStore = await createFilledStore({dot: 'a.c', dots: 'A.C', letters: 'abc'});
		await testStore.state().search.begin(buildRequest(pattern, {mode}));
		expect(listHitKeys(testStore)).toEqual(keys);
	});

	test('of a selection reads nothing else', async () => {
		const testStore = await createFilledStore(buildValues(10));
		const names = createNamesOrigin([formatKeyName(2), formatKeyName(3), formatKeyName(4)]);
		await testStore.state().search.begin(buildRequest('needle', {keys: {kind: 'selected', names}}));
		expect(listHitKeys(testStore)).toEqual([formatKeyName(2), formatKeyName(4)]);
		expect(testStore.state().search.data?.searched).toBe(3);
	});

	test('limits the hits kept per value and in total, and counts the others', async () => {
		const lines = 'needle\n'.repeat(maxHitsPerValue + 200);
		const keyCount = maxHits / maxHitsPerValue + 2;
		const testStore = await createFilledStore(
			Object.fromEntries(Array.from({length: keyCount}, (_, at) => [formatKeyName(at), lines])),
		);
		await testStore.state().search.begin(buildRequest('needle'));
		const search = testStore.state().search.data;
		expect(search).toMatchObject({
			found: keyCount * (maxHitsPerValue + 200),
			keysWithHits: keyCount,
			searched: keyCount,
		});
		expect(search?.rows).toHaveLength(maxHits);
		expect(search?.rows.filter(({key}) => key === formatKeyName(0))).toHaveLength(maxHitsPerValue);
	});

	test('keeps its hits when stopped, and continues after them', async () => {
		const testStore = await createFilledStore(buildValues(5000));
		const {state} = testStore;
		const ended = state().search.begin(buildRequest('needle'));
		await testStore.until(({search: {data: search}}) => (search?.found ?? 0) > 0);
		expect(leaveSearch(createTestApp(testStore))).toBe(true);
		await ended;
		const search = state().search.data;
		expect(search?.phase).toEqual({name: 'stopped'});
		expect(search?.searched).toBeLessThan(5000);
		const before = listHitKeys(testStore);
		expect(before.length).toBeGreaterThan(0);
		await state().search.resume();
		expect(state().search.data).toMatchObject({
			phase: {name: 'done'},
			searched: 5000,
			found: 2500,
			keysWithHits: 2500,
		});
		expect(listHitKeys(testStore).slice(0, before.length)).toEqual(before);
		expect(listHitKeys(testStore)).toEqual(Array.from({length: 2500}, (_, at) => formatKeyName(at * 2)));
	});

	test('is abandoned when its screen is left', async () => {
		const testStore = await createFilledStore(buildValues(5000));
		const ended = testStore.state().search.begin(buildRequest('needle'));
		testStore.state().navigation.back();
		await ended;
		expect(testStore.state().search.data).toBeUndefined();
		expect(testStore.state().work.list).toEqual([]);
	});

	test('replaces another search that is running', async () => {
		const testStore = await createFilledStore(buildValues(5000));
		const first = testStore.state().search.begin(buildRequest('needle'));
		await testStore.state().search.begin(buildRequest('hay'));
		await first;
		expect(testStore.state().search.data).toMatchObject({phase: {name: 'done'}, found: 2500, searched: 5000});
		expect(listHitKeys(testStore)[0]).toBe(formatKeyName(1));
	});

	test('with an endless expression fails, and keeps the hits found so far', async () => {
		const testStore = await createFilledStore({a: 'aab', b: `${'a'.repeat(60)}b`});
		await testStore.state().search.begin(buildRequest('(a+)+$', {mode: expressionMode}));
		expect(testStore.state().search.data?.phase).toMatchObject({
			name: 'failed',
			failure: {code: 'timed_out'},
		});
		expect(testStore.state().messages.latest?.text).toContain('did not finish on the key');
	});
});

describe('hits', () => {
	test('are filtered by text in key or excerpt, and the cursor stays on its hit', async () => {
		const testStore = await createFilledStore({
			'a:1': 'needle one',
			'b:1': 'needle two',
			'b:2': 'needle one',
		});
		const {state} = testStore;
		await state().search.begin(buildRequest('needle'));
		state().search.move(2);
		state().search.filter('one');
		expect(listHitKeys(testStore)).toEqual(['a:1', 'b:2']);
		const search = state().search.data;
		expect(search && hitList.getSelected(search)?.key).toBe('b:2');
		state().search.filter('b:');
		expect(listHitKeys(testStore)).toEqual(['b:1', 'b:2']);
		expect(leaveSearch(createTestApp(testStore))).toBe(true);
		expect(listHitKeys(testStore)).toHaveLength(3);
		expect(leaveSearch(createTestApp(testStore))).toBe(false);
		expect(state().search.data).toBeUndefined();
	});

	test('are filtered by the start of their key with ^', async () => {
		const testStore = await createFilledStore({
			'a:b': 'needle b:',
			'b:1': 'needle',
			'B:2': 'needle',
			'^b:': 'needle',
		});
		const {state} = testStore;
		await state().search.begin(buildRequest('needle'));
		state().search.filter('^b:');
		expect(listHitKeys(testStore)).toEqual(['b:1']);
		state().search.filter('\\^b:');
		expect(listHitKeys(testStore)).toEqual(['^b:']);
		state().search.filter('^');
		expect(listHitKeys(testStore)).toHaveLength(4);
	});

	test('found later are filtered, too', async () => {
		const testStore = await createFilledStore(buildValues(5000));
		const ended = testStore.state().search.begin(buildRequest('needle'));
		testStore.state().search.filter('key-49');
		await ended;
		expect(listHitKeys(testStore)).toEqual(Array.from({length: 50}, (_, at) => formatKeyName(4900 + at * 2)));
	});
});

describe('a search at the service', () => {
	const openSessionsSearch = async (faults: string) => {
		const testStore = createTestStore({simulate: true}, {faults});
		await testStore.openNamespace('SESSIONS');
		const row = testStore.state().keys.data?.namespace;
		if (!row) throw new Error('No namespace is open.');
		testStore.state().navigation.go('keys');
		testStore.state().navigation.go('search');
		return {space: testStore, sessionsRequest: buildRequest('user', {namespace: row})};
	};

	test('keeps its hits on failure, and continues from there', async () => {
		const {space: testStore, sessionsRequest} = await openSessionsSearch('status=403 path=/bulk/get after=2');
		await testStore.state().search.begin(sessionsRequest);
		const search = testStore.state().search.data;
		expect(search?.phase.name).toBe('failed');
		expect(testStore.state().messages.latest?.kind).toBe('failed');
		const before = search?.searched ?? 0;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(480);
		testStore.simulator.faults.clear();
		await testStore.state().search.resume();
		expect(testStore.state().search.data).toMatchObject({phase: {name: 'done'}, searched: 480});
		const allHitKeys = listHitKeys(testStore);
		await testStore.state().search.begin(sessionsRequest);
		expect(listHitKeys(testStore)).toEqual(allHitKeys);
	});

	test('waits for the quota, shows the wait, and goes on', async () => {
		const {space: testStore, sessionsRequest} = await openSessionsSearch(
			'status=429 retry-after=1 path=/bulk/get times=1',
		);
		const ended = testStore.state().search.begin(sessionsRequest);
		await testStore.until(({work: {waits}}) => waits.length > 0);
		await ended;
		expect(testStore.state().search.data).toMatchObject({phase: {name: 'done'}, searched: 480});
	});
});
