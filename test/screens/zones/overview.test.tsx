import {describe, expect, test} from 'vitest';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {attentions, getZoneAttention, getZoneProgress} from '../../../source/migration/overview/overview.ts';
import {formatZoneTotals} from '../../../source/migration/overview/words.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getSelectedZone, listVisibleZones} from '../../../source/screens/zones/slice.ts';
import {formatZonesStatus, Zones} from '../../../source/screens/zones/view.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 17},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];
const buildKey = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});
const listNames = ({state}: TestStore) => listVisibleZones(state().zones.data).map(({name}) => name);
const isRead = ({zones: {data: zones}}: ReturnType<TestStore['state']>) =>
	zones.reading === 'read' && zones.unreadIds.size === 0;

async function untilRead(testStore: TestStore): Promise<void> {
	await testStore.until(isRead);
	await testStore.until(({work: {list: work}}) => work.length === 0);
}

/** All calls that reached the service: method, path and query. */
function listCalls({simulator}: TestStore): readonly string[] {
	return simulator.calls.list().map(({method, path, query}) => `${method} ${path}?${query}`);
}

/** The overview, drawn, opened by its key. */
async function openOverview(testStore = createTestStore(), size = {columns: 80, rows: 24}) {
	await testStore.state().connection.loadConnection();
	const app = createTestApp(testStore);
	testStore.state().navigation.resize(size);
	dispatch(app, buildKey('8'));
	const drawn = draw(app, <Zones />, size);
	const press = (...keys: string[]) => keys.forEach(name => void dispatch(app, buildKey(name)));
	return {space: testStore, app, drawn, press};
}

async function moveTo({state}: TestStore, name: string): Promise<void> {
	const at = listVisibleZones(state().zones.data).findIndex(one => one.name === name);
	state().zones.move(at - state().zones.data.cursor);
}

