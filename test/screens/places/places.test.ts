import {describe, expect, onTestFinished, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import type {AccountList} from '../../../source/lists/account-lists.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {openEvents} from '../../../source/screens/events/opening.ts';
import {openListItems} from '../../../source/screens/ip-lists/items.ts';
import {openKey} from '../../../source/screens/key/actions.ts';
import {openKeys} from '../../../source/screens/keys/actions.ts';
import {openManagedScreen} from '../../../source/screens/managed/opening.ts';
import {openNamespaces} from '../../../source/screens/namespaces/actions.ts';
import {openRecent} from '../../../source/screens/places/actions.ts';
import {formatRecent} from '../../../source/screens/places/recents.ts';
import {buildPaletteRows} from '../../../source/screens/shell/action-lists.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {openFirewall} from '../../../source/screens/zones/actions.ts';
import {toOpenedZone} from '../../../source/screens/zones/slice.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore} from '../support/store.ts';

async function startAtNamespaces() {
	const testStore = createTestStore();
	const {store, state, until, signal} = testStore;
	state().navigation.resize({columns: 120, rows: 30});
	await state().connection.loadConnection();
	const app = {store, state, actions, terminal: {forward() {}}} as unknown as App;
	const press = (key: string) => dispatch(app, createKey(key, key));
	/** Waits until nothing is read, except by a listing in the background. */
	const waitUntilIdle = () => until(({work: {list: work}}) => work.every(({kind}) => kind === 'background'));
	openNamespaces(app, 'remote');
	await waitUntilIdle();
	const findNamespace = (title: string) => {
		const row = state().namespaces.data.rows.find(one => one.title === title);
		if (!row) throw new Error(`There is no namespace "${title}".`);
		return row;
	};
	const openNamespaceOrKey = async (title: string, key?: string) => {
		await openKeys(app, findNamespace(title));
		await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' || (keys?.index.count ?? 0) > 0);
		if (key !== undefined) await openKey(app, key);
	};
	const describePlace = () => {
		const keys = state().keys.data;
		const key = state().key.data;
		const screen = getCurrentScreen(state());
		if (screen === 'keys') return `keys ${keys?.namespace.title}`;
		if (screen === 'key') return `key ${keys?.namespace.title} ${key?.name}`;
		return screen;
	};
	const pressAndDescribePlace = async (key: string) => {
		press(key);
		await waitUntilIdle();
		await new Promise(setImmediate);
		await waitUntilIdle();
		return describePlace();
	};
	return {
		...testStore,
		app,
		press,
		idle: waitUntilIdle,
		open: openNamespaceOrKey,
		where: describePlace,
		goes: pressAndDescribePlace,
		rowOf: findNamespace,
		signal,
	};
}

test('places are revisited, back and forward, with their filters', async () => {
	const {
		open: openNamespaceOrKey,
		goes: pressAndDescribePlace,
		state,
		press,
		where,
	} = await startAtNamespaces();
	await openNamespaceOrKey('CONFIG', 'motd');
	press('esc');
	state().keys.filter('mot');
	press('1');
	await openNamespaceOrKey('SESSIONS');
	press('9');
	expect(await pressAndDescribePlace('[')).toBe('keys SESSIONS');
	expect(await pressAndDescribePlace('[')).toBe('namespaces');
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
	expect(state().keys.data?.filter).toBe('mot');
	expect(state().navigation.stack).toEqual(['home', 'namespaces', 'keys']);
	expect(await pressAndDescribePlace('[')).toBe('key CONFIG motd');
	expect(state().key.data?.reading).toBe('read');
	expect(await pressAndDescribePlace(']')).toBe('keys CONFIG');
	expect(await pressAndDescribePlace(']')).toBe('namespaces');
	expect(await pressAndDescribePlace(']')).toBe('keys SESSIONS');
	expect(await pressAndDescribePlace(']')).toBe('activity');
	press(']');
	expect(state().messages.latest?.text).toContain('no next screen in this session');
	expect(where()).toBe('activity');
});

test('the palette opens a zone in the area shown, and [ leads straight back', async () => {
	const {app, state, press, idle, goes: pressAndDescribePlace} = await startAtNamespaces();
	await state().zones.load(new AbortController().signal);
	const [first] = state().zones.data.rows;
	const twins = state().zones.data.rows.filter(({name}) => name === 'acme-moved.example');
	if (!first) throw new Error('There are zones.');
	openEvents(app, toOpenedZone(first));
	await idle();
	press(':');
	state().dialog.setText('acme-moved');
	const jumps = buildPaletteRows(actions, state(), 'acme-moved').filter(({kind}) => kind === 'jump');
	expect(jumps.map(row => row.kind === 'jump' && row.detail)).toEqual(
		twins.map(({plan, id}) => `${plan}, ${id}`),
	);
	press('enter');
	await idle();
	expect(getCurrentScreen(state())).toBe('events');
	expect(state().events.data?.zone.id).toBe(twins[0]?.id);
	expect(await pressAndDescribePlace('[')).toBe('events');
	expect(state().events.data?.zone.id).toBe(first.id);
});

/** Opens the managed rules of the first zone. */
async function openFirstManaged({app, state, idle, signal}: Awaited<ReturnType<typeof startAtNamespaces>>) {
	await state().zones.load(signal);
	const row = state().zones.data.rows.find(({name}) => name === 'done.acme.example');
	if (!row) throw new Error('There is no such zone.');
	openManagedScreen(app, toOpenedZone(row));
	await idle();
	return toOpenedZone(row);
}

test('[ leads back over an area key, which passes Home, to the screen that it was pressed on', async () => {
	const testStore = await startAtNamespaces();
	const zone = await openFirstManaged(testStore);
	expect(await testStore.goes('8')).toBe('zones');
	expect(await testStore.goes('[')).toBe('managed');
	expect(testStore.state().managed.data?.zone.id).toBe(zone.id);
});

test('[ leaves a migration open, and the palette goes from it to the migration of another zone', async () => {
	const testStore = await startAtNamespaces();
	const {state, goes: pressAndDescribePlace, press, idle} = testStore;
	const zone = await openFirstManaged(testStore);
	await state().migration.open(zone);
	state().navigation.go('migration');
	onTestFinished(() => state().migration.end());
	expect(await pressAndDescribePlace('[')).toBe('managed');
	expect(state().migration.data?.zone.id).toBe(zone.id);
	expect(await pressAndDescribePlace(']')).toBe('migration');
	press(':');
	state().dialog.setText('acme-pay');
	expect(buildPaletteRows(actions, state(), 'acme-pay')[0]).toMatchObject({
		kind: 'jump',
		name: 'acme-pay.example',
	});
	press('enter');
	await idle();
	expect(getCurrentScreen(state())).toBe('migration');
	expect(state().migration.data?.zone.name).toBe('acme-pay.example');
});

test('the palette opens a zone for what the zones were opened for', async () => {
	const {state, press, idle, signal} = await startAtNamespaces();
	await state().zones.load(signal);
	press('0');
	press('4');
	await idle();
	expect(getCurrentScreen(state())).toBe('zones');
	press(':');
	state().dialog.setText('done.acme');
	press('enter');
	await idle();
	expect(getCurrentScreen(state())).toBe('managed');
});

test('[ goes to the last list or detail visited: hits are one, a run and a form are none', async () => {
	const {
		open: openNamespaceOrKey,
		goes: pressAndDescribePlace,
		press,
		state,
		app,
		idle,
	} = await startAtNamespaces();
	await openNamespaceOrKey('CONFIG');
	const namespace = state().keys.data?.namespace;
	if (!namespace) throw new Error('No namespace is open.');
	state().navigation.go('search');
	await state().search.begin({namespace, keys: {kind: 'all'}, total: undefined, pattern: 'e', mode: 0});
	press('enter');
	await idle();
	expect(getCurrentScreen(state())).toBe('key');
	expect(await pressAndDescribePlace('[')).toBe('search');
	expect(state().search.data?.rows.length).toBeGreaterThan(0);
	expect(state().navigation.stack).toEqual(['home', 'namespaces', 'keys', 'search']);
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
	expect(await pressAndDescribePlace(']')).toBe('search');
	expect(await pressAndDescribePlace(']')).toContain('key CONFIG');
	press('esc');
	await idle();
	state().navigation.go('stats');
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
	press('I');
	await idle();
	openListItems(app, state().ipLists.data.rows[0] as AccountList);
	await idle();
	expect(await pressAndDescribePlace('[')).toBe('ipLists');
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
	await pressAndDescribePlace(']');
	expect(await pressAndDescribePlace(']')).toBe('ipListItems');
	expect(state().navigation.stack).toEqual(['home', 'ipLists', 'ipListItems']);
});

test('[ skips hits that the user closed, and the list that is shown already, without a word', async () => {
	const {open: openNamespaceOrKey, goes: pressAndDescribePlace, state, press} = await startAtNamespaces();
	await openNamespaceOrKey('CONFIG');
	const namespace = state().keys.data?.namespace;
	if (!namespace) throw new Error('No namespace is open.');
	state().navigation.go('search');
	await state().search.begin({namespace, keys: {kind: 'all'}, total: undefined, pattern: 'e', mode: 0});
	press('esc');
	expect(getCurrentScreen(state())).toBe('keys');
	expect(await pressAndDescribePlace('[')).toBe('namespaces');
	expect(state().messages.latest).toBeUndefined();
	expect(await pressAndDescribePlace(']')).toBe('keys CONFIG');
});

test('[ from the rate limits of a zone leads to its rules, and ] back', async () => {
	const {app, state, idle, goes: pressAndDescribePlace, signal} = await startAtNamespaces();
	await state().zones.load(signal);
	const row = state().zones.data.rows.find(({overview}) => overview.zone.name === 'acme.example');
	if (!row) throw new Error('There is no such zone.');
	openFirewall(app, toOpenedZone(row));
	await idle();
	await pressAndDescribePlace('L');
	expect(getCurrentScreen(state())).toBe('rateLimits');
	expect(await pressAndDescribePlace('[')).toBe('firewall');
	expect(await pressAndDescribePlace(']')).toBe('rateLimits');
});

test('going somewhere new discards the forward places', async () => {
	const {open: openNamespaceOrKey, goes: pressAndDescribePlace, press, state} = await startAtNamespaces();
	await openNamespaceOrKey('CONFIG');
	press('9');
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
	press('7');
	press(']');
	expect(state().messages.latest?.text).toContain('no next screen in this session');
	expect(await pressAndDescribePlace('[')).toBe('keys CONFIG');
});

test('missing keys and namespaces are skipped, and named', async () => {
	const {
		open: openNamespaceOrKey,
		goes: pressAndDescribePlace,
		press,
		state,
		signal,
		rowOf: findNamespace,
	} = await startAtNamespaces();
	await openNamespaceOrKey('CONFIG', 'motd');
	press('esc');
	press('esc');
	await openNamespaceOrKey('SESSIONS');
	press('1');
	press('9');
	await state().namespaces.delete(findNamespace('SESSIONS'), signal);
	await openNamespaceOrKey('CONFIG');
	await state().keys.data?.opened.store.delete('motd', signal);
	press('9');
	const seen: string[] = [];
	const messageTexts: string[] = [];
	for (let step = 0; step < 12 && state().places.hasPlace('back'); step++) {
		seen.push(await pressAndDescribePlace('['));
		messageTexts.push(state().messages.latest?.text ?? '');
	}
	expect(seen.filter(one => one.includes('SESSIONS') || one.includes('motd'))).toEqual([]);
	expect(messageTexts.join(' ')).toContain('No longer exists: SESSIONS.');
	expect(messageTexts.join(' ')).toContain('No longer exists: motd in CONFIG.');
});

/** Answers the question before a form closes. */
function closeKeepingDraft({dialog}: LedgeState): void {
	const question = dialog.current;
	if (question?.kind !== 'choice') throw new Error('Nothing was asked.');
	dialog.close();
	question.choose('keep');
}

describe('leaving a form', () => {
	async function openCustomRulesOfZone() {
		const testStore = await startAtNamespaces();
		const {app, state, until, signal} = testStore;
		await state().zones.load(signal);
		const row = state().zones.data.rows.find(({overview}) => overview.zone.name === 'done.acme.example');
		if (!row) throw new Error('There is no such zone.');
		openFirewall(app, toOpenedZone(row));
		await until(
			({firewall: {data: firewall}, customRules: {data: customRules}}) =>
				(firewall?.failure ? customRules : firewall)?.reading === 'read',
		);
		return {...testStore, rulesPlace: testStore.where(), zone: toOpenedZone(row)};
	}

	test('with [ keeps it open in a later step; in the text, [ is typed', async () => {
		const {
			app,
			goes: pressAndDescribePlace,
			rulesPlace,
			where,
			press,
			until,
			state,
		} = await openCustomRulesOfZone();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		dispatch(app, createTextKey('['));
		expect(where()).toBe('emergency');
		expect(state().dialog.current).toBeUndefined();
		press('backspace');
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		expect(await pressAndDescribePlace('[')).toBe(rulesPlace);
		expect(state().emergency.data?.step).toBe('action');
		expect(await pressAndDescribePlace('[')).toBe('namespaces');
		expect(await pressAndDescribePlace(']')).toBe(rulesPlace);
	});

	test('from Home is for the zone visited last, whatever its screen', async () => {
		const {press, until, state} = await openCustomRulesOfZone();
		const otherRow = state().zones.data.rows.find(({overview}) => overview.zone.name === 'acme.example');
		if (!otherRow) throw new Error('There is no such zone.');
		state().managed.open(toOpenedZone(otherRow));
		state().navigation.go('managed');
		state().places.remember();
		press('0');
		press('!');
		await until(({emergency: {data: emergency}}) => emergency !== undefined);
		expect(state().emergency.data?.zone.name).toBe('acme.example');
	});

	test('with an area key keeps its step; in the text, the key is typed', async () => {
		const {
			app,
			goes: pressAndDescribePlace,
			rulesPlace,
			where,
			until,
			press,
			state,
		} = await openCustomRulesOfZone();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		dispatch(app, createTextKey('1'));
		expect(where()).toBe('emergency');
		press('backspace');
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		press('6');
		await until(({events: {data: events}}) => events !== undefined);
		expect(where()).toBe('events');
		expect(state().messages.latest?.text).toBe(
			'Kept, not sent: emergency for done.acme.example (U continues)',
		);
		press('esc');
		expect(where()).toBe('emergency');
		expect(state().emergency.data?.step).toBe('action');
		press('2');
		press('!');
		expect(where()).toBe('emergency');
		expect(state().emergency.data?.step).toBe('action');
		expect(await pressAndDescribePlace('1')).toBe('namespaces');
		expect([
			await pressAndDescribePlace('['),
			await pressAndDescribePlace('['),
			await pressAndDescribePlace(']'),
			await pressAndDescribePlace(']'),
		]).toEqual([rulesPlace, 'events', rulesPlace, 'namespaces']);
	});

	test.each([
		['the palette', [':', 'h', 'o', 'm', 'e', 'enter'], 'home'],
		['a digit', ['9'], 'activity'],
		['the key of an area', ['I'], 'ipLists'],
		['going back', ['['], 'customRules'],
		['the contexts', ['C'], 'contexts'],
	])('by %s says that it is kept', async (_way, keys, place) => {
		const {app, goes: pressAndDescribePlace, where, until, press, state} = await openCustomRulesOfZone();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		state().messages.clear();
		for (const name of keys.slice(0, -1)) dispatch(app, createTextKey(name));
		await pressAndDescribePlace(keys.at(-1) ?? '');
		expect(where()).toBe(place);
		expect(state().messages.latest?.text).toBe(
			'Kept, not sent: emergency for done.acme.example (U continues)',
		);
		press('U');
		expect(where()).toBe('emergency');
	});

	test('by closing it does not say that it is kept', async () => {
		const {app, press, state, where, rulesPlace} = await openCustomRulesOfZone();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		press('esc');
		expect(state().dialog.current).toMatchObject({kind: 'choice'});
		state().dialog.choose('discard');
		expect(where()).toBe(rulesPlace);
		expect(state().messages.latest).toBeUndefined();
	});

	test('with an unsent change asks, too, and stays if declined', async () => {
		const {
			app,
			goes: pressAndDescribePlace,
			rulesPlace,
			where,
			zone,
			until,
			press,
			state,
		} = await openCustomRulesOfZone();
		openManagedScreen(app, zone);
		await until(({managed: {data: managed}}) => managed?.reading === 'read');
		press('p');
		expect(state().managed.data?.edits).toHaveLength(1);
		press('[');
		expect(state().dialog.current).toMatchObject({kind: 'choice', title: 'Close the managed rules?'});
		state().dialog.close();
		expect(where()).toBe('managed');
		await new Promise(setImmediate);
		expect(where()).toBe('managed');
		press('[');
		closeKeepingDraft(state());
		await new Promise(setImmediate);
		expect(where()).toBe(rulesPlace);
		expect(await pressAndDescribePlace('[')).toBe('managed');
	});
});

describe('recent places', () => {
	test('are the namespaces with their filters, and the zones, the latest first', async () => {
		const {
			open: openNamespaceOrKey,
			press,
			state,
			app,
			goes: pressAndDescribePlace,
		} = await startAtNamespaces();
		await openNamespaceOrKey('CONFIG');
		state().keys.filter('mot');
		press('1');
		await openNamespaceOrKey('SESSIONS');
		press('0');
		expect(state().places.recents.map(formatRecent)).toEqual(['SESSIONS', 'CONFIG /mot', 'CONFIG']);
		const [, filtered] = state().places.recents;
		if (filtered) openRecent(app, filtered);
		expect(await pressAndDescribePlace('i')).toBe('keys CONFIG');
		expect(state().keys.data?.filter).toBe('mot');
	});

	test('that no longer exist are reported', async () => {
		const {app, state, until} = await startAtNamespaces();
		openRecent(app, {kind: 'namespace', where: 'remote', id: 'none', title: 'GONE', filter: ''});
		await until(({messages: {latest: message}}) => message?.text === 'No longer exists: GONE.');
		expect(state().navigation.stack).toEqual(['home', 'namespaces']);
	});
});
