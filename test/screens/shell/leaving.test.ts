import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

test.each([
	['', []],
	[', also in a dialog', ['n']],
])('ctrl-c quits%s', async (_where, keys) => {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	const plain = createTestApp(space);
	let quitCount = 0;
	const app = {...plain, terminal: {...plain.terminal, quit: () => void quitCount++}};
	await space.state().namespaces.load('remote', space.signal);
	space.state().navigation.go('namespaces');
	for (const key of keys) dispatch(app, createTextKey(key));
	expect(quitCount).toBe(0);
	dispatch(app, createKey('ctrl-c', '\u0003'));
	expect(quitCount).toBe(1);
});