describe('the overview of the zones', () => {
	test.each(sizes)('has one line per zone with what it needs, at $columns×$rows', async size => {
		const {space: testStore, drawn} = await openOverview(undefined, size);
		await testStore.until(isRead);
		await drawn.until(rows => rows.some(findRow => /done\.acme\.example .*complete/.test(findRow)));
		const rows = drawn.rows();
		const row = (name: string) => rows.find(one => one.includes(name)) ?? '';
		const isNarrow = size.columns < 76;
		expect(rows[0]).toMatch(
			isNarrow
				? /^ {3}ZONE \(by \w+\) +PLAN +MIGRATION +CUSTOM$/
				: /^ {3}ZONE \(by \w+\) +PLAN +OLD +NEW +MIGRATION +CUSTOM/,
		);
		expect(row('check.acme.example')).toMatch(/Enterprise .*validation +0\/1,000/);
		expect(row('acme-legacy.example')).toMatch(/blocked: 1 +0\/1,000/);
		expect(row('done.acme.example')).toMatch(
			isNarrow ? /Pro +complete +4\/20/ : /Pro +disabled enabled +complete +4\/20/,
		);
		if (size.columns === 200) {
			expect(row('acme-legacy.example')).toMatch(/Acme \(simulated\) +37448c39c748f8ae404e1e10860b5954/);
			expect(row('acme-legacy.example')).toContain('3 URI overrides');
		}
		for (const one of rows) expect(measureColumns(one)).toBeLessThanOrEqual(size.columns);
	});

	test('shows the zones at once, and then the data read for them, in order of urgency', async () => {
		const {space: testStore, drawn} = await openOverview();
		await drawn.until(rows => rows.some(row => row.includes('acme.example')));
		await testStore.until(({zones: {data: zones}}) => zones.order === 'attention');
		const ranks = testStore
			.state()
			.zones.data.rows.map(row => attentions.indexOf(getZoneAttention(row.overview)));
		expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
		expect(getSelectedZone(testStore.state().zones.data)).toBe(testStore.state().zones.data.rows[0]);
	});

	test('stays sorted by name once the user has moved, until the key sorts it, and the cursor stays on its zone', async () => {
		const {space: testStore, press} = await openOverview();
		await testStore.until(({zones: {data: zones}}) => zones.reading === 'read');
		press('j', 'j');
		const selectedId = getSelectedZone(testStore.state().zones.data)?.id;
		await untilRead(testStore);
		expect(listNames(testStore)).toEqual(listNames(testStore).toSorted());
		press('s');
		expect(testStore.state().zones.data.order).toBe('attention');
		expect(listNames(testStore)).not.toEqual(listNames(testStore).toSorted());
		expect(getSelectedZone(testStore.state().zones.data)?.id).toBe(selectedId);
		press('s');
		expect(listNames(testStore)).toEqual(listNames(testStore).toSorted());
		expect(getSelectedZone(testStore.state().zones.data)?.id).toBe(selectedId);
	});

	test('stays sorted by urgency after a zone was visited, and enter names what it opens', async () => {
		const {space: testStore, press, app} = await openOverview();
		await untilRead(testStore);
		const {state} = testStore;
		const getEnterHint = () =>
			listHintedActions(app.actions, state()).find(({keys}) => keys[0] === 'enter')?.hint;
		const select = (name: string) => {
			const {rows, cursor} = state().zones.data;
			state().zones.move(rows.findIndex(row => row.name === name) - cursor);
		};
		select('acme-blog.example');
		expect(getEnterHint()).toBe('firewall rules');
		press('enter');
		await testStore.until(({firewall: {data}}) => data?.reading === 'read');
		press('8');
		expect(state().zones.data.order).toBe('attention');
		select('done.acme.example');
		expect(getEnterHint()).toBe('custom rules');
		press('enter');
		expect(getCurrentScreen(state())).toBe('customRules');
	});

	test('is filtered by its visible text', async () => {
		const {space: testStore} = await openOverview();
		await testStore.until(isRead);
		testStore.state().zones.filter('blocked');
		expect(listNames(testStore).toSorted()).toEqual([
			'acme-legacy.example',
			'bulk.acme.example',
			'long.acme.example',
		]);
		testStore.state().zones.filter('URI override');
		expect(listNames(testStore)).toEqual(['acme-legacy.example']);
	});

	test('has the totals per state below it, of all zones also with a filter', async () => {
		const {space: testStore, drawn} = await openOverview(undefined, {columns: 120, rows: 24});
		await testStore.until(isRead);
		const totals = '1 validation, 1 pending, 5 eligible, 3 blocked, 1 complete, 2 no migration';
		await drawn.until(rows => rows.at(-1)?.trim() === totals);
		testStore.state().zones.filter('blocked');
		await drawn.until(rows => !rows.some(row => row.includes('done.acme.example')));
		expect(drawn.rows().at(-1)?.trim()).toBe(totals);
		testStore.state().zones.filter('no zone has this name');
		await drawn.until(rows => rows.some(row => row.includes('No matches')));
		expect(drawn.rows().at(-1)?.trim()).toBe(totals);
	});

	test('counts the zones that do not fit', async () => {
		const {drawn} = await openOverview(undefined, {columns: 80, rows: 14});
		await drawn.until(rows => /^ +… 5 more zones$/.test(rows.at(-1) ?? ''));
		expect(drawn.rows().filter(row => row.includes('.example'))).toHaveLength(8);
	});

	test('counts zones that are not loaded yet as such', () => {
		const zone = {id: '1', name: 'a.example', plan: undefined, label: 'a.example', account: 'Acme'};
		expect(formatZoneTotals([{zone}, {zone}])).toBe('2 loading');
	});

	test('forgets an old filter when it is opened by its key, and is then sorted by urgency', async () => {
		const {space: testStore, press} = await openOverview();
		await testStore.until(isRead);
		testStore.state().zones.filter('blocked');
		press('8');
		expect(testStore.state().zones.data.filter).toBe('');
		expect(testStore.state().zones.data.order).toBe('attention');
		expect(listNames(testStore)).toHaveLength(13);
	});

	test('has the full selected zone in its status, as far as there is room', async () => {
		const {space: testStore} = await openOverview();
		await testStore.until(isRead);
		await moveTo(testStore, 'acme-legacy.example');
		expect(formatZonesStatus(testStore.state())).toBe(
			'acme-legacy.example: 3 URI overrides   Acme (simulated)   13 zones',
		);
		testStore.state().navigation.resize({columns: 60, rows: 15});
		expect(formatZonesStatus(testStore.state())).toBe('acme-legacy.example: 3 URI overrides   13 zones');
		testStore.state().navigation.resize({columns: 200, rows: 60});
		expect(formatZonesStatus(testStore.state())).toBe(
			'acme-legacy.example: 3 URI overrides   37448c39c748f8ae404e1e10860b5954   Acme (simulated)   13 zones',
		);
	});
});

