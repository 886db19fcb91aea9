import {describe, expect, test} from 'vitest';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {findFilterUsers} from '../../../source/firewall/rules/users.ts';
import {
	firewallList,
	getSelectedRule,
	listVisibleFilters,
	listVisibleRules,
} from '../../../source/screens/firewall/list.ts';
import {
	callMovedZoneAsOther,
	createShopFilter,
	createShopRule,
	openShopFirewall,
	shop,
} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

function getFirewall({state}: TestStore) {
	const firewall = state().firewall.data;
	if (!firewall) throw new Error('No zone is open.');
	return firewall;
}

function getRule(space: TestStore, id: string): Rule {
	const rule = getFirewall(space).rules.find(one => one.id === id);
	if (!rule) throw new Error(`There is no rule ${id}.`);
	return rule;
}

function getFilter(space: TestStore, id: string): Filter {
	const filter = getFirewall(space).filters.find(one => one.id === id);
	if (!filter) throw new Error(`There is no filter ${id}.`);
	return filter;
}

const listIds = (items: readonly {readonly id: string}[]) => items.map(({id}) => id);

describe('the lists', () => {
	test('hold the rules in evaluation order, and the filters', async () => {
		const space = createTestStore();
		const {first, second, third, shared, own} = await openShopFirewall(space);
		expect(listIds(getFirewall(space).rules)).toEqual([first, second, third]);
		expect(new Set(listIds(getFirewall(space).filters))).toEqual(new Set([shared, own]));
		expect(getFirewall(space).reading).toBe('read');
	});

	test('keep their cursors on the same entries after a refresh', async () => {
		const space = createTestStore();
		const {second} = await openShopFirewall(space);
		space.state().firewall.move(1);
		const filterId = await createShopFilter(space, 'http.host eq "before.example"');
		await createShopRule(space, filterId, {priority: 1});
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space).rules).toHaveLength(4);
		expect(getSelectedRule(space.state())?.id).toBe(second);
	});

	test('are both narrowed at once, by expression, action, description and ID', async () => {
		const space = createTestStore();
		const {first, second, third, shared} = await openShopFirewall(space);
		space.state().firewall.filter('192.0.2');
		expect(listIds(listVisibleRules(getFirewall(space)))).toEqual([first, third]);
		expect(listIds(listVisibleFilters(getFirewall(space)))).toEqual([shared]);
		space.state().firewall.filter('chall');
		expect(listIds(listVisibleRules(getFirewall(space)))).toEqual([second]);
		space.state().firewall.filter('the first');
		expect(listIds(listVisibleRules(getFirewall(space)))).toEqual([first]);
		space.state().firewall.filter(third.slice(0, 12));
		expect(listIds(listVisibleRules(getFirewall(space)))).toEqual([third]);
	});

	test("lead from a rule to its filter and back to the filter's first rule, whatever the filter text", async () => {
		const space = createTestStore();
		const {first, shared} = await openShopFirewall(space);
		space.state().firewall.move(2);
		space.state().firewall.goToRelated();
		expect(getFirewall(space).side).toBe('filters');
		expect(firewallList.getSelected(getFirewall(space))?.id).toBe(shared);
		space.state().firewall.goToRelated();
		expect(firewallList.getSelected(getFirewall(space))?.id).toBe(first);
		space.state().firewall.filter('the first');
		space.state().firewall.goToRelated();
		expect(firewallList.getSelected(getFirewall(space))?.id).toBe(shared);
		expect(getFirewall(space).filter).toBe('');
	});

	test('are cleared when another zone is opened, and stay when the same one is', async () => {
		const space = createTestStore();
		await openShopFirewall(space);
		space.state().firewall.open(shop);
		expect(getFirewall(space).rules).toHaveLength(3);
		space.state().firewall.open({...shop, id: 'a947660370b0b679559176bf9d8aead4'});
		expect(getFirewall(space)).toMatchObject({reading: 'unread', rules: [], filters: []});
	});

	test('say that the service has retired firewall rules', async () => {
		const space = createTestStore(undefined, {faults: 'path=/firewall/rules status=410'});
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space)).toMatchObject({reading: 'failed', failure: {code: 'gone'}});
	});

	test('stay when they cannot be refreshed', async () => {
		const space = createTestStore();
		await openShopFirewall(space);
		space.simulator.close();
		await expect(space.state().firewall.load(space.signal)).rejects.toThrow();
		expect(getFirewall(space).rules).toHaveLength(3);
		expect(getFirewall(space).reading).toBe('read');
	});
});

