import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listMarkedFirewallRules, listVisibleRules} from '../../../source/screens/firewall/list.ts';
import {formatFirewallStatus} from '../../../source/screens/firewall/lists/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {callMovedZoneAsOther, createShopFilter, createShopRule, shop} from '../support/firewall.ts';
import {
	choose,
	countCalls,
	doAndConfirm,
	expectDialog,
	getMessage,
	getRules,
	isIdle,
	key,
	openShopRules,
	undoLast,
} from '../support/firewall-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const listMarkedIds = ({state}: TestStore): readonly string[] => {
	const firewall = state().firewall.data;
	return firewall ? listMarkedFirewallRules(firewall).map(({id}) => id) : [];
};

const listPaused = (testStore: TestStore) => getRules(testStore).map(({paused}) => paused);

/** Opens the shop with two more rules, each on its own filter: five rules on four filters. */
async function openFiveRules() {
	const testStore = createTestStore();
	const opened = await openShopRules(testStore);
	for (const [index, host] of ['four', 'five'].entries()) {
		const filterId = await createShopFilter(testStore, `http.host eq "${host}.example"`);
		await createShopRule(testStore, filterId, {priority: 30 + index, description: host});
	}
	await testStore.state().firewall.load(testStore.signal);
	return opened;
}

describe('the selection', () => {
	test('is made with space, shown in the status, and cleared by esc after the filter', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('space', 'down', 'space');
		expect(listMarkedIds(testStore)).toEqual([made.first, made.second]);
		expect(formatFirewallStatus(testStore.state())).toContain('2 selected');
		const {selection} = testStore.state().navigation.screens.firewall;
		expect(selection?.countSelected(testStore.state())).toBe(2);
		press('space');
		expect(listMarkedIds(testStore)).toEqual([made.first]);
		testStore.state().firewall.filter('shop');
		expect(formatFirewallStatus(testStore.state())).toContain('1 selected, 1 hidden');
		press('esc');
		expect(testStore.state().firewall.data?.filter).toBe('');
		expect(listMarkedIds(testStore)).toEqual([made.first]);
		press('esc');
		expect(listMarkedIds(testStore)).toEqual([]);
		expect(getMessage(testStore)).toBe('1 deselected.');
		press('esc');
		expect(getCurrentScreen(testStore.state())).toBe('home');
	});

	test('is made as a range of rules; filters cannot be selected', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('shift-down', 'shift-down');
		expect(listMarkedIds(testStore)).toEqual([made.first, made.second, made.third]);
		press('shift-up');
		expect(listMarkedIds(testStore)).toEqual([made.first, made.second]);
		press('tab', 'shift-down');
		expect(testStore.state().firewall.data).toMatchObject({side: 'filters', cursor: 1});
		press('ctrl-space');
		expect(getMessage(testStore)).toContain('only rules can be selected');
		expect(listMarkedIds(testStore)).toEqual([made.first, made.second]);
	});

	test('is deleted only as far as it is shown, and the question says so', async () => {
		const {space: testStore, press} = await openShopRules();
		press('A');
		testStore.state().firewall.filter('shop');
		press('d');
		const dialog = testStore.state().dialog.current;
		expect(dialog?.kind === 'confirm' && dialog.lines).toContain(
			'The filter hides 2 more selected: they are not deleted.',
		);
	});

	test('takes all shown rules with A, and drops them with A again', async () => {
		const {space: testStore, press, made} = await openShopRules();
		testStore.state().firewall.filter('shop');
		const firewall = testStore.state().firewall.data;
		const shownIds = firewall ? listVisibleRules(firewall).map(({id}) => id) : [];
		expect(shownIds.length).toBe(1);
		press('A');
		expect(listMarkedIds(testStore)).toEqual(shownIds);
		press('A');
		expect(listMarkedIds(testStore)).toEqual([]);
		testStore.state().firewall.filter('');
		press('space', 'A');
		expect(new Set(listMarkedIds(testStore))).toEqual(new Set([made.first, made.second, made.third]));
	});

	test('can be made by state and priority, which the filter searches', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('p', 'y');
		await testStore.until(isIdle);
		const listShownIds = (text: string) => {
			testStore.state().firewall.filter(text);
			const firewall = testStore.state().firewall.data;
			return firewall ? listVisibleRules(firewall).map(({id}) => id) : [];
		};
		expect(listShownIds('paused')).toEqual([made.first]);
		const third = getRules(testStore).filter(({id}) => id === made.third);
		await testStore.state().firewall.setPriorities(
			third.map(rule => ({rule, priority: 98_765})),
			testStore.signal,
		);
		expect(listShownIds('98,765')).toEqual([made.third]);
	});

	test('stays while the filters have the cursor, and filters cannot be selected', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('space', 'tab', 'space');
		expect(getMessage(testStore)).toContain('only rules can be selected');
		expect(listMarkedIds(testStore)).toEqual([made.first]);
		press('p');
		expect(expectDialog(testStore, 'confirm').title).toBe('Pause this filter?');
	});

	test('that the filter hides is not what an action is for', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('space', 'down', 'space');
		testStore.state().firewall.filter('the first');
		press('p');
		expect(expectDialog(testStore, 'confirm').lines[0]).toBe('rule 1 (block): the first');
		press('esc');
		testStore.state().firewall.filter('allow');
		press('p');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(getMessage(testStore)).toContain('the filter hides the selected rows');
		expect(listMarkedIds(testStore)).toEqual([made.first, made.second]);
	});

	test('of one rule acts on that, not on the row under the cursor', async () => {
		const opened = await openShopRules();
		opened.press('space');
		await doAndConfirm(opened, 'p');
		expect(listPaused(opened.space)).toEqual([true, false, false]);
	});
});

