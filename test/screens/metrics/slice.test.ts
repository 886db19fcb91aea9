import {expect, test} from 'vitest';
import {readFigures, readNamespaces} from '../../../source/screens/namespaces/actions.ts';
import {formatNamespaceStatus} from '../../../source/screens/namespaces/view.tsx';
import {reloadScreen} from '../../../source/screens/shell/global-actions.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const countQueries = ({state}: TestStore) =>
	state().activity.data.rows.filter(({path}) => path === '/graphql').length;

/** Opens the list of namespaces, and waits for their metrics. */
async function atNamespaces(faults = '') {
	const testStore = createTestStore({simulate: true}, {faults, elapsed: () => 0});
	const app = createTestApp(testStore);
	testStore.state().navigation.go('namespaces');
	readNamespaces(app, 'remote');
	await testStore.until(({namespaces: {data}}) => data.reading === 'read');
	// As the list does when it is shown.
	readFigures(app, 'remote');
	await testStore.until(({metrics: {storeFigures}}) => storeFigures !== undefined);
	return {...testStore, app, space: testStore};
}

test('metrics are requested once in five minutes, however often they are loaded, and on ctrl-r', async () => {
	const {app, space: testStore, state, advanceClock, signal} = await atNamespaces();
	const firstCount = countQueries(testStore);
	const figures = state().metrics.storeFigures;
	expect(figures?.value?.get(state().namespaces.data.rows[0]?.id ?? '').keys).toBeDefined();
	advanceClock(299_000);
	await state().metrics.loadStoreFigures(signal);
	expect(countQueries(testStore)).toBe(firstCount);
	expect(state().metrics.storeFigures).toBe(figures);
	advanceClock(2000);
	await state().metrics.loadStoreFigures(signal);
	expect(countQueries(testStore)).toBe(firstCount + 1);
	const second = state().metrics.storeFigures;
	reloadScreen(app);
	await testStore.until(({metrics: {storeFigures}}) => storeFigures !== second);
	expect(countQueries(testStore)).toBe(firstCount + 2);
});

test('loading the metrics every ten seconds for an hour makes twelve requests', async () => {
	const {space: testStore, state, advanceClock, signal} = await atNamespaces();
	const firstCount = countQueries(testStore);
	for (let second = 0; second < 3600; second += 10) {
		advanceClock(10_000);
		await state().metrics.loadStoreFigures(signal);
	}
	expect(countQueries(testStore) - firstCount).toBe(12);
});

test.each([
	['analytics=not-authorized', 'metrics need Account Analytics: Read'],
	['status=404', 'Store metrics are not available from this service.'],
	['analytics=budget-depleted', 'Store metrics were requested too often.'],
	['status=429', 'Store metrics were requested too often.'],
])('%s is not a failure of the list: the status shows it, and it is not requested again at once', async (fault, why) => {
	const {space: testStore, state, signal} = await atNamespaces(`${fault} path=graphql`);
	expect(state().namespaces.data).toMatchObject({reading: 'read', failure: undefined});
	expect(state().namespaces.data.rows.length).toBeGreaterThan(3);
	expect(state().messages.latest).toBeUndefined();
	expect(formatNamespaceStatus(state())).toContain(why);
	const countBefore = countQueries(testStore);
	await state().metrics.loadStoreFigures(signal);
	expect(countQueries(testStore)).toBe(countBefore);
});

test('local data makes no request to the service', async () => {
	const testStore = createTestStore({});
	const app = createTestApp(testStore);
	readNamespaces(app, 'local');
	await testStore.until(({namespaces: {data: namespaces}}) => namespaces.reading === 'read');
	await Promise.resolve();
	expect(testStore.state().activity.data.rows).toEqual([]);
	expect(testStore.state().metrics.storeFigures).toBeUndefined();
});

test('each figure can be sorted by, with the cursor on its row, and so can the name', async () => {
	const {app, state} = await atNamespaces();
	const sort = app.actions.find(({id}) => id === 'namespaces.sort');
	const titles = () => state().namespaces.data.rows.map(({title}) => title);
	const byName = titles();
	const {title} = state().namespaces.data.rows[0] ?? {};
	const orders: string[][] = [];
	for (let step = 0; step < 5; step++) {
		sort?.run(app, {} as never);
		orders.push(titles());
		expect(state().namespaces.data.rows[state().namespaces.data.cursor]?.title).toBe(title);
	}
	const [keyOrder, , readOrder] = orders;
	expect(keyOrder?.[0]).toBe('catalogue');
	const getReadCount = (name: string) => {
		const row = state().namespaces.data.rows.find(one => one.title === name);
		return state().metrics.storeFigures?.value?.get(row?.id ?? '').operations?.read ?? 0;
	};
	const counts = readOrder?.map(getReadCount) ?? [];
	expect(counts).toEqual(counts.toSorted((one, other) => other - one));
	expect(orders[4]).toEqual(byName);
});

test('the series of a namespace are cached for minutes per number of days, and reloaded on ctrl-r', async () => {
	const {app, space: testStore, state, signal} = await atNamespaces();
	const row = state().namespaces.data.rows.find(({title}) => title === 'SESSIONS');
	state().metrics.open({id: row?.id ?? '', title: 'SESSIONS'});
	state().navigation.go('metrics');
	await state().metrics.load(signal);
	const shown = state().metrics.data?.lastResult;
	expect(shown).toMatchObject({days: 7, result: {problems: []}});
	const firstCount = countQueries(testStore);
	state().metrics.showDays(31);
	await state().metrics.load(signal);
	expect(state().metrics.data?.lastResult?.result.value?.operations?.step).toBe(86_400_000);
	expect(countQueries(testStore)).toBe(firstCount + 1);
	state().metrics.showDays(7);
	await state().metrics.load(signal);
	expect(state().metrics.data?.lastResult?.result).toBe(shown?.result);
	expect(countQueries(testStore)).toBe(firstCount + 1);
	reloadScreen(app);
	await testStore.until(({metrics: {data: metrics}}) => metrics?.lastResult?.result !== shown?.result);
	expect(countQueries(testStore)).toBe(firstCount + 2);
	state().metrics.toggleAll();
	expect(state().metrics.data).toMatchObject({
		namespace: undefined,
		lastNamespace: {title: 'SESSIONS'},
		lastResult: undefined,
	});
});
