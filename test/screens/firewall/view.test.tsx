import {describe, expect, test, vi} from 'vitest';
import type {ThemeName} from '../../../source/components/theme.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {Firewall, formatFirewallStatus} from '../../../source/screens/firewall/lists/view.tsx';
import type {FirewallState} from '../../../source/screens/firewall/state.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {getScreenPath, getSessionName, listBadges, listHeaderDetails} from '../../../source/screens/path.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createShopFilter, createShopRule, openShopFirewall, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];
const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

/** An expression with control characters, which must not reach the terminal. */
const hostileText = 'http.host eq "\u001b]0;title\u0007\u202e\u009b2J"';

function patchFirewall({state, store}: TestStore, part: Partial<FirewallState>): void {
	const firewall = state().firewall.data;
	const rows = part.rules ? {rows: part.rules} : {};
	if (firewall)
		store.setState({firewall: {...store.getState().firewall, data: {...firewall, ...part, ...rows}}});
}

/** Makes the service report from now on that the shop has migrated. */
function reportMigrated({simulator}: TestStore): void {
	const originalFetch = simulator.fetch;
	const result = {migration_state: 'complete', new_waf_status: 'enabled', old_waf_status: 'disabled'};
	vi.spyOn(simulator, 'fetch').mockImplementation(async request =>
		request.url.includes('/waf_migration/status')
			? Response.json({success: true, errors: [], messages: [], result})
			: originalFetch(request),
	);
}

/** Opens the firewall screen of a shop with three rules. `press` sends keys to it. */
async function openShopScreen(testStore = createTestStore()) {
	const shopIds = await openShopFirewall(testStore);
	testStore.state().navigation.go('firewall');
	const app = createTestApp(testStore);
	return {
		space: testStore,
		app,
		made: shopIds,
		press: (...names: string[]) => names.forEach(name => void dispatch(app, key(name))),
	};
}