describe('several rules', () => {
	test('are paused and resumed together; the undo is one step', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		press('space', 'down', 'space', 'p');
		expect(expectDialog(testStore, 'confirm')).toMatchObject({
			title: 'Pause 2 rules?',
			lines: [
				'rule 1 (block): the first',
				'rule 2 (challenge): http.host eq "shop.example"',
				'Blocked requests get through immediately, unless another rule stops them.',
				'Challenged requests get through immediately, without a challenge.',
			],
			actionLabel: 'pause 2 rules',
		});
		press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toBe('2 rules are paused. u undoes it.');
		expect(listPaused(testStore)).toEqual([true, true, false]);
		expect(listMarkedIds(testStore)).toEqual([]);
		press('u');
		expect(expectDialog(testStore, 'confirm').lines.slice(0, 2)).toEqual([
			'state: paused → active for rule 1 (block): the first',
			'state: paused → active for rule 2 (challenge): http.host eq "shop.examp…',
		]);
		press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toBe('Undone: 2 rules are active again.');
		expect(listPaused(testStore)).toEqual([false, false, false]);
	});

	test('of which some are paused: asks whether to pause or resume', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await doAndConfirm(opened, 'p');
		press('g', 'space', 'down', 'space', 'p');
		expect(expectDialog(testStore, 'choice').choices.map(({label}) => label)).toEqual([
			'Pause the 1 active rule',
			'Resume the 1 paused rule',
		]);
		choose(testStore, 'resume');
		expect(expectDialog(testStore, 'confirm').title).toMatch(/^Resume rule \d+\?$/);
		press('y');
		await testStore.until(isIdle);
		expect(listPaused(testStore)).toEqual([false, false, false]);
		// Not even the one that was active already.
		expect(listMarkedIds(testStore)).toEqual([]);
	});

	test('get consecutive priorities in their order, and the old ones by the undo', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press} = opened;
		const idsBefore = getRules(testStore).map(({id}) => id);
		press('G', 'space', 'up', 'space', 'O');
		expect(expectDialog(testStore, 'field').title).toBe('Priority of 2 rules');
		testStore.state().dialog.setText('1');
		press('enter');
		expect(expectDialog(testStore, 'confirm').lines.slice(0, 2)).toEqual([
			'position 1, priority 1: rule 4 (block): five',
			'position 2, priority 2: rule 5 (allow): ip.src eq 192.0.2.1',
		]);
		press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toBe('2 rules have a new priority. u undoes it.');
		expect(getRules(testStore).map(({priority}) => priority)).toEqual([1, 2, 10, 20, 30]);
		await undoLast(opened);
		expect(getMessage(testStore)).toBe('Undone: 2 rules have their earlier priorities again.');
		expect(getRules(testStore).map(({id}) => id)).toEqual(idsBefore);
	});

	test('are deleted, then the filters that no other rule uses; the undo creates all of them again', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press} = opened;
		const rulesBefore = getRules(testStore);
		press('space', 'down', 'space', 'down', 'space', 'd');
		expect(expectDialog(testStore, 'confirm').title).toBe('Delete 3 rules and 2 filters?');
		expect(expectDialog(testStore, 'confirm').lines.join('\n')).toContain(
			'Filters that other rules use stay.',
		);
		press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toBe('3 rules were deleted, with 2 filters. u undoes it.');
		expect(getRules(testStore)).toHaveLength(2);
		expect(testStore.state().firewall.data?.filters).toHaveLength(2);
		await undoLast(opened);
		expect(getMessage(testStore)).toBe('Undone: 3 rules were created again, with new ids.');
		const withoutIds = getRules(testStore).map(({id: _, filter, ...rule}) => ({
			...rule,
			expression: 'expression' in filter && filter.expression,
		}));
		expect(withoutIds).toEqual(
			rulesBefore.map(({id: _, filter, ...rule}) => ({
				...rule,
				expression: 'expression' in filter && filter.expression,
			})),
		);
		expect(testStore.state().firewall.data?.filters).toHaveLength(4);
	});

	test('take three calls each with their filters: one reading of all rules guards rule and filter', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press} = opened;
		const {state} = testStore;
		press('/');
		state().firewall.filter('.example"');
		press('enter', 'A', 'd');
		const callCount = state().activity.data.rows.length;
		press('y');
		await testStore.until(isIdle);
		const calls = state()
			.activity.data.rows.slice(0, state().activity.data.rows.length - callCount)
			.toReversed()
			.map(
				({method, path}) =>
					`${method} ${path
						.replace(/^.*?\/(firewall|filters)/, '$1')
						.replace(/[?].*/, '')
						.replace(/[0-9a-f]{32}/, 'ID')}`,
			);
		const perRule = ['GET firewall/rules', 'DELETE firewall/rules/ID', 'DELETE filters/ID'];
		expect(calls.slice(0, 9)).toEqual([...perRule, ...perRule, ...perRule]);
		expect(calls.slice(9).every(call => call.startsWith('GET'))).toBe(true);
		expect(getRules(testStore)).toHaveLength(2);
	});

	test('keep a filter that a rule of someone else uses by now', async () => {
		const {space: testStore, press} = await openFiveRules();
		const {rules = []} = testStore.state().firewall.data ?? {};
		const four = rules.find(({description}) => description === 'four');
		await createShopRule(testStore, four?.filter.id ?? '', {description: 'theirs'});
		testStore.state().firewall.focusRow(four?.id ?? '', shop.id);
		press('d', 'y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toContain('theirs');
		expect(getRules(testStore).find(({description}) => description === 'theirs')?.filter).toMatchObject({
			id: four?.filter.id,
			expression: 'http.host eq "four.example"',
		});
	});

	test('are counted in the status while they are deleted', async () => {
		const {space: testStore, press} = await openFiveRules();
		const labels = new Set<string>();
		press('space', 'down', 'space', 'd', 'y');
		await testStore.until(state => {
			for (const {label, kind} of state.work.list) if (kind === 'write') labels.add(label);
			return isIdle(state);
		});
		expect([...labels]).toEqual(['deleting 2 rules', 'deleting 2 rules, 1 done', 'deleting 2 rules, 2 done']);
	});

	test('stop with ctrl-x after the one under way; the others stay selected', async () => {
		const {space: testStore, press} = await openFiveRules();
		press('A', 'd', 'y');
		await testStore.until(({work}) => work.list.some(({label}) => label.endsWith('2 done')));
		press('ctrl-x');
		expect(getMessage(testStore)).toBe('Stopping after the change under way.');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toMatch(
			/^Stopped: 2 of 5 rules were deleted, with \d filters?\. u undoes it\.$/,
		);
		expect(getRules(testStore)).toHaveLength(3);
		expect(listMarkedIds(testStore)).toHaveLength(3);
		press('u', 'y');
		await testStore.until(isIdle);
		expect(getRules(testStore)).toHaveLength(5);
	});

	test('are stopped by quitting, which says so and waits for the one under way', async () => {
		const {space: testStore, app, press} = await openFiveRules();
		const {promise: hasQuit, resolve: quit} = Promise.withResolvers<void>();
		press('A', 'd', 'y');
		await testStore.until(({work}) => work.list.some(({label}) => label.endsWith('2 done')));
		dispatch({...app, terminal: {...app.terminal, quit}}, key('q'));
		expect(expectDialog(testStore, 'confirm').lines.slice(0, 2)).toEqual([
			'Still running: deleting 5 rules, 2 done.',
			'Quitting stops it after the one under way. What is done stays done; its undo ends with this session.',
		]);
		press('y');
		await hasQuit;
		expect(testStore.state().work.isQuitting).toBe(true);
		expect(getMessage(testStore)).toMatch(/^Stopped: [23] of 5 rules were deleted, with \d filters?\.$/);
	});

	test('that share a filter take it with the last of them', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		press('space', 'G', 'space', 'd');
		expect(expectDialog(testStore, 'confirm').title).toBe('Delete 2 rules and 1 filter?');
		press('y');
		await testStore.until(isIdle);
		expect(testStore.state().firewall.data?.filters).toHaveLength(1);
		await undoLast(opened);
		const [first, , third] = getRules(testStore);
		expect(first?.filter.id).toBe(third?.filter.id);
	});

	test('are listed up to five, and more than ten require the name of the zone', async () => {
		const testStore = createTestStore();
		const {press} = await openShopRules(testStore);
		const filterId = await createShopFilter(testStore, 'ip.src eq 198.51.100.5');
		for (let index = 0; index < 8; index++)
			await createShopRule(testStore, filterId, {priority: 40 + index, description: `more ${index}`});
		await testStore.state().firewall.load(testStore.signal);
		press(...Array.from({length: 11}, () => ['space', 'down']).flat(), 'p');
		const {lines, requiredInput} = expectDialog(testStore, 'field');
		expect(requiredInput).toBe(shop.name);
		expect(lines).toContain('and 6 more');
		expect(lines.filter(line => line.startsWith('rule '))).toHaveLength(5);
		press('esc', 'd');
		expect(expectDialog(testStore, 'field').requiredInput).toBe(shop.name);
	});

	test('of which one has changed: the others are done, and the message says which', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press, made} = opened;
		press('space', 'down', 'space', 'down', 'down', 'space');
		await callMovedZoneAsOther(testStore, 'PATCH', `/firewall/rules/${made.second}`, {
			id: made.second,
			priority: 21,
		});
		await doAndConfirm(opened, 'p');
		const {latest} = testStore.state().messages;
		expect(latest?.text).toMatch(/^2 of 3 rules are paused\. http\.host eq "shop\.example" \(.* has changed/);
		const details = latest?.kind === 'failed' ? latest.failure.details : {};
		expect(details.left).toMatch(
			/^Done: "the first" .*, "five" .*\.\nFailed: http\.host eq "shop\.example" .*\.$/,
		);
		expect(getRules(testStore).map(({paused, priority}) => [paused, priority])).toEqual([
			[true, 10],
			[false, 21],
			[false, 30],
			[true, 31],
			[false, null],
		]);
		expect(listMarkedIds(testStore)).toEqual([made.second]);
		await undoLast(opened);
		expect(getMessage(testStore)).toBe('Undone: 2 rules are active again.');
	});

	test('of which the second write has no known outcome: stops, and says so', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press} = opened;
		press('space', 'down', 'space', 'down', 'space');
		testStore.simulator.faults.replace('lost-answer method=PUT after=1; status=403 method=GET after=2');
		await doAndConfirm(opened, 'p');
		testStore.simulator.faults.clear();
		expect(getMessage(testStore)).toMatch(
			/^1 of 3 rules is paused\. http\.host .*: It is unknown whether the rule is paused\.$/,
		);
		const {latest} = testStore.state().messages;
		expect(latest?.kind === 'failed' && latest.failure.details.left).toContain('Not sent: "four"');
		expect(countCalls(testStore, 'PUT')).toBe(2);
		await testStore.state().firewall.load(testStore.signal);
		await undoLast(opened);
		expect(getRules(testStore)[0]?.paused).toBe(false);
	});

	test('of whose undo one has changed since: the others are undone, each once', async () => {
		const opened = await openFiveRules();
		const {space: testStore, press, made} = opened;
		press('space', 'down', 'space', 'down', 'space');
		await doAndConfirm(opened, 'p');
		await callMovedZoneAsOther(testStore, 'PATCH', `/firewall/rules/${made.second}`, {
			id: made.second,
			priority: 21,
		});
		await undoLast(opened);
		expect(getMessage(testStore)).toMatch(/^2 of 3 changes were undone\. .*The rule has changed since then/);
		expect(listPaused(testStore)).toEqual([false, true, false, false, false]);
		press('u');
		expect(testStore.state().dialog.current).toBeUndefined();
	});

	test('cannot be changed by a read-only ledge, nor changes be undone', async () => {
		const {space: testStore} = await openShopRules();
		const readOnlyStore = createTestStore({simulate: true, readOnly: true}, {previousStore: testStore});
		const {state} = readOnlyStore;
		await state().connection.loadConnection();
		state().firewall.open(shop);
		await state().firewall.load(readOnlyStore.signal);
		state().navigation.go('firewall');
		const [rule] = getRules(readOnlyStore);
		if (!rule) throw new Error('There is no rule.');
		state().firewall.noteEdits(shop, [{kind: 'rule', before: rule, after: {...rule, paused: true}}]);
		const app = createTestApp(readOnlyStore);
		const callCount = state().activity.data.count.all;
		for (const name of ['space', 'down', 'space', 'p', 'd', 'O', 'u']) dispatch(app, key(name));
		expect(state().dialog.current).toBeUndefined();
		expect(getMessage(readOnlyStore)).toContain('read-only');
		const [step] = state().firewall.undoSteps;
		const write = step && state().firewall.undoStep(step, readOnlyStore.signal);
		await expect(write).rejects.toMatchObject({code: 'read_only'});
		expect(state().activity.data.count.all).toBe(callCount);
	});
});

test('in the details of a rule, an action is for that rule, whatever is selected', async () => {
	const {space: testStore, press} = await openShopRules();
	press('space', 'down', 'space', 'down', 'enter', 'p');
	expect(expectDialog(testStore, 'confirm')).toMatchObject({
		title: expect.stringMatching(/^Pause rule \d+\?$/),
	});
	expect(expectDialog(testStore, 'confirm').lines[0]).toBe('rule 3 (allow): ip.src eq 192.0.2.1');
});

test('m creates custom rules from the selected rules only, and from all without a selection', async () => {
	const {space: testStore, press, made} = await openShopRules();
	const listSources = () => testStore.state().merge.data?.sourceRules?.firewallRules.map(({id}) => id);
	press('space', 'down', 'space', 'm');
	await testStore.until(isIdle);
	expect(listSources()).toHaveLength(2);
	expect(listSources()).toContain(made.first);
	press('esc');
	testStore.state().firewall.filter('nothing like it');
	press('m');
	expect(getMessage(testStore)).toContain('the filter hides the selected rows');
	testStore.state().firewall.filter('');
	testStore.state().firewall.unmark();
	press('m');
	await testStore.until(isIdle);
	expect(listSources()).toHaveLength(3);
});
