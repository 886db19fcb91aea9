import type {App} from './action.ts';
import {screenOf} from './navigation-slice.ts';

/** Reads what the screen shows once more. Someone who could not sign in may have done so meanwhile. */
export function reload(app: App): void {
	const state = app.state();
	const {reload: read} = state.navigation.screens[screenOf(state)];
	if (read) {
		state.connection.askCredentialAgain();
		read(app);
	} else state.messages.say('This screen has nothing to refresh.');
}
