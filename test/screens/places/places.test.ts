import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {openKey} from '../../../source/screens/key/actions.ts';
import {openKeys} from '../../../source/screens/keys/actions.ts';
import {openManagedScreen} from '../../../source/screens/managed/opening.ts';
import {openNamespaces} from '../../../source/screens/namespaces/actions.ts';
import {openRecent} from '../../../source/screens/places/actions.ts';
import {formatRecent} from '../../../source/screens/places/recents.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {openFirewall} from '../../../source/screens/zones/actions.ts';
import {toOpenedZone} from '../../../source/screens/zones/slice.ts';
import {createTestStore} from '../support/store.ts';

async function begun() {
	const here = createTestStore();
	const {store, state, until, signal} = here;
	state().navigation.resize({columns: 120, rows: 30});
	await state().connection.loadConnection();
	const app = {store, state, actions, terminal: {forward() {}}} as unknown as App;
	const press = (key: string) => dispatch(app, createKey(key, key));
	/** Ends when nothing is read; the listing rests. */
	const idle = () => until(({work: {list: work}}) => work.every(({kind}) => kind === 'background'));
	openNamespaces(app, 'remote');
	await idle();
	const rowOf = (title: string) => {
		const row = state().namespaces.data.rows.find(one => one.title === title);
		if (!row) throw new Error(`There is no namespace "${title}".`);
		return row;
	};
	const open = async (title: string, key?: string) => {
		await openKeys(app, rowOf(title));
		await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' || (keys?.index.count ?? 0) > 0);
		if (key !== undefined) await openKey(app, key);
	};
	const where = () => {
		const keys = state().keys.data;
		const key = state().key.data;
		const screen = getCurrentScreen(state());
		if (screen === 'keys') return `keys ${keys?.namespace.title}`;
		if (screen === 'key') return `key ${keys?.namespace.title} ${key?.name}`;
		return screen;
	};
	const goes = async (key: string) => {
		press(key);
		await idle();
		await new Promise(setImmediate);
		await idle();
		return where();
	};
	return {...here, app, press, idle, open, where, goes, rowOf, signal};
}

test('places are revisited, back and forward, with their filters', async () => {
	const {open, goes, state, press, where} = await begun();
	await open('CONFIG', 'motd');
	press('esc');
	state().keys.filter('mot');
	press('N');
	await open('SESSIONS');
	press('A');
	expect(await goes('[')).toBe('keys SESSIONS');
	expect(await goes('[')).toBe('namespaces');
	expect(await goes('[')).toBe('keys CONFIG');
	expect(state().keys.data?.filter).toBe('mot');
	expect(state().navigation.stack).toEqual(['home', 'namespaces', 'keys']);
	expect(await goes('[')).toBe('key CONFIG motd');
	expect(state().key.data?.reading).toBe('read');
	expect(await goes(']')).toBe('keys CONFIG');
	expect(await goes(']')).toBe('namespaces');
	expect(await goes(']')).toBe('keys SESSIONS');
	expect(await goes(']')).toBe('activity');
	press(']');
	expect(state().messages.latest?.text).toContain('no next screen in this session');
	expect(where()).toBe('activity');
});

test('going somewhere new discards the forward places', async () => {
	const {open, goes, press, state} = await begun();
	await open('CONFIG');
	press('A');
	expect(await goes('[')).toBe('keys CONFIG');
	press('J');
	press(']');
	expect(state().messages.latest?.text).toContain('no next screen in this session');
	expect(await goes('[')).toBe('keys CONFIG');
});

test('missing keys and namespaces are skipped, and named', async () => {
	const {open, goes, press, state, signal, rowOf} = await begun();
	await open('CONFIG', 'motd');
	press('esc');
	press('esc');
	await open('SESSIONS');
	press('N');
	press('A');
	await state().namespaces.delete(rowOf('SESSIONS'), signal);
	await open('CONFIG');
	await state().keys.data?.opened.store.delete('motd', signal);
	press('A');
	const seen: string[] = [];
	const said: string[] = [];
	for (let step = 0; step < 12 && state().places.hasPlace('back'); step++) {
		seen.push(await goes('['));
		said.push(state().messages.latest?.text ?? '');
	}
	expect(seen.filter(one => one.includes('SESSIONS') || one.includes('motd'))).toEqual([]);
	expect(said.join(' ')).toContain('No longer exists: SESSIONS.');
	expect(said.join(' ')).toContain('No longer exists: motd in CONFIG.');
});

