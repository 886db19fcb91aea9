import {describe, expect, test, vi} from 'vitest';
import {eventList, withRows} from '../../../source/screens/events/state.ts';
import {Events, formatEventsStatus} from '../../../source/screens/events/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migrated} from '../support/custom-rules.ts';
import {draw} from '../support/drawn.tsx';
import {atEvents, noon, space} from './support.ts';

const blog = {id: '61bf267f4af510ca281c94950d62fbea', name: 'acme-blog.example', plan: 'free'} as const;

type At = Awaited<ReturnType<typeof atEvents>>;

const values = ({events}: At) =>
	eventList.listVisible(events()).map(row => (row.kind === 'listed' ? row.listed.value : row.event.ray));

describe('the security events of a zone', () => {
	test('are read with one query, and single events with another when opened', async () => {
		const at = await atEvents();
		const {queries, press, idle, events, of} = at;
		expect(getCurrentScreen(of.state())).toBe('events');
		expect(events().overview).toMatchObject({reading: 'read', problems: []});
		expect(events().single.reading).toBe('unread');
		const first = queries().length;
		press('tab', 'tab', 'tab');
		await idle();
		expect(events().list).toBe('countries');
		press('1', '2', 'shift-tab');
		await idle();
		expect(queries()).toHaveLength(first);
		press('5');
		await idle();
		// The plan of the zone is asked for single events by itself.
		expect(queries()).toHaveLength(first + 2);
		expect(eventList.listVisible(events())).toHaveLength(200);
		press('1', '5');
		await idle();
		expect(queries()).toHaveLength(first + 2);
		press('ctrl-r');
		await idle();
		expect(queries()).toHaveLength(first + 4);
	});

	test('show rules by name, without a call for each event', async () => {
		const at = await atEvents(space('lacks-dimension=description'));
		const named = at.events().rows.filter(({rule}) => rule?.name !== undefined);
		expect(named.length).toBeGreaterThan(5);
		expect(named.map(({rule}) => rule?.displayName)).toContain('Scrapers');
		const before = at.of.simulator.calls.list().length;
		at.press('5');
		await at.idle();
		expect(at.of.simulator.calls.list().length - before).toBeLessThanOrEqual(2);
		expect(at.events().rows.every(({rule}) => rule?.name !== undefined)).toBe(true);
	});

	test('are narrowed row by row, and widened again', async () => {
		const at = await atEvents();
		const {press, idle, crumbs, events} = at;
		const all = values(at);
		const rule = eventList.getSelected(events())?.rule;
		press('enter');
		await idle();
		expect(crumbs()).toEqual(['ledge', 'security events', migrated.name, rule?.displayName]);
		expect(events().list).toBe('events');
		expect(events().rows.every(row => row.rule?.id === rule?.id)).toBe(true);
		press('4', 'enter');
		await idle();
		expect(crumbs()).toHaveLength(5);
		const [country] = crumbs().slice(-1);
		expect(events().rows.every(row => row.kind === 'event' && row.event.country === country)).toBe(true);
		press('esc');
		await idle();
		expect(events().list).toBe('countries');
		press('esc');
		await idle();
		expect(crumbs()).toHaveLength(3);
		expect(values(at)).toEqual(all);
		press('esc');
		expect(getCurrentScreen(at.state())).not.toBe('events');
	});

	test('change their time span with a key, as far back as the plan allows', async () => {
		const at = await atEvents();
		const {press, idle, state, events} = at;
		const total = events().overview.value?.total ?? 0;
		press('T');
		await idle();
		expect(events().overview.value?.total).toBeLessThan(total);
		expect(formatEventsStatus(state())).toContain('last 6 h');
		press('t', 't');
		await idle();
		expect(formatEventsStatus(state())).toContain(
			'since 2026-11-20 12:01:00 UTC: the plan keeps no older events',
		);
		press('t');
		expect(at.said()).toContain('longest');
	});

	test('are plotted by action, or by source without another query', async () => {
		const at = await atEvents();
		const before = at.queries().length;
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 40});
		await drawn.until(rows => rows.some(row => row.includes('managed challenge')));
		at.press('s');
		await drawn.until(rows => rows.some(row => /a managed rules +b custom rules/.test(row)));
		expect(at.queries()).toHaveLength(before);
	});

	test('are shown in full, one at a time', async () => {
		const at = await atEvents();
		at.press('5');
		await at.idle();
		at.press('down', 'enter');
		const row = eventList.getSelected(at.events());
		if (row?.kind !== 'event') throw new Error('It is not an event.');
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 40});
		await drawn.until(rows => rows.some(line => line.includes(row.event.ray ?? '?')));
		expect(drawn.rows().join('\n')).toContain(row.event.agent?.slice(0, 60));
		expect(drawn.rows().join('\n')).toContain(row.rule?.name);
		at.press('y', 'Y', 'p', 'c');
		expect(at.app.copied).toEqual([row.event.ray, row.event.address, row.event.path, row.event.ruleId]);
		at.press('esc');
		expect(at.events().detail).toBeUndefined();
	});

	test('of another zone replace them, and an older answer never replaces a newer one', async () => {
		const at = await atEvents();
		at.press('T');
		at.press('T');
		await at.idle();
		expect(at.events().span).toBe('1 h');
		expect(noon - (at.events().overview.value?.since ?? 0)).toBe(3_600_000);
		at.state().events.open(blog);
		expect(at.events()).toMatchObject({
			zone: {name: blog.name},
			overview: {reading: 'unread'},
			narrowings: [],
		});
	});

	test('are refreshed while on the screen, within the query budget', async () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		try {
			const at = await atEvents();
			at.press('T', 'T', '5');
			await at.idle();
			const before = at.queries().length;
			for (let minute = 0; minute < 6; minute++) {
				await vi.advanceTimersByTimeAsync(60_000);
				await at.idle();
			}
			const asked = at.queries().length - before;
			expect(asked).toBeGreaterThanOrEqual(10);
			expect(asked).toBeLessThanOrEqual(14);
			at.press('H');
			await vi.advanceTimersByTimeAsync(600_000);
			await at.idle();
			expect(at.queries().length - before).toBe(asked);
		} finally {
			vi.useRealTimers();
		}
	});
});

