import type {Failure} from '../../failure.ts';
import {quotas} from '../../service/quotas.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {formatInteger} from '../../text/figures.ts';
import {createActionFactory, defineGlobalAction} from './action.ts';
import type {Action, App} from './app.ts';
import type {Dialog} from './dialog-slice.ts';
import {quit} from './leaving.ts';
import {listScreens} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';
import {formatWaitEnd, listStoppableWrites} from './work-slice.ts';

/** Opens the palette and loads the names it can go to. */
function openPalette(app: App): void {
	const {open} = app.state().dialog;
	const {screens} = app.state().navigation;
	open({kind: 'palette', query: '', cursor: 0});
	for (const [, {loadJumps}] of listScreens(screens)) loadJumps?.(app);
}

/** Actions of every screen. */
export const globalActions: readonly Action[] = [
	defineGlobalAction('help', ['?'], 'show keyboard shortcuts', {
		hint: 'help',
		searchTerms: ['shortcuts', 'key bindings', 'keyboard', 'hotkeys', 'what can I do'],
		run: openHelp,
	}),
	defineGlobalAction('palette', [':', 'ctrl-k'], 'command palette', {
		hint: 'commands',
		searchTerms: ['find action', 'actions', 'commands', 'search actions'],
		run: openPalette,
	}),
	defineGlobalAction('back', ['esc'], 'stop loading, or go back', {
		hint: 'deselect',
		getHintPlace(state) {
			const {selection, filter} = state.navigation.screens[getCurrentScreen(state)];
			// The first esc clears the filter.
			return selection && selection.countSelected(state) > 0 && !filter?.getText(state) ? 'first' : 'none';
		},
		searchTerms: ['back', 'go back', 'previous', 'leave', 'up', 'cancel'],
		run: goBack,
	}),
	defineGlobalAction('stop-changes', ['ctrl-x'], 'stop after the change under way; what is done stays done', {
		hint: 'stop',
		getHintPlace: () => 'first',
		searchTerms: ['cancel', 'abort', 'stop deleting'],
		isActive: state => listStoppableWrites(state).length > 0,
		run({state}) {
			for (const {stop} of listStoppableWrites(state())) void stop();
			state().messages.say('Stopping after the change under way.');
		},
	}),
	defineGlobalAction('stop', ['ctrl-x'], 'stop loading', {
		searchTerms: ['cancel', 'abort'],
		isActive: ({work}) => work.list.some(({kind}) => kind === 'read'),
		run({state}) {
			const read = state().work.list.findLast(({kind}) => kind === 'read');
			state().work.cancelReads();
			if (read) state().messages.say(`Stopped: ${read.label}.`);
		},
	}),
	defineGlobalAction('reload', ['ctrl-r'], 'refresh', {
		searchTerms: ['tail', 'follow', 'read again', 'reload', 'retry', 'try again', 'update list', 'sync list'],
		run: reloadScreen,
	}),
	defineGlobalAction('details', ['i'], 'what happened, why, and what to do', {
		searchTerms: ['error', 'failure', 'why', 'what went wrong', 'explain'],
		...withFailureDetails(() => undefined),
	}),
	defineGlobalAction('go.home', ['0'], 'go to Home', {
		searchTerms: ['start', 'main menu', 'main', 'overview'],
		run: goHome,
	}),
	defineGlobalAction('suspend', ['ctrl-z'], 'suspend ledge (fg brings it back)', {
		searchTerms: ['background'],
		run: suspend,
	}),
	defineGlobalAction('quit', ['q', 'ctrl-c'], 'quit', {
		hint: 'quit',
		searchTerms: ['q', 'exit', 'close', 'end', 'leave ledge', 'stop ledge'],
		run: quit,
	}),
];

const defineTooSmallAction = createActionFactory('Dialogs', ['too small']);