describe('the view', () => {
	test('of a whole rule never switches to another rule: it returns to the lists with a message', async () => {
		const space = createTestStore();
		const {first} = await openShopFirewall(space);
		space.state().firewall.showDetail(0);
		await callMovedZoneAsOther(space, 'DELETE', `/firewall/rules/${first}`);
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space).detail).toBeUndefined();
		expect(space.state().messages.latest?.text).toContain('you were viewing no longer exists');
	});

	test('of a whole rule stays while the rule exists', async () => {
		const space = createTestStore();
		await openShopFirewall(space);
		space.state().firewall.showDetail(0);
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space).detail).toBe(0);
	});

	test('keeps its data when a refresh is stopped', async () => {
		const space = createTestStore();
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		const abortedSignal = AbortSignal.abort();
		await expect(space.state().firewall.load(abortedSignal)).rejects.toMatchObject({code: 'interrupted'});
		expect(getFirewall(space)).toMatchObject({reading: 'read', failure: undefined});
	});

	test('restores the cursor after a filter without matches is cleared', async () => {
		const space = createTestStore();
		const {second} = await openShopFirewall(space);
		space.state().firewall.move(1);
		for (const filterText of ['ip.src', 'ip.src nothing has this', ''])
			space.state().firewall.filter(filterText);
		expect(getSelectedRule(space.state())?.id).toBe(second);
	});

	test('keeps the cursor on a match when the filter is cleared', async () => {
		const space = createTestStore();
		const {third} = await openShopFirewall(space);
		space.state().firewall.filter('allow');
		space.state().firewall.filter('');
		expect(getSelectedRule(space.state())?.id).toBe(third);
	});

	test('reports the order as uncertain if no rule has a priority and the actions would decide otherwise', async () => {
		const space = createTestStore();
		const filterId = await createShopFilter(space, 'ip.src eq 192.0.2.1');
		await createShopRule(space, filterId, {action: 'block'});
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space).order).toBe('certain');
		await createShopRule(space, filterId, {action: 'allow'});
		await space.state().firewall.load(space.signal);
		expect(getFirewall(space).order).toBe('undecided');
	});
});

