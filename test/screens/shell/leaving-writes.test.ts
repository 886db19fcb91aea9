import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {key} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

test('esc during a write first says that it goes on, then leaves; the result is shown elsewhere', async () => {
	const testStore = createTestStore();
	const {state, until} = testStore;
	const app = createTestApp(testStore);
	await state().connection.loadConnection();
	state().navigation.go('jobs');
	const written = Promise.withResolvers<void>();
	const writing = state().work.run('changing managed rules', 'write', async () => {
		await written.promise;
		state().messages.say('Changed managed rules.');
	});
	dispatch(app, key('esc'));
	expect(getCurrentScreen(state())).toBe('jobs');
	expect(state().messages.latest?.text).toBe('esc again leaves, and this goes on: changing managed rules.');
	dispatch(app, key('esc'));
	expect(getCurrentScreen(state())).toBe('home');
	written.resolve();
	await writing;
	await until(({work: {list: work}}) => work.length === 0);
	expect(state().messages.latest?.text).toBe('Changed managed rules.');
});
