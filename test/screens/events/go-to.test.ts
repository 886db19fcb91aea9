import {describe, expect, test} from 'vitest';
import {getCurrentCatalogueRule} from '../../../source/screens/catalogue/state.ts';
import {getSelectedCustomRule} from '../../../source/screens/custom-rules/state.ts';
import {eventList} from '../../../source/screens/events/state.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {getSelectedRule} from '../../../source/screens/firewall/list.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {managedAtService} from '../support/managed.ts';
import {atEvents, space} from './support.ts';

type At = Awaited<ReturnType<typeof atEvents>>;

const acme = {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example', plan: 'enterprise'} as const;

/** The cursor on the first single event that is meant. */
async function onEvent(at: At, isMeant: (source: string, path: string | undefined) => boolean) {
	at.press('5');
	await at.idle();
	const index = at
		.events()
		.rows.findIndex(row => row.kind === 'event' && isMeant(row.event.source, row.event.path));
	if (index < 0) throw new Error('There is no such event.');
	at.state().events.move(index - at.events().cursor);
	const row = eventList.getSelected(at.events());
	if (row?.kind !== 'event') throw new Error('The cursor is not on an event.');
	return row.event;
}

const fieldOf = (at: At): string => {
	const dialog = at.state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error(`No field is open: ${at.said()}`);
	return getBufferText(dialog.buffer);
};

describe('from an event to its rule', () => {
	test('a custom rule is under the cursor of its list', async () => {
		const at = await atEvents();
		const event = await onEvent(at, source => source === 'firewallCustom');
		at.press('r');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('customRules');
		expect(getSelectedCustomRule(at.state().customRules.data)?.id).toBe(event.ruleId);
		at.press('v');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('events');
		expect(at.events().narrowings).toMatchObject([{part: 'rules', value: event.ruleId}]);
		expect(at.events().overview.value?.total).toBeGreaterThan(0);
	});

	test('a managed rule is searched in the catalogue, which leads back to its events', async () => {
		const at = await atEvents();
		const event = await onEvent(at, source => source === 'firewallManaged');
		at.press('r');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('catalogue');
		expect(getCurrentCatalogueRule(at.state().catalogue.data)?.id).toBe(event.ruleId);
		at.press('ctrl-v');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('events');
		expect(at.events().narrowings).toMatchObject([{value: event.ruleId, rule: {rulesetId: event.rulesetId}}]);
	});

	test('a firewall rule is under the cursor of its list', async () => {
		const at = await atEvents(space(), acme);
		const event = await onEvent(at, source => source === 'firewallRules');
		at.press('r');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('firewall');
		expect(getSelectedRule(at.state())?.id).toBe(event.ruleId);
		at.press('v');
		await at.idle();
		expect(at.events().narrowings).toMatchObject([{value: event.ruleId, rule: {source: 'firewallRules'}}]);
	});

	test('the place of a previous rule is named, and it has no exception', async () => {
		const at = await atEvents(space(), acme);
		await onEvent(at, source => source === 'waf');
		at.press('r');
		expect(at.said()).toContain('M shows the migration of acme.example');
		at.press('x');
		expect(at.said()).toContain('Previous managed rules have no exceptions');
		expect(getCurrentScreen(at.state())).toBe('events');
	});

	test('a custom rule that is gone is reported', async () => {
		const at = await atEvents();
		at.state().events.open(at.events().zone, {
			part: 'rules',
			value: 'f'.repeat(32),
			label: 'gone',
			rule: {source: 'firewallCustom', ruleId: 'f'.repeat(32)},
		});
		at.press('r');
		await at.idle();
		expect(at.said()).toContain('no longer exists');
	});

	test('active managed rules lead to the events of a ruleset and of an override', async () => {
		const at = await atEvents();
		at.press('W');
		await at.idle();
		at.press('v');
		await at.idle();
		expect(at.events().narrowings).toMatchObject([{part: 'rulesets', label: 'Managed Ruleset'}]);
		const total = at.events().overview.value?.total ?? 0;
		expect(total).toBeGreaterThan(0);
		at.press('esc');
		await at.idle();
		expect(at.events().overview.value?.total).toBeGreaterThan(total);
		at.press('W');
		await at.idle();
		at.press('down', 'v');
		await at.idle();
		expect(at.events().narrowings).toMatchObject([
			{part: 'rules', value: '31db59950ccc4fd00400e13c296f0a5a'},
		]);
	});
});

describe('from an event to an exception', () => {
	test("it is for the event's rule, host and path, and is reviewed and sent like any other", async () => {
		const at = await atEvents();
		const {state, press, idle, of} = at;
		const event = await onEvent(at, (source, path) => source === 'firewallManaged' && path === '/api/import');
		const writes = () =>
			of.simulator.calls.list().filter(({method, path}) => method !== 'GET' && !path.endsWith('graphql'));
		press('x');
		await idle();
		expect(getCurrentScreen(state())).toBe('managed');
		const expression = `(http.host eq "${event.host}" and http.request.uri.path eq "/api/import")`;
		expect(fieldOf(at)).toBe(expression);
		press('enter');
		expect(fieldOf(at)).toMatch(/^False positive of Apache Log4j/);
		press('enter');
		expect(state().managed.data?.edits).toHaveLength(1);
		expect(writes()).toEqual([]);
		press('enter');
		expect(state().managed.data?.step).toBe('review');
		of.passes(minReviewMs);
		press('enter');
		await idle();
		expect(writes()).toMatchObject([
			{method: 'POST', path: expect.stringMatching(/\/rulesets\/[0-9a-f]{32}\/rules$/)},
		]);
		const {rules} = await managedAtService(of);
		expect(rules[0]).toMatchObject({
			action: 'skip',
			expression,
			action_parameters: {rules: {[event.rulesetId ?? '']: [event.ruleId]}},
		});
	});

	test('it uses the rule of the filter, and the path under the cursor', async () => {
		const at = await atEvents();
		const index = at.events().rows.findIndex(({rule}) => rule?.kind === 'managed');
		at.state().events.move(index);
		at.press('enter');
		await at.idle();
		at.press('2', 'x');
		const row = eventList.getSelected(at.events());
		await at.idle();
		expect(fieldOf(at)).toBe(`http.request.uri.path eq "${row?.kind === 'listed' ? row.listed.value : ''}"`);
	});

	test('it requires a managed rule and a migrated zone', async () => {
		const at = await atEvents();
		await onEvent(at, source => source === 'firewallCustom');
		at.press('x');
		expect(at.said()).toContain('Custom rules have no exceptions');
		at.press('2', 'x');
		expect(at.said()).toContain('no rule here: select an event, or narrow to a rule');
	});
});

describe('from an event to an emergency', () => {
	test('the block of its address is filled in, and nothing is sent', async () => {
		const at = await atEvents();
		const event = await onEvent(at, source => source === 'firewallManaged');
		const writes = () =>
			at.of.simulator.calls.list().filter(({method, path}) => method !== 'GET' && !path.endsWith('graphql'));
		at.press('!');
		await at.idle();
		expect(getCurrentScreen(at.state())).toBe('emergency');
		const emergency = at.state().emergency.data;
		expect(emergency && getTypedExpression(emergency.editing)).toBe(`ip.src eq ${event.address}`);
		expect(emergency?.zone.name).toBe(at.events().zone.name);
		expect(writes()).toEqual([]);
	});

	test('an event with another address starts a new one', async () => {
		const at = await atEvents();
		await onEvent(at, source => source === 'firewallManaged');
		at.press('!');
		await at.idle();
		const before = at.state().emergency.data?.id;
		at.state().navigation.go('events');
		at.press('g', '!');
		await at.idle();
		const emergency = at.state().emergency.data;
		expect(emergency?.id).not.toBe(before);
		expect(emergency && getTypedExpression(emergency.editing)).toMatch(/^ip[.]src eq /);
	});

	test('it requires an address', async () => {
		const at = await atEvents();
		at.press('!');
		expect(at.said()).toContain('no address here: select an event or an address');
	});
});