describe('a change', () => {
	test('with an unknown outcome is reported as such, and the lists are marked stale', async () => {
		const space = createTestStore(undefined, {
			faults: 'lost-answer method=PUT; status=403 method=GET after=3',
		});
		const {first} = await openShopFirewall(space);
		await expect(
			space.state().firewall.pauseRule(getRule(space, first), true, space.signal),
		).rejects.toMatchObject({
			message: 'It is unknown whether the rule is paused.',
		});
		expect(getFirewall(space).reading).toBe('stale');
	});

	test('pauses and resumes a rule without changing anything else', async () => {
		const space = createTestStore();
		const {first} = await openShopFirewall(space);
		const originalRule = getRule(space, first);
		await space.state().firewall.pauseRule(originalRule, true, space.signal);
		expect(getRule(space, first)).toEqual({...originalRule, paused: true});
		expect(space.state().messages.latest?.text).toContain('is paused');
		await space.state().firewall.pauseRule(getRule(space, first), false, space.signal);
		expect(getRule(space, first)).toEqual(originalRule);
	});

	test.each<[string, string, (space: TestStore, shown: Rule) => Promise<void>]>([
		['paused', 'paused', ({state, signal}, shown) => state().firewall.pauseRule(shown, true, signal)],
		['resumed', 'resumed', ({state, signal}, shown) => state().firewall.pauseRule(shown, false, signal)],
		[
			'given a priority',
			'changed',
			({state, signal}, shown) => state().firewall.setPriority(shown, 3, signal),
		],
	])('keeps a rule that has changed since it was shown from being %s, and names what changed', async (_what, intent, write) => {
		const space = createTestStore();
		const {first} = await openShopFirewall(space);
		const shown = getRule(space, first);
		await callMovedZoneAsOther(space, 'PATCH', `/firewall/rules/${first}`, {id: first, priority: 77});
		await expect(write(space, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: 'Someone else changed: priority.',
				left: `Rule ${first} was not ${intent}.`,
			},
		});
		expect(getRule(space, first)).toEqual({...shown, priority: 77});
	});

	test('never resumes a rule whose action has changed since it was shown', async () => {
		const space = createTestStore();
		const {first, shared} = await openShopFirewall(space);
		await space.state().firewall.pauseRule(getRule(space, first), true, space.signal);
		const shown = getRule(space, first);
		await callMovedZoneAsOther(space, 'PUT', `/firewall/rules/${first}`, {
			...shown,
			filter: {id: shared},
			action: 'allow',
		});
		await expect(space.state().firewall.pauseRule(shown, false, space.signal)).rejects.toMatchObject({
			details: {why: 'Someone else changed: action.'},
		});
		expect(getRule(space, first)).toMatchObject({action: 'allow', paused: true});
	});

	test.each<[string, string, (space: TestStore, shown: Filter) => Promise<void>]>([
		['paused', 'paused', ({state, signal}, shown) => state().firewall.pauseFilter(shown, [], true, signal)],
		[
			'resumed',
			'resumed',
			({state, signal}, shown) => state().firewall.pauseFilter(shown, [], false, signal),
		],
		['deleted', 'deleted', ({state, signal}, shown) => state().firewall.deleteFilter(shown, signal)],
	])('keeps a filter that has changed since it was shown from being %s', async (_what, intent, write) => {
		const space = createTestStore();
		await openShopFirewall(space);
		const id = await createShopFilter(space, 'http.host eq "shown.example"');
		await space.state().firewall.load(space.signal);
		const shown = getFilter(space, id);
		await callMovedZoneAsOther(space, 'PUT', `/filters/${id}`, {
			id,
			expression: 'http.host eq "theirs.example"',
		});
		await expect(write(space, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {why: 'Someone else changed: expression.', left: `Filter ${id} was not ${intent}.`},
		});
		expect(getFilter(space, id)).toEqual({...shown, expression: 'http.host eq "theirs.example"'});
	});

	test.each<
		[string, (space: TestStore, shop: Awaited<ReturnType<typeof openShopFirewall>>) => Promise<unknown>]
	>([
		['now uses it', (space, {shared}) => createShopRule(space, shared, {priority: 9})],
		[
			'no longer uses it',
			(space, {third}) => callMovedZoneAsOther(space, 'DELETE', `/firewall/rules/${third}`),
		],
		[
			'has changed since',
			(space, {third}) =>
				callMovedZoneAsOther(space, 'PATCH', `/firewall/rules/${third}`, {id: third, priority: 78}),
		],
	])('does not pause a filter if a rule %s', async (_what, change) => {
		const space = createTestStore();
		const shop = await openShopFirewall(space);
		const shown = getFilter(space, shop.shared);
		const users = findFilterUsers(shop.shared, getFirewall(space).rules);
		await change(space, shop);
		await expect(space.state().firewall.pauseFilter(shown, users, true, space.signal)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: expect.stringContaining('the rules that use it'),
				left: `Filter ${shop.shared} was not paused.`,
			},
		});
		expect(getFilter(space, shop.shared)).toEqual(shown);
	});

	test('pauses a filter for all of its rules', async () => {
		const space = createTestStore();
		const {first, third, shared} = await openShopFirewall(space);
		const users = findFilterUsers(shared, getFirewall(space).rules);
		await space.state().firewall.pauseFilter(getFilter(space, shared), users, true, space.signal);
		expect(getRule(space, first).filter).toMatchObject({paused: true});
		expect(getRule(space, third).filter).toMatchObject({paused: true});
	});

	test('of the priority moves the rule to its new position, with the cursor on it', async () => {
		const space = createTestStore();
		const {first, second, third} = await openShopFirewall(space);
		await space.state().firewall.setPriority(getRule(space, first), 30, space.signal);
		expect(listIds(getFirewall(space).rules)).toEqual([second, first, third]);
		expect(getSelectedRule(space.state())?.id).toBe(first);
		await space.state().firewall.setPriority(getRule(space, second), null, space.signal);
		expect(getRule(space, second).priority).toBeNull();
	});

	test('deletes a rule and its filter if nothing else uses it, and moves the cursor to the next rule', async () => {
		const space = createTestStore();
		const {second, own, third} = await openShopFirewall(space);
		space.state().firewall.move(1);
		expect(getSelectedRule(space.state())?.id).toBe(second);
		await space.state().firewall.deleteRule(getRule(space, second), 'delete', space.signal);
		expect(listIds(getFirewall(space).rules)).not.toContain(second);
		expect(listIds(getFirewall(space).filters)).not.toContain(own);
		expect(getSelectedRule(space.state())?.id).toBe(third);
		expect(space.state().messages.latest?.text).toMatch(
			new RegExp(
				`^The rule and its filter were deleted: rule \\S.* \\(\\w+, ${second}\\), filter ${own}\\.$`,
			),
		);
	});

	test('deletes a rule but keeps a filter that another rule uses, and names that rule', async () => {
		const space = createTestStore();
		const {first, third, shared} = await openShopFirewall(space);
		await space.state().firewall.deleteRule(getRule(space, first), 'delete', space.signal);
		expect(listIds(getFirewall(space).rules)).not.toContain(first);
		expect(listIds(getFirewall(space).filters)).toContain(shared);
		expect(space.state().messages.latest?.text).toContain(third);
	});

	test('reports a remaining filter when only the rule could be deleted', async () => {
		const space = createTestStore(undefined, {faults: 'method=DELETE path=/filters status=500'});
		const {second, own} = await openShopFirewall(space);
		await expect(
			space.state().firewall.deleteRule(getRule(space, second), 'delete', space.signal),
		).rejects.toMatchObject({message: 'The rule was deleted, but its filter still exists.'});
		expect(listIds(getFirewall(space).rules)).not.toContain(second);
		expect(listIds(getFirewall(space).filters)).toContain(own);
	});

	test('deletes a filter that no rule uses', async () => {
		const space = createTestStore();
		await openShopFirewall(space);
		const id = await createShopFilter(space, 'http.host eq "unused.example"');
		await space.state().firewall.load(space.signal);
		await space.state().firewall.deleteFilter(getFilter(space, id), space.signal);
		expect(listIds(getFirewall(space).filters)).not.toContain(id);
	});

	test('whose response was lost is reported as done if a read confirms it', async () => {
		const space = createTestStore(undefined, {faults: 'method=PUT path=/firewall/rules lost-answer times=1'});
		const {first} = await openShopFirewall(space);
		await space.state().firewall.pauseRule(getRule(space, first), true, space.signal);
		expect(getRule(space, first).paused).toBe(true);
		expect(space.state().messages.latest?.text).toContain('is paused');
	});

	test('of a rule deleted meanwhile fails, and the list drops the rule', async () => {
		const space = createTestStore();
		const {first} = await openShopFirewall(space);
		const originalRule = getRule(space, first);
		await callMovedZoneAsOther(space, 'DELETE', `/firewall/rules/${first}`);
		await expect(space.state().firewall.pauseRule(originalRule, true, space.signal)).rejects.toMatchObject({
			code: 'not_found',
			message: 'The rule no longer exists: someone else deleted it.',
		});
		expect(listIds(getFirewall(space).rules)).not.toContain(first);
	});

	test('is refused before anything is sent if ledge is read-only', async () => {
		const space = createTestStore();
		const {first} = await openShopFirewall(space);
		const readOnlyStore = createTestStore({simulate: true, readOnly: true}, {previousStore: space});
		readOnlyStore.state().firewall.open(shop);
		await readOnlyStore.state().firewall.load(readOnlyStore.signal);
		const rule = getRule(readOnlyStore, first);
		const callCount = readOnlyStore.state().activity.count.all;
		for (const write of [
			readOnlyStore.state().firewall.pauseRule(rule, true, readOnlyStore.signal),
			readOnlyStore.state().firewall.setPriority(rule, 1, readOnlyStore.signal),
			readOnlyStore.state().firewall.deleteRule(rule, 'delete', readOnlyStore.signal),
		])
			await expect(write).rejects.toMatchObject({code: 'read_only'});
		expect(readOnlyStore.state().activity.count.all).toBe(callCount);
	});
});
