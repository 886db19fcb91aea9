import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {describeNewPosition} from '../../../source/screens/firewall/lists/changes.ts';
import {loadJobsAndAccount} from '../../../source/screens/home/actions.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {appOf} from '../support/drawn.tsx';
import {filterMade, openedShop, ruleMade, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

async function onShop(space = createTestStore()) {
	const made = await openedShop(space);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const app = appOf(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {space, app, made, press};
}

function dialogOf<Kind extends Dialog['kind']>(
	{state}: TestStore,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

const idle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;
const rulesOf = ({state}: TestStore) => state().firewall.data?.rules ?? [];

describe('pausing', () => {
	test('asks first, and says what happens to requests', async () => {
		const {space, press, made} = await onShop();
		press('p');
		const {lines} = dialogOf(space, 'confirm');
		expect(lines.slice(0, 2)).toEqual(['rule 1 (block): the first', 'ip.src eq 192.0.2.1']);
		expect(lines[2]).toContain('Requests it blocks get through immediately');
		press('y');
		await space.until(idle);
		expect(rulesOf(space).find(({id}) => id === made.first)?.paused).toBe(true);
	});

	test('a filter lists the rules that then have no effect', async () => {
		const {space, press} = await onShop();
		press('f', 'p');
		const text = dialogOf(space, 'confirm').lines.join('\n');
		expect(text).toContain('rule 1 (block)');
		expect(text).toContain('rule 3 (allow)');
	});

	test('a rule for all traffic requires the name of the zone to turn it on again', async () => {
		const space = createTestStore();
		const {press} = await onShop(space);
		const filter = await filterMade(space, 'not ip.src eq 192.0.2.99');
		await ruleMade(space, filter, {priority: 1, paused: true});
		await space.state().firewall.load(space.signal);
		press('g', 'p');
		expect(dialogOf(space, 'field')).toMatchObject({requiredInput: shop.name});
		press('enter');
		expect(dialogOf(space, 'field').problem).toBeDefined();
		press(...shop.name, 'enter');
		await space.until(idle);
		expect(rulesOf(space)[0]).toMatchObject({paused: false, filter: {id: filter}});
	});

	test('a filter whose rules match all traffic requires the name, too', async () => {
		const space = createTestStore();
		const {press} = await onShop(space);
		const filter = await filterMade(space, 'not ip.src eq 192.0.2.99');
		await ruleMade(space, filter, {priority: 1});
		await space.state().firewall.load(space.signal);
		const index = space.state().firewall.data?.filters.findIndex(({id}) => id === filter) ?? 0;
		press('f', 'g', ...Array.from({length: index}, () => 'down'), 'p', 'y');
		await space.until(idle);
		press('p');
		expect(dialogOf(space, 'field')).toMatchObject({requiredInput: shop.name});
	});

	test('is cancelled by no, and nothing is sent', async () => {
		const {space, press} = await onShop();
		const calls = space.state().activity.count.all;
		press('p', 'esc');
		expect(space.state().activity.count.all).toBe(calls);
	});
});

describe('changing the order', () => {
	test('shows the rules before and after the new position before anything is sent', async () => {
		const {space, press, made} = await onShop();
		press('o');
		expect(getBufferText(dialogOf(space, 'field').buffer)).toBe('10');
		space.state().dialog.setText('25');
		press('enter');
		expect(dialogOf(space, 'confirm').lines.join('\n')).toMatch(
			/It moves to position 2 of 3:\nafter {3}rule 2 \(challenge\).*\nbefore {2}rule 3 \(allow\)/,
		);
		press('y');
		await space.until(idle);
		expect(rulesOf(space).map(({id}) => id)).toEqual([made.second, made.first, made.third]);
	});

	test('accepts whole numbers, and an empty field for none', async () => {
		const {space, press} = await onShop();
		press('o');
		for (const wrong of ['-1', '1.5', 'ten', '99999999999']) {
			space.state().dialog.setText(wrong);
			press('enter');
			expect(dialogOf(space, 'field').problem).toBeDefined();
		}
		space.state().dialog.setText('');
		press('enter');
		expect(dialogOf(space, 'confirm').title).toBe('Remove its priority?');
	});

	test('says so if the rule stays in its position', async () => {
		const {space} = await onShop();
		const firewall = space.state().firewall.data;
		const [first] = rulesOf(space);
		if (!firewall || !first) throw new Error('There is no rule.');
		expect(describeNewPosition(firewall, first, 5)[0]).toBe('It stays at position 1 of 3:');
	});
});

describe('deleting', () => {
	test('a rule offers to delete its filter, and keeps it by default', async () => {
		const {space, press, made} = await onShop();
		press('j', 'd');
		const {choices, choose} = dialogOf(space, 'choice');
		expect(choices.map(({value}) => value)).toEqual(['nothing', 'delete', 'keep']);
		choose('nothing');
		expect(space.state().work.list).toEqual([]);
		choose('delete');
		await space.until(idle);
		expect(rulesOf(space).map(({id}) => id)).not.toContain(made.second);
		expect(space.state().firewall.data?.filters.map(({id}) => id)).not.toContain(made.own);
	});

	test('a rule whose filter is used by others never offers to delete it, and lists them', async () => {
		const {space, press} = await onShop();
		press('d');
		const {choices, lines} = dialogOf(space, 'choice');
		expect(choices.map(({value}) => value)).toEqual(['nothing', 'keep']);
		expect(lines.join('\n')).toContain('Its filter stays: it is also used by rule 3.');
	});

	test('a filter used by rules is refused with the numbers of those rules', async () => {
		const {space, press} = await onShop();
		press('f', 'd');
		expect(space.state().dialog.current).toBeUndefined();
		expect(space.state().messages.latest?.text).toContain('in use by rules 1 and 3; delete them first');
	});

	test('an unused filter asks first', async () => {
		const {space, press} = await onShop();
		const id = await filterMade(space, 'http.host eq "unused.example"');
		await space.state().firewall.load(space.signal);
		press('tab');
		const at = space.state().firewall.data?.filters.findIndex(one => one.id === id) ?? 0;
		space.state().firewall.move(at);
		press('d');
		expect(dialogOf(space, 'confirm').lines.join('\n')).toContain('unused.example');
	});
});

test('a read-only ledge offers no writes', async () => {
	const space = createTestStore();
	await openedShop(space);
	const reader = createTestStore({simulate: true, readOnly: true}, {after: space});
	await reader.state().connection.loadConnection();
	reader.state().firewall.open(shop);
	await reader.state().firewall.load(reader.signal);
	reader.state().navigation.go('firewall');
	const app = appOf(reader);
	for (const name of ['n', 'e', 'E', 'p', 'o', 'd', 'u', '!']) {
		dispatch(app, key(name));
		expect(reader.state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(reader.state())).toBe('firewall');
		expect(reader.state().messages.latest?.text).toContain('read-only');
	}
});

test('the expression of a rule or filter and the id are copied', async () => {
	const {app, press, made} = await onShop();
	press('y', 'Y', 'tab', 'Y');
	expect(app.copied[0]).toBe('ip.src eq 192.0.2.1');
	expect(app.copied[1]).toBe(made.first);
	expect([made.shared, made.own]).toContain(app.copied[2]);
});

test('esc goes back step by step: from the details, from the filter, from the zone', async () => {
	const {space, press} = await onShop();
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
		dispatch(appOf(space), key('F'));
		await space.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(space.state().navigation.stack).toEqual(['home', 'firewall']);
		expect(space.state().firewall.data?.zone.name).toBe('acme-shop.example');
	});

	test('goes through the list if there are several, and back to the open zone', async () => {
		const space = createTestStore();
		await space.state().connection.loadConnection();
		const app = appOf(space);
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
		const app = appOf(space);
		dispatch(app, key('F'));
		dispatch(app, key('J'));
		await space.until(idle);
		expect(getCurrentScreen(space.state())).toBe('jobs');
	});
});

test('nothing can be changed before the lists have been read once', async () => {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	space.state().firewall.open(shop);
	space.state().navigation.go('firewall');
	const reading = space.state().firewall.load(space.signal);
	dispatch(appOf(space), key('n'));
	expect(getCurrentScreen(space.state())).toBe('firewall');
	expect(space.state().messages.latest?.text).toContain('its rules are still loading');
	await reading;
	dispatch(appOf(space), key('n'));
	expect(getCurrentScreen(space.state())).toBe('wizard');
});

test('a rule that is being deleted cannot be deleted again', async () => {
	const {space, press} = await onShop();
	press('d');
	dialogOf(space, 'choice').choose('keep');
	space.state().dialog.close();
	press('d');
	expect(space.state().dialog.current).toBeUndefined();
	expect(space.state().messages.latest?.text).toContain('still deleting rule');
	await space.until(idle);
});

test('a failure begins with its reason', async () => {
	const {space, press} = await onShop();
	press('f', 'd');
	expect(space.state().messages.latest?.text).toMatch(/^in use by rules 1 and 3; delete them first \(delete/);
});

test('the emergency key is on the last line with 80 columns', async () => {
	const {space, app} = await onShop();
	const hints = listHintedActions(app.actions, space.state()).map(({id}) => id);
	expect(hints.indexOf('firewall.emergency')).toBeLessThan(4);
});

test('going to the firewall early does not prevent the account from being read', async () => {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	const app = appOf(space);
	void loadJobsAndAccount(app);
	dispatch(app, key('F'));
	await space.until(idle);
	expect(space.state().connection.data?.account.state).toBe('known');
});

test('a deleted or moved rule is named by its description and its expression', async () => {
	const {space, press} = await onShop();
	for (const key of ['d', 'o']) {
		press(key);
		const dialog = space.state().dialog.current;
		expect(dialog && 'lines' in dialog && dialog.lines.slice(0, 2), key).toEqual([
			'rule 1 (block): the first',
			'ip.src eq 192.0.2.1',
		]);
		press('esc');
	}
	// Without a description the expression is its name.
	press('down', 'd');
	expect(dialogOf(space, 'choice').lines.slice(0, 2)).toEqual([
		'rule 2 (challenge): http.host eq "shop.example"',
		expect.stringContaining('challenges'),
	]);
});
