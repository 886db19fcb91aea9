import {expect, test} from 'vitest';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestStore} from '../support/store.ts';

test('going to a screen already in the stack returns to it', () => {
	const {state} = createTestStore();
	state().navigation.go('namespaces');
	state().navigation.go('keys');
	state().navigation.go('activity');
	state().navigation.go('namespaces');
	expect(state().navigation.stack).toEqual(['home', 'namespaces']);
});

test('going back ends at Home', () => {
	const {state} = createTestStore();
	state().navigation.go('activity');
	state().navigation.back();
	state().navigation.back();
	expect(getCurrentScreen(state())).toBe('home');
	expect(state().navigation.stack).toEqual(['home']);
});
