import type {ReactElement} from 'react';
import type {Account} from '../../service/accounts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {Empty} from '../shell/empty.tsx';
import {type Column, Table} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {selectedAccount, visibleAccounts} from './slice.ts';

const columns: readonly Column<Account>[] = [
	{title: 'ACCOUNT', cut: 'middle', text: ({name}) => name},
	{title: 'ID', width: () => 32, cut: 'middle', text: ({id}) => id, look: () => 'dim'},
];

/** The accounts that the credential sees, for the person to choose one. */
export function Accounts(): ReactElement {
	const accounts = useLedge(state => state.accounts);
	const visible = visibleAccounts(accounts);
	if (visible.length === 0) return <Empty {...whyEmpty(accounts)} />;
	return <Table columns={columns} rows={visible} cursor={accounts.cursor} />;
}

function whyEmpty({reading, filter, failure}: LedgeState['accounts']) {
	if (reading === 'reading' || reading === 'unread') return {title: ''};
	if (failure) return {failure};
	if (filter !== '')
		return {title: `No account has "${filter}" in its name or id.`, next: 'esc shows all of them'};
	return {
		title: 'This credential sees no account.',
		next: 'Start ledge with --account-id ID, or use a credential that may read accounts.',
	};
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
