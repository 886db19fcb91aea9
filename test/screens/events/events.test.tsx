import {describe, expect, test, vi} from 'vitest';
import {openEvents} from '../../../source/screens/events/opening.ts';
import {eventList, withRows} from '../../../source/screens/events/state.ts';
import {Events, formatEventsStatus} from '../../../source/screens/events/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createEventsStore, noon, openEventsScreen} from './support.ts';

const blog = {id: '61bf267f4af510ca281c94950d62fbea', name: 'acme-blog.example', plan: 'free'} as const;

type EventsUser = Awaited<ReturnType<typeof openEventsScreen>>;

const listShownValues = ({events: getEvents}: EventsUser) =>
	eventList.listVisible(getEvents()).map(row => (row.kind === 'listed' ? row.listed.value : row.event.ray));

describe('the security events of a zone', () => {
	test('are read with one query, and single events with another when opened', async () => {
		const user = await openEventsScreen();
		const {queries: listQueries, press, idle: waitForIdle, events: getEvents, testStore} = user;
		expect(getCurrentScreen(testStore.state())).toBe('events');
		expect(getEvents().overview).toMatchObject({reading: 'read', problems: []});
		expect(getEvents().single.reading).toBe('unread');
		const queryCountBefore = listQueries().length;
		press('tab', 'tab', 'tab');
		await waitForIdle();
		expect(getEvents().list).toBe('countries');
		press('shift-tab', 'shift-tab', 'shift-tab', 'tab', 'shift-tab');
		await waitForIdle();
		expect(listQueries()).toHaveLength(queryCountBefore);
		press('shift-tab');
		await waitForIdle();
		// One query for the limits of single events in this zone, and one for the events.
		expect(listQueries()).toHaveLength(queryCountBefore + 2);
		expect(eventList.listVisible(getEvents())).toHaveLength(200);
		press('tab', 'shift-tab');
		await waitForIdle();
		expect(listQueries()).toHaveLength(queryCountBefore + 2);
		press('ctrl-r');
		await waitForIdle();
		expect(listQueries()).toHaveLength(queryCountBefore + 4);
	});

	test('show rules by name, without a call for each event', async () => {
		const user = await openEventsScreen(createEventsStore('lacks-dimension=description'));
		const namedRows = user.events().rows.filter(({rule}) => rule?.name !== undefined);
		expect(namedRows.length).toBeGreaterThan(5);
		expect(namedRows.map(({rule}) => rule?.displayName)).toContain('Scrapers');
		const callCountBefore = user.testStore.simulator.calls.list().length;
		user.press('shift-tab');
		await user.idle();
		expect(user.testStore.simulator.calls.list().length - callCountBefore).toBeLessThanOrEqual(2);
		expect(user.events().rows.every(({rule}) => rule?.name !== undefined)).toBe(true);
	});

	test('that were not read may be what a search misses, and it says so', async () => {
		const user = await openEventsScreen();
		user.press('shift-tab');
		await user.idle();
		user.state().events.filter('0000ray0000');
		const drawn = draw(user.app, <Events />, {columns: 80, rows: 24});
		await drawn.until(rows =>
			rows.some(row => row.includes('No matches for "0000ray0000" among the latest 200 events.')),
		);
		user.press('tab');
		user.state().events.filter('0000ray0000');
		await drawn.until(rows => rows.some(row => row.includes('No matches for "0000ray0000".')));
	});

	test('show and find rules by their action, from 80 columns up', async () => {
		const user = await openEventsScreen();
		const drawn = draw(user.app, <Events />, {columns: 80, rows: 24});
		await drawn.until(rows => rows.some(row => /SHARE +ACTION +RULE/.test(row)));
		user.state().events.filter('block');
		const blockedRows = eventList.listVisible(user.events());
		expect(blockedRows.length).toBeGreaterThan(0);
		expect(blockedRows.length).toBeLessThan(user.events().rows.length);
	});

	test('are read again when opened after more than a minute', async () => {
		const user = await openEventsScreen();
		const countQueriesAfterOpening = async () => {
			const countBefore = user.queries().length;
			openEvents(user.app, migratedSampleZone);
			await user.idle();
			return user.queries().length - countBefore;
		};
		expect(await countQueriesAfterOpening()).toBe(0);
		user.testStore.advanceClock(61_000);
		expect(await countQueriesAfterOpening()).toBe(1);
	});

	test('of one rule are named as such, with the key that shows all and where esc leads', async () => {
		const user = await openEventsScreen();
		const narrowing = {part: 'rules', value: 'no such rule', label: 'no such rule'} as const;
		openEvents(user.app, migratedSampleZone, narrowing);
		await user.idle();
		expect(formatEventsStatus(user.state())).toMatch(/^one rule: 6 shows all /);
		const drawn = draw(user.app, <Events />, {columns: 80, rows: 24});
		await drawn.until(rows => rows.some(row => row.includes('esc goes back to the rule')));
		user.press('6');
		await user.idle();
		expect(formatEventsStatus(user.state())).not.toContain('one rule');
		expect(user.events().narrowings).toEqual([]);
	});

	test('are announced while they are first read', async () => {
		const testStore = createEventsStore('hang path=graphql');
		const app = createTestApp(testStore);
		openEvents(app, migratedSampleZone);
		const drawn = draw(app, <Events />, {columns: 80, rows: 24});
		await drawn.until(rows => rows.some(row => row.includes('Loading security events…')));
		testStore.state().work.cancelReads();
	});

	test('are narrowed row by row, and widened again', async () => {
		const user = await openEventsScreen();
		const {press, idle: waitForIdle, getPath, events: getEvents} = user;
		const valuesBefore = listShownValues(user);
		const rule = eventList.getSelected(getEvents())?.rule;
		press('enter');
		await waitForIdle();
		expect(getPath()).toEqual(['ledge', 'security events', migratedSampleZone.name, rule?.displayName]);
		expect(getEvents().list).toBe('events');
		expect(getEvents().rows.every(row => row.rule?.id === rule?.id)).toBe(true);
		press('shift-tab', 'enter');
		await waitForIdle();
		expect(getPath()).toHaveLength(5);
		const [country] = getPath().slice(-1);
		expect(getEvents().rows.every(row => row.kind === 'event' && row.event.country === country)).toBe(true);
		press('esc');
		await waitForIdle();
		expect(getEvents().list).toBe('countries');
		press('esc');
		await waitForIdle();
		expect(getPath()).toHaveLength(3);
		expect(listShownValues(user)).toEqual(valuesBefore);
		press('esc');
		expect(getCurrentScreen(user.state())).not.toBe('events');
	});

	test('are found by the first characters of their ray', async () => {
		const user = await openEventsScreen();
		user.press('shift-tab');
		await user.idle();
		const row = eventList.getSelected(user.events());
		const ray = (row?.kind === 'event' && row.event.ray) || '';
		expect(ray).toHaveLength(16);
		user.state().events.filter(ray.slice(0, 4));
		expect(eventList.listVisible(user.events())).toContain(row);
	});

	test('return to the row and the text filter of the wider list', async () => {
		const user = await openEventsScreen();
		const {press, idle: waitForIdle, events: getEvents} = user;
		press('tab');
		user.state().events.filter('/');
		press('down', 'down');
		const path = eventList.getSelectedKey(getEvents());
		press('enter');
		await waitForIdle();
		expect(getEvents()).toMatchObject({list: 'events', filter: '', cursor: 0});
		press('esc');
		await waitForIdle();
		expect(getEvents()).toMatchObject({list: 'paths', filter: '/', cursor: 2});
		expect(eventList.getSelectedKey(getEvents())).toBe(path);
	});

	test('change their time span with a key, as far back as the plan allows, and begin again', async () => {
		const user = await openEventsScreen();
		const {press, idle: waitForIdle, state, events: getEvents} = user;
		const total = getEvents().overview.value?.total ?? 0;
		press('t');
		await waitForIdle();
		expect(formatEventsStatus(state())).toContain('since 2026-11-20 12:01 UTC (plan limit)');
		press('t', 't');
		await waitForIdle();
		expect(formatEventsStatus(state())).toContain('last 6 h');
		expect(getEvents().overview.value?.total).toBeLessThan(total);
	});

	test('are plotted by action, or by source without another query', async () => {
		const user = await openEventsScreen();
		const queryCountBefore = user.queries().length;
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 40});
		await drawn.until(rows => rows.some(row => row.includes('managed challenge')));
		user.press('b');
		await drawn.until(rows => rows.some(row => /a=managed rules +b=custom rules/.test(row)));
		expect(user.queries()).toHaveLength(queryCountBefore);
	});

	test('are shown in full, one at a time', async () => {
		const user = await openEventsScreen();
		user.press('shift-tab');
		await user.idle();
		user.press('down', 'enter');
		const row = eventList.getSelected(user.events());
		if (row?.kind !== 'event') throw new Error('It is not an event.');
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 40});
		await drawn.until(rows => rows.some(line => line.includes(row.event.ray ?? '?')));
		expect(drawn.rows().join('\n')).toContain(row.event.agent?.slice(0, 60));
		expect(drawn.rows().join('\n')).toContain(row.rule?.name);
		user.press('y');
		for (const noun of ['address', 'path', 'rule id']) {
			user.press('Y');
			const dialog = user.state().dialog.current;
			if (dialog?.kind !== 'choice') throw new Error('It does not ask what to copy.');
			user.state().dialog.close();
			dialog.choose(noun);
		}
		expect(user.app.copied).toEqual([row.event.ray, row.event.address, row.event.path, row.event.ruleId]);
		user.press('esc');
		expect(user.events().detail).toBeUndefined();
	});

	test('are replaced by those of another zone, and by no older response', async () => {
		const user = await openEventsScreen();
		user.press('t');
		user.press('t');
		await user.idle();
		expect(user.events().span).toBe('1 h');
		expect(noon - (user.events().overview.value?.since ?? 0)).toBe(3_600_000);
		user.state().events.open(blog);
		expect(user.events()).toMatchObject({
			zone: {name: blog.name},
			overview: {reading: 'unread'},
			narrowings: [],
		});
	});

	test('are refreshed while on the screen, within the query budget', async () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		try {
			const user = await openEventsScreen();
			user.press('t', 't', 'shift-tab');
			await user.idle();
			const queryCountBefore = user.queries().length;
			for (let minute = 0; minute < 6; minute++) {
				await vi.advanceTimersByTimeAsync(60_000);
				await user.idle();
			}
			const refreshQueryCount = user.queries().length - queryCountBefore;
			expect(refreshQueryCount).toBeGreaterThanOrEqual(10);
			expect(refreshQueryCount).toBeLessThanOrEqual(14);
			user.press('0');
			await vi.advanceTimersByTimeAsync(600_000);
			await user.idle();
			expect(user.queries().length - queryCountBefore).toBe(refreshQueryCount);
		} finally {
			vi.useRealTimers();
		}
	});
});

