import {asFailure, type Failure} from '../../failure.ts';
import {type Account, accounts as listAccounts} from '../../service/accounts.ts';
import type {Slice} from '../../store/slice.ts';

/** The accounts that the credential sees. */
export type AccountsState = {
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	/** By name. */
	readonly rows: readonly Account[];
	readonly cursor: number;
	readonly filter: string;
};

export type AccountsSlice = {
	readonly accounts: AccountsState;
	loadAccounts(signal: AbortSignal): Promise<void>;
	moveInAccounts(by: number): void;
	filterAccounts(filter: string): void;
};

export const createAccountsSlice: Slice<AccountsSlice> = (set, get, {session}) => {
	const change = (part: Partial<AccountsState>) => set(({accounts}) => ({accounts: {...accounts, ...part}}));

	/** The cursor stays on its account, whatever rows there are now. */
	const keepingCursor = (part: Partial<AccountsState>, wanted = selectedAccount(get().accounts)?.id) => {
		change(part);
		const index = visibleAccounts(get().accounts).findIndex(({id}) => id === wanted);
		change({cursor: Math.max(0, index)});
	};

	return {
		accounts: {reading: 'unread', rows: [], cursor: 0, filter: ''},
		async loadAccounts(signal) {
			change({reading: 'reading'});
			try {
				const found: Account[] = [];
				for await (const account of listAccounts(await session.client(), signal)) found.push(account);
				const rows = found.toSorted((one, other) =>
					one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
				);
				const before = selectedAccount(get().accounts)?.id ?? session.options.accountId;
				keepingCursor({rows, reading: 'read', failure: undefined}, before);
			} catch (error) {
				const failure = asFailure(error);
				const hasRows = get().accounts.rows.length > 0;
				change({reading: hasRows ? 'read' : signal.aborted ? 'unread' : 'failed', failure});
				throw failure;
			}
		},
		moveInAccounts(by) {
			const {accounts} = get();
			const last = visibleAccounts(accounts).length - 1;
			change({cursor: Math.max(0, Math.min(last, accounts.cursor + by))});
		},
		filterAccounts: filter => keepingCursor({filter}),
	};
};

/** The accounts that the filter leaves: by name or id, without regard to case. */
export function visibleAccounts({rows, filter}: AccountsState): readonly Account[] {
	const sought = filter.toLowerCase();
	return rows.filter(({id, name}) => [name, id].some(text => text.toLowerCase().includes(sought)));
}

export const selectedAccount = (state: AccountsState): Account | undefined =>
	visibleAccounts(state)[state.cursor];
