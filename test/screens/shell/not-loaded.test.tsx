import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {Failure} from '../../../source/failure.ts';
import {formatCompareSummary} from '../../../source/screens/compare/rows.ts';
import {zeroCounts} from '../../../source/screens/compare/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {formatSearchSummary} from '../../../source/screens/search/rows.ts';
import {getScreenView} from '../../../source/screens/views.tsx';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {shop as zone} from '../support/firewall.ts';
import {saveBackupOfMigrated} from '../support/left-behind.ts';
import {goToNamespaces, waitForHome} from '../support/sample-ways.ts';
import {drawScreen} from '../support/screen.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A screen on a service of this test, at Home. */
async function openHome(scale = '1') {
	const service = await serveSimulator();
	const screen = await drawScreen({}, {env: {...service.env, LEDGE_TIME_SCALE: scale}});
	await waitForHome(screen);
	return {screen, simulator: service.simulator};
}

const faults = {
	cancelled: 'hang',
	throttled: 'status=429 retry-after=400',
	failed: 'status=500',
	'network gone': 'reset=0',
	'not allowed': 'status=403 code=10000',
} as const;

type Fault = keyof typeof faults;

/** Lists by the key that leads to each from Home, a part of the path it reads, and what it shows once it is read. */
const lists: readonly (readonly [string, string, string, string])[] = [
	['namespaces', '', '/storage/kv/namespaces', 'SESSIONS'],
	['zones', '8', '/zones', 'acme.example'],
	['contexts', 'C', '/accounts', 'account     Acme'],
];

const cases = lists.flatMap(([name, key, path, shown]) =>
	(Object.keys(faults) as Fault[]).map(fault => [name, fault, key, path, shown] as const),
);

describe('a list that was not read', () => {
	test.each(cases)(
		'is not shown as empty: %s, %s',
		{timeout: 60_000},
		async (_name, fault, key, path, shown) => {
			const {screen, simulator} = await openHome(fault === 'cancelled' ? '1' : '0.01');
			simulator.faults.replace(`${faults[fault]} path=${path}`);
			screen.press(key === '' ? 'enter' : key);
			if (fault === 'cancelled') {
				await screen.waitFor('esc cancels');
				// Cancels as a switch of the account does; esc would also leave the screen.
				screen.state().work.cancelReads();
				// The next key clears the message, which hides the status line.
				await screen.waitFor('Stopped: ');
				screen.press('down');
			}
			await screen.waitFor(/not loaded/i);
			expect(screen.text()).toContain('ctrl-r');
			expect(screen.text()).not.toMatch(/ no (namespace|zone)|\b0 (namespaces|zones|keys)/);
			simulator.faults.clear();
			screen.press('ctrl-r');
			await screen.waitFor(shown);
		},
	);

	test('is not shown as empty for keys whose first page was cancelled', async () => {
		const {screen, simulator} = await openHome();
		await goToNamespaces(screen);
		simulator.faults.replace('hang path=/keys');
		screen.press('enter');
		await screen.waitFor('esc cancels');
		screen.press('ctrl-x');
		await screen.waitFor(/not loaded[\s\S]*Stopped: loading keys\./i);
		expect(screen.text()).not.toContain('No keys yet');
	});
});

describe('the quota', () => {
	test('lasts as long as announced: a shorter one does not shorten it', () => {
		const {state} = createTestStore();
		state().work.holdQuota(22_000);
		const until = state().work.quotaUntil;
		expect(until).toBeDefined();
		state().work.holdQuota(5000);
		expect(state().work.quotaUntil).toBe(until);
	});

	test('is known from a 429 that is not waited for, and when the wait is cancelled', async () => {
		for (const seconds of [400, 20]) {
			const {state, simulator, until} = createTestStore(
				{simulate: true},
				{variables: {LEDGE_TIME_SCALE: '1'}},
			);
			simulator.faults.replace(`status=429 retry-after=${seconds} path=/storage/kv/namespaces`);
			const reading = state().work.run('reading', 'read', signal =>
				state().namespaces.load('remote', signal),
			);
			await until(({work: {quotaUntil}}) => quotaUntil !== undefined);
			state().work.cancelReads();
			await reading;
			expect(state().work.waits).toEqual([]);
			expect(state().work.quotaUntil).toBeDefined();
			// A wait short enough for ledge to retry also counts in estimates.
			if (seconds === 20) expect(state().connection.getQuotaLeft('remote')?.waitSeconds).toBeGreaterThan(0);
		}
	});

	test('is drawn with the time left', async () => {
		const screen = await drawScreen({simulate: true});
		await waitForHome(screen);
		screen.state().work.holdQuota(22_000);
		await screen.waitFor(() => /quota: 2[12] s/.test(screen.line(0)));
		await goToNamespaces(screen);
		expect(screen.line(0)).toMatch(/quota: \d+ s/);
	});
});

