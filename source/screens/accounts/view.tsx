import type {ReactElement} from 'react';
import type {Account} from '../../service/accounts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {type Column, ListBody} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {selectedAccount, visibleAccounts} from './slice.ts';

const columns: readonly Column<Account>[] = [
	{title: 'ACCOUNT', cut: 'middle', text: ({name}) => name},
	{title: 'ID', width: () => 32, cut: 'middle', text: ({id}) => id, look: () => 'dim'},
];

const none = {
	title: 'This credential sees no account.',
	next: 'Start ledge with --account-id ID, or use a credential that may read accounts.',
};

/** The accounts that the credential sees, for the person to choose one. */
export function Accounts(): ReactElement {
	const accounts = useLedge(state => state.accounts);
	return (
		<ListBody
			list={accounts}
			visible={visibleAccounts(accounts)}
			columns={columns}
			narrowed={`No account has "${accounts.filter}" in its name or id.`}
			none={none}
		/>
	);
}

/** Which account is acted on, and how many there are. */
export function accountsStatus(state: Pick<LedgeState, 'accounts' | 'connection'>): string {
	const {accounts, connection} = state;
	const account = selectedAccount(accounts);
	if (!account) return '';
	const all = counted(accounts.rows.length, 'account');
	const inUse = connection?.account.state === 'known' ? [`in use: ${connection.account.label}`] : [];
	return [
		account.id,
		accounts.filter === '' ? all : `${visibleAccounts(accounts).length} of ${all}`,
		...inUse,
	].join('   ');
}
