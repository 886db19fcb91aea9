import type {Failure} from '../../failure.ts';
import type {App} from './app.ts';
import {getCurrentScreen, type Screen} from './screen-name.ts';

/**
 * Asks for the account if a failure says that it is ambiguous and there are several; does nothing if the user
 * has left the screen.
 */
export async function askForAccount({state}: App, {code}: Failure, screen: Screen): Promise<void> {
	if (code !== 'account_unclear') return;
	await state().work.run('loading accounts', 'background', signal => state().contexts.loadAccounts(signal));
	const contexts = state().contexts.data;
	const {current: dialog, isFiltering: filtering} = state().dialog;
	const message = state().messages.latest;
	if (contexts.accounts.length < 2 || getCurrentScreen(state()) !== screen || dialog || filtering) return;
	state().navigation.go('contexts');
	state().contexts.open('first account');
	if (message?.kind === 'failed' && message.failure.code === code) state().messages.clear();
	state().messages.say('The credential covers several accounts: choose one.');
}
