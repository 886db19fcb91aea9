import type {Failure} from '../../failure.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, everywhere, withFound} from './action.ts';
import type {Action, App} from './app.ts';
import {quit} from './leaving.ts';
import {entriesOf} from './screen.ts';
import {screenOf} from './screen-name.ts';

/** Opens the palette and loads the names it can go to. */
function openPalette(app: App): void {
	const {open} = app.state().dialog;
	const {screens} = app.state().navigation;
	open({kind: 'palette', query: '', cursor: 0});
	for (const [, {readJumps}] of entriesOf(screens)) readJumps?.(app);
}

/** Actions of every screen. */
export const everywhereActions: readonly Action[] = [
	everywhere('help', ['?'], 'show the keys that work here', {
		hint: 'help',
		words: ['shortcuts', 'key bindings', 'keyboard', 'hotkeys', 'what can I do'],
		run: openHelp,
	}),
	everywhere('palette', [':', 'ctrl-k'], 'command palette', {
		hint: 'commands',
		words: ['find action', 'actions', 'commands', 'search actions'],
		run: openPalette,
	}),
	everywhere('back', ['esc'], 'back; stops what is being read', {
		words: ['back', 'go back', 'previous', 'leave', 'up', 'cancel'],
		run: back,
	}),
	everywhere('reload', ['ctrl-r'], 'refresh', {
		words: ['read again', 'reload', 'retry', 'try again', 'update list', 'sync list'],
		run: reload,
	}),
	everywhere('details', ['i'], 'what happened, why, and what to do', {
		words: ['error', 'failure', 'why', 'what went wrong', 'explain'],
		...explaining(() => undefined),
	}),
	everywhere('go.home', ['H'], 'go to Home', {
		words: ['start', 'main menu', 'main', 'overview'],
		run: goHome,
	}),
	everywhere('suspend', ['ctrl-z'], 'suspend ledge (fg brings it back)', {
		words: ['background'],
		run: suspend,
	}),
	everywhere('quit', ['q', 'ctrl-c'], 'quit', {
		hint: 'quit',
		words: ['exit', 'close', 'end', 'leave ledge', 'stop ledge'],
		run: quit,
	}),
];

const tooSmall = actionsOf('Dialogs', ['too small']);

/** Actions while the window is too small: quit and suspend. */
export const tooSmallActions: readonly Action[] = [
	tooSmall('too-small.quit', ['ctrl-c'], 'end ledge, where the window is too small to ask', {
		run: ({terminal}) => terminal.quit(),
	}),
	tooSmall('too-small.suspend', ['ctrl-z'], 'suspend ledge, where the window is too small', {
		run: suspend,
	}),
];

export function openHelp({state}: App): void {
	state().dialog.open({kind: 'help', query: '', top: 0});
}

export function suspend({terminal}: App): void {
	terminal.suspend();
}

/** Handlers of an action that explains the failure of the latest message, else another failure. */
export function explaining(other: (state: LedgeState) => Failure | undefined) {
	const failureOf = (state: LedgeState) =>
		state.messages.latest?.kind === 'failed' ? state.messages.latest.failure : other(state);
	return withFound(failureOf, 'nothing has failed', ({state}, failure) =>
		state().dialog.open({kind: 'failure', failure}),
	);
}

/** Goes to Home, so that back never leads from one area to another. */
export function goHome({state}: App): void {
	state().work.cancelReads();
	state().keys.close();
	state().navigation.go('home');
}

/** Handles esc: stops reads, then undoes filters, then leaves the screen. Never quits, never discards. */
function back(app: App): void {
	const state = app.state();
	const stopped = state.work.cancelReads();
	if (state.messages.latest?.kind === 'failed') state.messages.clear();
	const {takeBack, filter} = state.navigation.screens[screenOf(state)];
	if (takeBack?.(app, stopped)) return;
	if (filter && filter.text(state) !== '') filter.narrow(state, '');
	else state.navigation.back();
}

/** Refreshes the screen. A refused credential is tried again, since the user may have signed in. */
export function reload(app: App): void {
	const state = app.state();
	const {reload: read} = state.navigation.screens[screenOf(state)];
	if (read) {
		state.connection.askCredentialAgain();
		read(app);
	} else state.messages.say('This screen has nothing to refresh.');
}
