import {describe, expect, test} from 'vitest';
import {themeOf} from '../../../source/components/theme.ts';
import {homeEntries} from '../../../source/screens/home/entries.ts';
import {viewOf} from '../../../source/screens/views.tsx';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {appOf, draw} from '../support/drawn.tsx';
import {shop as zone} from '../support/firewall.ts';
import {homeOf, toNamespaces} from '../support/sample-ways.ts';
import {drawnScreen} from '../support/screen.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A screen on a service of this test, at Home. */
async function connected(scale = '1') {
	const service = await serveSimulator();
	const screen = await drawnScreen({}, {env: {...service.env, LEDGE_TIME_SCALE: scale}});
	await homeOf(screen);
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

/** The lists of zones and namespaces, by the key that leads to each from Home and a part of the path it reads. */
const lists: readonly (readonly [string, string, string])[] = [
	['namespaces', '', '/storage/kv/namespaces'],
	['zones', 'Z', '/zones'],
];

const cases = lists.flatMap(([name, key, path]) =>
	(Object.keys(faults) as Fault[]).map(fault => [name, fault, key, path] as const),
);

describe('a list that was not read is not empty', () => {
	test.each(cases)('%s, %s', {timeout: 60_000}, async (_name, fault, key, path) => {
		const {screen, simulator} = await connected(fault === 'cancelled' ? '1' : '0.01');
		simulator.faults.replace(`${faults[fault]} path=${path}`);
		screen.press(key === '' ? 'enter' : key);
		if (fault === 'cancelled') {
			await screen.waitFor('esc cancels');
			// As leaving for another account does; esc leaves the screen, too.
			screen.state().cancelReads();
		}
		await screen.waitFor(/not loaded/i);
		expect(screen.text()).toContain('ctrl-r');
		expect(screen.text()).not.toMatch(/ no (namespace|zone)|\b0 (namespaces|zones|keys)/);
		simulator.faults.clear();
		screen.press('ctrl-r');
		await screen.waitFor(key === '' ? 'SESSIONS' : 'acme.example');
	});

	test('keys whose first page was cancelled', async () => {
		const {screen, simulator} = await connected();
		await toNamespaces(screen);
		simulator.faults.replace('hang path=/keys');
		screen.press('enter');
		await screen.waitFor('esc cancels');
		screen.state().cancelReads();
		await screen.waitFor(/not loaded/i);
		expect(screen.text()).not.toContain('no keys here');
	});
});

describe('the quota', () => {
	test('is kept while it lasts: a shorter one does not shorten it', () => {
		const {state} = createTestStore();
		state().throttled(22_000);
		const until = state().quotaUntil;
		expect(until).toBeDefined();
		state().throttled(5000);
		expect(state().quotaUntil).toBe(until);
	});

	test('is known of a 429 that is not waited for, and when the wait is cancelled', async () => {
		for (const seconds of [400, 20]) {
			const {state, simulator, until} = createTestStore(
				{simulate: true},
				{variables: {LEDGE_TIME_SCALE: '1'}},
			);
			simulator.faults.replace(`status=429 retry-after=${seconds} path=/storage/kv/namespaces`);
			const reading = state().run('reading', 'read', signal => state().loadNamespaces('remote', signal));
			await until(({quotaUntil}) => quotaUntil !== undefined);
			state().cancelReads();
			await reading;
			expect(state().waits).toEqual([]);
			expect(state().quotaUntil).toBeDefined();
			// What ledge waits for counts in estimates, too.
			if (seconds === 20) expect(state().quotaFor('remote')?.waitSeconds).toBeGreaterThan(0);
		}
	});

	test('is drawn with the time that is left', async () => {
		const screen = await drawnScreen({simulate: true});
		await homeOf(screen);
		screen.state().throttled(22_000);
		await screen.waitFor(() => /quota: 2[12] s/.test(screen.line(0)));
		await toNamespaces(screen);
		expect(screen.line(0)).toMatch(/quota: \d+ s/);
	});
});

/** The lists of a zone: how each is opened and read, and a part of the paths it reads. */
const zoneLists = {
	firewall: [({state}: TestStore) => state().openZone(zone), 'loadFirewall', '/'],
	customRules: [({state}: TestStore) => state().openCustomRules(zone), 'loadCustomRules', '/rulesets'],
	managed: [({state}: TestStore) => state().openManaged(zone), 'loadManaged', '/rulesets'],
	rateLimits: [({state}: TestStore) => state().openRateLimits(zone), 'loadRateLimits', '/rulesets'],
	versions: [({state}: TestStore) => state().openVersions(versions), 'loadVersions', '/rulesets'],
	events: [({state}: TestStore) => state().openEvents(zone), 'loadEvents', '/'],
} as const;

const versions = {
	zone,
	ruleset: {id: 'a'.repeat(32), version: '3', phase: 'http_request_firewall_custom', rules: []},
	called: 'custom rules',
	restore: () => {},
} as unknown as Parameters<ReturnType<TestStore['state']>['openVersions']>[0];

const listCases = (Object.keys(zoneLists) as (keyof typeof zoneLists)[]).flatMap(list =>
	(['never read', ...Object.keys(faults)] as ('never read' | Fault)[]).map(fault => [list, fault] as const),
);

test.each(
	listCases,
)('%s, %s: neither the list nor the status line counts it as empty', async (list, fault) => {
	const space = createTestStore();
	const {state} = space;
	const [open, load, path] = zoneLists[list];
	open(space);
	state().go(list);
	if (fault !== 'never read') {
		space.simulator.faults.replace(`${faults[fault]} path=${path}`);
		const reading = state().run('reading', 'read', signal => state()[load](signal));
		if (fault === 'cancelled') {
			await space.until(({calls, work}) => calls.length > 0 || work.length > 0);
			state().cancelReads();
		}
		await reading;
	}
	const {Body, status} = viewOf(list);
	const drawn = draw(appOf(space), <Body />, {columns: 80, rows: 24});
	const text = [...drawn.rows(), status(state(), themeOf('none', true).marks)].join('\n');
	expect(text).toMatch(/not loaded|ctrl-r tries again/i);
	expect(text).toContain('ctrl-r');
	expect(text).not.toMatch(/\b(no|0) (firewall|custom|managed|rate|version|event|rule|filter|request|jobs)/i);
	expect(text).not.toMatch(/has no |is empty|\bnone\b/i);
});

test('Home does not say that there is no job before the jobs were read', () => {
	const {state} = createTestStore();
	const label = homeEntries(state()).find(({value}) => value === 'jobs')?.label;
	expect(label).toMatch(/^Jobs +not loaded \(ctrl-r\)$/);
});
