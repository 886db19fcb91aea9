import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildRateLimitRows} from '../../../source/screens/rate-limits/rate-limits.ts';
import {rateLimitList} from '../../../source/screens/rate-limits/state.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {versionsScreen} from '../../../source/screens/versions/versions.ts';
import {
	migratedSampleZone,
	openMigratedCustomRules,
	readRateLimitsAtService,
	watchWrites,
} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {shop} from '../support/firewall.ts';
import {expectDialog, isIdle} from '../support/firewall-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildKey = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});
const ids = ['1', '2', '3'].map(end => `a92e4f6c1d3b4870b5e8c7f2d0416e0${end}`);

async function openRateLimits(testStore = createTestStore()) {
	await openMigratedCustomRules(testStore);
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, buildKey(name));
	};
	press('L');
	await testStore.until(
		({rateLimits: {data: rateLimits}, work: {list: work}}) =>
			rateLimits?.reading !== 'reading' && work.length === 0,
	);
	return {space: testStore, press};
}

const listVisibleIds = ({state}: TestStore) => {
	const rateLimits = state().rateLimits.data;
	return rateLimits ? rateLimitList.listVisible(rateLimits).map(({id}) => id) : [];
};
const getSelectedId = ({state}: TestStore) => rateLimitList.getSelected(state().rateLimits.data)?.id;
const formatDetails = ({state}: TestStore): string => {
	const rateLimits = state().rateLimits.data;
	const marks = {warning: '!', dot: '·', done: '*'};
	return rateLimits
		? buildRateLimitRows(rateLimits, 100, marks)
				.map(row => row.map(({text}) => text).join(''))
				.join('\n')
		: '';
};