test('no content of an event reaches the terminal unescaped', async () => {
	const at = await atEvents();
	const evil = '\u001b[31m\u202e\u0007"\\\n<x>'.repeat(300);
	const event = {
		at: noon,
		action: evil,
		source: evil,
		ruleId: evil,
		rulesetId: evil,
		description: evil,
		ray: evil,
	};
	const request = {address: evil, country: evil, network: evil, method: evil, host: evil, path: evil};
	at.of.store.setState(({events: feature}) => {
		const events = feature.data;
		if (!events) return {};
		const single = {events: [{...event, ...request, query: evil, agent: evil}], since: noon, hasMore: false};
		const state = {
			...events,
			list: 'events' as const,
			single: {reading: 'read' as const, value: single, problems: []},
		};
		return {events: {...feature, data: withRows(state)}};
	});
	const drawn = draw(at.app, <Events />, {columns: 120, rows: 40});
	const unsafe = /[\u0000-\u0009\u000b-\u001f\u202e]/;
	await drawn.until(rows => rows.some(row => row.includes('12:00:00')));
	expect(drawn.rows().join('\n')).not.toMatch(unsafe);
	at.press('enter');
	await drawn.until(rows => rows.some(row => row.includes('2026-11-23 12:00:00 UTC')));
	expect(drawn.rows().join('\n')).not.toMatch(unsafe);
	at.press('r');
	at.press('x');
	at.press('!');
	expect(at.said()).toContain('a single IP address');
});

describe('missing data', () => {
	test.each([
		['analytics=not-authorized', 'Security events require the permission Zone Analytics: Read.'],
		['status=404 path=graphql', 'Security events are not available from this service.'],
		['html=404 path=graphql', 'Security events are not available from this service.'],
		['analytics=budget-depleted', 'Security events were requested too often.'],
		['analytics=error', 'Security events could not be loaded.'],
	])('is reported in place of the events, and the rest of ledge works: %s', async (faults, sentence) => {
		const at = await atEvents(space(faults));
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes(sentence));
		at.press('5');
		await at.idle();
		await drawn.until(rows => rows.join(' ').includes('Individual security events'));
		expect(at.state().messages.latest?.kind).not.toBe('failed');
		at.press('R');
		await at.idle();
		expect(at.state().customRules.data?.reading).toBe('read');
	});

	test('hides single events on the Free plan, but not the lists', async () => {
		const at = await atEvents(space(), blog);
		expect(values(at).length).toBeGreaterThan(0);
		at.press('5');
		await at.idle();
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows =>
			rows.join(' ').includes('Individual security events are not included in this plan.'),
		);
	});

	test('hides one list or dimension, but not the others', async () => {
		const at = await atEvents(
			space('lacks-dimension=clientIP,datetimeHour,datetimeMinute,datetimeFiveMinutes'),
		);
		expect(values(at).length).toBeGreaterThan(0);
		expect(at.events().overview.value?.plots.action?.step).toBe(86_400_000);
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes('Security events lack clientIP on this service.'));
		at.press('3');
		expect(values(at)).toEqual([]);
		at.press('5');
		await at.idle();
		expect(values(at)).toHaveLength(200);
	});

	test('hides one part of an answer, but not the others', async () => {
		const at = await atEvents(space('analytics=partial after=7'));
		expect(at.events().overview.value).toBeDefined();
	});

	test('leaves the data read before', async () => {
		const at = await atEvents();
		const before = values(at);
		at.of.simulator.faults.replace('analytics=too-busy');
		at.press('ctrl-r');
		await at.idle();
		expect(values(at)).toEqual(before);
		const drawn = draw(at.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes('too many queries are in progress'));
	});
});

test('the lists are named with their keys in the narrowest terminal, and the source in the words of the command', async () => {
	const at = await atEvents();
	const narrow = draw(at.app, <Events />, {columns: 60, rows: 15});
	await narrow.until(rows =>
		rows.some(row => row.includes('[1:rules]  2:paths   3:addresses   4:countries   5:events')),
	);
	const wide = draw(at.app, <Events />, {columns: 120, rows: 40});
	await wide.until(rows => rows.some(row => / RULE +SOURCE/.test(row)));
	at.press('5');
	await at.idle();
	at.press('enter');
	await wide.until(rows => rows.some(row => /^ +source +managed rules/.test(row)));
});
