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

function getRule(testStore: TestStore, id: string): Rule {
	const rule = getFirewall(testStore).rules.find(one => one.id === id);
	if (!rule) throw new Error(`There is no rule ${id}.`);
	return rule;
}

function getFilter(testStore: TestStore, id: string): Filter {
	const filter = getFirewall(testStore).filters.find(one => one.id === id);
	if (!filter) throw new Error(`There is no filter ${id}.`);
	return filter;
}

const listIds = (items: readonly {readonly id: string}[]) => items.map(({id}) => id);

describe('the lists', () => {
	test('hold the rules in evaluation order, and the filters', async () => {
		const testStore = createTestStore();
		const {first, second, third, shared, own} = await openShopFirewall(testStore);
		expect(listIds(getFirewall(testStore).rules)).toEqual([first, second, third]);
		expect(new Set(listIds(getFirewall(testStore).filters))).toEqual(new Set([shared, own]));
		expect(getFirewall(testStore).reading).toBe('read');
	});

	test('keep their cursors on the same entries after a refresh', async () => {
		const testStore = createTestStore();
		const {second} = await openShopFirewall(testStore);
		testStore.state().firewall.move(1);
		const filterId = await createShopFilter(testStore, 'http.host eq "before.example"');
		await createShopRule(testStore, filterId, {priority: 1});
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore).rules).toHaveLength(4);
		expect(getSelectedRule(testStore.state())?.id).toBe(second);
	});

	test('are both narrowed at once, by expression, action, description and ID', async () => {
		const testStore = createTestStore();
		const {first, second, third, shared} = await openShopFirewall(testStore);
		testStore.state().firewall.filter('192.0.2');
		expect(listIds(listVisibleRules(getFirewall(testStore)))).toEqual([first, third]);
		expect(listIds(listVisibleFilters(getFirewall(testStore)))).toEqual([shared]);
		testStore.state().firewall.filter('chall');
		expect(listIds(listVisibleRules(getFirewall(testStore)))).toEqual([second]);
		testStore.state().firewall.filter('the first');
		expect(listIds(listVisibleRules(getFirewall(testStore)))).toEqual([first]);
		testStore.state().firewall.filter(third.slice(0, 12));
		expect(listIds(listVisibleRules(getFirewall(testStore)))).toEqual([third]);
	});

	test("lead from a rule to its filter and back to the filter's first rule, whatever the filter text", async () => {
		const testStore = createTestStore();
		const {first, shared} = await openShopFirewall(testStore);
		testStore.state().firewall.move(2);
		testStore.state().firewall.goToRelated();
		expect(getFirewall(testStore).side).toBe('filters');
		expect(firewallList.getSelected(getFirewall(testStore))?.id).toBe(shared);
		testStore.state().firewall.goToRelated();
		expect(firewallList.getSelected(getFirewall(testStore))?.id).toBe(first);
		testStore.state().firewall.filter('the first');
		testStore.state().firewall.goToRelated();
		expect(firewallList.getSelected(getFirewall(testStore))?.id).toBe(shared);
		expect(getFirewall(testStore).filter).toBe('');
	});

	test('are cleared when another zone is opened, and stay when the same one is', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		testStore.state().firewall.open(shop);
		expect(getFirewall(testStore).rules).toHaveLength(3);
		testStore.state().firewall.open({...shop, id: 'a947660370b0b679559176bf9d8aead4'});
		expect(getFirewall(testStore)).toMatchObject({reading: 'unread', rules: [], filters: []});
	});

	test('say that the service has retired firewall rules', async () => {
		const testStore = createTestStore(undefined, {faults: 'path=/firewall/rules status=410'});
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore)).toMatchObject({reading: 'failed', failure: {code: 'gone'}});
	});

	test('stay when they cannot be refreshed', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		testStore.simulator.close();
		await expect(testStore.state().firewall.load(testStore.signal)).rejects.toThrow();
		expect(getFirewall(testStore).rules).toHaveLength(3);
		expect(getFirewall(testStore).reading).toBe('read');
	});
});