/** Lists by how each is opened and read, and a part of the paths it reads. */
const openedLists = {
	firewall: [({state}: TestStore) => state().firewall.open(zone), '/'],
	customRules: [({state}: TestStore) => state().customRules.open(zone), '/rulesets'],
	managed: [({state}: TestStore) => state().managed.open(zone), '/rulesets'],
	rateLimits: [({state}: TestStore) => state().rateLimits.open(zone), '/rulesets'],
	versions: [({state}: TestStore) => state().versions.open(versions), '/rulesets'],
	events: [({state}: TestStore) => state().events.open(zone), '/'],
	leftBehind: [openLeftBehind, '/rulesets'],
	merge: [({state}: TestStore) => state().merge.open(zone, {kind: 'zone'}), '/firewall/rules'],
	metrics: [({state}: TestStore) => state().metrics.open(undefined), '/graphql'],
} as const;

/** What was left behind is read from its backup; whether it was recreated is in the managed rules. */
async function openLeftBehind(testStore: TestStore) {
	await saveBackupOfMigrated(testStore);
	testStore.state().managed.open(migratedSampleZone);
	testStore.state().leftBehind.open(migratedSampleZone);
}

const versions = {
	zone,
	ruleset: {id: 'a'.repeat(32), version: '3', phase: 'http_request_firewall_custom', rules: []},
	rulesNoun: 'custom rules',
	restore: () => {},
} as unknown as Parameters<ReturnType<TestStore['state']>['versions']['open']>[0];

const listCases = (Object.keys(openedLists) as (keyof typeof openedLists)[]).flatMap(list =>
	(['never read', ...Object.keys(faults)] as ('never read' | Fault)[]).map(fault => [list, fault] as const),
);

test.each(
	listCases,
)('%s, %s: neither the list nor the status line shows it as empty', async (list, fault) => {
	const testStore = createTestStore();
	const {state} = testStore;
	const [open, path] = openedLists[list];
	await open(testStore);
	state().navigation.go(list);
	if (fault !== 'never read') {
		testStore.simulator.faults.replace(`${faults[fault]} path=${path}`);
		const reading = state().work.run('reading', 'read', signal => state()[list].load(signal));
		if (fault === 'cancelled') {
			await testStore.until(
				({
					activity: {
						data: {rows: calls},
					},
					work: {list: work},
				}) => calls.length > 0 || work.length > 0,
			);
			state().work.cancelReads();
		}
		await reading;
	}
	const {Body, formatStatus} = getScreenView(list);
	const drawn = draw(createTestApp(testStore), <Body />, {columns: 80, rows: 24});
	const text = [...drawn.rows(), formatStatus(state(), getTheme('none', true).marks)].join('\n');
	expect(text).toMatch(/not loaded|ctrl-r tries again/i);
	expect(text).toContain('ctrl-r');
	expect(text).not.toMatch(/\b(no|0) (firewall|custom|managed|rate|version|event|rule|filter|request|jobs)/i);
	expect(text).not.toMatch(/has no |is empty|\bnone\b|to recreate|nothing left behind/i);
});

test('custom rules made of firewall rules are not shown if only those were read', async () => {
	const testStore = createTestStore();
	const {state} = testStore;
	state().merge.open(zone, {kind: 'zone'});
	testStore.simulator.faults.replace('status=500 path=/rulesets');
	await state().work.run('reading', 'read', signal => state().merge.load(signal));
	const {Body} = getScreenView('merge');
	const text = draw(createTestApp(testStore), <Body />, {columns: 80, rows: 24})
		.rows()
		.join('\n');
	expect(text).toContain('ctrl-r tries again');
	expect(text).not.toMatch(/neither firewall rules|0 custom/);
});

