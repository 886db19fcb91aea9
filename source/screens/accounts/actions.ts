import type {Account} from '../../service/accounts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {
	type Action,
	type App,
	actionsOf,
	copying,
	everywhere,
	filtering,
	withFound,
} from '../shell/action.ts';
import {leaveSession} from '../shell/leaving.ts';
import {selectedAccount} from './slice.ts';

const action = actionsOf('Accounts', ['accounts']);
const row = (state: LedgeState): Account | undefined => selectedAccount(state.accounts);
const none = 'there is no account here';

/** Goes to the accounts that the credential sees, and reads them unless they have been read. */
export function openAccounts(app: App): void {
	const {go, accounts} = app.state();
	go('accounts');
	if (accounts.reading === 'unread' || accounts.reading === 'failed') readAccounts(app);
}

export function readAccounts({state}: App): void {
	void state().run('reading the accounts', 'read', signal => state().loadAccounts(signal));
}

/** Why no account can be chosen. */
const whyNone = ({connection}: LedgeState): string | undefined => {
	if (connection?.problem) return 'the settings cannot be read';
	if (connection?.simulated) return 'the simulated service has one account';
	return connection?.credential ? undefined : 'there is no credential';
};

/** Everything that was read is of the account before: another session begins, where the choice was wanted. */
function choose(app: App, {id, name}: Account): void {
	const wasWanted = app.state().stack.includes('namespaces');
	leaveSession(app, {
		title: `Change to the account ${name || id}`,
		does: 'change',
		leave: () =>
			app.terminal.restart({to: {id, label: name || id}}, then => {
				if (wasWanted) openNamespaces(then, 'remote');
			}),
	});
}

export const accountsActions: readonly Action[] = [
	everywhere('go.accounts', ['@'], 'go to the accounts, to choose the account in use', {
		words: ['switch account', 'change account', 'select account'],
		unavailable: whyNone,
		run(app) {
			app.state().cancelReads();
			openAccounts(app);
		},
	}),
	action('accounts.choose', ['enter', 'l', 'right'], 'act on this account', {
		hint: 'choose',
		...withFound(row, none, choose),
	}),
	action('accounts.filter', ['/'], 'show only the accounts with a text in name or id', filtering),
	action('accounts.copy', ['y'], 'copy the id of the account', {
		hint: 'copy the id',
		...copying(state => row(state)?.id, none),
	}),
];
