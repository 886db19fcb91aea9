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

/** Loads unfinished jobs, and the account if a service can be asked; after the first frame. */
export async function loadJobsAndAccount(app: App): Promise<void> {
	const {state} = app;
	const connection = state().connection.data;
	const {run} = state().work;
	void run('reading the jobs', 'background', signal => state().jobs.load(signal));
	if (!connection || connection.problem || connection.target === 'local') return;
	if (connection.simulated || connection.credential)
		await run('asking who we are', 'background', signal => state().connection.loadAccount(signal));
	const account = state().connection.data?.account;
	if (account?.state === 'failed') void askForAccount(app, account.failure, 'home');
}

const action = createActionFactory('Move', ['home']);

export const homeActions: readonly Action[] = [
	action('home.choose', menuKeys, 'move in the menu, and open', {
		opensRow: true,
		hint: 'open',
		run: forwardToMenu,
	}),
	action('home.open', ['l', 'right'], 'open', {
		run: (app, key) => app.terminal.forward({...key, name: 'enter', text: '', sequence: '\r'}),
	}),
];
