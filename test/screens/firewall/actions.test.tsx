import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {firewallList} from '../../../source/screens/firewall/list.ts';
import {describeNewPosition} from '../../../source/screens/firewall/lists/priority.ts';
import {loadJobsAndAccount} from '../../../source/screens/home/actions.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createRuleFormBody} from '../../../source/screens/stepped-form/rule-view.tsx';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import {openFirewall} from '../../../source/screens/zones/actions.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {
	callMovedZoneAsOther,
	createShopFilter,
	createShopRule,
	openShopFirewall,
	shop,
} from '../support/firewall.ts';
import {expectDialog, getRules, isIdle, key, openShopRules} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

const Wizard = createRuleFormBody(firewallRuleKind);

test('the footer names the most used writes, the filter and the emergency first', async () => {
	const {app} = await openShopRules();
	const listHints = () =>
		listHintedActions(app.actions, app.state()).map(({keys, hint}) => `${keys[0]} ${hint}`);
	const firstHints = ['enter open', 'e edit', 'a new', 'p pause', 'd delete', '! block now'];
	expect(listHints().slice(0, 7)).toEqual([...firstHints, '/ filter']);
	const {firewall} = app.state();
	const [rule] = firewall.data?.rules ?? [];
	if (!rule || !firewall.data) throw new Error('There is no rule.');
	firewall.noteEdits(firewall.data.zone, [
		{kind: 'rule', before: rule, after: {...rule, paused: !rule.paused}},
	]);
	expect(listHints().slice(0, 8)).toEqual([...firstHints, 'u undo', '/ filter']);
});

test('the area opens at the rules, even if the filters were shown last', async () => {
	const {space: testStore, press} = await openShopRules();
	press('tab');
	expect(testStore.state().firewall.data?.side).toBe('filters');
	testStore.state().navigation.go('home');
	press('2');
	await testStore.until(isIdle);
	expect(getCurrentScreen(testStore.state())).toBe('firewall');
	expect(testStore.state().firewall.data?.side).toBe('rules');
});

test('esc leads back from the filter of a rule to the rule, then out of the list', async () => {
	const {space: testStore, press} = await openShopRules();
	const getRow = () => firewallList.getSelected(testStore.state().firewall.data)?.id;
	press('down', 'down');
	const rule = getRow();
	press('f', 'up');
	expect(testStore.state().firewall.data?.side).toBe('filters');
	// The filter goes first, as everywhere.
	testStore.state().firewall.filter('shop');
	press('esc');
	expect(testStore.state().firewall.data).toMatchObject({side: 'filters', filter: ''});
	press('esc');
	expect(testStore.state().firewall.data?.side).toBe('rules');
	expect(getRow()).toBe(rule);
	press('esc');
	expect(getCurrentScreen(testStore.state())).toBe('home');
	testStore.state().navigation.go('firewall');
	press('f', 'shift-tab', 'tab', 'esc');
	expect(getCurrentScreen(testStore.state())).toBe('home');
});

test('a page key moves by the rows that are shown above the details', async () => {
	const {space: testStore, app} = await openShopRules();
	const shownApp = {...app, terminal: {...app.terminal, countListRows: () => 2}};
	dispatch(shownApp, key('pagedown'));
	expect(testStore.state().firewall.data?.cursor).toBe(2);
	dispatch(shownApp, key('pageup'));
	expect(testStore.state().firewall.data?.cursor).toBe(0);
});

test('a zone opens at its rules, as enter says, even if its filters were shown last', async () => {
	const {space: testStore, app, press} = await openShopRules();
	press('tab');
	openFirewall(app, shop);
	await testStore.until(isIdle);
	expect(testStore.state().firewall.data?.side).toBe('rules');
});