test('no content of an event reaches the terminal unescaped', async () => {
	const user = await openEventsScreen();
	const hostileText = '\u001b[31m\u202e\u0007"\\\n<x>'.repeat(300);
	const event = {
		at: noon,
		action: hostileText,
		source: hostileText,
		ruleId: hostileText,
		rulesetId: hostileText,
		description: hostileText,
		ray: hostileText,
	};
	const request = {
		address: hostileText,
		country: hostileText,
		network: hostileText,
		method: hostileText,
		host: hostileText,
		path: hostileText,
	};
	user.testStore.store.setState(({events: feature}) => {
		const events = feature.data;
		if (!events) return {};
		const single = {
			events: [{...event, ...request, query: hostileText, agent: hostileText}],
			since: noon,
			hasMore: false,
			fields: new Set([]),
		};
		const state = {
			...events,
			list: 'events' as const,
			single: {reading: 'read' as const, value: single, problems: []},
		};
		return {events: {...feature, data: withRows(state)}};
	});
	const drawn = draw(user.app, <Events />, {columns: 120, rows: 40});
	const unsafe = /[\u0000-\u0009\u000b-\u001f\u202e]/;
	await drawn.until(rows => rows.some(row => row.includes('12:00:00')));
	expect(drawn.rows().join('\n')).not.toMatch(unsafe);
	user.press('enter');
	await drawn.until(rows => rows.some(row => row.includes('2026-11-23 12:00:00 UTC')));
	expect(drawn.rows().join('\n')).not.toMatch(unsafe);
	user.press('r');
	user.press('a');
	user.press('!');
	expect(user.getMessage()).toContain('a single IP address');
});