/** Actions while the window is too small: quit and suspend. */
export const tooSmallActions: readonly Action[] = [
	defineTooSmallAction('too-small.quit', ['ctrl-c'], 'quit without asking (window too small)', {
		run: ({terminal}) => terminal.quit(),
	}),
	defineTooSmallAction('too-small.suspend', ['ctrl-z'], 'suspend ledge (window too small)', {
		run: suspend,
	}),
];

export function openHelp({state}: App): void {
	state().dialog.open({kind: 'help', query: ''});
}

export function suspend({terminal}: App): void {
	terminal.suspend();
}

/**
 * Handler of an action that explains the failure of the latest message, else another failure; without any, it
 * shows the last warning in full.
 */
export function withFailureDetails(
	getOtherFailure: (state: LedgeState) => Failure | undefined,
): Pick<Action, 'explainsFailure' | 'getHintPlace' | 'run'> {
	return {
		explainsFailure: true,
		getHintPlace: state =>
			getShownFailure(state, getOtherFailure) ||
			state.messages.getLastWarning() !== undefined ||
			state.work.quotaUntil !== undefined
				? undefined
				: 'none',
		run({state}) {
			const {getLastWarning, say} = state().messages;
			const failure = getShownFailure(state(), getOtherFailure);
			const lastWarning = getLastWarning();
			if (failure) state().dialog.open({kind: 'failure', failure});
			else if (state().work.quotaUntil !== undefined) state().dialog.open(describeQuotaWait(state()));
			else if (lastWarning === undefined) say('No errors.');
			else
				state().dialog.open({
					kind: 'failure',
					failure: {message: 'Last warning', next: undefined, details: {why: lastWarning}},
				});
		},
	};
}

/** Explains the wait for the quota of the service: it is no error, but nothing can be read meanwhile. */
function describeQuotaWait({work: {quotaUntil = 0}}: StateWith<'work', 'quotaUntil'>): Dialog {
	const {burst, perSecond} = quotas.calls;
	return {
		kind: 'failure',
		failure: {
			message: `Waiting for the quota of the service until ${formatWaitEnd(quotaUntil - performance.now())}`,
			next: 'What waits continues by itself: nothing has to be repeated. esc cancels a read.',
			details: {
				why: `The service allows ${formatInteger(burst)} calls in ${burst / perSecond / 60} minutes, shared by all programs with your credentials. They are used up, as after a large copy.`,
			},
		},
	};
}

const getShownFailure = (
	state: LedgeState,
	getOtherFailure: (state: LedgeState) => Failure | undefined,
): Failure | undefined =>
	state.messages.latest?.kind === 'failed' ? state.messages.latest.failure : getOtherFailure(state);

/** Goes to Home, so that back never leads from one area to another. */
export function goHome({state}: App): void {
	state().work.cancelReads();
	state().keys.close();
	state().navigation.go('home');
}

/** Handles esc: stops reads, then undoes filters, then leaves the screen. Never quits, never discards. */
export function goBack(app: App): void {
	const state = app.state();
	const writeLabel = state.work.announceWrite();
	if (writeLabel !== undefined) {
		state.messages.warn(`esc again leaves, and this goes on: ${writeLabel}.`);
		return;
	}
	const hasStoppedReads = state.work.cancelReads();
	if (state.messages.latest?.kind === 'failed') state.messages.clear();
	const {handleEscape, filter} = state.navigation.screens[getCurrentScreen(state)];
	if (handleEscape?.(app, hasStoppedReads)) return;
	if (filter && filter.getText(state) !== '') filter.setText(state, '');
	else state.navigation.back();
}

/** Refreshes the screen. A refused credential is tried again, since the user may have signed in. */
export function reloadScreen(app: App): void {
	const state = app.state();
	const {reload} = state.navigation.screens[getCurrentScreen(state)];
	if (reload) {
		state.connection.retryCredential();
		reload(app);
	} else state.messages.say('Nothing to refresh on this screen.');
}
