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
import {behind, filterMade, openedShop, ruleMade, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

function firewallOf({state}: TestStore) {
	const firewall = state().firewall.data;
	if (!firewall) throw new Error('No zone is open.');
	return firewall;
}

function ruleOf(space: TestStore, id: string): Rule {
	const rule = firewallOf(space).rules.find(one => one.id === id);
	if (!rule) throw new Error(`There is no rule ${id}.`);
	return rule;
}

function filterOf(space: TestStore, id: string): Filter {
	const filter = firewallOf(space).filters.find(one => one.id === id);
	if (!filter) throw new Error(`There is no filter ${id}.`);
	return filter;
}

const ids = (items: readonly {readonly id: string}[]) => items.map(({id}) => id);

describe('the lists', () => {
	test('hold the rules in evaluation order, and the filters', async () => {
		const space = createTestStore();
		const {first, second, third, shared, own} = await openedShop(space);
		expect(ids(firewallOf(space).rules)).toEqual([first, second, third]);
		expect(new Set(ids(firewallOf(space).filters))).toEqual(new Set([shared, own]));
		expect(firewallOf(space).reading).toBe('read');
	});

	test('keep their cursors on the same entries after a refresh', async () => {
		const space = createTestStore();
		const {second} = await openedShop(space);
		space.state().firewall.move(1);
		const filter = await filterMade(space, 'http.host eq "before.example"');
		await ruleMade(space, filter, {priority: 1});
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space).rules).toHaveLength(4);
		expect(getSelectedRule(space.state())?.id).toBe(second);
	});

	test('are both narrowed at once, by expression, action, description and ID', async () => {
		const space = createTestStore();
		const {first, second, third, shared} = await openedShop(space);
		space.state().firewall.filter('192.0.2');
		expect(ids(listVisibleRules(firewallOf(space)))).toEqual([first, third]);
		expect(ids(listVisibleFilters(firewallOf(space)))).toEqual([shared]);
		space.state().firewall.filter('chall');
		expect(ids(listVisibleRules(firewallOf(space)))).toEqual([second]);
		space.state().firewall.filter('the first');
		expect(ids(listVisibleRules(firewallOf(space)))).toEqual([first]);
		space.state().firewall.filter(third.slice(0, 12));
		expect(ids(listVisibleRules(firewallOf(space)))).toEqual([third]);
	});

	test("lead from a rule to its filter and back to the filter's first rule, whatever the filter text", async () => {
		const space = createTestStore();
		const {first, shared} = await openedShop(space);
		space.state().firewall.move(2);
		space.state().firewall.goToRelated();
		expect(firewallOf(space).side).toBe('filters');
		expect(firewallList.getSelected(firewallOf(space))?.id).toBe(shared);
		space.state().firewall.goToRelated();
		expect(firewallList.getSelected(firewallOf(space))?.id).toBe(first);
		space.state().firewall.filter('the first');
		space.state().firewall.goToRelated();
		expect(firewallList.getSelected(firewallOf(space))?.id).toBe(shared);
		expect(firewallOf(space).filter).toBe('');
	});

	test('are cleared when another zone is opened, and stay when the same one is', async () => {
		const space = createTestStore();
		await openedShop(space);
		space.state().firewall.open(shop);
		expect(firewallOf(space).rules).toHaveLength(3);
		space.state().firewall.open({...shop, id: 'a947660370b0b679559176bf9d8aead4'});
		expect(firewallOf(space)).toMatchObject({reading: 'unread', rules: [], filters: []});
	});

	test('say that the service has retired firewall rules', async () => {
		const space = createTestStore(undefined, {faults: 'path=/firewall/rules status=410'});
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space)).toMatchObject({reading: 'failed', failure: {code: 'gone'}});
	});

	test('stay when they cannot be refreshed', async () => {
		const space = createTestStore();
		await openedShop(space);
		space.simulator.close();
		await expect(space.state().firewall.load(space.signal)).rejects.toThrow();
		expect(firewallOf(space).rules).toHaveLength(3);
		expect(firewallOf(space).reading).toBe('read');
	});
});