describe('leaving a form', () => {
	async function inFirewall() {
		const here = await begun();
		const {app, state, until, signal} = here;
		await state().zones.load(signal);
		const row = state().zones.data.rows.find(({overview}) => overview.zone.name === 'done.acme.example');
		if (!row) throw new Error('There is no such zone.');
		openFirewall(app, toOpenedZone(row));
		await until(
			({firewall: {data: firewall}, customRules: {data: customRules}}) =>
				(firewall?.failure ? customRules : firewall)?.reading === 'read',
		);
		return {...here, rules: here.where(), zone: toOpenedZone(row)};
	}

	test('of several steps asks once the first step is reached again', async () => {
		const {app, goes, rules, where, press, until, state} = await inFirewall();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		dispatch(app, createTextKey('['));
		expect(where()).toBe('emergency');
		expect(state().dialog.current).toBeUndefined();
		press('backspace');
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		press('[');
		expect(state().dialog.current).toMatchObject({kind: 'confirm'});
		state().dialog.submit();
		await new Promise(setImmediate);
		expect(where()).toBe(rules);
		expect(state().emergency.data).toBeUndefined();
		expect(await goes('[')).toBe('namespaces');
		expect(await goes(']')).toBe(rules);
	});

	test('works with the area keys if nothing is typed, and asks as esc does', async () => {
		const {app, goes, rules, where, until, press, state} = await inFirewall();
		press('!');
		for (const text of '192.0.2.1') dispatch(app, createTextKey(text));
		dispatch(app, createTextKey('N'));
		expect(where()).toBe('emergency');
		press('backspace');
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		press('N');
		expect(state().dialog.current).toMatchObject({kind: 'confirm'});
		state().dialog.close();
		await new Promise(setImmediate);
		expect(where()).toBe('emergency');
		press('enter');
		await until(({emergency: {data: emergency}}) => emergency?.step !== 'expression');
		press('S');
		state().dialog.submit();
		await until(({events: {data: events}}) => events !== undefined);
		expect(where()).toBe('events');
		press('esc');
		expect(where()).toBe(rules);
		expect(await goes('N')).toBe('namespaces');
		expect([await goes('['), await goes('['), await goes(']'), await goes(']')]).toEqual([
			rules,
			'events',
			rules,
			'namespaces',
		]);
	});

	test('with typed text asks as esc does', async () => {
		const {app, goes, rules, where, zone, until, press, state} = await inFirewall();
		openManagedScreen(app, zone);
		await until(({managed: {data: managed}}) => managed?.reading === 'read');
		press('space');
		expect(state().managed.data?.edits).toHaveLength(1);
		press('[');
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Close the managed rules?'});
		state().dialog.close();
		expect(where()).toBe('managed');
		await new Promise(setImmediate);
		expect(where()).toBe('managed');
		press('[');
		state().dialog.submit();
		await new Promise(setImmediate);
		expect(where()).not.toBe('managed');
		expect(await goes('[')).toBe('managed');
		expect(rules).not.toBe('managed');
	});
});

describe('recent places', () => {
	test('are the namespaces with their filters, and the zones, the latest first', async () => {
		const {open, press, state, app, goes} = await begun();
		await open('CONFIG');
		state().keys.filter('mot');
		press('N');
		await open('SESSIONS');
		press('H');
		expect(state().places.recents.map(formatRecent)).toEqual(['SESSIONS', 'CONFIG /mot', 'CONFIG']);
		const [, filtered] = state().places.recents;
		if (filtered) openRecent(app, filtered);
		expect(await goes('i')).toBe('keys CONFIG');
		expect(state().keys.data?.filter).toBe('mot');
	});

	test('that no longer exist are reported', async () => {
		const {app, state, until} = await begun();
		openRecent(app, {kind: 'namespace', where: 'remote', id: 'none', title: 'GONE', filter: ''});
		await until(({messages: {latest: message}}) => message?.text === 'No longer exists: GONE.');
		expect(state().navigation.stack).toEqual(['home', 'namespaces']);
	});
});
