import type {Account} from '../../service/accounts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import type {Action, App} from '../shell/action.ts';
import {leaveSession} from '../shell/leaving.ts';
import {selectedAccount} from './slice.ts';

const here = ['accounts'] as const;
const row = (state: LedgeState): Account | undefined => selectedAccount(state.accounts);

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

const needsAccount = (state: LedgeState): string | undefined =>
	row(state) ? undefined : 'there is no account here';

/** Everything that was read is of the account before: another session begins, where the choice was wanted. */
function choose(app: App): void {
	const account = row(app.state());
	if (!account) return;
	const {id, name} = account;
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
	{
		id: 'go.accounts',
		keys: ['@'],
		title: 'go to the accounts, to choose the account in use',
		words: ['switch account', 'change account', 'select account'],
		group: 'Everywhere',
		where: 'everywhere',
		unavailable: whyNone,
		run(app) {
			app.state().cancelReads();
			openAccounts(app);
		},
	},
	{
		id: 'accounts.choose',
		keys: ['enter', 'l', 'right'],
		title: 'act on this account',
		hint: 'choose',
		group: 'Accounts',
		where: here,
		unavailable: needsAccount,
		run: choose,
	},
	{
		id: 'accounts.filter',
		keys: ['/'],
		title: 'show only the accounts with a text in name or id',
		hint: 'filter',
		words: ['search', 'find'],
		group: 'Accounts',
		where: here,
		run: app => app.state().beginFilter(),
	},
	{
		id: 'accounts.copy',
		keys: ['y'],
		title: 'copy the id of the account',
		hint: 'copy the id',
		group: 'Accounts',
		where: here,
		unavailable: needsAccount,
		run(app) {
			const account = row(app.state());
			if (account) app.state().say(app.terminal.copy(account.id));
		},
	},
];