test('damaged backups are named even if nothing was left behind', async () => {
	const testStore = createTestStore();
	const {state, store} = testStore;
	state().leftBehind.open(migratedSampleZone);
	const leftBehind = state().leftBehind.data;
	if (!leftBehind) throw new Error('No zone is open.');
	store.setState({
		leftBehind: {
			...store.getState().leftBehind,
			data: {...leftBehind, reading: 'read', warnings: ['The backup x is damaged.']},
		},
	});
	const {Body} = getScreenView('leftBehind');
	const drawn = draw(createTestApp(testStore), <Body />, {columns: 80, rows: 24});
	expect(drawn.rows().join('\n')).toContain('The backup x is damaged.');
});

/** Creates a folder that cannot be read, not even by root: a link to itself. */
function makeUnreadable(...path: readonly string[]): void {
	const folder = join(...path);
	mkdirSync(dirname(folder), {recursive: true});
	symlinkSync(folder, folder);
}

test('jobs and trash in an unreadable folder are not shown as empty', async () => {
	const testStore = createTestStore();
	const {state, env} = testStore;
	makeUnreadable(env.LEDGE_STATE_DIR ?? '', 'jobs');
	makeUnreadable(env.LEDGE_STATE_DIR ?? '', 'trash');
	await state().work.run('reading', 'read', signal => state().jobs.load(signal));
	const {Body} = getScreenView('jobs');
	const text = draw(createTestApp(testStore), <Body />, {columns: 80, rows: 24})
		.rows()
		.join('\n');
	expect(text).toContain('ctrl-r tries again');
	expect(text).not.toContain('No jobs');
	expect(buildHomeEntries(state()).find(({value}) => value === 'jobs')?.label).toContain(
		'not loaded (ctrl-r)',
	);
	state().navigation.go('home');
	dispatch(createTestApp(testStore), {name: 'V', text: 'V', sequence: 'V'});
	await testStore.until(({messages: {latest: message}}) => message?.kind === 'failed');
	expect(state().messages.latest?.text).not.toContain('empty');
});

test('a damaged trash entry is named, and the trash is not shown as empty', async () => {
	const testStore = createTestStore();
	const {state, env} = testStore;
	const folder = join(env.LEDGE_STATE_DIR ?? '', 'trash', 'k3v9x2mp');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'about.json'), '{"v":1,');
	writeFileSync(join(folder, 'keys.ndjson'), '{}\n');
	state().navigation.go('home');
	dispatch(createTestApp(testStore), {name: 'V', text: 'V', sequence: 'V'});
	await testStore.until(({messages: {latest: message}}) => message !== undefined);
	expect(state().messages.latest?.text).toContain(
		`1 entry in the trash is damaged and not listed: ${folder}`,
	);
});

test('unreadable local data is not reported as absent', async () => {
	const testStore = createTestStore({});
	makeUnreadable(testStore.folder, '.wrangler', 'state', 'v3', 'kv');
	const {state} = testStore;
	await state().connection.loadConnection();
	expect(buildHomeEntries(state()).find(({value}) => value === 'local')?.label).toContain('cannot be read');
});

test.each([
	'stopped',
	'failed',
] as const)('a comparison or search that %s before a key was read reports no result', name => {
	const phase = {name, failure: new Failure('rate_limited', 'x')} as const;
	const compare = {counts: zeroCounts, phase, differences: [], merged: new Map(), at: ''};
	expect(formatCompareSummary(compare as unknown as Parameters<typeof formatCompareSummary>[0])).toBe(
		'nothing compared (ctrl-r compares again)',
	);
	const search = {
		phase,
		request: {total: 10},
		searched: 0,
		gone: 0,
		found: 0,
		keysWithHits: 0,
		rows: [],
		rate: 0,
	};
	const text = formatSearchSummary(search as unknown as Parameters<typeof formatSearchSummary>[0]);
	expect(text).toContain('nothing searched (ctrl-r starts over)');
	expect(text).not.toContain('no hit');
});

test('Home does not say that there are no jobs before they were read', () => {
	const {state} = createTestStore();
	const label = buildHomeEntries(state()).find(({value}) => value === 'jobs')?.label;
	expect(label).toMatch(/^Jobs +not loaded \(ctrl-r\)$/);
});
