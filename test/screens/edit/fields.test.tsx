import {describe, expect, test, vi} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {formatEditorStatus} from '../../../source/screens/edit/assessment.ts';
import {encodeEntry} from '../../../source/screens/edit/edit.ts';
import {Editor} from '../../../source/screens/edit/view.tsx';
import {getInputContext} from '../../../source/screens/shell/action.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Numbers, spacing, order and a duplicate name that a rewrite of the JSON would lose. */
const odd = '{"big": 12345678901234567890,\r\n "one":1.0, "on" : true,\n"a":1,"a":2, "tags": ["x", 3e2]}';

async function openValue(value = odd) {
	const store = createTestStore();
	await store.openNamespace('assets');
	await createOtherPerson(store).put('it', value);
	const person = createEditingPerson(store);
	await person.openKey('it');
	const app = createTestApp(store);
	const {state} = store;
	return {
		...store,
		app,
		person,
		press(...names: readonly string[]) {
			for (const name of names)
				dispatch(app, Array.from(name).length === 1 ? createTextKey(name) : createKey(name, ''));
		},
		/** The value in the editor. */
		getDraft: () => {
			const [edit] = state().edits.list;
			return edit && Buffer.from(encodeEntry(edit.entry)).toString('utf8');
		},
		getStored: async () => {
			const stored = await state().keys.data?.opened.store.get('it', store.signal);
			return Buffer.from(stored?.bytes ?? []).toString('utf8');
		},
		listHints: () => listHintedActions(actions, state()).map(({id}) => id),
	};
}

test('d deletes the field under the cursor in the draft only, until the review is confirmed', async () => {
	const {press, state, person, getDraft, getStored} = await openValue();
	press('down', 'down', 'd');
	expect(getCurrentScreen(state())).toBe('editor');
	const withoutOne = odd.replace(',\r\n "one":1.0', '');
	expect(getDraft()).toBe(withoutOne);
	expect(formatEditorStatus(state())).toBe('$.on   1 change   u undoes the last');
	expect(await getStored()).toBe(odd);
	await state().review.begin();
	expect(getCurrentScreen(state())).toBe('review');
	expect(await getStored()).toBe(odd);
	await person.choose('write');
	expect(await getStored()).toBe(withoutOne);
	expect(state().edits.list).toEqual([]);
});

test('several changes are one draft, and u undoes them one by one', async () => {
	const {press, state, getDraft} = await openValue();
	press('down', 'd');
	const texts = [getDraft()];
	// The cursor is on "one"; the next field is a boolean.
	press('down', 'enter');
	texts.push(getDraft());
	expect(getDraft()).toContain('"on" : false');
	press('R');
	expect(state().dialog.current).toMatchObject({kind: 'field', title: 'Rename $.on'});
	press(...'off', 'enter');
	texts.push(getDraft());
	expect(getDraft()).toBe('{"one":1.0, "off" : false,\n"a":1,"a":2, "tags": ["x", 3e2]}');
	press('a', ...'new', 'enter', ...'0.10', 'enter');
	expect(getDraft()).toBe('{"one":1.0, "off" : false,\n"a":1,"a":2, "tags": ["x", 3e2], "new":0.10}');
	expect(formatEditorStatus(state())).toBe('$.new   4 changes   u undoes the last');
	for (const text of texts.toReversed()) {
		press('u');
		expect(getDraft()).toBe(text);
	}
	press('u');
	expect(getDraft()).toBe(odd);
	press('u');
	expect(state().messages.latest?.text).toContain('nothing to undo in the editor');
	press('esc');
	expect(state().edits.list).toEqual([]);
	expect(getCurrentScreen(state())).toBe('key');
});

test.each([
	['{"on":true}', '{"on":false}'],
	['{"on":false}', '{"on":true}'],
])('e on a boolean of %s switches it', async (value, expected) => {
	const {press, getDraft} = await openValue(value);
	press('down', 'e');
	expect(getDraft()).toBe(expected);
	press('e');
	expect(getDraft()).toBe(value);
});

describe('adding', () => {
	test.each([
		['{}', '{"n":1}'],
		['{\n  "a": 1\n}', '{\n  "a": 1,\n  "n": 1\n}'],
	])('to the object %s', async (value, expected) => {
		const {press, getDraft} = await openValue(value);
		press('a', 'n', 'enter', '1', 'enter');
		expect(getDraft()).toBe(expected);
	});

	test('to an array asks for no name; on a scalar, to the container around it', async () => {
		const {press, state, getDraft} = await openValue('{"tags":[1, 2],"x":0}');
		press('down', 'down', 'a');
		expect(state().dialog.current).toMatchObject({title: 'New element of $.tags'});
		press(...'"3"', 'enter');
		expect(getDraft()).toBe('{"tags":[1, 2, "3"],"x":0}');
		expect(formatEditorStatus(state())).toBe('$.tags[2]   1 change   u undoes the last');
	});

	test('a name that exists and text without quotes are refused', async () => {
		const {press, state, getDraft} = await openValue('{"a":1}');
		press('a', 'a', 'enter');
		expect(state().dialog.current).toMatchObject({problem: 'A field with this name already exists.'});
		press('b', 'enter', ...'word', 'enter');
		expect(state().dialog.current).toMatchObject({problem: expect.stringContaining('double quotes')});
		press('esc');
		expect(getDraft()).toBe('{"a":1}');
	});
});

