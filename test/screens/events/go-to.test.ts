import {describe, expect, test} from 'vitest';
import {getCurrentCatalogueRule} from '../../../source/screens/catalogue/state.ts';
import {customRuleList} from '../../../source/screens/custom-rules/state.ts';
import {eventList} from '../../../source/screens/events/state.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {getSelectedRule} from '../../../source/screens/firewall/list.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {readManagedRulesAtService} from '../support/managed.ts';
import {createEventsStore, openEventsScreen} from './support.ts';

type EventsUser = Awaited<ReturnType<typeof openEventsScreen>>;

const acme = {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example', plan: 'enterprise'} as const;

/** Moves the cursor to the first single event that matches, and returns it. */
async function selectEvent(user: EventsUser, matches: (source: string, path: string | undefined) => boolean) {
	user.press('shift-tab');
	await user.idle();
	const index = user
		.events()
		.rows.findIndex(row => row.kind === 'event' && matches(row.event.source, row.event.path));
	if (index < 0) throw new Error('There is no such event.');
	user.state().events.move(index - user.events().cursor);
	const row = eventList.getSelected(user.events());
	if (row?.kind !== 'event') throw new Error('The cursor is not on an event.');
	return row.event;
}

const getFieldText = (user: EventsUser): string => {
	const dialog = user.state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error(`No field is open: ${user.getMessage()}`);
	return getBufferText(dialog.buffer);
};

describe('from an event to its rule', () => {
	test('a custom rule is under the cursor of its list', async () => {
		const user = await openEventsScreen();
		const event = await selectEvent(user, source => source === 'firewallCustom');
		user.press('r');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('customRules');
		expect(customRuleList.getSelectedRule(user.state().customRules.data)?.id).toBe(event.ruleId);
		user.press('v');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('events');
		expect(user.events().narrowings).toMatchObject([{part: 'rules', value: event.ruleId}]);
		expect(user.events().overview.value?.total).toBeGreaterThan(0);
	});

	test('a managed rule is searched in the catalogue, which leads back to its events', async () => {
		const user = await openEventsScreen();
		const event = await selectEvent(user, source => source === 'firewallManaged');
		user.press('r');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('catalogue');
		expect(getCurrentCatalogueRule(user.state().catalogue.data)?.id).toBe(event.ruleId);
		user.press('ctrl-v');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('events');
		expect(user.events().narrowings).toMatchObject([
			{value: event.ruleId, rule: {rulesetId: event.rulesetId}},
		]);
	});

	test('a managed rule opens above the events, also if its screen was open below them', async () => {
		const user = await openEventsScreen();
		user.press('4');
		await user.idle();
		user.press('6');
		await user.idle();
		await selectEvent(user, source => source === 'firewallManaged');
		user.press('r');
		await user.idle();
		// Not to the list of managed rules, which the person did not ask for.
		expect(getCurrentScreen(user.state())).toBe('catalogue');
		user.press('esc');
		expect(getCurrentScreen(user.state())).toBe('events');
	});

	test('a firewall rule is under the cursor of its list', async () => {
		const user = await openEventsScreen(createEventsStore(), acme);
		const event = await selectEvent(user, source => source === 'firewallRules');
		user.press('r');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('firewall');
		expect(getSelectedRule(user.state())?.id).toBe(event.ruleId);
		user.press('v');
		await user.idle();
		expect(user.events().narrowings).toMatchObject([{value: event.ruleId, rule: {source: 'firewallRules'}}]);
	});

	test('a rule of the previous managed rules is in the migration; its exception is a new bypass rule', async () => {
		const user = await openEventsScreen(createEventsStore(), acme);
		const event = await selectEvent(user, source => source === 'waf');
		user.press('r');
		await user.idle();
		expect(user.getMessage()).toContain('5 opens the migration, which replaces them');
		user.press('a');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('wizard');
		const wizard = user.state().wizard.data;
		expect(wizard).toMatchObject({zone: {name: acme.name}, action: 'bypass', chosenNames: ['waf']});
		expect(wizard && getTypedExpression(wizard.editing)).toBe(
			`ip.src eq ${event.address} and (http.host eq "${event.host}" and http.request.uri.path eq "${event.path}")`,
		);
		user.press('esc');
		expect(getCurrentScreen(user.state())).toBe('events');
	});

	test('a rule of the previous managed rules is off in a migrated zone', async () => {
		const user = await openEventsScreen();
		user.state().events.open(user.events().zone, {
			part: 'rules',
			value: '981176',
			label: 'Inbound Anomaly Score Exceeded',
			rule: {source: 'waf', ruleId: '981176'},
		});
		user.press('r');
		await user.idle();
		expect(user.getMessage()).toBe('This rule is off since the migration; 4 shows the new managed rules.');
		user.press('a');
		await user.idle();
		expect(user.getMessage()).toBe('Nothing to let through: this rule is off since the migration.');
	});

	test.each([
		['custom', 'firewallCustom'],
		['managed', 'firewallManaged'],
		['rate limiting', 'ratelimit'],
		['firewall', 'firewallRules'],
	])('a %s rule that is gone is named, and the events stay', async (_kind, source) => {
		const user = await openEventsScreen();
		user.state().events.open(user.events().zone, {
			part: 'rules',
			value: 'f'.repeat(32),
			label: 'gone',
			rule: {source, ruleId: 'f'.repeat(32), description: 'Block scrapers'},
		});
		user.press('r');
		await user.idle();
		expect(user.getMessage()).toBe(`This rule no longer exists: ${'f'.repeat(32)}, Block scrapers`);
		expect(getCurrentScreen(user.state())).toBe('events');
	});

	test('active managed rules lead to the events of a ruleset and of an override', async () => {
		const user = await openEventsScreen();
		user.press('4');
		await user.idle();
		user.press('v');
		await user.idle();
		expect(user.events().narrowings).toMatchObject([{part: 'rulesets', label: 'Managed Ruleset'}]);
		const total = user.events().overview.value?.total ?? 0;
		expect(total).toBeGreaterThan(0);
		// Esc goes back to the rule; 6 shows the events of the whole zone.
		user.press('esc');
		expect(getCurrentScreen(user.state())).toBe('managed');
		user.press('6');
		await user.idle();
		expect(user.events().overview.value?.total).toBeGreaterThan(total);
		user.press('4');
		await user.idle();
		user.press('down', 'v');
		await user.idle();
		expect(user.events().narrowings).toMatchObject([
			{part: 'rules', value: '31db59950ccc4fd00400e13c296f0a5a'},
		]);
	});
});

describe('from an event to an exception', () => {
	test("it is for the event's rule, host and path, and is reviewed and sent like any other", async () => {
		const user = await openEventsScreen();
		const {state, press, idle: waitForIdle, testStore} = user;
		const event = await selectEvent(
			user,
			(source, path) => source === 'firewallManaged' && path === '/api/import',
		);
		const listWrites = () =>
			testStore.simulator.calls
				.list()
				.filter(({method, path}) => method !== 'GET' && !path.endsWith('graphql'));
		press('a');
		// The events stay until the question can be asked.
		expect(getCurrentScreen(state())).toBe('events');
		await waitForIdle();
		expect(getCurrentScreen(state())).toBe('managed');
		const expression = `(http.host eq "${event.host}" and http.request.uri.path eq "/api/import")`;
		expect(getFieldText(user)).toBe(expression);
		const namesRule = [expect.stringMatching(/^Skips Apache Log4j/), expect.any(String)];
		// The field is too narrow for the path.
		expect(state().dialog.current).toMatchObject({lines: [...namesRule, `Prefilled: ${expression}`]});
		press('enter', 'esc', 'esc');
		expect(getCurrentScreen(state())).toBe('events');
		press('a');
		await waitForIdle();
		press('enter');
		expect(state().dialog.current).toMatchObject({lines: namesRule});
		expect(getFieldText(user)).toMatch(/^False positive of Apache Log4j/);
		press('enter');
		expect(state().managed.data?.edits).toHaveLength(1);
		expect(listWrites()).toEqual([]);
		press('enter');
		expect(state().managed.data?.step).toBe('review');
		testStore.advanceClock(minReviewMs);
		press('y');
		await waitForIdle();
		expect(listWrites()).toMatchObject([
			{method: 'POST', path: expect.stringMatching(/\/rulesets\/[0-9a-f]{32}\/rules$/)},
		]);
		const {rules} = await readManagedRulesAtService(testStore);
		expect(rules[0]).toMatchObject({
			action: 'skip',
			expression,
			action_parameters: {rules: {[event.rulesetId ?? '']: [event.ruleId]}},
		});
	});

	test('it uses the rule that the events are narrowed to, and the selected path', async () => {
		const user = await openEventsScreen();
		const index = user.events().rows.findIndex(({rule}) => rule?.kind === 'managed');
		user.state().events.move(index);
		user.press('enter');
		await user.idle();
		user.press('tab', 'tab', 'a');
		const row = eventList.getSelected(user.events());
		await user.idle();
		expect(getFieldText(user)).toBe(
			`http.request.uri.path eq "${row?.kind === 'listed' ? row.listed.value : ''}"`,
		);
	});

	test('it requires a managed rule and a migrated zone', async () => {
		const user = await openEventsScreen();
		await selectEvent(user, source => source === 'firewallCustom');
		user.press('a');
		expect(user.getMessage()).toContain('Custom rules have no exceptions');
		user.press('tab', 'tab', 'a');
		expect(user.getMessage()).toContain('no rule here: select an event, or narrow to a rule');
	});
});

describe('from an event to an emergency', () => {
	test('the block of its address is filled in, and nothing is sent', async () => {
		const user = await openEventsScreen();
		const event = await selectEvent(user, source => source === 'firewallManaged');
		const listWrites = () =>
			user.testStore.simulator.calls
				.list()
				.filter(({method, path}) => method !== 'GET' && !path.endsWith('graphql'));
		user.press('!');
		await user.idle();
		expect(getCurrentScreen(user.state())).toBe('emergency');
		const emergency = user.state().emergency.data;
		expect(emergency && getTypedExpression(emergency.editing)).toBe(`ip.src eq ${event.address}`);
		expect(emergency?.zone.name).toBe(user.events().zone.name);
		expect(listWrites()).toEqual([]);
	});

	test('an event with another address starts a new one', async () => {
		const user = await openEventsScreen();
		await selectEvent(user, source => source === 'firewallManaged');
		user.press('!');
		await user.idle();
		const firstEmergencyId = user.state().emergency.data?.id;
		user.state().navigation.go('events');
		user.press('g', '!');
		await user.idle();
		const emergency = user.state().emergency.data;
		expect(emergency?.id).not.toBe(firstEmergencyId);
		expect(emergency && getTypedExpression(emergency.editing)).toMatch(/^ip[.]src eq /);
	});

	test('it requires an address', async () => {
		const user = await openEventsScreen();
		user.press('!');
		expect(user.getMessage()).toBe("Can't block now: no address here; select an event or an address.");
	});
});