test('p is named by what it does to the rule or the filter', async () => {
	const {space: testStore, app, press} = await openShopRules();
	const getHint = () =>
		listHintedActions(app.actions, app.state()).find(({keys}) => keys.includes('p'))?.hint;
	for (const title of ['Pause rule 1?', 'Resume rule 1?', 'Pause this filter?', 'Resume this filter?']) {
		if (title === 'Pause this filter?') press('f');
		expect(getHint()).toBe(title.startsWith('Pause') ? 'pause' : 'resume');
		press('p');
		expect(expectDialog(testStore, 'confirm').title).toBe(title);
		press('y');
		await testStore.until(isIdle);
	}
	press('shift-tab', 'A', 'p', 'y');
	await testStore.until(isIdle);
	press('g', 'A');
	expect(getHint()).toBe('resume');
	press('down', 'space');
	expect(getHint()).toBe('resume');
});

describe('the form of a rule', () => {
	test('says when the rule ends, and goes with E to the form that changes it', async () => {
		const {space: testStore, app, press} = await openShopRules();
		const filterId = await createShopFilter(testStore, '(ssl) and http.request.timestamp.sec lt 4000000000');
		await createShopRule(testStore, filterId, {priority: 1});
		await testStore.state().firewall.load(testStore.signal);
		press('g', 'e');
		const drawn = draw(app, <Wizard />);
		await drawn.until(rows => rows.join('\n').includes('Acts until 2096-10-02 07:06 UTC'));
		expect(drawn.rows().join('\n')).toContain('Expression and end time belong to the filter: E edits them');
		const form = testStore.state().wizard.data;
		expect(form && firewallRuleKind.describeFilterEnd?.(form)).toBe(
			'ends         2096-10-02 07:06 UTC, by its filter (E in step 1 changes it)',
		);
		press('E', 'enter');
		const {wizard} = testStore.state();
		expect(wizard.data).toMatchObject({
			purpose: {kind: 'change filter', filter: {id: filterId}},
			step: 'about',
		});
		expect(wizard.data && firewallRuleKind.listRows(wizard.data)).toContain('ends');
		await drawn.until(rows => rows.join('\n').includes('2 description, end'));
	});

	test('says of a deleted filter that nothing edits it', async () => {
		const {space: testStore, app, press} = await openShopRules();
		const [rule] = getRules(testStore);
		if (!rule) throw new Error('There is no rule.');
		testStore.state().wizard.begin({
			kind: 'change rule',
			rule: {...rule, filter: {id: '52010765ea08c3f0a1b2c3d4e5f60718', deleted: true}},
		});
		testStore.state().navigation.go('wizard');
		const drawn = draw(app, <Wizard />);
		await drawn.until(rows => rows.join('\n').includes('The filter of this rule was deleted, so'));
		expect(drawn.rows().join('\n')).not.toContain('E edits');
		press('E');
		expect(testStore.state().messages.latest?.text).toContain('its filter was deleted');
	});
});

