import {type Account, accounts as listAccounts} from '../../service/accounts.ts';
import type {Slice} from '../../store/slice.ts';
import {byName, createReader, emptyList, type ListState, listOf} from '../shell/list.ts';

/** The accounts that the credential sees, by name. */
type AccountsState = ListState<Account>;

export type AccountsSlice = {
	readonly accounts: AccountsState;
	loadAccounts(signal: AbortSignal): Promise<void>;
	moveInAccounts(by: number): void;
	filterAccounts(filter: string): void;
};

export const createAccountsSlice: Slice<AccountsSlice> = (set, get, {session}) => {
	const change = (part: Partial<AccountsState>) => set(({accounts}) => ({accounts: {...accounts, ...part}}));
	const {read} = createReader(() => get().accounts, change);

	const all = async (signal: AbortSignal) => byName(listAccounts(await session.client(), signal));

	/** The cursor begins on the account in force. */
	const show = (rows: readonly Account[]) => {
		const {accounts} = get();
		const wanted = accounts.rows.length === 0 ? session.options.accountId : undefined;
		change(accountList.changed(accounts, {rows, reading: 'read', failure: undefined}, wanted));
	};

	return {
		accounts: emptyList,
		async loadAccounts(signal) {
			await read(signal, () => all(signal), show);
		},
		moveInAccounts: by => change(accountList.moved(get().accounts, by)),
		filterAccounts: filter => change(accountList.changed(get().accounts, {filter})),
	};
};

const accountList = listOf<Account>(
	({id}) => id,
	({id, name}) => [name, id],
);

export const {visible: visibleAccounts, selected: selectedAccount} = accountList;
