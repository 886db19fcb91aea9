import type {Action, App} from './action.ts';
import {quit} from './leaving.ts';
import {screenOf} from './navigation-slice.ts';
import {reload} from './reload.ts';

/** What can be done from every screen. */
export const everywhereActions: readonly Action[] = [
	{
		id: 'help',
		keys: ['?'],
		title: 'show the keys that work here',
		hint: 'help',
		words: ['shortcuts', 'key bindings'],
		group: 'Everywhere',
		where: 'everywhere',
		run: app => app.state().open({kind: 'help', query: '', top: 0}),
	},
	{
		id: 'palette',
		keys: [':', 'ctrl-k'],
		title: 'command palette',
		hint: 'commands',
		words: ['find action'],
		group: 'Everywhere',
		where: 'everywhere',
		run: app => app.state().open({kind: 'palette', query: '', cursor: 0}),
	},
	{
		id: 'back',
		keys: ['esc'],
		title: 'back; stops what is being read',
		words: ['go back', 'previous', 'leave'],
		group: 'Everywhere',
		where: 'everywhere',
		run: back,
	},
	{
		id: 'reload',
		keys: ['ctrl-r'],
		title: 'refresh',
		words: ['read again', 'reload', 'retry', 'try again'],
		group: 'Everywhere',
		where: 'everywhere',
		run: reload,
	},
	{
		id: 'details',
		keys: ['i'],
		title: 'what happened, why, and what to do',
		words: ['error', 'failure'],
		group: 'Everywhere',
		where: 'everywhere',
		unavailable: ({message}) => (message?.kind === 'failed' ? undefined : 'nothing has failed'),
		run(app) {
			const {message, open} = app.state();
			if (message?.kind === 'failed') open({kind: 'failure', failure: message.failure});
		},
	},
	{
		id: 'go.home',
		keys: ['H'],
		title: 'go to Home',
		words: ['start', 'main menu'],
		group: 'Everywhere',
		where: 'everywhere',
		run: goHome,
	},
	{
		id: 'suspend',
		keys: ['ctrl-z'],
		title: 'suspend ledge (fg brings it back)',
		words: ['background'],
		group: 'Everywhere',
		where: 'everywhere',
		run: app => app.terminal.suspend(),
	},
	{
		id: 'quit',
		keys: ['q', 'ctrl-c'],
		title: 'quit',
		hint: 'quit',
		words: ['exit', 'close', 'end'],
		group: 'Everywhere',
		where: 'everywhere',
		run: quit,
	},
];

/** Where nothing can be seen, ledge can only be left. */
export const tooSmallActions: readonly Action[] = [
	{
		id: 'too-small.quit',
		keys: ['ctrl-c'],
		title: 'end ledge, where the window is too small to ask',
		group: 'Dialogs',
		where: ['too small'],
		run: ({terminal}) => terminal.quit(),
	},
	{
		id: 'too-small.suspend',
		keys: ['ctrl-z'],
		title: 'suspend ledge, where the window is too small',
		group: 'Dialogs',
		where: ['too small'],
		run: ({terminal}) => terminal.suspend(),
	},
];

/** Goes to Home; the way back from one area never leads through another. */
export function goHome({state}: App): void {
	state().cancelReads();
	state().closeKeys();
	state().go('home');
}

/** Esc: stops reads, then takes back what narrows the screen, then leaves it. Never out of ledge, and never discards. */
function back(app: App): void {
	const state = app.state();
	const stopped = state.cancelReads();
	if (state.message?.kind === 'failed') state.clearMessage();
	const {takeBack, filter} = state.screens[screenOf(state)];
	if (takeBack?.(app, stopped)) return;
	if (filter && filter.text(state) !== '') filter.narrow(state, '');
	else state.back();
}