describe('the view', () => {
	test('of a whole rule never switches to another rule: it returns to the lists with a message', async () => {
		const testStore = createTestStore();
		const {first} = await openShopFirewall(testStore);
		testStore.state().firewall.showDetail(0);
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${first}`);
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore).detail).toBeUndefined();
		expect(testStore.state().messages.latest?.text).toContain('you were viewing no longer exists');
	});

	test('of a whole rule stays while the rule exists', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		testStore.state().firewall.showDetail(0);
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore).detail).toBe(0);
	});

	test('keeps its data when a refresh is stopped', async () => {
		const testStore = createTestStore();
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		const abortedSignal = AbortSignal.abort();
		await expect(testStore.state().firewall.load(abortedSignal)).rejects.toMatchObject({code: 'interrupted'});
		expect(getFirewall(testStore)).toMatchObject({reading: 'read', failure: undefined});
	});

	test('restores the cursor after a filter without matches is cleared', async () => {
		const testStore = createTestStore();
		const {second} = await openShopFirewall(testStore);
		testStore.state().firewall.move(1);
		for (const text of ['ip.src', 'ip.src nothing', '']) testStore.state().firewall.filter(text);
		expect(getSelectedRule(testStore.state())?.id).toBe(second);
	});

	test('keeps the cursor on a match when the filter is cleared', async () => {
		const testStore = createTestStore();
		const {third} = await openShopFirewall(testStore);
		testStore.state().firewall.filter('allow');
		testStore.state().firewall.filter('');
		expect(getSelectedRule(testStore.state())?.id).toBe(third);
	});

	test('reports the order as uncertain if no rule has a priority and the actions would decide otherwise', async () => {
		const testStore = createTestStore();
		const filterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		await createShopRule(testStore, filterId, {action: 'block'});
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore).order).toBe('certain');
		await createShopRule(testStore, filterId, {action: 'allow'});
		await testStore.state().firewall.load(testStore.signal);
		expect(getFirewall(testStore).order).toBe('undecided');
	});
});

describe('a change', () => {
	test('with an unknown outcome is reported as such, and the lists are marked stale', async () => {
		const testStore = createTestStore(undefined, {
			faults: 'lost-answer method=PUT; status=403 method=GET after=3',
		});
		const {first} = await openShopFirewall(testStore);
		await expect(
			testStore.state().firewall.pauseRules([getRule(testStore, first)], true, testStore.signal),
		).rejects.toMatchObject({
			message: 'It is unknown whether the rule is paused.',
		});
		expect(getFirewall(testStore).reading).toBe('stale');
	});

	test('pauses and resumes a rule without changing anything else', async () => {
		const testStore = createTestStore();
		const {first} = await openShopFirewall(testStore);
		const originalRule = getRule(testStore, first);
		await testStore.state().firewall.pauseRules([originalRule], true, testStore.signal);
		expect(getRule(testStore, first)).toEqual({...originalRule, paused: true});
		expect(testStore.state().messages.latest?.text).toContain('is paused');
		await testStore.state().firewall.pauseRules([getRule(testStore, first)], false, testStore.signal);
		expect(getRule(testStore, first)).toEqual(originalRule);
	});

	test.each<[string, string, (testStore: TestStore, shown: Rule) => Promise<void>]>([
		['paused', 'paused', ({state, signal}, shown) => state().firewall.pauseRules([shown], true, signal)],
		['resumed', 'resumed', ({state, signal}, shown) => state().firewall.pauseRules([shown], false, signal)],
		[
			'given a priority',
			'changed',
			({state, signal}, shown) => state().firewall.setPriorities([{rule: shown, priority: 3}], signal),
		],
	])('keeps a rule that has changed since it was shown from being %s, and names what changed', async (_what, intent, write) => {
		const testStore = createTestStore();
		const {first} = await openShopFirewall(testStore);
		const shown = getRule(testStore, first);
		await callMovedZoneAsOther(testStore, 'PATCH', `/firewall/rules/${first}`, {id: first, priority: 77});
		await expect(write(testStore, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: 'Someone else changed: priority.',
				left: `Rule ${first} was not ${intent}.`,
			},
		});
		expect(getRule(testStore, first)).toEqual({...shown, priority: 77});
	});

	test('never resumes a rule whose action has changed since it was shown', async () => {
		const testStore = createTestStore();
		const {first, shared} = await openShopFirewall(testStore);
		await testStore.state().firewall.pauseRules([getRule(testStore, first)], true, testStore.signal);
		const shown = getRule(testStore, first);
		await callMovedZoneAsOther(testStore, 'PUT', `/firewall/rules/${first}`, {
			...shown,
			filter: {id: shared},
			action: 'allow',
		});
		await expect(
			testStore.state().firewall.pauseRules([shown], false, testStore.signal),
		).rejects.toMatchObject({
			details: {why: 'Someone else changed: action.'},
		});
		expect(getRule(testStore, first)).toMatchObject({action: 'allow', paused: true});
	});

	test.each<[string, string, (testStore: TestStore, shown: Filter) => Promise<void>]>([
		['paused', 'paused', ({state, signal}, shown) => state().firewall.pauseFilter(shown, [], true, signal)],
		[
			'resumed',
			'resumed',
			({state, signal}, shown) => state().firewall.pauseFilter(shown, [], false, signal),
		],
		['deleted', 'deleted', ({state, signal}, shown) => state().firewall.deleteFilter(shown, signal)],
	])('keeps a filter that has changed since it was shown from being %s', async (_what, intent, write) => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		const id = await createShopFilter(testStore, 'http.host eq "shown.example"');
		await testStore.state().firewall.load(testStore.signal);
		const shown = getFilter(testStore, id);
		await callMovedZoneAsOther(testStore, 'PUT', `/filters/${id}`, {
			id,
			expression: 'http.host eq "theirs.example"',
		});
		await expect(write(testStore, shown)).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {why: 'Someone else changed: expression.', left: `Filter ${id} was not ${intent}.`},
		});
		expect(getFilter(testStore, id)).toEqual({...shown, expression: 'http.host eq "theirs.example"'});
	});

	test.each<
		[string, (testStore: TestStore, shop: Awaited<ReturnType<typeof openShopFirewall>>) => Promise<unknown>]
	>([
		['now uses it', (testStore, {shared}) => createShopRule(testStore, shared, {priority: 9})],
		[
			'no longer uses it',
			(testStore, {third}) => callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${third}`),
		],
		[
			'has changed since',
			(testStore, {third}) =>
				callMovedZoneAsOther(testStore, 'PATCH', `/firewall/rules/${third}`, {id: third, priority: 78}),
		],
	])('does not pause a filter if a rule %s', async (_what, change) => {
		const testStore = createTestStore();
		const shop = await openShopFirewall(testStore);
		const shown = getFilter(testStore, shop.shared);
		const users = findFilterUsers(shop.shared, getFirewall(testStore).rules);
		await change(testStore, shop);
		await expect(
			testStore.state().firewall.pauseFilter(shown, users, true, testStore.signal),
		).rejects.toMatchObject({
			code: 'changed_meanwhile',
			details: {
				why: expect.stringContaining('the rules that use it'),
				left: `Filter ${shop.shared} was not paused.`,
			},
		});
		expect(getFilter(testStore, shop.shared)).toEqual(shown);
	});

	test('pauses a filter for all of its rules', async () => {
		const testStore = createTestStore();
		const {first, third, shared} = await openShopFirewall(testStore);
		const users = findFilterUsers(shared, getFirewall(testStore).rules);
		await testStore.state().firewall.pauseFilter(getFilter(testStore, shared), users, true, testStore.signal);
		expect(getRule(testStore, first).filter).toMatchObject({paused: true});
		expect(getRule(testStore, third).filter).toMatchObject({paused: true});
	});

	test('of the priority moves the rule to its new position, with the cursor on it', async () => {
		const testStore = createTestStore();
		const {first, second, third} = await openShopFirewall(testStore);
		await testStore
			.state()
			.firewall.setPriorities([{rule: getRule(testStore, first), priority: 30}], testStore.signal);
		expect(listIds(getFirewall(testStore).rules)).toEqual([second, first, third]);
		expect(getSelectedRule(testStore.state())?.id).toBe(first);
		await testStore
			.state()
			.firewall.setPriorities([{rule: getRule(testStore, second), priority: null}], testStore.signal);
		expect(getRule(testStore, second).priority).toBeNull();
	});

	test('deletes a rule and its filter if nothing else uses it, and moves the cursor to the next rule', async () => {
		const testStore = createTestStore();
		const {second, own, third} = await openShopFirewall(testStore);
		testStore.state().firewall.move(1);
		expect(getSelectedRule(testStore.state())?.id).toBe(second);
		await testStore
			.state()
			.firewall.deleteRules([getRule(testStore, second)], getFirewall(testStore).rules, testStore.signal);
		expect(listIds(getFirewall(testStore).rules)).not.toContain(second);
		expect(listIds(getFirewall(testStore).filters)).not.toContain(own);
		expect(getSelectedRule(testStore.state())?.id).toBe(third);
		expect(testStore.state().messages.latest?.text).toMatch(
			new RegExp(`^Deleted rule \\S.* \\(\\w+, ${second}\\) and its filter ${own}\\.$`),
		);
	});

	test('deletes a rule but keeps a filter that another rule uses, and names that rule', async () => {
		const testStore = createTestStore();
		const {first, third, shared} = await openShopFirewall(testStore);
		await testStore
			.state()
			.firewall.deleteRules([getRule(testStore, first)], getFirewall(testStore).rules, testStore.signal);
		expect(listIds(getFirewall(testStore).rules)).not.toContain(first);
		expect(listIds(getFirewall(testStore).filters)).toContain(shared);
		expect(testStore.state().messages.latest?.text).toContain(third);
	});

	test('reports a remaining filter when only the rule could be deleted', async () => {
		const testStore = createTestStore(undefined, {faults: 'method=DELETE path=/filters status=500'});
		const {second, own} = await openShopFirewall(testStore);
		await expect(
			testStore
				.state()
				.firewall.deleteRules([getRule(testStore, second)], getFirewall(testStore).rules, testStore.signal),
		).rejects.toMatchObject({message: 'The rule was deleted, but its filter still exists.'});
		expect(listIds(getFirewall(testStore).rules)).not.toContain(second);
		expect(listIds(getFirewall(testStore).filters)).toContain(own);
	});

	test('deletes a filter that no rule uses', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		const id = await createShopFilter(testStore, 'http.host eq "unused.example"');
		await testStore.state().firewall.load(testStore.signal);
		await testStore.state().firewall.deleteFilter(getFilter(testStore, id), testStore.signal);
		expect(listIds(getFirewall(testStore).filters)).not.toContain(id);
	});

	test('whose response was lost is reported as done if a read confirms it', async () => {
		const testStore = createTestStore(undefined, {
			faults: 'method=PUT path=/firewall/rules lost-answer times=1',
		});
		const {first} = await openShopFirewall(testStore);
		await testStore.state().firewall.pauseRules([getRule(testStore, first)], true, testStore.signal);
		expect(getRule(testStore, first).paused).toBe(true);
		expect(testStore.state().messages.latest?.text).toContain('is paused');
	});

	test('of a rule deleted meanwhile fails, and the list drops the rule', async () => {
		const testStore = createTestStore();
		const {first} = await openShopFirewall(testStore);
		const originalRule = getRule(testStore, first);
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${first}`);
		await expect(
			testStore.state().firewall.pauseRules([originalRule], true, testStore.signal),
		).rejects.toMatchObject({
			code: 'not_found',
			message: 'The rule no longer exists: someone else deleted it.',
		});
		expect(listIds(getFirewall(testStore).rules)).not.toContain(first);
	});

	test('is refused before anything is sent if ledge is read-only', async () => {
		const testStore = createTestStore();
		const {first} = await openShopFirewall(testStore);
		const readOnlyStore = createTestStore({simulate: true, readOnly: true}, {previousStore: testStore});
		readOnlyStore.state().firewall.open(shop);
		await readOnlyStore.state().firewall.load(readOnlyStore.signal);
		const rule = getRule(readOnlyStore, first);
		const callCount = readOnlyStore.state().activity.data.count.all;
		for (const write of [
			readOnlyStore.state().firewall.pauseRules([rule], true, readOnlyStore.signal),
			readOnlyStore.state().firewall.setPriorities([{rule: rule, priority: 1}], readOnlyStore.signal),
			readOnlyStore
				.state()
				.firewall.deleteRules([rule], getFirewall(readOnlyStore).rules, readOnlyStore.signal),
		])
			await expect(write).rejects.toMatchObject({code: 'read_only'});
		expect(readOnlyStore.state().activity.data.count.all).toBe(callCount);
	});
});