describe('the view', () => {
	test('of a whole rule never switches to another rule: it returns to the lists with a message', async () => {
		const space = createTestStore();
		const {first} = await openedShop(space);
		space.state().firewall.showDetail(0);
		await behind(space, 'DELETE', `/firewall/rules/${first}`);
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space).detail).toBeUndefined();
		expect(space.state().messages.latest?.text).toContain('you were viewing no longer exists');
	});

	test('of a whole rule stays while the rule exists', async () => {
		const space = createTestStore();
		await openedShop(space);
		space.state().firewall.showDetail(0);
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space).detail).toBe(0);
	});

	test('keeps its data when a refresh is stopped', async () => {
		const space = createTestStore();
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		const stopped = AbortSignal.abort();
		await expect(space.state().firewall.load(stopped)).rejects.toMatchObject({code: 'interrupted'});
		expect(firewallOf(space)).toMatchObject({reading: 'read', failure: undefined});
	});

	test('restores the cursor after a filter without matches is cleared', async () => {
		const space = createTestStore();
		const {second} = await openedShop(space);
		space.state().firewall.move(1);
		for (const sought of ['ip.src', 'ip.src nothing has this', '']) space.state().firewall.filter(sought);
		expect(getSelectedRule(space.state())?.id).toBe(second);
	});

	test('keeps the cursor on a match when the filter is cleared', async () => {
		const space = createTestStore();
		const {third} = await openedShop(space);
		space.state().firewall.filter('allow');
		space.state().firewall.filter('');
		expect(getSelectedRule(space.state())?.id).toBe(third);
	});

	test('reports the order as uncertain if no rule has a priority and the actions would decide otherwise', async () => {
		const space = createTestStore();
		const filter = await filterMade(space, 'ip.src eq 192.0.2.1');
		await ruleMade(space, filter, {action: 'block'});
		space.state().firewall.open(shop);
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space).order).toBe('certain');
		await ruleMade(space, filter, {action: 'allow'});
		await space.state().firewall.load(space.signal);
		expect(firewallOf(space).order).toBe('undecided');
	});
});

