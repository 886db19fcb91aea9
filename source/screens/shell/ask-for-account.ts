import type {Failure} from '../../failure.ts';
import type {App} from './action.ts';
import {screenOf} from './navigation-slice.ts';
import type {Screen} from './screen.ts';

/**
 * Asks which account is acted on, where that is why something failed and there are several: on the screen where the
 * person waits for it, and not when the person is somewhere else by now.
 */
export async function askForAccount({state}: App, {code}: Failure, on: Screen): Promise<void> {
	if (code !== 'account_unclear') return;
	await state().run('reading the accounts', 'background', signal => state().loadAccounts(signal));
	const {contexts, dialog, filtering, message} = state();
	if (contexts.accounts.length < 2 || screenOf(state()) !== on || dialog || filtering) return;
	state().go('contexts');
	state().showPlaces('first account');
	if (message?.kind === 'failed' && message.failure.code === code) state().clearMessage();
	state().say('The credential sees several accounts: choose the one to act on.');
}
