import type {LedgeState} from '../../store/ledge-store.ts';
import {whyIn} from '../edit/slice.ts';
import {emergencyLeavingLines} from '../emergency/leaving.ts';
import {leaveKey} from '../key/actions.ts';
import {isMigrationLost, migrationLeavingLines} from '../migration/leaving.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {leaveReview} from '../review/actions.ts';
import {leavingLines} from '../wizard/leaving.ts';
import type {Action, App} from './action.ts';
import {type Screen, screenOf} from './navigation-slice.ts';
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
		title: 'find any action by name',
		hint: 'commands',
		words: ['command palette'],
		group: 'Everywhere',
		where: 'everywhere',
		run: app => app.state().open({kind: 'palette', query: '', cursor: 0}),
	},
	{
		id: 'back',
		keys: ['esc'],
		title: 'one level back; stops what is being read',
		words: ['go back', 'previous', 'leave'],
		group: 'Everywhere',
		where: 'everywhere',
		run: back,
	},
	{
		id: 'reload',
		keys: ['ctrl-r'],
		title: 'read again',
		words: ['refresh', 'reload', 'retry', 'try again'],
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
		run(app) {
			app.state().cancelReads();
			app.state().closeKeys();
			app.state().go('home');
		},
	},
	{
		id: 'go.namespaces',
		keys: ['N'],
		title: 'go to the namespaces',
		words: ['key-value', 'kv'],
		group: 'Everywhere',
		where: 'everywhere',
		run(app) {
			app.state().cancelReads();
			app.state().closeKeys();
			openNamespaces(app, app.state().namespaces.where);
		},
	},
	{
		id: 'go.activity',
		keys: ['A'],
		title: 'go to the calls of this session',
		words: ['activity', 'history', 'log', 'requests'],
		group: 'Everywhere',
		where: 'everywhere',
		run(app) {
			app.state().cancelReads();
			app.state().go('activity');
		},
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

/** Where nothing can be seen, nothing is done but leaving. */
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

/** What esc takes back on a screen before it leaves it. Gives whether there was anything. */
const takeBack: Partial<Record<Screen, (app: App, stopped: boolean) => boolean>> = {
	home: (_app, stopped) => stopped,
	namespaces({state}) {
		const {namespaces, filterNamespaces} = state();
		if (namespaces.filter === '') return false;
		filterNamespaces('');
		return true;
	},
	keys: ({state}) => state().stopNarrowing(),
	key: app => !leaveKey(app),
	bulk: ({state}) => state().leaveBulk(),
	// What was found until it was stopped stays to be looked at.
	compare: ({state}, stopped) => stopped || state().leaveCompare(),
	transfer({state}) {
		state().leaveTransfer();
		return false;
	},
	review: leaveReview,
};

/** Esc: stops reads, then takes back what narrows the screen, then leaves it. Never out of ledge, and never discards. */
function back(app: App): void {
	const state = app.state();
	const stopped = state.cancelReads();
	if (state.message?.kind === 'failed') state.clearMessage();
	const screen = screenOf(state);
	if (takeBack[screen]?.(app, stopped)) return;
	if (screen === 'keys') state.closeKeys();
	state.back();
}

/** What a quit would lose of the wizard, or leave half done by it. */
function wizardLines({wizard, isWizardTouched}: LedgeState): readonly string[] {
	if (!wizard) return [];
	if (wizard.phase.name === 'sending')
		return ['It is stopped, and what is there then is looked up, and said.'];
	return isWizardTouched() ? leavingLines(wizard) : [];
}

/** The same of an emergency. */
function emergencyLines({emergency, isEmergencyTouched}: LedgeState): readonly string[] {
	return emergency && (emergency.phase.name === 'sending' || isEmergencyTouched())
		? emergencyLeavingLines(emergency)
		: [];
}

/** The same of a migration: a PUT under way goes on, and edits that were not reviewed are a draft. */
const migrationLines = ({migration}: LedgeState): readonly string[] =>
	migration &&
	(migration.phase.name === 'sending' || migration.phase.name === 'looking' || isMigrationLost(migration))
		? migrationLeavingLines(migration)
		: [];

/** Whether long work of this session is recorded, so that it can be gone on with. */
const isRecorded = ({bulk, transfer}: LedgeState): boolean =>
	(bulk?.stage.state === 'sending' && bulk.stage.progress.record === 'made') ||
	(transfer?.stage.state === 'running' && transfer.stage.progress.isRecorded);

/** What leaving this session does, in a question and behind its key. */
type Leaving = {readonly title: string; readonly does: string; leave(): void};

/** Quits at once, unless something would be left half done: then it asks. */
export function quit(app: App): void {
	leaveSession(app, {title: 'Quit ledge', does: 'quit', leave: app.terminal.quit});
}

/** Leaves this session at once, unless something would be left half done: then it asks. */
export function leaveSession({state}: App, {title, does, leave}: Leaving): void {
	const now = state();
	const writes = now.work.filter(({kind}) => kind === 'write' || kind === 'long').map(({label}) => label);
	const lost = now.saveDrafts();
	const isTyped = wizardLines(now).length + emergencyLines(now).length > 0 || now.isMigrationTouched();
	const lines = [
		...(now.hasUnsavedEdit()
			? [
					lost
						? `An edit is not saved, and it will be LOST: ${lost.message} ${whyIn(lost)}`
						: 'An edit is not saved. It is kept as a draft and offered at the next start.',
				]
			: []),
		...writes.map(label => `Still under way: ${label}.`),
		...wizardLines(now),
		...emergencyLines(now),
		...migrationLines(now),
		...(isTyped ? [now.whenClosed()] : []),
		...(isRecorded(now) ? ['What is done is recorded: the jobs (J) go on with the rest, next time.'] : []),
	];
	// What is sent is stopped, and what is there then is found out and recorded, before the process is gone.
	const confirm = () =>
		void Promise.all([
			now.endBulk(),
			now.endTransfer(),
			now.endWizard(),
			now.endEmergency(),
			now.endMigration(),
		]).then(leave);
	if (lines.length === 0 || now.leaving) leave();
	else if (lost !== undefined)
		now.open({
			kind: 'choice',
			title: `${title}, and lose ${now.hasUnsavedEdit() ? 'an edit' : 'what was typed'}?`,
			lines,
			choices: [
				{value: 'back', label: 'Go back'},
				{value: 'quit', label: `${title}, and lose ${now.hasUnsavedEdit() ? 'the edit' : 'it'}`},
			],
			choose(value) {
				if (value === 'quit') confirm();
			},
		});
	else now.open({kind: 'confirm', title: `${title}?`, lines, does, confirm});
}