describe('the rate limits of a zone', () => {
	test('are listed in order, with the details of one', async () => {
		const {space: testStore, press} = await openRateLimits();
		expect(getCurrentScreen(testStore.state())).toBe('rateLimits');
		expect(listVisibleIds(testStore)).toEqual(ids);
		press('down');
		expect(getSelectedId(testStore)).toBe(ids[1]);
		expect(formatDetails(testStore)).toContain('rate limit 2 of 3 · managed_challenge · 50 requests in 10 s');
		expect(formatDetails(testStore)).toMatch(/counted per +cf\.colo\.id, ip\.src/);
		expect(formatDetails(testStore)).toMatch(/counts +http\.request\.uri\.path contains "\/search" and http/);
		expect(formatDetails(testStore)).not.toContain('would not send');
		press('G', 'enter');
		expect(testStore.state().rateLimits.data?.detail).toBe(0);
		expect(formatDetails(testStore)).toContain('paused: has no effect');
		press('esc', 'esc');
		expect(getCurrentScreen(testStore.state())).toBe('customRules');
	});

	test('are filtered by their text', async () => {
		const {space: testStore} = await openRateLimits();
		testStore.state().rateLimits.filter('logins');
		expect(listVisibleIds(testStore)).toEqual([ids[0]]);
		testStore.state().rateLimits.filter('');
		expect(listVisibleIds(testStore)).toEqual(ids);
	});

	test('are moved in a preview of the order, and sent with one request after a question', async () => {
		const {space: testStore, press} = await openRateLimits();
		const writes = watchWrites(testStore);
		press('O', 'down');
		expect(listVisibleIds(testStore)).toEqual([ids[1], ids[0], ids[2]]);
		expect(writes).toEqual([]);
		press('enter');
		expect(expectDialog(testStore, 'confirm').title).toBe('Move this rate limit to position 2 of 3?');
		press('y');
		await testStore.until(isIdle);
		expect(writes).toMatchObject([{method: 'PATCH', body: {position: {after: ids[1]}}}]);
		expect(await readRateLimitsAtService(testStore)).toMatchObject([
			{id: ids[1]},
			{id: ids[0]},
			{id: ids[2]},
		]);
		press('u', 'y');
		await testStore.until(isIdle);
		expect(await readRateLimitsAtService(testStore)).toMatchObject(ids.map(id => ({id})));
	});

	test('are paused and deleted together if several are selected', async () => {
		const {space: testStore, press} = await openRateLimits();
		const writes = watchWrites(testStore);
		press('space', 'down', 'space', 'p');
		expect(expectDialog(testStore, 'field').title).toBe('Pause 2 rate limits?');
		testStore.state().dialog.setText(migratedSampleZone.name);
		press('enter');
		await testStore.until(isIdle);
		expect(writes).toHaveLength(1);
		expect(await readRateLimitsAtService(testStore)).toMatchObject([
			{enabled: false},
			{enabled: false},
			{enabled: false},
		]);
		press('A', 'd');
		expect(expectDialog(testStore, 'confirm').title).toBe('Delete 3 rate limits?');
		press('y');
		await testStore.until(isIdle);
		expect(await readRateLimitsAtService(testStore)).toEqual([]);
	});

	test.each([
		['p', 'Pause rate limit 1?'],
		['d', 'Delete rate limit 1?'],
	])('%s on an active one needs the name of the zone, sends one request, and is undone', async (name, title) => {
		const {space: testStore, press} = await openRateLimits();
		const readRules = () => testStore.state().rateLimits.data?.rows.map(({enabled}) => enabled !== false);
		const before = readRules();
		const writes = watchWrites(testStore);
		press(name);
		const question = expectDialog(testStore, 'field');
		expect(question.title).toBe(title);
		expect(question.requiredInput).toBe(migratedSampleZone.name);
		// The effect is said once.
		expect(question.lines.filter(line => line.includes('get through'))).toEqual([
			expect.stringMatching(/^Rate limit .+ get through/),
		]);
		expect(writes).toEqual([]);
		testStore.state().dialog.setText(migratedSampleZone.name);
		press('enter');
		await testStore.until(isIdle);
		expect(writes).toHaveLength(1);
		expect(readRules()).not.toEqual(before);
		press('u', 'y');
		await testStore.until(isIdle);
		expect(readRules()).toEqual(before);
	});

	test('resume after a confirmation alone, and are not written by a read-only ledge', async () => {
		const {space: testStore, press} = await openRateLimits();
		press('G', 'p');
		expect(expectDialog(testStore, 'confirm').title).toBe('Resume rate limit 3?');
		press('y');
		await testStore.until(isIdle);
		expect(testStore.state().rateLimits.data?.rows[2]?.enabled).toBe(true);
		const {space: readOnlyStore, press: pressReadOnly} = await openRateLimits(
			createTestStore({simulate: true, readOnly: true}),
		);
		for (const name of ['p', 'd']) pressReadOnly(name);
		expect(readOnlyStore.state().dialog.current).toBeUndefined();
	});

	test('stay as they were if they cannot be read, with the reason', async () => {
		const testStore = createTestStore();
		const {press} = await openRateLimits(testStore);
		testStore.simulator.faults.replace('status=403 path=http_ratelimit');
		press('ctrl-r');
		await testStore.until(
			({work: {list: work}, messages: {latest: message}}) => work.length === 0 && message?.kind === 'failed',
		);
		expect(listVisibleIds(testStore)).toEqual(ids);
	});

	test('are replaced when another zone is opened; a zone without any shows none', async () => {
		const {space: testStore} = await openRateLimits();
		testStore.state().rateLimits.open(shop);
		expect(listVisibleIds(testStore)).toEqual([]);
		await testStore.state().rateLimits.load(testStore.signal);
		expect(testStore.state().rateLimits.data).toMatchObject({reading: 'read', rows: [], zone: {id: shop.id}});
		testStore.state().rateLimits.open(migratedSampleZone);
		expect(testStore.state().rateLimits.data?.reading).toBe('unread');
	});
});

test('a version without rules is shown as such', async () => {
	const {space: testStore, press} = await openRateLimits();
	press('A', 'd');
	testStore.state().dialog.setText(migratedSampleZone.name);
	press('enter');
	await testStore.until(isIdle);
	press('V');
	await testStore.until(
		({versions: {data: versions}, work: {list: work}}) => versions?.reading === 'read' && work.length === 0,
	);
	press('enter');
	const {data} = testStore.state().versions;
	const rows = versionsScreen.view?.buildDetail?.(data as never, 80, {} as never) ?? [];
	const lines = rows.map(row => row.map(({text}) => text).join(''));
	expect(lines).toContainEqual(expect.stringMatching(/^Version \d+ has no rules\.$/));
	expect(lines.join()).not.toContain('Rules of version');
});
