import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getSelectedNamespace} from '../../../source/screens/namespaces/slice.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

test('a filter typed while the list is loading applies to its rows, and no letter is a key', async () => {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	const app = createTestApp(testStore);
	await state().connection.loadConnection();
	state().navigation.go('namespaces');
	const loading = state().namespaces.load('remote', signal);
	for (const text of ['/', ...'catalogue']) dispatch(app, {name: text, text, sequence: text});
	expect(state().dialog.current).toBeUndefined();
	await loading;
	expect(state().namespaces.data.filter).toBe('catalogue');
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('catalogue');
});
