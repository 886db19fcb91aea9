import {describe, expect, test} from 'vitest';
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
	test('is in the header while it lasts, also once the wait for it was cancelled, and on every screen', async () => {
		const {state, store} = createTestStore();
		const waiting = new AbortController();
		state().waiting({why: 'Too many requests.', milliseconds: 22_000, isQuota: true, signal: waiting.signal});
		waiting.abort();
		expect(state().waits).toEqual([]);
		expect(state().quotaUntil).toBeDefined();
		// A shorter one does not shorten it, and what is no quota does not count.
		const until = state().quotaUntil;
		state().waiting({why: 'x', milliseconds: 5000, isQuota: true, signal: waiting.signal});
		state().waiting({why: 'x', milliseconds: 90_000, signal: waiting.signal});
		expect(store.getState().quotaUntil).toBe(until);
	});

	test('is drawn with the time that is left', async () => {
		const screen = await drawnScreen({simulate: true});
		await homeOf(screen);
		const {signal} = new AbortController();
		screen.state().waiting({why: 'Too many requests.', milliseconds: 22_000, isQuota: true, signal});
		await screen.waitFor(() => /quota: 2[12] s/.test(screen.line(0)));
		await toNamespaces(screen);
		expect(screen.line(0)).toMatch(/quota: \d+ s/);
	});
});

test.each([
	['firewall', (space: TestStore) => space.state().openZone(zone)],
	['customRules', (space: TestStore) => space.state().openCustomRules(zone)],
	['managed', (space: TestStore) => space.state().openManaged(zone)],
	['rateLimits', (space: TestStore) => space.state().openRateLimits(zone)],
] as const)('%s that were never read are not called empty', (screen, open) => {
	const space = createTestStore();
	open(space);
	const {Body} = viewOf(screen);
	const text = draw(appOf(space), <Body />, {columns: 80, rows: 24})
		.rows()
		.join('\n');
	expect(text).toContain('Not loaded (ctrl-r loads it).');
	expect(text).not.toMatch(/\bno (firewall|custom|managed|jobs)|No jobs/i);
});

test('Home does not say that there is no job before the jobs were read', () => {
	const {state} = createTestStore();
	const label = homeEntries(state()).find(({value}) => value === 'jobs')?.label;
	expect(label).toMatch(/^Jobs +not loaded \(ctrl-r\)$/);
});
