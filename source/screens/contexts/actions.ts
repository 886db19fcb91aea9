import {mustLoad} from '../list/reading.ts';
import {createListActions, createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {defineGlobalAction} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {leaveSession} from '../shell/leaving.ts';
import {type PlaceRow, placeList} from './rows.ts';
import {createContextsSlice} from './slice.ts';

/** Goes to the list of contexts, accounts and targets; reads the accounts unless they are loaded. */
export function openContexts(app: App): void {
	const {go} = app.state().navigation;
	const {data: contexts, open: showRows} = app.state().contexts;
	go('contexts');
	showRows('in force');
	if (contexts.reading === 'failed') app.state().connection.retryCredential();
	if (mustLoad(contexts)) readAccounts(app);
}

function readAccounts({state}: App): void {
	const connection = state().connection.data;
	const showRows = state().contexts.open;
	showRows();
	// The simulated service has one account; without a credential there is nothing to read.
	if (connection?.simulated || !connection?.credential) return;
	void state().work.run('loading accounts', 'read', signal => state().contexts.loadAccounts(signal));
}

/** Starts another session in the chosen place, on the namespaces if they were open. */
function choosePlace(app: App, {name, isActive, restartTarget}: PlaceRow): void {
	const {stack} = app.state().navigation;
	const {say} = app.state().messages;
	const connection = app.state().connection.data;
	// If the settings are broken, the active place may be chosen again.
	if (isActive && !connection?.problem) {
		say(`${name} is already active.`);
		return;
	}
	const showedNamespaces = stack.includes('namespaces');
	leaveSession(app, `Switch to ${name}`, () =>
		app.terminal.restart(restartTarget, newApp => {
			if (showedNamespaces) openNamespaces(newApp, newApp.state().connection.data?.target ?? 'remote');
		}),
	);
}

export const contextsActions: readonly Action[] = [
	defineGlobalAction('go.contexts', ['C', '@'], 'switch context, account or target', {
		searchTerms: [
			'settings',
			'whoami',
			'who am i',
			'where am i',
			'live or test',
			'use prod',
			'switch context',
			'change context',
			'switch account',
			'change account',
			'select account',
			'environment',
			'profile',
			'production',
			'login',
			'sign in',
			'accounts',
			'contexts',
			'switch user',
			'log in',
			'api token',
			'credentials',
			'change environment',
		],
		run(app) {
			app.state().work.cancelReads();
			openContexts(app);
		},
	}),
	placeList.defineAction(
		'contexts.choose',
		['enter', 'l', 'right'],
		'use the selected context, account or target',
		{
			opensRow: true,
			searchTerms: ['use this account', 'switch'],
			hint: 'choose',
			...placeList.withCurrentRow(choosePlace),
		},
	),
	...createListActions(placeList, 'filter the list', [
		{
			shortcut: 'y',
			noun: 'the account id',
			searchTerms: ['account id', 'copy id'],
			hint: 'copy the id',
			missingReason: 'this row has no account id',
			getText: ({id}) => id,
		},
	]),
];

export const contextsScreen: ListScreenDefinition = createListScreen(placeList, {
	label: 'the contexts',
	createSlice: createContextsSlice,
	buildPath: () => ['ledge', 'contexts'],
	getTarget: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.shownStorage === 'local'}),
	reload: readAccounts,
});
