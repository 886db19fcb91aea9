import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {describeNewPosition} from '../../../source/screens/firewall/lists/changes.ts';
import {loadJobsAndAccount} from '../../../source/screens/home/actions.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createShopFilter, createShopRule, openShopFirewall, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

async function openShopRules(space = createTestStore()) {
	const shopIds = await openShopFirewall(space);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const app = createTestApp(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {space, app, made: shopIds, press};
}

function expectDialog<Kind extends Dialog['kind']>(
	{state}: TestStore,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;
const getRules = ({state}: TestStore) => state().firewall.data?.rules ?? [];

describe('pausing', () => {
	test('asks first, and says what happens to requests', async () => {
		const {space, press, made: shopIds} = await openShopRules();
		press('p');
		const {lines} = expectDialog(space, 'confirm');
		expect(lines.slice(0, 2)).toEqual(['rule 1 (block): the first', 'ip.src eq 192.0.2.1']);
		expect(lines[2]).toContain('Requests it blocks get through immediately');
		press('y');
		await space.until(isIdle);
		expect(getRules(space).find(({id}) => id === shopIds.first)?.paused).toBe(true);
	});

	test('a filter lists the rules that then have no effect', async () => {
		const {space, press} = await openShopRules();
		press('f', 'p');
		const text = expectDialog(space, 'confirm').lines.join('\n');
		expect(text).toContain('rule 1 (block)');
		expect(text).toContain('rule 3 (allow)');
	});

	test('a rule for all traffic requires the name of the zone to turn it on again', async () => {
		const space = createTestStore();
		const {press} = await openShopRules(space);
		const filterId = await createShopFilter(space, 'not ip.src eq 192.0.2.99');
		await createShopRule(space, filterId, {priority: 1, paused: true});
		await space.state().firewall.load(space.signal);
		press('g', 'p');
		expect(expectDialog(space, 'field')).toMatchObject({requiredInput: shop.name});
		press('enter');
		expect(expectDialog(space, 'field').problem).toBeDefined();
		press(...shop.name, 'enter');
		await space.until(isIdle);
		expect(getRules(space)[0]).toMatchObject({paused: false, filter: {id: filterId}});
	});

	test('a filter whose rules match all traffic requires the name, too', async () => {
		const space = createTestStore();
		const {press} = await openShopRules(space);
		const filterId = await createShopFilter(space, 'not ip.src eq 192.0.2.99');
		await createShopRule(space, filterId, {priority: 1});
		await space.state().firewall.load(space.signal);
		const index = space.state().firewall.data?.filters.findIndex(({id}) => id === filterId) ?? 0;
		press('f', 'g', ...Array.from({length: index}, () => 'down'), 'p', 'y');
		await space.until(isIdle);
		press('p');
		expect(expectDialog(space, 'field')).toMatchObject({requiredInput: shop.name});
	});

	test('is cancelled by no, and nothing is sent', async () => {
		const {space, press} = await openShopRules();
		const callCount = space.state().activity.count.all;
		press('p', 'esc');
		expect(space.state().activity.count.all).toBe(callCount);
	});
});

describe('changing the order', () => {
	test('shows the rules before and after the new position before anything is sent', async () => {
		const {space, press, made: shopIds} = await openShopRules();
		press('o');
		expect(getBufferText(expectDialog(space, 'field').buffer)).toBe('10');
		space.state().dialog.setText('25');
		press('enter');
		expect(expectDialog(space, 'confirm').lines.join('\n')).toMatch(
			/It moves to position 2 of 3:\nafter {3}rule 2 \(challenge\).*\nbefore {2}rule 3 \(allow\)/,
		);
		press('y');
		await space.until(isIdle);
		expect(getRules(space).map(({id}) => id)).toEqual([shopIds.second, shopIds.first, shopIds.third]);
	});

	test('accepts whole numbers, and an empty field for none', async () => {
		const {space, press} = await openShopRules();
		press('o');
		for (const wrong of ['-1', '1.5', 'ten', '99999999999']) {
			space.state().dialog.setText(wrong);
			press('enter');
			expect(expectDialog(space, 'field').problem).toBeDefined();
		}
		space.state().dialog.setText('');
		press('enter');
		expect(expectDialog(space, 'confirm').title).toBe('Remove its priority?');
	});

	test('says so if the rule stays in its position', async () => {
		const {space} = await openShopRules();
		const firewall = space.state().firewall.data;
		const [first] = getRules(space);
		if (!firewall || !first) throw new Error('There is no rule.');
		expect(describeNewPosition(firewall, first, 5)[0]).toBe('It stays at position 1 of 3:');
	});
});

describe('deleting', () => {
	test('a rule offers to delete its filter, and keeps it by default', async () => {
		const {space, press, made: shopIds} = await openShopRules();
		press('j', 'd');
		const {choices, choose} = expectDialog(space, 'choice');
		expect(choices.map(({value}) => value)).toEqual(['nothing', 'delete', 'keep']);
		choose('nothing');
		expect(space.state().work.list).toEqual([]);
		choose('delete');
		await space.until(isIdle);
		expect(getRules(space).map(({id}) => id)).not.toContain(shopIds.second);
		expect(space.state().firewall.data?.filters.map(({id}) => id)).not.toContain(shopIds.own);
	});

	test('a rule whose filter is used by others never offers to delete it, and lists them', async () => {
		const {space, press} = await openShopRules();
		press('d');
		const {choices, lines} = expectDialog(space, 'choice');
		expect(choices.map(({value}) => value)).toEqual(['nothing', 'keep']);
		expect(lines.join('\n')).toContain('Its filter stays: it is also used by rule 3.');
	});

	test('a filter used by rules is refused with the numbers of those rules', async () => {
		const {space, press} = await openShopRules();
		press('f', 'd');
		expect(space.state().dialog.current).toBeUndefined();
		expect(space.state().messages.latest?.text).toContain('in use by rules 1 and 3; delete them first');
	});

	test('an unused filter asks first', async () => {
		const {space, press} = await openShopRules();
		const id = await createShopFilter(space, 'http.host eq "unused.example"');
		await space.state().firewall.load(space.signal);
		press('tab');
		const filterIndex = space.state().firewall.data?.filters.findIndex(one => one.id === id) ?? 0;
		space.state().firewall.move(filterIndex);
		press('d');
		expect(expectDialog(space, 'confirm').lines.join('\n')).toContain('unused.example');
	});
});

test('a read-only ledge offers no writes', async () => {
	const space = createTestStore();
	await openShopFirewall(space);
	const readOnlyStore = createTestStore({simulate: true, readOnly: true}, {previousStore: space});
	await readOnlyStore.state().connection.loadConnection();
	readOnlyStore.state().firewall.open(shop);
	await readOnlyStore.state().firewall.load(readOnlyStore.signal);
	readOnlyStore.state().navigation.go('firewall');
	const app = createTestApp(readOnlyStore);
	for (const name of ['n', 'e', 'E', 'p', 'o', 'd', 'u', '!']) {
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
	const {space, press} = await openShopRules();
	space.state().firewall.filter('ip');
	press('enter', 'esc');
	expect(space.state().firewall.data).toMatchObject({detail: undefined, filter: 'ip'});
	press('esc');
	expect(space.state().firewall.data?.filter).toBe('');
	expect(getCurrentScreen(space.state())).toBe('firewall');
	press('esc');
	expect(getCurrentScreen(space.state())).toBe('home');
});

describe('the path to a zone', () => {
	test('skips the list if a zone was named', async () => {
		const space = createTestStore({simulate: true, zone: 'acme-shop.example'});
		await space.state().connection.loadConnection();
		dispatch(createTestApp(space), key('F'));
		await space.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(space.state().navigation.stack).toEqual(['home', 'firewall']);
		expect(space.state().firewall.data?.zone.name).toBe('acme-shop.example');
	});

	test('goes through the list if there are several, and back to the open zone', async () => {
		const space = createTestStore();
		await space.state().connection.loadConnection();
		const app = createTestApp(space);
		dispatch(app, key('F'));
		await space.until(({zones: {data: zones}}) => zones.reading === 'read');
		expect(space.state().navigation.stack).toEqual(['home', 'zones']);
		dispatch(app, key('enter'));
		await space.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(space.state().navigation.stack).toEqual(['home', 'zones', 'firewall']);
		dispatch(app, key('H'));
		dispatch(app, key('F'));
		expect(space.state().navigation.stack).toEqual(['home', 'zones', 'firewall']);
		dispatch(app, key('Z'));
		expect(space.state().navigation.stack).toEqual(['home', 'zones']);
	});

	test('stays on the screen the person went to meanwhile', async () => {
		const space = createTestStore({simulate: true, zone: 'acme-shop.example'});
		await space.state().connection.loadConnection();
		const app = createTestApp(space);
		dispatch(app, key('F'));
		dispatch(app, key('J'));
		await space.until(isIdle);
		expect(getCurrentScreen(space.state())).toBe('jobs');
	});
});

test('nothing can be changed before the lists have been read once', async () => {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	space.state().firewall.open(shop);
	space.state().navigation.go('firewall');
	const reading = space.state().firewall.load(space.signal);
	dispatch(createTestApp(space), key('n'));
	expect(getCurrentScreen(space.state())).toBe('firewall');
	expect(space.state().messages.latest?.text).toContain('its rules are still loading');
	await reading;
	dispatch(createTestApp(space), key('n'));
	expect(getCurrentScreen(space.state())).toBe('wizard');
});

test('a rule that is being deleted cannot be deleted again', async () => {
	const {space, press} = await openShopRules();
	press('d');
	expectDialog(space, 'choice').choose('keep');
	space.state().dialog.close();
	press('d');
	expect(space.state().dialog.current).toBeUndefined();
	expect(space.state().messages.latest?.text).toContain('still deleting rule');
	await space.until(isIdle);
});

test('a failure begins with its reason', async () => {
	const {space, press} = await openShopRules();
	press('f', 'd');
	expect(space.state().messages.latest?.text).toMatch(/^in use by rules 1 and 3; delete them first \(delete/);
});

test('the emergency key is on the last line with 80 columns', async () => {
	const {space, app} = await openShopRules();
	const hints = listHintedActions(app.actions, space.state()).map(({id}) => id);
	expect(hints.indexOf('firewall.emergency')).toBeLessThan(4);
});

test('going to the firewall early does not prevent the account from being read', async () => {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	const app = createTestApp(space);
	void loadJobsAndAccount(app);
	dispatch(app, key('F'));
	await space.until(isIdle);
	expect(space.state().connection.data?.account.state).toBe('known');
});

test('a deleted or moved rule is named by its description and its expression', async () => {
	const {space, press} = await openShopRules();
	for (const keyName of ['d', 'o']) {
		press(keyName);
		const dialog = space.state().dialog.current;
		expect(dialog && 'lines' in dialog && dialog.lines.slice(0, 2), keyName).toEqual([
			'rule 1 (block): the first',
			'ip.src eq 192.0.2.1',
		]);
		press('esc');
	}
	// Without a description the expression is its name.
	press('down', 'd');
	expect(expectDialog(space, 'choice').lines.slice(0, 2)).toEqual([
		'rule 2 (challenge): http.host eq "shop.example"',
		expect.stringContaining('challenges'),
	]);
});