describe('pausing', () => {
	test('asks first, and says what happens to requests', async () => {
		const {space: testStore, press, made: shopIds} = await openShopRules();
		press('p');
		const {lines} = expectDialog(testStore, 'confirm');
		expect(lines.slice(0, 2)).toEqual(['rule 1 (block): the first', 'ip.src eq 192.0.2.1']);
		expect(lines[2]).toContain('Blocked requests get through immediately');
		press('y');
		await testStore.until(isIdle);
		expect(getRules(testStore).find(({id}) => id === shopIds.first)?.paused).toBe(true);
	});

	test('a filter lists the rules that then have no effect', async () => {
		const {space: testStore, press} = await openShopRules();
		press('f', 'p');
		const text = expectDialog(testStore, 'confirm').lines.join('\n');
		expect(text).toContain('rule 1 (block)');
		expect(text).toContain('rule 3 (allow)');
	});

	test('a rule for all traffic requires the name of the zone to turn it on again', async () => {
		const testStore = createTestStore();
		const {press} = await openShopRules(testStore);
		const filterId = await createShopFilter(testStore, 'not ip.src eq 192.0.2.99');
		await createShopRule(testStore, filterId, {priority: 1, paused: true});
		await testStore.state().firewall.load(testStore.signal);
		press('g', 'p');
		expect(expectDialog(testStore, 'field')).toMatchObject({requiredInput: shop.name});
		press('enter');
		expect(expectDialog(testStore, 'field').problem).toBeDefined();
		press(...shop.name, 'enter');
		await testStore.until(isIdle);
		expect(getRules(testStore)[0]).toMatchObject({paused: false, filter: {id: filterId}});
	});

	test('a filter whose rules match all traffic requires the name, too', async () => {
		const testStore = createTestStore();
		const {press} = await openShopRules(testStore);
		const filterId = await createShopFilter(testStore, 'not ip.src eq 192.0.2.99');
		await createShopRule(testStore, filterId, {priority: 1});
		await testStore.state().firewall.load(testStore.signal);
		const index = testStore.state().firewall.data?.filters.findIndex(({id}) => id === filterId) ?? 0;
		press('f', 'g', ...Array.from({length: index}, () => 'down'), 'p', 'y');
		await testStore.until(isIdle);
		press('p');
		expect(expectDialog(testStore, 'field')).toMatchObject({requiredInput: shop.name});
	});

	test('of a filter names its rules and what happens to requests in lines of their own', async () => {
		const {space: testStore, press} = await openShopRules();
		press('f', 'p');
		expect(expectDialog(testStore, 'confirm').lines).toEqual([
			'ip.src eq 192.0.2.1',
			'These rules will have no effect:',
			'rule 1 (block): the first',
			'rule 3 (allow): ip.src eq 192.0.2.1',
			'Blocked requests get through immediately, unless another rule stops them.',
			'Allowed requests are immediately checked by later rules again.',
		]);
	});

	test('is cancelled by no, and nothing is sent', async () => {
		const {space: testStore, press} = await openShopRules();
		const callCount = testStore.state().activity.data.count.all;
		press('p', 'esc');
		expect(testStore.state().activity.data.count.all).toBe(callCount);
	});
});

describe('changing the order', () => {
	test('says which priorities are valid', async () => {
		const {space: testStore, press} = await openShopRules();
		press('O', '-', '1', 'enter');
		expect(expectDialog(testStore, 'field').problem).toContain('a whole number, 0 or higher,');
	});

	test('shows the rules before and after the new position before anything is sent', async () => {
		const {space: testStore, press, made: shopIds} = await openShopRules();
		press('O');
		expect(getBufferText(expectDialog(testStore, 'field').buffer)).toBe('10');
		testStore.state().dialog.setText('25');
		press('enter');
		expect(expectDialog(testStore, 'confirm').lines.join('\n')).toMatch(
			/It moves to position 2 of 3:\nafter {3}rule 2 \(challenge\).*\nbefore {2}rule 3 \(allow\)/,
		);
		press('y');
		await testStore.until(isIdle);
		expect(getRules(testStore).map(({id}) => id)).toEqual([shopIds.second, shopIds.first, shopIds.third]);
	});

	test('accepts whole numbers, and an empty field for none', async () => {
		const {space: testStore, press} = await openShopRules();
		press('O');
		for (const wrong of ['-1', '1.5', 'ten', '99999999999']) {
			testStore.state().dialog.setText(wrong);
			press('enter');
			expect(expectDialog(testStore, 'field').problem).toBeDefined();
		}
		testStore.state().dialog.setText('');
		press('enter');
		expect(expectDialog(testStore, 'confirm').title).toBe('Remove the priority of rule 1?');
	});

	test('says so if the rule stays in its position', async () => {
		const {space: testStore} = await openShopRules();
		const firewall = testStore.state().firewall.data;
		const [first] = getRules(testStore);
		if (!firewall || !first) throw new Error('There is no rule.');
		expect(describeNewPosition(firewall, first, 5)[0]).toBe('It stays at position 1 of 3:');
	});
});

