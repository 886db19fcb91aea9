import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Opens a namespace as a plain list, with the cursor on the first key. */
async function openPlainList() {
	const testStore = createTestStore();
	await testStore.openNamespace('CONFIG');
	const {state} = testStore;
	state().navigation.go('keys');
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	state().keys.arrange('flat');
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: name === 'space' ? ' ' : name, sequence: name});
	};
	return {...testStore, press, person: createEditingPerson(testStore), others: createOtherPerson(testStore)};
}

test('a single selected key is deleted like the one under the cursor, and can be undone', async () => {
	const {state, press, person, others, until} = await openPlainList();
	press('space', 'j');
	const [selected = ''] = [...(state().keys.data?.index.listSelectedNames() ?? [])];
	const keys = state().keys.data;
	expect(keys && getCurrentKeyName(keys)).not.toBe(selected);
	const before = await others.read(selected);
	press('d');
	await until(({review: {data: review}}) => review?.phase === 'asking');
	expect(state().review.data).toMatchObject({key: selected, proposal: {kind: 'delete'}});
	await person.choose('write');
	expect(await others.read(selected)).toBeUndefined();
	expect(state().keys.data?.index.selectedCount).toBe(0);
	expect(state().review.lastWrite).toMatchObject({key: selected});
	press('u');
	await until(({review: {data: review}}) => review?.phase === 'asking');
	await person.choose('write');
	expect(await others.read(selected)).toEqual(before);
});

test('with other keys selected, an action on one key is refused and says how to clear the selection', async () => {
	const {state, press, person} = await openPlainList();
	press('A');
	const reason = 'it is done for one key; esc clears the selection.';
	for (const [key, phrase] of [
		['T', 'change when the key expires'],
		['m', 'edit the metadata'],
		['R', 'rename'],
	] as const) {
		press(key);
		expect(state().messages.latest?.text).toBe(`Can't ${phrase}: ${reason}`);
		expect(state().work.list.filter(({kind}) => kind === 'read')).toEqual([]);
	}
	expect(person.choices()).toEqual([]);
	press('esc', 'R');
	expect(state().dialog.current?.kind).toBe('field');
});

test('with a filter, the refusal says that esc clears that first, as it does', async () => {
	const {state, press} = await openPlainList();
	state().keys.filter('i');
	press('A', 'T');
	expect(state().messages.latest?.text).toContain('esc clears the filter, then the selection.');
	press('esc');
	expect(state().keys.data).toMatchObject({filter: '', index: {selectedCount: expect.any(Number)}});
	expect(state().keys.data?.index.selectedCount).toBeGreaterThan(1);
	press('esc');
	expect(state().keys.data?.index.selectedCount).toBe(0);
});

test('t is refused while a filter makes every row a key, and says what ends that', async () => {
	const {state, press} = await openPlainList();
	state().keys.filter('i');
	press('t');
	expect(state().messages.latest?.text).toContain('filtered keys are always a list; esc clears the filter');
	expect(state().keys.data?.arrangement).toBe('flat');
	state().keys.filter('^l');
	press('t');
	expect(state().keys.data?.arrangement).toBe('tree');
});

test('an open key that no longer exists offers neither deletion nor rename', async () => {
	const {state, press, person, others} = await openPlainList();
	await others.put('short lived', '1');
	await person.openKey('short lived');
	await others.remove('short lived');
	await person.openKey('short lived');
	expect(state().key.data?.reading).toBe('absent');
	for (const name of ['d', 'R', 'D']) {
		press(name);
		expect(state().messages.latest?.text).toContain('this key no longer exists');
		expect(state().dialog.current).toBeUndefined();
	}
});

test('a namespace title of digits has to be typed without separators', async () => {
	const {state} = await openPlainList();
	let submitted = 0;
	state().dialog.openField({
		title: 'Delete "10000"?',
		lines: [],
		value: '10,000',
		requiredInput: '10000',
		actionLabel: 'delete',
		submit: () => void submitted++,
	});
	state().dialog.submit();
	expect(submitted).toBe(0);
});

test('N finds the previous match in a value, and says so without a search', async () => {
	const {state, press, person, others} = await openPlainList();
	await others.put('it', '{"a":1,"b":1,"c":2}');
	await person.openKey('it');
	state().key.beginSearch();
	state().key.search('1');
	const first = state().key.data?.view?.cursors.json;
	press('N');
	expect(getCurrentScreen(state())).toBe('key');
	// The search wraps: before the first of the two matches comes the second, one row below.
	expect(state().key.data?.view?.cursors.json).toBe((first ?? 0) + 1);
	state().key.endSearch();
	press('N');
	expect(getCurrentScreen(state())).toBe('key');
	expect(state().messages.latest?.text).toBe('No search text; / starts a search.');
});

test('the length of a name is not mistaken for that of the value', async () => {
	const {state} = await openPlainList();
	const keys = state().keys.data;
	const name = keys && getCurrentKeyName(keys);
	const status = formatKeysStatus({
		keys: {data: keys},
		metrics: {storeFigures: undefined},
		watch: {active: undefined},
	});
	expect(status).toContain(`${name}  name ${Buffer.byteLength(name ?? '')} bytes`);
	expect(status).not.toMatch(/\d B\b/);
});
