import {expect, test} from 'vitest';
import {screenOf} from '../../../source/screens/shell/navigation-slice.ts';
import {createTestStore} from '../support/store.ts';

test('a screen that lies behind is gone back to', () => {
	const {state} = createTestStore();
	state().go('namespaces');
	state().go('keys');
	state().go('activity');
	state().go('namespaces');
	expect(state().stack).toEqual(['home', 'namespaces']);
});

test('going back ends at home', () => {
	const {state} = createTestStore();
	state().go('activity');
	state().back();
	state().back();
	expect(screenOf(state())).toBe('home');
	expect(state().stack).toEqual(['home']);
});