describe('the requests of the overview', () => {
	test('are at most five per zone, none twice, for four zones at a time', async () => {
		const {space: testStore} = await openOverview();
		await untilRead(testStore);
		const zoneCalls = listCalls(testStore).filter(call => /\/zones\/\w+\//.test(call));
		expect(new Set(zoneCalls).size).toBe(zoneCalls.length);
		const zones = testStore.state().zones.data.rows;
		for (const {id} of zones)
			expect(zoneCalls.filter(call => call.includes(id)).length, id).toBeLessThanOrEqual(
				id === 'b0a1d4c37e5f4b0e9a6c1f2d3e4b5a60' ? 7 : 5,
			);
		expect(zoneCalls.every(call => call.startsWith('GET '))).toBe(true);
	});

	test('are not repeated on the way back, except for the opened zone', async () => {
		const {space: testStore, press} = await openOverview();
		await untilRead(testStore);
		press('esc');
		const before = listCalls(testStore).length;
		press('8');
		await testStore.until(({work: {list: work}}) => work.length === 0);
		expect(listCalls(testStore).length).toBe(before);
		await moveTo(testStore, 'done.acme.example');
		press('enter');
		await testStore.until(
			({customRules: {data: rules}, work: {list: work}}) => rules !== undefined && work.length === 0,
		);
		const openedCount = listCalls(testStore).length;
		press('8');
		await untilRead(testStore);
		const repeatedCalls = listCalls(testStore).slice(openedCount);
		expect(repeatedCalls.length).toBeGreaterThan(0);
		expect(repeatedCalls.every(call => call.includes('7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74'))).toBe(true);
	});

	test('are repeated when the zones are shown again for a zone that the service is changing', async () => {
		const {drawn, space: testStore} = await openOverview();
		await untilRead(testStore);
		const before = listCalls(testStore).length;
		drawn.unmount();
		draw(createTestApp(testStore), <Zones />, {columns: 80, rows: 24});
		await testStore.until(() => listCalls(testStore).length > before);
		await testStore.until(isRead);
		const repeatedCalls = listCalls(testStore).slice(before);
		expect(repeatedCalls.every(call => call.includes('5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63'))).toBe(true);
	});

	test('are made while the zones are shown for a zone that changes in the background', async () => {
		const {space: testStore} = await openOverview();
		await untilRead(testStore);
		const before = listCalls(testStore).length;
		testStore.state().zones.forgetOverview('7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74');
		await testStore.until(isRead);
		const repeatedCalls = listCalls(testStore).slice(before);
		expect(repeatedCalls.length).toBeGreaterThan(0);
		expect(repeatedCalls.every(call => call.includes('7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74'))).toBe(true);
	});

	test('are repeated for a zone that changes while it is read', async () => {
		const testStore = createTestStore();
		await testStore.state().zones.load(testStore.signal);
		testStore.state().zones.filter('done.acme');
		const done = '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74';
		const reading = testStore.state().zones.readOverviews(testStore.signal);
		await testStore.until(() => listCalls(testStore).some(call => call.includes(done)));
		testStore.state().zones.forgetOverview(done);
		await reading;
		const checks = listCalls(testStore).filter(call => call.includes(`${done}/waf_migration/check`));
		expect(checks.length).toBe(2);
		expect(testStore.state().zones.data.unreadIds.size).toBe(0);
	});

	test('stop when the overview is left, and continue when it is opened again', async () => {
		const testStore = createTestStore(undefined, {faults: 'path=waf_migration/check after=5 times=4 hang'});
		const {press} = await openOverview(testStore);
		await testStore.until(
			({zones: {data: zones}}) => zones.rows.length > 0 && zones.unreadIds.size < zones.rows.length,
		);
		press('esc');
		expect(getCurrentScreen(testStore.state())).toBe('home');
		await testStore.until(({work: {list: work}}) => work.length === 0);
		const unreadCount = testStore.state().zones.data.unreadIds.size;
		expect(unreadCount).toBeGreaterThan(0);
		const before = listCalls(testStore);
		await new Promise(setImmediate);
		expect(listCalls(testStore)).toEqual(before);
		expect(testStore.state().messages.latest).toBeUndefined();
		const read = testStore
			.state()
			.zones.data.rows.filter(({id}) => !testStore.state().zones.data.unreadIds.has(id));
		press('8');
		await testStore.until(isRead);
		const after = listCalls(testStore).slice(before.length);
		expect(after.length).toBeGreaterThan(0);
		for (const {id} of read) expect(after.filter(call => call.includes(id))).toEqual([]);
	});

	test('are made first for the zones that match the filter', async () => {
		const testStore = createTestStore();
		await testStore.state().zones.load(testStore.signal);
		testStore.state().zones.filter('turning');
		await testStore.state().zones.readOverviews(testStore.signal);
		const [first = ''] = listCalls(testStore).filter(call => /\/zones\/\w+\//.test(call));
		expect(first).toContain('5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63');
	});

	test('are repeated for all zones by a refresh', async () => {
		const {space: testStore, press} = await openOverview();
		await untilRead(testStore);
		const before = listCalls(testStore).length;
		press('ctrl-r');
		await testStore.until(({zones: {data: zones}}) => zones.unreadIds.size > 0);
		// What was read before stays on the screen until it is replaced.
		expect(testStore.state().zones.data.rows.map(({overview}) => getZoneProgress(overview))).not.toContain(
			'unread',
		);
		await untilRead(testStore);
		expect(listCalls(testStore).length).toBeGreaterThanOrEqual(before + 13 * 3);
	});
});

describe('unreadable data', () => {
	test('is unknown, and hides nothing else; i explains it', async () => {
		const testStore = createTestStore(undefined, {
			faults: 'path=http_request_firewall_custom status=403 code=10000',
		});
		const {drawn, press} = await openOverview(testStore);
		await drawn.until(rows => rows.some(row => /acme-shop\.example .*eligible +unknown/.test(row)));
		await testStore.until(isRead);
		press('i');
		expect(testStore.state().dialog.current).toMatchObject({
			kind: 'failure',
			failure: {code: 'credential_refused'},
		});
	});

	test('due to a rejected credential is a failure of the screen, and the rest is not requested', async () => {
		const testStore = createTestStore(undefined, {faults: 'path=waf_migration status=401 code=10000'});
		await openOverview(testStore);
		await testStore.until(({messages: {latest: message}}) => message?.kind === 'failed');
		await testStore.until(({work: {list: work}}) => work.length === 0);
		expect(testStore.state().zones.data.unreadIds.size).toBe(13);
	});
});

describe('enter and the area keys', () => {
	test.each([
		['acme.example', 'migration'],
		['check.acme.example', 'migration'],
		['turning.acme.example', 'migration'],
		['acme-legacy.example', 'migration'],
		['done.acme.example', 'customRules'],
		['acme-blog.example', 'firewall'],
	] as const)('%s: enter opens the %s', async (name, screen) => {
		const {space: testStore, press} = await openOverview();
		await testStore.until(isRead);
		await moveTo(testStore, name);
		press('enter');
		expect(getCurrentScreen(testStore.state())).toBe(screen);
		expect(testStore.state()[screen].data?.zone.name).toBe(name);
	});

	test('enter opens the target that a zone is being chosen for', async () => {
		const {space: testStore, press} = await openOverview();
		await testStore.until(isRead);
		press('0', '2');
		expect(listNames(testStore)).toEqual(listNames(testStore).toSorted());
		await moveTo(testStore, 'acme.example');
		press('enter');
		expect(getCurrentScreen(testStore.state())).toBe('firewall');
		press('0', '5');
		await moveTo(testStore, 'done.acme.example');
		press('enter');
		expect(getCurrentScreen(testStore.state())).toBe('migration');
	});

	test('F and M open the firewall or the migration of the selected zone, whatever it needs', async () => {
		const {space: testStore, press} = await openOverview();
		await testStore.until(isRead);
		await moveTo(testStore, 'acme.example');
		press('2');
		expect(testStore.state().firewall.data?.zone.name).toBe('acme.example');
		press('8');
		await moveTo(testStore, 'done.acme.example');
		press('5');
		expect(testStore.state().migration.data?.zone.name).toBe('done.acme.example');
	});

	test('a local migration with an unknown outcome comes first, before the service is asked', async () => {
		const testStore = createTestStore(undefined, {faults: 'path=waf_migration hang'});
		const zone = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
		const journal = await openMigrationJournal(testStore.env, {place: 'simulated', zone});
		await journal.saveRecord({
			state: 'deploy in doubt',
			put: {
				mode: 'pending',
				fingerprint: 'f'.repeat(64),
				at: 1,
				before: {stage: 'previous', version: undefined, fingerprint: undefined},
			},
		});
		await journal.close();
		const {drawn, press} = await openOverview(testStore);
		await drawn.until(rows => rows.some(row => /done\.acme\.example .*in doubt/.test(row)));
		await moveTo(testStore, 'done.acme.example');
		expect(formatZonesStatus(testStore.state())).toContain('the response to the last PUT was lost');
		press('enter');
		expect(testStore.state().migration.data?.zone.name).toBe('done.acme.example');
	});
});

describe('the entry for the overview', () => {
	test('is on Home if there is room, with the number of zones that need attention', async () => {
		const {space: testStore} = await openOverview();
		await testStore.until(isRead);
		const entry = () => buildHomeEntries(testStore.state()).find(({value}) => value === 'zones')?.label;
		expect(entry()).toMatch(/^Zones overview +10 of 13 zones need attention$/);
		testStore.state().navigation.resize({columns: 60, rows: 15});
		expect(entry()).toBeUndefined();
	});

	test.each([
		'zones overview',
		'all zones',
		'attention',
		'status of zones',
	])('is in the palette as "%s"', async words => {
		const testStore = createTestStore();
		await testStore.state().connection.loadConnection();
		const {actions} = createTestApp(testStore);
		expect(listPaletteActions(actions, testStore.state(), words)[0]?.action.id).toBe('go.zones');
	});
});
