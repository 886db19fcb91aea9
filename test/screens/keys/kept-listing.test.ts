import {expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {openKeys} from '../../../source/screens/keys/actions.ts';
import {notifyKeysWritten} from '../../../source/screens/keys/written.ts';
import {createTestApp} from '../support/drawn.tsx';
import {
	getRowNames,
	isComplete,
	isResting,
	listPrefixCalls,
	openCatalogue,
	openKeysScreen,
} from '../support/listed-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** Opens a namespace as the namespaces screen does. */
async function openFromList({state, store}: TestStore, title: string): Promise<void> {
	const row = state().namespaces.data.rows.find(one => one.title === title);
	if (!row) throw new Error(`There is no namespace "${title}".`);
	await openKeys(createTestApp({store, state}), row);
}

test('a finished listing is kept when its namespace is left, until a refresh', async () => {
	const testStore = await openKeysScreen(createTestStore(), 'SESSIONS');
	const {state, until, openNamespace} = testStore;
	await until(isComplete);
	const before = getRowNames(state());
	state().keys.move(7);
	state().keys.toggleRowSelection();
	const calls = listPrefixCalls(testStore);
	state().keys.close();
	await openFromList(testStore, 'SESSIONS');
	expect(getRowNames(state())).toEqual(before);
	expect(isComplete(state())).toBe(true);
	expect(state().keys.data?.index.selectedCount).toBe(0);
	expect(listPrefixCalls(testStore)).toEqual(calls);
	await openNamespace('SESSIONS');
	await until(isComplete);
	expect(listPrefixCalls(testStore)).toEqual([...calls, undefined]);
});

test('a kept listing is dropped when its keys are written, and when another namespace is opened', async () => {
	const testStore = await openKeysScreen(createTestStore(), 'CONFIG');
	const {state, until} = testStore;
	await until(isComplete);
	const target = state().keys.data?.opened.target;
	const calls = listPrefixCalls(testStore);
	state().keys.close();
	if (target) notifyKeysWritten(state(), target, 'to be read');
	await openFromList(testStore, 'CONFIG');
	await until(isComplete);
	expect(listPrefixCalls(testStore)).toEqual([...calls, undefined]);
	await openFromList(testStore, 'SESSIONS');
	await until(isComplete);
	await openFromList(testStore, 'CONFIG');
	await until(isComplete);
	expect(listPrefixCalls(testStore)).toHaveLength(calls.length + 3);
});

test('an unfinished listing is not kept', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	const calls = listPrefixCalls(testStore);
	state().keys.filter('^toys/article:099');
	await until(isComplete);
	state().keys.close();
	await openFromList(testStore, 'catalogue');
	await until(isResting);
	expect(listPrefixCalls(testStore)).toEqual([...calls, 'toys/article:099', undefined]);
});

test('local data is listed again, because another process may have changed it', async () => {
	const testStore = createTestStore({local: true});
	const {state, store, signal, until} = testStore;
	using local = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	await local.put('a', Buffer.from('v'), {}, signal);
	const row = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []} as const;
	const app = createTestApp({store, state});
	await openKeys(app, row);
	await until(isComplete);
	state().keys.close();
	await local.put('b', Buffer.from('v'), {}, signal);
	await openKeys(app, row);
	await until(isComplete);
	expect(getRowNames(state())).toEqual(['a', 'b']);
});