describe('missing data', () => {
	test.each([
		['analytics=not-authorized', 'Security events require the permission Zone Analytics: Read.'],
		['status=404 path=graphql', 'Security events are not available from this service.'],
		['html=404 path=graphql', 'Security events are not available from this service.'],
		['analytics=budget-depleted', 'Security events were requested too often.'],
		['analytics=error', 'Security events could not be loaded.'],
	])('is reported in place of the events, and the rest of ledge works: %s', async (faults, sentence) => {
		const user = await openEventsScreen(createEventsStore(faults));
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes(sentence));
		user.press('shift-tab');
		await user.idle();
		await drawn.until(rows => rows.join(' ').includes('Individual security events'));
		expect(user.state().messages.latest?.kind).not.toBe('failed');
		user.press('3');
		await user.idle();
		expect(user.state().customRules.data?.reading).toBe('read');
	});

	test('hides single events on the Free plan, but not the lists', async () => {
		const user = await openEventsScreen(createEventsStore(), blog);
		expect(listShownValues(user).length).toBeGreaterThan(0);
		user.press('shift-tab');
		await user.idle();
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows =>
			rows.join(' ').includes('Individual security events are not included in this plan.'),
		);
		expect(drawn.rows().join(' ')).toContain('The other lists are available: tab shows the rules.');
		user.press('tab');
		expect(user.events().list).toBe('rules');
	});

	test('hides one list or dimension, but not the others', async () => {
		const user = await openEventsScreen(
			createEventsStore('lacks-dimension=clientIP,datetimeHour,datetimeMinute,datetimeFiveMinutes'),
		);
		expect(listShownValues(user).length).toBeGreaterThan(0);
		expect(user.events().overview.value?.plots.action?.step).toBe(86_400_000);
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes('Security events lack clientIP on this service.'));
		user.press('tab', 'tab');
		expect(listShownValues(user)).toEqual([]);
		user.press('tab', 'tab');
		await user.idle();
		expect(listShownValues(user)).toHaveLength(200);
	});

	test('hides one part of a response, but not the others', async () => {
		const user = await openEventsScreen(createEventsStore('analytics=partial after=7'));
		expect(user.events().overview.value).toBeDefined();
	});

	test('leaves the data read before', async () => {
		const user = await openEventsScreen();
		const valuesBefore = listShownValues(user);
		user.testStore.simulator.faults.replace('analytics=too-busy');
		user.press('ctrl-r');
		await user.idle();
		expect(listShownValues(user)).toEqual(valuesBefore);
		const drawn = draw(user.app, <Events />, {columns: 100, rows: 24});
		await drawn.until(rows => rows.join(' ').includes('too many queries are in progress'));
	});
});

test('the lists are named in the narrowest terminal, and the source in the words of the command', async () => {
	const user = await openEventsScreen();
	const narrow = draw(user.app, <Events />, {columns: 60, rows: 15});
	await narrow.until(rows =>
		rows.some(row => row.includes('[rules]  paths   addresses   countries   events')),
	);
	const wide = draw(user.app, <Events />, {columns: 120, rows: 40});
	await wide.until(rows => rows.some(row => / RULE +SOURCE/.test(row)));
	user.press('shift-tab');
	await user.idle();
	user.press('enter');
	await wide.until(rows => rows.some(row => /^ +source +managed rules/.test(row)));
});
