import {createActionFactory} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askForAccount} from '../shell/ask-for-account.ts';
import {forwardToMenu, menuKeys} from '../shell/menu.ts';

/** Reloads configuration, drafts, jobs and account. */
export async function reloadHome(app: App): Promise<void> {
	await app.state().connection.loadConnection();
	app.state().drafts.refresh();
	void loadJobsAndAccount(app);
}

/**
 * Loads unfinished jobs, and the account if the session has a service and a credential. Asks for the account
 * if it is unclear.
 */
export async function loadJobsAndAccount(app: App): Promise<void> {
	const {state} = app;
	const connection = state().connection.data;
	const {run} = state().work;
	void run('loading jobs', 'background', signal => state().jobs.load(signal));
	if (!connection || connection.problem || connection.target === 'local') return;
	if (connection.simulated || connection.credential)
		await run('checking the account', 'background', signal => state().connection.loadAccount(signal));
	const account = state().connection.data?.account;
	if (account?.state === 'failed') void askForAccount(app, account.failure, 'home');
}

const defineHomeAction = createActionFactory('Move', ['home']);

export const homeActions: readonly Action[] = [
	defineHomeAction('home.choose', menuKeys, 'move through the menu and open the selection', {
		opensRow: true,
		hint: 'open',
		run: forwardToMenu,
	}),
	defineHomeAction('home.open', ['l', 'right'], 'open', {
		run: (app, key) => app.terminal.forward({...key, name: 'enter', text: '', sequence: '\r'}),
	}),
];
