import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import type {KeysState} from '../../../source/screens/keys/state.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Opens a namespace with all keys listed. */
async function openKeys(arrangement: 'tree' | 'flat', title = 'SESSIONS') {
	const testStore = createTestStore();
	const {state, until} = testStore;
	await testStore.openNamespace(title);
	state().navigation.go('keys');
	state().keys.listAll();
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.rows.advance(0));
	state().keys.arrange(arrangement);
	const app = createTestApp(testStore);
	const getKeys = (): KeysState => {
		const keys = state().keys.data;
		if (!keys) throw new Error('no namespace is open');
		return keys;
	};
	return {
		...testStore,
		getKeys,
		press(...names: readonly string[]) {
			for (const name of names)
				dispatch(app, [...name].length === 1 ? createTextKey(name) : createKey(name, ''));
		},
		listRowNames: () =>
			Array.from({length: getKeys().rows.count}, (_, row) => {
				const shown = getKeys().rows.at(row);
				return shown?.kind === 'key' ? getKeys().index.getName(shown.position) : `${shown?.prefix}`;
			}),
		listSelected: () => [...getKeys().index.listSelectedNames()],
	};
}

test('shift-down selects rows, shift-up shrinks the range and grows it beyond where it began', async () => {
	const {press, listRowNames, listSelected, getKeys} = await openKeys('flat');
	const names = listRowNames();
	press('down', 'down', 'shift-down', 'shift-down');
	expect(listSelected()).toEqual(names.slice(2, 5));
	press('shift-up');
	expect(listSelected()).toEqual(names.slice(2, 4));
	press('shift-up', 'shift-up');
	expect(listSelected()).toEqual(names.slice(1, 3));
	expect(getKeys().cursor).toBe(1);
});

test('a range that shrinks leaves rows selected that were so before; moving on begins another one', async () => {
	const {press, listRowNames, listSelected} = await openKeys('flat');
	const names = listRowNames();
	press('down', 'space', 'up', 'shift-down', 'shift-down', 'shift-up', 'shift-up');
	expect(listSelected()).toEqual(names.slice(0, 2));
	press('down', 'down', 'down', 'shift-down');
	expect(listSelected()).toEqual([names[0], names[1], names[3], names[4]]);
});

test('ctrl-space selects from the row selected or deselected last', async () => {
	const {press, listRowNames, listSelected} = await openKeys('flat');
	const names = listRowNames();
	press('ctrl-space');
	expect(listSelected()).toEqual(names.slice(0, 1));
	press('down', 'down', 'down', 'ctrl-space');
	expect(listSelected()).toEqual(names.slice(0, 4));
	press('down', 'down', 'space', 'space', 'up', 'ctrl-space');
	expect(listSelected()).toEqual(names.slice(0, 6));
	press('esc', 'G', 'ctrl-space');
	expect(listSelected()).toEqual(names.slice(-1));
});

test('under a filter only the keys shown are selected, and a start that it hides does not count', async () => {
	const {press, state, listRowNames, listSelected, getKeys} = await openKeys('flat');
	press('space');
	state().keys.filter('7');
	const shownNames = listRowNames();
	expect(shownNames.length).toBeGreaterThan(3);
	expect(shownNames).not.toContain(listSelected()[0]);
	press('down', 'ctrl-space', 'down', 'down', 'ctrl-space');
	expect(listSelected().slice(1)).toEqual(shownNames.slice(1, 4));
	press('shift-down');
	expect(listSelected().slice(1)).toEqual(shownNames.slice(1, 5));
	press('esc');
	expect(getKeys()).toMatchObject({filter: '', index: {selectedCount: 5}});
	press('esc');
	expect(getKeys().index.selectedCount).toBe(0);
	expect(state().messages.latest?.text).toBe('5 deselected.');
	expect(state().navigation.stack.at(-1)).toBe('keys');
});

test('in sorted rows a range covers what is between on the screen', async () => {
	const {press, state, until, listRowNames, listSelected, getKeys} = await openKeys('flat');
	state().keys.sort('expiry');
	await until(({keys: {data: keys}}) => keys?.rows.isDone === true);
	const names = listRowNames();
	expect(names).not.toEqual(names.toSorted());
	press('down', 'space', 'down', 'down', 'ctrl-space');
	expect(new Set(listSelected())).toEqual(new Set(names.slice(1, 4)));
	expect(getKeys().index.selectedCount).toBe(3);
	press('shift-down', 'shift-down', 'shift-up');
	expect(new Set(listSelected())).toEqual(new Set(names.slice(1, 5)));
});

