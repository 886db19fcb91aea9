import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {hitList} from '../../../source/screens/search/state.ts';
import {keyBytes} from '../../terminal/screen/keys.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Ledge on the keys of the sample SESSIONS, all of which are listed, and the way to press keys there. */
async function atSessions() {
	const testStore = createTestStore({simulate: true});
	testStore.state().navigation.go('namespaces');
	await testStore.openNamespace('SESSIONS');
	testStore.state().navigation.go('keys');
	testStore.state().keys.listAll();
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	testStore.state().keys.arrange('flat');
	const app = createTestApp(testStore);
	return {
		...testStore,
		app,
		press(...keys: readonly string[]) {
			for (const key of keys)
				dispatch(app, key.length === 1 ? createTextKey(key) : createKey(key, keyBytes(key)));
		},
	};
}

test('with a filter, only the visible keys are searched, and the screen says so', async () => {
	const {press, state, until} = await atSessions();
	press('/', '7', 'enter', 'f');
	expect(state().dialog.current).toMatchObject({
		kind: 'choice',
		choices: [{value: 'filtered'}, {value: 'all'}],
	});
	const dialog = state().dialog.current;
	const keys = state().keys.data;
	const shown = keys?.rows.count ?? 0;
	expect(shown).toBeGreaterThan(0);
	expect(shown).toBeLessThan(480);
	state().dialog.close();
	if (dialog?.kind === 'choice') dialog.choose('filtered');
	expect(state().dialog.current).toMatchObject({
		kind: 'field',
		lines: [`In the values of ${shown} keys matching "7" of SESSIONS.`],
	});
	press('u', 's', 'e', 'r', 'enter');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	expect(state().search.data).toMatchObject({searched: shown, request: {total: shown}});
	expect(state().navigation.stack.at(-1)).toBe('search');
});

test('tab cycles through the modes, and an invalid expression is refused before anything is read', async () => {
	const {press, state, until} = await atSessions();
	press('f', '(', 'tab', 'tab', 'enter');
	expect(state().dialog.current).toMatchObject({
		modes: {selectedIndex: 2},
		problem: expect.stringContaining('The regular expression is invalid.'),
	});
	press('tab', 'tab');
	expect(state().dialog.current).toMatchObject({modes: {selectedIndex: 0}, problem: undefined});
	press('enter');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	expect(state().search.data).toMatchObject({found: 0, searched: 480});
});

test('a hit opens at its position, and esc returns to it; f changes the text', async () => {
	const {press, state, until, app} = await atSessions();
	press('f', 'u', 's', 'e', 'r', 'enter');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	press('down', 'down', 'y');
	const search = state().search.data;
	const hit = search && hitList.getSelected(search);
	expect(app.copied).toEqual([hit?.key]);
	press('enter');
	await until(({key: {data: key}}) => key?.search !== undefined);
	expect(state().key.data).toMatchObject({name: hit?.key, search: {query: 'user', isFound: true}});
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('search');
	const searchAfter = state().search.data;
	expect(searchAfter && hitList.getSelected(searchAfter)).toBe(hit);
	press('f');
	expect(state().dialog.current).toMatchObject({kind: 'field', title: 'Search in values'});
	press('end', 'x', 'enter');
	await until(({search: {data: next}}) => next?.request.pattern === 'userx' && next.phase.name === 'done');
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('keys');
	expect(state().search.data).toBeUndefined();
});

test('space and A select the keys of hits in the list of keys', async () => {
	const {press, state, until} = await atSessions();
	press('f', 'u', 's', 'e', 'r', 'enter');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	const search = state().search.data;
	const hit = search && hitList.getSelected(search);
	const listSelected = () => [...(state().keys.data?.index.listSelectedNames() ?? [])];
	press(' ');
	expect(listSelected()).toEqual([hit?.key]);
	expect(state().messages.latest?.text).toMatch(/^1 key selected\./);
	press(' ');
	expect(listSelected()).toEqual([]);
	press('A');
	expect(listSelected().length).toBe(search?.keysWithHits);
});

test('a range of hits selects their keys, and shrinking deselects them', async () => {
	const {press, state, until} = await atSessions();
	press('f', 'u', 's', 'e', 'r', 'enter');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	const search = state().search.data;
	const names = search ? hitList.listVisible(search).map(({key}) => key) : [];
	const listSelected = () => [...(state().keys.data?.index.listSelectedNames() ?? [])];
	press('shift-down', 'shift-down', 'shift-up');
	expect(new Set(listSelected())).toEqual(new Set(names.slice(0, 2)));
	expect(state().messages.latest?.text).toContain('selected. In the list of keys,');
	press('down', 'down', 'ctrl-space');
	expect(new Set(listSelected())).toEqual(new Set(names.slice(0, 4)));
});
