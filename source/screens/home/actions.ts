import type {Action, App} from '../shell/action.ts';
import {askForAccount} from '../shell/ask-for-account.ts';
import {menuAction} from '../shell/menu.ts';

/** Finds out again what is configured, what is unfinished, and who we are. */
export async function lookAgain(app: App): Promise<void> {
	await app.state().lookAround();
	app.state().findDrafts();
	lookFurther(app);
}

/** What is found out after the first frame: unfinished jobs, and the account, where a service can be asked. */
export function lookFurther(app: App): void {
	const {state} = app;
	const {connection, run} = state();
	void run('reading the jobs', 'background', signal => state().loadJobs(signal));
	if (!connection || connection.problem || connection.target === 'local') return;
	if (connection.simulated || connection.credential)
		void run('asking who we are', 'background', signal => state().askAccount(signal)).then(() => {
			const account = state().connection?.account;
			if (account?.state === 'failed') void askForAccount(app, account.failure, 'home');
		});
}

export const homeActions: readonly Action[] = [
	menuAction({
		id: 'home.choose',
		title: 'move in the menu, and open',
		hint: 'open',
		group: 'Move',
		where: ['home'],
	}),
	{
		id: 'home.open',
		keys: ['l', 'right'],
		title: 'open',
		group: 'Move',
		where: ['home'],
		run: (app, key) => app.terminal.forward({...key, name: 'enter', text: '', sequence: '\r'}),
	},
];