test('a closed group is selected with its keys; an open one is a heading and does not count', async () => {
	const {press, getKeys, listSelected} = await openKeys('tree');
	press('g');
	const {rows, index} = getKeys();
	expect(rows.at(0)).toMatchObject({kind: 'group', open: true});
	expect(rows.at(1)).toMatchObject({kind: 'group', open: false});
	const listNames = (to: number) => Array.from({length: to}, (_, position) => index.getName(position));
	press('shift-down');
	expect(listSelected()).toEqual(listNames(rows.getPositions(1).to));
	press('shift-down');
	expect(listSelected()).toEqual(listNames(rows.getPositions(2).to));
	press('shift-up', 'shift-up');
	expect(listSelected()).toEqual([]);
	press('down', 'space', 'down', 'down', 'ctrl-space');
	expect(listSelected()).toEqual(listNames(rows.getPositions(3).to));
});

test('keys that arrive within a range are not selected, and it shrinks as before', async () => {
	const {press, state, listRowNames, listSelected, getKeys} = await openKeys('flat');
	const names = listRowNames();
	press('shift-down', 'shift-down');
	state().keys.noticeChanges([{name: `${names[1]}!`}], 'stays');
	expect(getCurrentKeyName(getKeys())).toBe(names[2]);
	press('shift-up', 'shift-up');
	expect(listSelected()).toEqual(names.slice(0, 2));
	press('shift-up');
	expect(listSelected()).toEqual(names.slice(0, 1));
});

test('a range over a million keys reads no names between its ends', async () => {
	const {press, state, getKeys} = await openKeys('flat', 'CONFIG');
	const {index} = getKeys();
	const entries = Array.from({length: 1_000_000}, (_, number) => ({
		name: `z${String(number).padStart(7, '0')}`,
	}));
	index.append(entries);
	press('space', 'G');
	let readCount = 0;
	const {getName} = KeyIndex.prototype;
	index.getName = position => {
		readCount++;
		return getName.call(index, position);
	};
	press('ctrl-space');
	expect(index.selectedCount).toBe(index.count);
	expect(readCount).toBeLessThan(20);
	press('shift-up', 'shift-up');
	expect(readCount).toBeLessThan(60);
	expect(state().keys.data?.cursor).toBe(index.count - 3);
});

test.each([
	{
		name: 'shift-down',
		keys: ['down', 'down', 'shift-down', 'shift-down', 'shift-down', 'shift-up'],
		from: 2,
		to: 5,
	},
	{name: 'ctrl-space', keys: ['down', 'space', 'down', 'down', 'down', 'ctrl-space'], from: 1, to: 5},
	{name: 'shift-up', keys: ['G', 'up', 'shift-up', 'shift-up'], from: -4, to: -1},
])('d deletes exactly the range of $name, and u restores it', async ({keys, from, to}) => {
	const {press, listRowNames, listSelected, getKeys, signal, state, until} = await openKeys('flat', 'CONFIG');
	const names = listRowNames();
	const range = names.slice(from, to);
	press(...keys);
	expect(listSelected()).toEqual(range);
	/** Reads name, value, metadata and expiry of all keys at the service. */
	const readAll = async () => {
		const {store} = getKeys().opened;
		const {entries} = await store.list({limit: 1000}, signal);
		return Promise.all(
			entries.map(async entry => ({...entry, bytes: (await store.get(entry.name, signal))?.bytes})),
		);
	};
	const before = await readAll();
	press('d');
	expect(state().dialog.current).toMatchObject({
		kind: 'confirm',
		title: `Delete ${range.length} selected keys from CONFIG?`,
		lines: expect.arrayContaining(range),
	});
	press('y');
	await until(({messages: {latest}}) => latest?.text.startsWith('Deleted') === true);
	expect(await readAll()).toEqual(before.filter(({name}) => !range.includes(name)));
	expect(listRowNames()).toEqual(names.filter(name => !range.includes(name)));
	press('u');
	await until(({messages: {latest}}) => latest?.text.startsWith('Restored') === true);
	expect(await readAll()).toEqual(before);
	expect(listRowNames()).toEqual(names);
});
