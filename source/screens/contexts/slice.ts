import {type Account, listAccounts} from '../../service/accounts.ts';
import type {Slice} from '../../store/slice.ts';
import type {ListMembers} from '../list/declared.ts';
import {collectSortedByName, emptyList, type ListState} from '../list/list.ts';
import {createList} from '../list/slice.ts';
import {buildPlaceRows, type PlaceRow, placeList} from './rows.ts';

/** What can be chosen. `reading` is the loading state of the accounts; the other rows are always known. */
type ContextsState = ListState<PlaceRow> & {readonly accounts: readonly Account[]};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly contexts: ContextsSlice;
	}
}

type ContextsSlice = ListMembers<ContextsState> & {
	readonly data: ContextsState;
	/** Shows what can be chosen so far. Moves the cursor to the active row or the first account, if given. */
	open(cursorTarget?: 'in force' | 'first account'): void;
	loadAccounts(signal: AbortSignal): Promise<void>;
};

export const createContextsSlice: Slice<ContextsSlice> = (set, get, {session}) => {
	// Only the accounts are read.
	const {change, read, move, filter} = createList(placeList, () => get().contexts.data, set);

	const show = (cursorTarget?: 'in force' | 'first account') => {
		const {data: connection, findProductionContext: findProduction} = get().connection;
		const contexts = get().contexts.data;
		const namespaces = get().namespaces.data;
		if (!connection) return;
		const rows = buildPlaceRows({
			connection,
			contexts: session.contexts.contextsFile?.all ?? [],
			accounts: contexts.accounts,
			shownData: namespaces.shownStorage,
			choices: session.options.choices ?? {},
			findProduction,
		});
		const isCursorTarget = ({isActive, kind}: PlaceRow) =>
			cursorTarget === 'in force' ? isActive : cursorTarget !== undefined && kind === 'account';
		change(placeList.applyChange(contexts, {rows}, rows.find(isCursorTarget)?.key));
	};

	return {
		data: {...emptyList, accounts: []},
		open: show,
		async loadAccounts(signal) {
			const loadAccounts = async () => collectSortedByName(listAccounts(await session.client(), signal));
			await read(signal, loadAccounts, accounts => {
				// Until the user moves, the cursor follows the active account.
				const {accounts: previousAccounts, filter, cursor} = get().contexts.data;
				change({accounts, reading: 'read', failure: undefined});
				show(previousAccounts.length === 0 && filter === '' && cursor === 0 ? 'in force' : undefined);
			});
		},
		move,
		filter,
	};
};
