import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {leaveStats} from '../../../source/screens/stats/actions.ts';
import type {StatsScope} from '../../../source/screens/stats/state.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const local: NamespaceRow = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []};

/** Opens the statistics of a namespace of the simulated service, which first show their cost. */
async function showCostOf(title: string, part: Partial<StatsScope> = {}, faults = ''): Promise<TestStore> {
	const testStore = createTestStore({simulate: true}, {faults});
	await testStore.state().namespaces.load('remote', testStore.signal);
	const namespace = testStore.state().namespaces.data.rows.find(row => row.title === title);
	if (!namespace) throw new Error(`There is no namespace "${title}".`);
	testStore.state().navigation.go('stats');
	testStore
		.state()
		.stats.showCost({namespace, prefix: undefined, keyCount: undefined, sampling: 2000, ...part});
	return testStore;
}

describe('the statistics of a namespace', () => {
	test('are read once confirmed, and give the list of namespaces its key count', async () => {
		const {state} = await showCostOf('catalogue', {sampling: 500});
		expect(state().stats.data).toMatchObject({phase: {name: 'asking'}, entries: []});
		const before = state().activity.data.rows.length;
		await state().stats.read();
		expect(state().activity.data.rows.length - before).toBe(105);
		const stats = state().stats.data;
		expect(stats?.phase).toEqual({name: 'done'});
		expect(stats?.stats).toMatchObject({keys: 100_000, isListed: true, measuredValues: 'sample'});
		expect(stats?.stats?.sizes).toMatchObject({measured: 500, isExact: false});
		const row = stats?.request.namespace.name ?? '';
		expect(state().namespaces.keyCounts.get(row)).toEqual({keys: 100_000, isExact: true});
		expect(state().work.list).toEqual([]);
	});

	test('of local data are exact', async () => {
		const testStore = createTestStore({local: true});
		using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
		await store.putMany(
			[
				{key: 'a:1', value: 'x'},
				{key: 'a:2', value: 'yyy'},
			],
			testStore.signal,
		);
		testStore.state().navigation.go('stats');
		testStore.state().stats.showCost({namespace: local, prefix: undefined, keyCount: undefined, sampling: 1});
		await testStore.state().stats.read();
		expect(testStore.state().stats.data?.stats?.sizes).toMatchObject({isExact: true, total: {value: 4}});
		expect(testStore.state().activity.data.rows).toEqual([]);
	});

	test('show the known part as incomplete when stopped', async () => {
		const testStore = await showCostOf('catalogue');
		const {state} = testStore;
		const ended = state().stats.read();
		await testStore.until(
			({stats: {data: stats}}) =>
				stats?.phase.name === 'reading' && stats.phase.progress?.phase === 'listing',
		);
		expect(leaveStats(createTestApp(testStore))).toBe(true);
		await ended;
		const stats = state().stats.data;
		expect(stats?.phase).toEqual({name: 'stopped'});
		expect(stats?.stats?.keys).toBeGreaterThan(0);
		expect(stats?.stats?.isListed).toBe(false);
		expect(stats?.entries[0]).toMatchObject({kind: 'line', line: expect.stringContaining('Incomplete')});
		expect(leaveStats(createTestApp(testStore))).toBe(false);
	});

	test('are stopped when their screen is left', async () => {
		const testStore = await showCostOf('catalogue');
		const ended = testStore.state().stats.read();
		await testStore.until(
			({stats: {data: stats}}) => stats?.phase.name === 'reading' && stats.phase.progress !== undefined,
		);
		testStore.state().navigation.back();
		await ended;
		expect(testStore.state().stats.data?.phase).toEqual({name: 'stopped'});
		expect(testStore.state().work.list).toEqual([]);
	});

	test('keep the known part beside a failure', async () => {
		const {state} = await showCostOf('catalogue', {}, 'path=/keys after=3 status=403');
		await state().stats.read();
		expect(state().stats.data).toMatchObject({phase: {name: 'failed'}, stats: {keys: 3000, isListed: false}});
	});

	test('that fail before anything is known show nothing', async () => {
		const {state} = await showCostOf('SESSIONS', {}, 'path=/keys status=403');
		await state().stats.read();
		expect(state().stats.data).toMatchObject({phase: {name: 'failed'}, stats: undefined, entries: []});
	});

	test('of another namespace replace those being read', async () => {
		const testStore = await showCostOf('catalogue');
		const {state} = testStore;
		const first = state().stats.read();
		await testStore.until(
			({stats: {data: stats}}) => stats?.phase.name === 'reading' && stats.phase.progress !== undefined,
		);
		const namespace = state().namespaces.data.rows.find(({title}) => title === 'CONFIG');
		if (!namespace) throw new Error('There is no namespace CONFIG.');
		state().stats.showCost({namespace, prefix: 'limits/', keyCount: undefined, sampling: 'none'});
		await first;
		expect(state().stats.data?.phase).toEqual({name: 'asking'});
		await state().stats.read();
		expect(state().stats.data).toMatchObject({phase: {name: 'done'}, stats: {keys: 2, sizes: undefined}});
	});

	test('are navigated by rows and by sections', async () => {
		const {state} = await showCostOf('SESSIONS');
		await state().stats.read();
		const getSectionName = () => state().stats.data?.entries[state().stats.data?.cursor ?? -1]?.section.name;
		const sectionNames: (string | undefined)[] = [];
		for (let step = 0; step < 6; step++) {
			sectionNames.push(getSectionName());
			state().stats.moveToSection(1);
		}
		expect(sectionNames).toEqual(['prefixes', 'sizes', 'largest', 'expiries', 'metadata', 'prefixes']);
		state().stats.moveToSection(-1);
		expect(getSectionName()).toBe('prefixes');
		state().stats.move(Number.POSITIVE_INFINITY);
		expect(getSectionName()).toBe('metadata');
	});
});