test('a rename to a name that exists is refused, and elements have no name', async () => {
	const {press, state, getDraft} = await openValue('{"a":1,"b":[true]}');
	press('down', 'R', 'b', 'enter');
	expect(state().dialog.current).toMatchObject({problem: 'A field with this name already exists.'});
	press('esc', 'down', 'down', 'R');
	expect(state().dialog.current).toBeUndefined();
	expect(state().messages.latest?.text).toBe('The elements of an array have no names.');
	expect(getDraft()).toBe('{"a":1,"b":[true]}');
});

test('e asks for another scalar, and keeps it exactly as typed', async () => {
	const {press, state, getDraft} = await openValue();
	press('down', 'down', 'down', 'e', 'up', 'e');
	expect(state().dialog.current).toMatchObject({title: 'Value of $.one'});
	press(...'2.50', 'enter');
	expect(getDraft()).toBe(odd.replace('1.0', '2.50').replace('true', 'false'));
});

test('at the top of the value the keys still act on the key', async () => {
	const {press, state, listHints} = await openValue();
	expect(listHints()).toContain('edit.delete');
	expect(listHints()).not.toContain('field.delete');
	press('R');
	expect(state().dialog.current).toMatchObject({title: 'Rename it'});
	press('esc', 'down');
	expect(listHints()).toContain('field.delete');
	expect(listHints()).not.toContain('edit.delete');
});

test('an unsaved edit is continued instead: d on a field never deletes the key', async () => {
	const {press, state, getDraft} = await openValue();
	press('down', 'e', '9', 'esc');
	const draft = getDraft();
	press('d');
	expect(getCurrentScreen(state())).toBe('editor');
	expect(getDraft()).toBe(draft);
	expect(state().messages.latest?.text).toBe('Continuing the unsaved edit; nothing else changed.');
});

test('a joins the unsaved edit of a field', async () => {
	const {press, state, getDraft} = await openValue('{"x":"one","y":"two"}');
	press('down', 'e', '1', 'esc');
	press('a');
	expect(state().dialog.current).toMatchObject({title: 'New field of $'});
	press('z', 'enter', '3', 'enter');
	expect(getDraft()).toBe('{"x":"1","y":"two","z":3}');
});

test('e on another field joins the unsaved edit of a field', async () => {
	const {press, state, getDraft} = await openValue('{"x":"one","y":"two"}');
	press('down', 'e', '1', 'esc', 'down', 'e');
	expect(state().dialog.current).toMatchObject({title: 'Value of $.y'});
	press('2', 'enter');
	expect(getDraft()).toBe('{"x":"1","y":"2"}');
	press('u', 'u');
	expect(getDraft()).toBe('{"x":"one","y":"two"}');
});

test('esc keeps the draft, and e continues it as a tree', async () => {
	const {press, state, getDraft} = await openValue();
	press('down', 'd', 'esc');
	expect(getCurrentScreen(state())).toBe('key');
	expect(state().messages.latest?.text).toContain('e continues it, X discards it');
	press('e', 'd');
	expect(getDraft()).toBe('{"on" : true,\n"a":1,"a":2, "tags": ["x", 3e2]}');
	expect(getInputContext(state())).toBe('editor menu');
});

test('nothing is edited when ledge is read-only', async () => {
	const store = createTestStore({simulate: true, readOnly: true});
	const {state} = store;
	await state().connection.loadConnection();
	await store.openNamespace('CONFIG');
	await createEditingPerson(store).openKey('site');
	const app = createTestApp(store);
	for (const name of ['a', 'd', 'R']) {
		dispatch(app, createKey('down', ''));
		dispatch(app, createTextKey(name));
		expect(getCurrentScreen(state())).toBe('key');
		expect(state().messages.latest?.text).toContain('ledge is read-only');
	}
});

test('the tree folds and moves in the editor as on the screen of the value', async () => {
	const {press, app, state} = await openValue('{"tags":[1,2],"x":0}');
	press('down', 'down', 'd');
	const drawn = draw(app, <Editor />);
	expect(drawn.rows().slice(0, 5)).toEqual([
		'   ▾ {',
		'   ▾   "tags": [',
		' ▸       2',
		'       ],',
		'       "x": 0',
	]);
	press('h', 'h');
	expect(formatEditorStatus(state())).toBe('$.tags   1 change   u undoes the last');
	await drawn.until(rows => rows[1] === ' ▸ ▹   "tags": [ 1 element ],');
	press('enter', 'l');
	expect(formatEditorStatus(state())).toBe('$.tags[0]   1 change   u undoes the last');
	press('G', 'k');
	expect(formatEditorStatus(state())).toBe('$.x   1 change   u undoes the last');
});

test('while another part of the key has an unsaved edit, fields are neither offered nor changed', async () => {
	const {press, state, listHints, getStored} = await openValue();
	press('T');
	press(...'2h', 'esc');
	expect(getCurrentScreen(state())).toBe('key');
	press('down', 'down');
	const fieldActionIds = ['field.add', 'field.delete', 'field.rename', 'edit.delete', 'rename.key'];
	expect(listHints().filter(id => fieldActionIds.includes(id))).toEqual([]);
	for (const key of ['a', 'd', 'R']) {
		press(key);
		expect(state().messages.latest?.text).toContain('this key has another unsaved edit');
		expect(getCurrentScreen(state())).toBe('key');
		expect(state().dialog.current).toBeUndefined();
	}
	press('g', 'd');
	await vi.waitFor(() => expect(getCurrentScreen(state())).toBe('review'));
	expect(await getStored()).toBe(odd);
});
