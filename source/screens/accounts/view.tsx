import {Text} from 'ink';
import type {ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle, fitted} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {selectedAccount, visibleAccounts} from './slice.ts';

const idColumns = 32;

/** The accounts that the credential sees, for the person to choose one. */
export function Accounts(): ReactElement {
	const accounts = useLedge(state => state.accounts);
	const {columns, rows} = useLedge(state => state.viewport);
	const {here, dim, marks} = useTheme();
	const visible = visibleAccounts(accounts);
	if (visible.length === 0) return <Empty {...whyEmpty(accounts)} />;
	const width = columns - 3 - idColumns - 2;
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('ACCOUNT', width)} ID`}
			</Text>
			<List
				count={visible.length}
				cursor={accounts.cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => {
					const {id = '', name = ''} = visible[index] ?? {};
					return (
						<Text wrap="truncate" {...(isHere ? here : {})}>
							{` ${isHere ? marks.here : ' '} ${fitted(cutMiddle(drawable(name), width), width)} `}
							<Text {...(isHere ? {} : dim)}>{cutMiddle(drawable(id), idColumns)}</Text>
						</Text>
					);
				}}
			/>
		</>
	);
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
