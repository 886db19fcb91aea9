import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

test.each([
	['', []],
	[', also in a dialog', ['a']],
])('ctrl-c quits%s', async (_where, keys) => {
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	const plain = createTestApp(testStore);
	let quitCount = 0;
	const app = {...plain, terminal: {...plain.terminal, quit: () => void quitCount++}};
	await testStore.state().namespaces.load('remote', testStore.signal);
	testStore.state().navigation.go('namespaces');
	for (const key of keys) dispatch(app, createTextKey(key));
	expect(quitCount).toBe(0);
	dispatch(app, createKey('ctrl-c', '\u0003'));
	expect(quitCount).toBe(1);
});