describe('deleting', () => {
	test('a rule says that its filter is deleted too, and is deleted once y confirms', async () => {
		const {space: testStore, press, made: shopIds} = await openShopRules();
		press('j', 'd');
		expect(testStore.state().work.list).toEqual([]);
		expect(expectDialog(testStore, 'confirm').title).toBe('Delete rule 2 and its filter?');
		press('y');
		await testStore.until(isIdle);
		expect(getRules(testStore).map(({id}) => id)).not.toContain(shopIds.second);
		expect(testStore.state().firewall.data?.filters.map(({id}) => id)).not.toContain(shopIds.own);
	});

	test('a filter that the question keeps stays, even if nothing else uses it by then', async () => {
		const {space: testStore, press, made} = await openShopRules();
		press('d');
		expect(expectDialog(testStore, 'confirm').title).toBe('Delete rule 1?');
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${made.third}`);
		await testStore.state().firewall.load(testStore.signal);
		press('y');
		await testStore.until(isIdle);
		expect(getRules(testStore).map(({id}) => id)).toEqual([made.second]);
		expect(testStore.state().firewall.data?.filters.map(({id}) => id)).toContain(made.shared);
	});

	test('a rule whose filter is used by others never offers to delete it, and lists them', async () => {
		const {space: testStore, press} = await openShopRules();
		press('d');
		const {title, lines} = expectDialog(testStore, 'confirm');
		expect(title).toBe('Delete rule 1?');
		expect(lines.join('\n')).toContain('Its filter stays: it is also used by rule 3.');
	});

	test('a filter used by rules is refused with the numbers of those rules', async () => {
		const {space: testStore, press} = await openShopRules();
		press('f', 'd');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(testStore.state().messages.latest?.text).toContain('in use by rules 1 and 3; delete them first');
	});

	test('an unused filter asks first', async () => {
		const {space: testStore, press} = await openShopRules();
		const id = await createShopFilter(testStore, 'http.host eq "unused.example"');
		await testStore.state().firewall.load(testStore.signal);
		press('tab');
		const filterIndex = testStore.state().firewall.data?.filters.findIndex(one => one.id === id) ?? 0;
		testStore.state().firewall.move(filterIndex);
		press('d');
		expect(expectDialog(testStore, 'confirm').lines.join('\n')).toContain('unused.example');
	});
});

test('a read-only ledge offers no writes', async () => {
	const testStore = createTestStore();
	await openShopFirewall(testStore);
	const readOnlyStore = createTestStore({simulate: true, readOnly: true}, {previousStore: testStore});
	await readOnlyStore.state().connection.loadConnection();
	readOnlyStore.state().firewall.open(shop);
	await readOnlyStore.state().firewall.load(readOnlyStore.signal);
	readOnlyStore.state().navigation.go('firewall');
	const app = createTestApp(readOnlyStore);
	for (const name of ['a', 'e', 'E', 'p', 'O', 'd', '+', '!']) {
		dispatch(app, key(name));
		expect(readOnlyStore.state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(readOnlyStore.state())).toBe('firewall');
		expect(readOnlyStore.state().messages.latest?.text).toContain('read-only');
	}
});

test('the expression of a rule or filter and the id are copied', async () => {
	const {app, press, made: shopIds} = await openShopRules();
	press('y', 'Y', 'tab', 'Y');
	expect(app.copied[0]).toBe('ip.src eq 192.0.2.1');
	expect(app.copied[1]).toBe(shopIds.first);
	expect([shopIds.shared, shopIds.own]).toContain(app.copied[2]);
});

test('esc goes back step by step: from the details, from the filter, from the zone', async () => {
	const {space: testStore, press} = await openShopRules();
	testStore.state().firewall.filter('ip');
	press('enter', 'esc');
	expect(testStore.state().firewall.data).toMatchObject({detail: undefined, filter: 'ip'});
	press('esc');
	expect(testStore.state().firewall.data?.filter).toBe('');
	expect(getCurrentScreen(testStore.state())).toBe('firewall');
	press('esc');
	expect(getCurrentScreen(testStore.state())).toBe('home');
});

describe('the path to a zone', () => {
	test('skips the list if a zone was named', async () => {
		const testStore = createTestStore({simulate: true, zone: 'acme-shop.example'});
		await testStore.state().connection.loadConnection();
		dispatch(createTestApp(testStore), key('2'));
		await testStore.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(testStore.state().navigation.stack).toEqual(['home', 'firewall']);
		expect(testStore.state().firewall.data?.zone.name).toBe('acme-shop.example');
	});

	test('goes through the list if there are several, and back to the open zone', async () => {
		const testStore = createTestStore();
		await testStore.state().connection.loadConnection();
		const app = createTestApp(testStore);
		dispatch(app, key('2'));
		await testStore.until(({zones: {data: zones}}) => zones.reading === 'read');
		expect(testStore.state().navigation.stack).toEqual(['home', 'zones']);
		dispatch(app, key('enter'));
		await testStore.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(testStore.state().navigation.stack).toEqual(['home', 'zones', 'firewall']);
		dispatch(app, key('0'));
		dispatch(app, key('2'));
		expect(testStore.state().navigation.stack).toEqual(['home', 'zones', 'firewall']);
		dispatch(app, key('8'));
		expect(testStore.state().navigation.stack).toEqual(['home', 'zones']);
	});

	test('stays on the screen the person went to meanwhile', async () => {
		const testStore = createTestStore({simulate: true, zone: 'acme-shop.example'});
		await testStore.state().connection.loadConnection();
		const app = createTestApp(testStore);
		dispatch(app, key('2'));
		dispatch(app, key('7'));
		await testStore.until(isIdle);
		expect(getCurrentScreen(testStore.state())).toBe('jobs');
	});
});

test('nothing can be changed before the lists have been read once', async () => {
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	testStore.state().firewall.open(shop);
	testStore.state().navigation.go('firewall');
	const reading = testStore.state().firewall.load(testStore.signal);
	dispatch(createTestApp(testStore), key('a'));
	expect(getCurrentScreen(testStore.state())).toBe('firewall');
	expect(testStore.state().messages.latest?.text).toContain('its rules are still loading');
	await reading;
	dispatch(createTestApp(testStore), key('a'));
	expect(getCurrentScreen(testStore.state())).toBe('wizard');
});

test('a rule that is being deleted cannot be deleted again', async () => {
	const {space: testStore, press} = await openShopRules();
	press('d', 'y', 'd');
	expect(testStore.state().dialog.current).toBeUndefined();
	expect(testStore.state().messages.latest?.text).toContain('still deleting rule');
	await testStore.until(isIdle);
});

test('a failure begins with its reason', async () => {
	const {space: testStore, press} = await openShopRules();
	press('f', 'd');
	expect(testStore.state().messages.latest?.text).toMatch(
		/^Can't delete: in use by rules 1 and 3; delete them first\.$/,
	);
});

test('going to the firewall early does not prevent the account from being read', async () => {
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	const app = createTestApp(testStore);
	void loadJobsAndAccount(app);
	dispatch(app, key('2'));
	await testStore.until(isIdle);
	expect(testStore.state().connection.data?.account.state).toBe('known');
});

test('a deleted or moved rule is named by its description and its expression', async () => {
	const {space: testStore, press} = await openShopRules();
	for (const keyName of ['d', 'O']) {
		press(keyName);
		const dialog = testStore.state().dialog.current;
		expect(dialog && 'lines' in dialog && dialog.lines.slice(0, 2), keyName).toEqual([
			'rule 1 (block): the first',
			'ip.src eq 192.0.2.1',
		]);
		press('esc');
	}
	// Without a description the expression is its name.
	press('down', 'd');
	expect(expectDialog(testStore, 'confirm').lines[0]).toBe('rule 2 (challenge): http.host eq "shop.example"');
});
