import {describe, expect, test} from 'vitest';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {formatMetricsStatus, Metrics} from '../../../source/screens/metrics/view.tsx';
import {formatNamespaceStatus, Namespaces} from '../../../source/screens/namespaces/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

async function openMetrics(faults = '') {
	const testStore = createTestStore({simulate: true}, {faults});
	const {state, signal} = testStore;
	await state().namespaces.load('remote', signal);
	await state().metrics.loadStoreFigures(signal);
	const row = state().namespaces.data.rows.find(({title}) => title === 'SESSIONS');
	state().metrics.open({id: row?.id ?? '', title: 'SESSIONS'});
	state().navigation.go('metrics');
	await state().metrics.load(signal);
	return testStore;
}

const formatStatusAt = (state: LedgeState, {columns, rows}: {columns: number; rows: number}): string =>
	formatNamespaceStatus({...state, navigation: {...state.navigation, viewport: {columns, rows}}});

const findRow = (rows: readonly string[], title: string): string =>
	rows.find(row => row.includes(title)) ?? '';

describe('the figures of namespaces', () => {
	test('are read when the list is shown, however it was reached', async () => {
		const testStore = createTestStore();
		await testStore.state().namespaces.load('remote', testStore.signal);
		expect(testStore.state().metrics.storeFigures).toBeUndefined();
		draw(createTestApp(testStore), <Namespaces />, sizes[1]);
		await testStore.until(({metrics}) => metrics.storeFigures?.value !== undefined);
	});

	test('are read again after a write of this session, and the number of keys is marked until it is listed', async () => {
		const testStore = await openMetrics();
		const {state, signal} = testStore;
		const findNamespace = (title: string) =>
			state().namespaces.data.rows.find(row => row.title === title) as NamespaceRow;
		const drawn = draw(createTestApp(testStore), <Namespaces />, sizes[1]);
		await drawn.until(rows => /\s6 /.test(findRow(rows, 'assets')));
		await state().transfer.copyTo(
			findNamespace('CONFIG'),
			allKeys,
			{storeName: findNamespace('assets').name, onlyMissing: true},
			signal,
		);
		await drawn.until(rows => /\s~15 /.test(findRow(rows, 'assets')));
		state().namespaces.countKeys(findNamespace('assets').name, {keys: 15, isExact: true});
		await drawn.until(rows => /\s15 /.test(findRow(rows, 'assets')));
	});

	test.each(sizes)('fit in $columns columns', async size => {
		const testStore = await openMetrics();
		const drawn = draw(createTestApp(testStore), <Namespaces />, size);
		await drawn.until(rows => rows.some(row => row.includes('SESSIONS')));
		const heading = findRow(drawn.rows(), 'TITLE');
		const names = heading.split(/ {2,}/).filter(Boolean);
		const wide = ['KEYS', 'SIZE', 'READS', 'WRITES'];
		const row = findRow(drawn.rows(), 'SESSIONS ');
		expect(row).toMatch(/\b\d+\b/);
		for (const name of wide) expect(heading.includes(name), name).toBe(size.columns >= 80 || name === 'KEYS');
		const isTimed =
			heading.includes('READS 24 h') ||
			/reads and writes: 24 h/.test(formatStatusAt(testStore.state(), size));
		expect(isTimed).toBe(size.columns >= 80);
		expect(names[0]).toBe('TITLE');
		expect(drawn.rows().every(one => one.length <= size.columns)).toBe(true);
		expect(row.includes('–')).toBe(true);
	});

	test('have `~` before an estimate, and `·` for an unknown value', async () => {
		const sampled = draw(createTestApp(await openMetrics('sample-interval=10 path=graphql')), <Namespaces />);
		await sampled.until(rows => /~[\d,.]+k?/.test(findRow(rows, 'SESSIONS ')));
		const refused = draw(
			createTestApp(await openMetrics('analytics=not-authorized path=graphql')),
			<Namespaces />,
		);
		await refused.until(rows => /·\s+·\s+·\s+·$/.test(findRow(rows, 'SESSIONS ')));
	});
});

describe('the plots', () => {
	test.each(sizes)('as many as fit are drawn at $columns×$rows, the others below', async size => {
		const testStore = await openMetrics();
		const drawn = draw(createTestApp(testStore), <Metrics />, size);
		await drawn.until(rows => rows.some(row => row.includes('Operations')));
		const listShownTitles = (rows: readonly string[]) =>
			['Operations', 'Latency', 'Keys', 'Size'].filter(title =>
				rows.some(row => new RegExp(`(^ | {2})${title}( |$)`).test(row)),
			);
		const counts: Readonly<Record<number, number>> = {60: 1, 80: 2, 200: 4};
		const count = counts[size.columns] ?? 0;
		expect(listShownTitles(drawn.rows())).toHaveLength(count);
		expect(drawn.rows().length).toBe(size.rows - 4);
		expect(drawn.rows().every(row => row.length <= size.columns)).toBe(true);
		testStore.state().metrics.move(Number.POSITIVE_INFINITY);
		await drawn.until(rows => listShownTitles(rows).includes('Size'));
		expect(listShownTitles(drawn.rows())).toHaveLength(count);
		expect(formatMetricsStatus(testStore.state()).includes('of 4')).toBe(count < 4);
		testStore.state().metrics.move(Number.NEGATIVE_INFINITY);
		await drawn.until(rows => listShownTitles(rows).includes('Operations'));
	});

	test('a plot without data shows the missing permission instead', async () => {
		const drawn = draw(
			createTestApp(await openMetrics('analytics=not-authorized path=graphql')),
			<Metrics />,
		);
		await drawn.until(rows =>
			rows.some(row => row.includes('require the permission Account Analytics: Read.')),
		);
	});

	test('a missing dataset does not hide the other plots', async () => {
		const testStore = await openMetrics('lacks-dataset=kvOperationsAdaptiveGroups path=graphql');
		const drawn = draw(createTestApp(testStore), <Metrics />, {columns: 200, rows: 60});
		await drawn.until(rows =>
			rows.some(row => row.includes('Namespace operations are not available from this service.')),
		);
		expect(drawn.rows().join('\n')).toMatch(/Keys {2}\d+/);
	});
});