describe('a change', () => {
	test('with an unknown outcome is reported as such, and the lists are marked stale', async () => {
		const space = createTestStore(undefined, {
			faults: 'lost-answer method=PUT; status=403 method=GET after=3',
		});
		const {first} = await openedShop(space);
		await expect(
			space.state().firewall.pauseRule(ruleOf(space, first), true, space.signal),
		).rejects.toMatchObject({
			message: 'It is unknown whether the rule is paused.',
		});
		expect(firewallOf(space).reading).toBe('stale');
	});

	test('pauses and resumes a rule without changing anything else', async () => {
		const space = createTestStore();
		const {first} = await openedShop(space);
		const before = ruleOf(space, first);
		await space.state().firewall.pauseRule(before, true, space.signal);
		expect(ruleOf(space, first)).toEqual({...before, paused: true});
		expect(space.state().messages.latest?.text).toContain('is paused');
		await space.state().firewall.pauseRule(ruleOf(space, first), false, space.signal);
		expect(ruleOf(space, first)).toEqual(before);
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
		const {first} = await openedShop(space);
		const shown = ruleOf(space, first);
		await behind(space, 'PATCH', `/firewall/rules/${first}`, {id: first, priority: 77});
		await expect(write(space, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: 'Someone else changed: priority.',
				left: `Rule ${first} was not ${intent}.`,
			},
		});
		expect(ruleOf(space, first)).toEqual({...shown, priority: 77});
	});

	test('never resumes a rule whose action has changed since it was shown', async () => {
		const space = createTestStore();
		const {first, shared} = await openedShop(space);
		await space.state().firewall.pauseRule(ruleOf(space, first), true, space.signal);
		const shown = ruleOf(space, first);
		await behind(space, 'PUT', `/firewall/rules/${first}`, {...shown, filter: {id: shared}, action: 'allow'});
		await expect(space.state().firewall.pauseRule(shown, false, space.signal)).rejects.toMatchObject({
			details: {why: 'Someone else changed: action.'},
		});
		expect(ruleOf(space, first)).toMatchObject({action: 'allow', paused: true});
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
		await openedShop(space);
		const id = await filterMade(space, 'http.host eq "shown.example"');
		await space.state().firewall.load(space.signal);
		const shown = filterOf(space, id);
		await behind(space, 'PUT', `/filters/${id}`, {id, expression: 'http.host eq "theirs.example"'});
		await expect(write(space, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {why: 'Someone else changed: expression.', left: `Filter ${id} was not ${intent}.`},
		});
		expect(filterOf(space, id)).toEqual({...shown, expression: 'http.host eq "theirs.example"'});
	});

	test.each<[string, (space: TestStore, shop: Awaited<ReturnType<typeof openedShop>>) => Promise<unknown>]>([
		['uses it since', (space, {shared}) => ruleMade(space, shared, {priority: 9})],
		['does not use it since', (space, {third}) => behind(space, 'DELETE', `/firewall/rules/${third}`)],
		[
			'is another since',
			(space, {third}) => behind(space, 'PATCH', `/firewall/rules/${third}`, {id: third, priority: 78}),
		],
	])('does not pause a filter if a rule %s', async (_what, change) => {
		const space = createTestStore();
		const shop = await openedShop(space);
		const shown = filterOf(space, shop.shared);
		const users = findFilterUsers(shop.shared, firewallOf(space).rules);
		await change(space, shop);
		await expect(space.state().firewall.pauseFilter(shown, users, true, space.signal)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: expect.stringContaining('the rules that use it'),
				left: `Filter ${shop.shared} was not paused.`,
			},
		});
		expect(filterOf(space, shop.shared)).toEqual(shown);
	});

	test('pauses a filter for all of its rules', async () => {
		const space = createTestStore();
		const {first, third, shared} = await openedShop(space);
		const users = findFilterUsers(shared, firewallOf(space).rules);
		await space.state().firewall.pauseFilter(filterOf(space, shared), users, true, space.signal);
		expect(ruleOf(space, first).filter).toMatchObject({paused: true});
		expect(ruleOf(space, third).filter).toMatchObject({paused: true});
	});

	test('to the priority moves the rule to its new place, with the cursor on it', async () => {
		const space = createTestStore();
		const {first, second, third} = await openedShop(space);
		await space.state().firewall.setPriority(ruleOf(space, first), 30, space.signal);
		expect(ids(firewallOf(space).rules)).toEqual([second, first, third]);
		expect(getSelectedRule(space.state())?.id).toBe(first);
		await space.state().firewall.setPriority(ruleOf(space, second), null, space.signal);
		expect(ruleOf(space, second).priority).toBeNull();
	});

	test('deletes a rule and its filter if nothing else uses it, and moves the cursor to the next rule', async () => {
		const space = createTestStore();
		const {second, own, third} = await openedShop(space);
		space.state().firewall.move(1);
		expect(getSelectedRule(space.state())?.id).toBe(second);
		await space.state().firewall.deleteRule(ruleOf(space, second), 'delete', space.signal);
		expect(ids(firewallOf(space).rules)).not.toContain(second);
		expect(ids(firewallOf(space).filters)).not.toContain(own);
		expect(getSelectedRule(space.state())?.id).toBe(third);
		expect(space.state().messages.latest?.text).toMatch(
			new RegExp(
				`^The rule and its filter were deleted: rule \\S.* \\(\\w+, ${second}\\), filter ${own}\\.$`,
			),
		);
	});

	test('deletes a rule but keeps a filter that another rule uses, and names that rule', async () => {
		const space = createTestStore();
		const {first, third, shared} = await openedShop(space);
		await space.state().firewall.deleteRule(ruleOf(space, first), 'delete', space.signal);
		expect(ids(firewallOf(space).rules)).not.toContain(first);
		expect(ids(firewallOf(space).filters)).toContain(shared);
		expect(space.state().messages.latest?.text).toContain(third);
	});

	test('reports a remaining filter when only the rule could be deleted', async () => {
		const space = createTestStore(undefined, {faults: 'method=DELETE path=/filters status=500'});
		const {second, own} = await openedShop(space);
		await expect(
			space.state().firewall.deleteRule(ruleOf(space, second), 'delete', space.signal),
		).rejects.toMatchObject({message: 'The rule was deleted, but its filter still exists.'});
		expect(ids(firewallOf(space).rules)).not.toContain(second);
		expect(ids(firewallOf(space).filters)).toContain(own);
	});

	test('deletes a filter that no rule uses', async () => {
		const space = createTestStore();
		await openedShop(space);
		const id = await filterMade(space, 'http.host eq "unused.example"');
		await space.state().firewall.load(space.signal);
		await space.state().firewall.deleteFilter(filterOf(space, id), space.signal);
		expect(ids(firewallOf(space).filters)).not.toContain(id);
	});

	test('whose response was lost is reported by what the service holds', async () => {
		const space = createTestStore(undefined, {faults: 'method=PUT path=/firewall/rules lost-answer times=1'});
		const {first} = await openedShop(space);
		await space.state().firewall.pauseRule(ruleOf(space, first), true, space.signal);
		expect(ruleOf(space, first).paused).toBe(true);
		expect(space.state().messages.latest?.text).toContain('is paused');
	});

	test('that the service rejects fails and leaves the lists as they are at the service', async () => {
		const space = createTestStore();
		const {first} = await openedShop(space);
		const before = ruleOf(space, first);
		await behind(space, 'DELETE', `/firewall/rules/${first}`);
		await expect(space.state().firewall.pauseRule(before, true, space.signal)).rejects.toMatchObject({
			code: 'not_found',
			message: 'The rule no longer exists: someone else deleted it.',
		});
		expect(ids(firewallOf(space).rules)).not.toContain(first);
	});

	test('is refused before anything is sent if ledge is read-only', async () => {
		const space = createTestStore();
		const {first} = await openedShop(space);
		const reader = createTestStore({simulate: true, readOnly: true}, {after: space});
		reader.state().firewall.open(shop);
		await reader.state().firewall.load(reader.signal);
		const rule = ruleOf(reader, first);
		const calls = reader.state().activity.count.all;
		for (const write of [
			reader.state().firewall.pauseRule(rule, true, reader.signal),
			reader.state().firewall.setPriority(rule, 1, reader.signal),
			reader.state().firewall.deleteRule(rule, 'delete', reader.signal),
		])
			await expect(write).rejects.toMatchObject({code: 'read_only'});
		expect(reader.state().activity.count.all).toBe(calls);
	});
});