describe('the firewall of a zone', () => {
	test.each(sizes)('shows the rules in order and the selected one in full, at $columns×$rows', async size => {
		const {app} = await openShopScreen();
		const drawn = draw(app, <Firewall />, size);
		await drawn.until(rows => rows.some(row => row.includes('rule 1 of 3')));
		const rows = drawn.rows();
		expect(rows[1]).toMatch(/^ ▸ {5}1 block +10 {2}the first · ip\.src eq/);
		expect(rows[2]).toMatch(/^ {7}2 challenge +20 {2}http\.host/);
		expect(rows[3]).toMatch(/ 3 allow +– {2}ip\.src eq/);
		expect(rows.filter(row => row.trim() === 'ip.src eq 192.0.2.1')).toHaveLength(1);
		for (const row of rows) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
	});

	test('marks a bypass of the managed rules in a migrated zone, and says what it means', async () => {
		const testStore = createTestStore();
		reportMigrated(testStore);
		await createShopRule(testStore, await createShopFilter(testStore, 'ip.src eq 192.0.2.40'), {
			action: 'bypass',
			products: ['waf'],
			priority: 1,
		});
		const {app} = await openShopScreen(testStore);
		await testStore.until(({firewall: {data: firewall}}) => firewall?.migrated === true);
		const drawn = draw(app, <Firewall />);
		const joinRows = (rows: readonly string[]) => rows.map(row => row.trim()).join(' ');
		await drawn.until(rows =>
			joinRows(rows).includes('bypassing waf has no effect on the new managed rules'),
		);
		expect(drawn.rows()[1]).toMatch(/1 bypass +1 .*no effect/);
	});

	test('marks the rules that share a filter with a word in the list of rules', async () => {
		const {app} = await openShopScreen();
		const drawn = draw(app, <Firewall />);
		await drawn.until(rows => rows.some(row => row.includes('2 rules')));
		expect(drawn.rows()[3]).toMatch(/^ {7}3 allow .*same$/);
		expect(drawn.rows()[2]).not.toMatch(/same|rules/);
	});

	test('shows both lists in a wide terminal, and marks related entries in the other list', async () => {
		const {app, press} = await openShopScreen();
		const drawn = draw(app, <Firewall />, {columns: 150, rows: 30});
		await drawn.until(rows => rows[0]?.includes('USED BY') === true);
		expect(drawn.rows().filter(row => row.includes('◆ its filter'))).toHaveLength(1);
		expect(drawn.rows().find(row => row.includes('◆ its filter'))).toContain('ip.src eq 192.0.2.1');
		press('f');
		await drawn.until(rows => rows.filter(row => row.includes('uses it')).length === 2);
		expect(drawn.rows().filter(row => /^ {3} .*uses it/.test(row))).toHaveLength(2);
		expect(drawn.rows().some(row => row.includes('used by rules 1 and 3'))).toBe(true);
	});

	test('switches to the filters on tab if only one list fits', async () => {
		const {app, press} = await openShopScreen();
		const drawn = draw(app, <Firewall />);
		press('tab');
		await drawn.until(rows => rows[0]?.includes('USED BY') === true);
		expect(drawn.rows()[0]).not.toContain('PRIORITY');
	});

	test('wraps a long expression in full, and scrolls through it', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		const addresses = Array.from({length: 120}, (_, index) => `192.0.2.${index}`).join(' ');
		await createShopRule(testStore, await createShopFilter(testStore, `ip.src in {${addresses}}`), {
			priority: 1,
		});
		await testStore.state().firewall.load(testStore.signal);
		testStore.state().firewall.move(-9);
		testStore.state().navigation.go('firewall');
		const app = createTestApp(testStore);
		const drawn = draw(app, <Firewall />, {columns: 60, rows: 15});
		dispatch(app, key('enter'));
		await drawn.until(rows => rows.some(row => row.includes('more rows')));
		const seenAddresses = new Set<string>();
		for (let step = 0; step < 60; step++) {
			for (const row of drawn.rows())
				for (const word of row.match(/192\.0\.2\.\d+/g) ?? []) seenAddresses.add(word);
			const before = drawn.countFrames();
			dispatch(app, key('j'));
			if (drawn.rows().some(row => row.includes('rule id'))) break;
			await drawn.until(() => drawn.countFrames() > before);
		}
		expect(seenAddresses.size).toBe(120);
		dispatch(app, key('esc'));
		await drawn.until(rows => rows[0]?.includes('ACTION') === true);
	});

	test('says that a rule or its filter is paused or gone', async () => {
		const {app, space: testStore} = await openShopScreen();
		const rules = testStore.state().firewall.data?.rules ?? [];
		const [first, second, third] = rules;
		if (!first || !second || !third) throw new Error('There are no three rules.');
		patchFirewall(testStore, {
			rules: [
				{...first, paused: true},
				{...second, filter: {...second.filter, paused: true} as typeof second.filter},
				{...third, filter: {id: third.filter.id, deleted: true}},
			],
		});
		const drawn = draw(app, <Firewall />);
		await drawn.until(rows => rows.some(row => row.includes('has no effect')));
		expect(drawn.rows()[1]).toContain('paused the first');
		expect(drawn.rows()[2]).toContain('filter paused http.host');
		expect(drawn.rows()[3]).toContain('! filter deleted');
	});

	test.each([
		'dark',
		'light',
		'none',
	] satisfies ThemeName[])('draws hostile text safely (%s)', async theme => {
		const {app, space: testStore} = await openShopScreen();
		const [rule] = testStore.state().firewall.data?.rules ?? [];
		const [filter] = testStore.state().firewall.data?.filters ?? [];
		if (!rule || !filter) throw new Error('There is nothing.');
		const hostileFilter = {
			...filter,
			id: rule.filter.id,
			expression: hostileText,
			description: hostileText,
			ref: hostileText,
		};
		patchFirewall(testStore, {
			rules: [
				{...rule, action: hostileText, description: hostileText, ref: hostileText, filter: hostileFilter},
			],
			filters: [hostileFilter],
		});
		for (const size of sizes) {
			const drawn = draw(app, <Firewall />, size, theme);
			await drawn.until(rows => rows.some(row => row.includes('http.host')));
			for (const row of drawn.rows()) {
				expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
				expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
			}
			drawn.unmount();
		}
	});

	test('shows the rule quota of the plan and the ID of the selected rule', async () => {
		const {space: testStore, made: shopIds} = await openShopScreen();
		expect(formatFirewallStatus(testStore.state())).toContain('3 of 20 rules (Pro), 2 filters');
		expect(formatFirewallStatus(testStore.state())).toContain(shopIds.first);
		testStore.state().firewall.filter('challenge');
		expect(formatFirewallStatus(testStore.state())).toMatch(/^1 of 3 rules, 0 of 2 filters {3}[0-9a-f]{32}$/);
	});

	test.each([
		[10, 'run in order of priority'],
		[null, 'run in order of action'],
	])('says what sorts more than 200 rules with priority %s, until they are filtered', async (priority, order) => {
		const {space: testStore} = await openShopScreen();
		const [rule] = testStore.state().firewall.data?.rules ?? [];
		if (!rule) throw new Error('There is no rule.');
		const rules = Array.from({length: 201}, (_, index) => ({...rule, id: `${index}`, priority}));
		patchFirewall(testStore, {rules});
		expect(formatFirewallStatus(testStore.state())).toContain(`201 of 20 rules (Pro), 2 filters   ${order}`);
		testStore.state().firewall.filter('block');
		expect(formatFirewallStatus(testStore.state())).not.toContain('sorted');
	});

	test('leaves only the ID out of the status if there is no room', async () => {
		const {space: testStore, made: shopIds} = await openShopScreen();
		testStore.state().navigation.resize({columns: 60, rows: 15});
		expect(formatFirewallStatus(testStore.state())).toBe('3 of 20 rules (Pro), 2 filters');
		testStore.state().navigation.resize({columns: 80, rows: 24});
		expect(formatFirewallStatus(testStore.state())).toContain(shopIds.first);
	});

	test('says so if no rule has a priority and the order by action differs from the list', async () => {
		const testStore = createTestStore();
		const filter = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		await createShopRule(testStore, filter, {action: 'block'});
		await createShopRule(testStore, filter, {action: 'allow'});
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		testStore.state().navigation.go('firewall');
		expect(formatFirewallStatus(testStore.state())).toContain('order uncertain: no rule has a priority');
		const drawn = draw(createTestApp(testStore), <Firewall />);
		await drawn.until(rows =>
			rows.join(' ').replace(/ +/g, ' ').includes('! No rule has a priority. The service'),
		);
	});

	test('says that the lists may be stale if they could not be read after a change', async () => {
		const {space: testStore} = await openShopScreen();
		patchFirewall(testStore, {reading: 'stale'});
		expect(formatFirewallStatus(testStore.state())).toMatch(/^CHANGED SINCE LOADED/);
	});

	test('has no filter column if no two rules share a filter', async () => {
		const {app, space: testStore} = await openShopScreen();
		patchFirewall(testStore, {rules: testStore.state().firewall.data?.rules.slice(0, 2) ?? []});
		const drawn = draw(app, <Firewall />);
		await drawn.until(rows => rows[0]?.includes('DESCRIPTION, EXPRESSION') === true);
		expect(drawn.rows()[0]).not.toContain('FILTER');
	});

	test('names the zone of the wizard in front, not the zone opened since', async () => {
		const {space: testStore} = await openShopScreen();
		testStore.state().wizard.begin({kind: 'new rule'});
		testStore
			.state()
			.firewall.open({id: 'a947660370b0b679559176bf9d8aead4', name: 'other.example', plan: 'free'});
		testStore.state().navigation.go('wizard');
		expect(getScreenPath(testStore.state())).toEqual(['ledge', 'firewall rules', shop.name, 'new rule']);
		expect(listHeaderDetails(testStore.state())).toEqual(['pro']);
	});

	test('names the zone, its plan and the mode', async () => {
		const {space: testStore} = await openShopScreen();
		await testStore.state().connection.loadConnection();
		await testStore.state().connection.loadAccount(testStore.signal);
		expect(getScreenPath(testStore.state())).toEqual(['ledge', 'firewall rules', shop.name]);
		expect(listHeaderDetails(testStore.state())).toEqual(['pro']);
		expect(getSessionName(testStore.state())).toBe('Acme (simulated)');
		expect(listBadges(testStore.state())).toEqual(['SIMULATED']);
		expect(buildHomeEntries(testStore.state()).find(({value}) => value === 'firewall')?.label).toContain(
			`zone ${shop.name} · 3 rules, 2 filters`,
		);
	});
});

test('a missing permission is reported as the service reported it', async () => {
	const testStore = createTestStore(undefined, {faults: 'path=/filters status=403 code=10000'});
	testStore.state().firewall.open(shop);
	await expect(testStore.state().firewall.load(testStore.signal)).rejects.toThrow();
	const drawn = draw(createTestApp(testStore), <Firewall />);
	await drawn.until(rows => rows.some(row => row.includes('ctrl-r tries again')));
	expect(drawn.rows()[1]).toContain('× The service rejected');
});
