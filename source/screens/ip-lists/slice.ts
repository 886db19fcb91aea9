import {nameKey} from '../../keyboard/named-keys.ts';
import {
	type AccountList,
	type AccountListItem,
	findAccountList,
	formatItemValue,
	readAccountLists,
	readListItems,
} from '../../lists/account-lists.ts';
import {
	createAccountList,
	describeUnmatched,
	executeListChange,
	type ListUndoStep,
	listUndoSteps,
	planListChange,
	type RequestedListChange,
} from '../../lists/change.ts';
import {describeListChange, getItemAddress} from '../../lists/change-words.ts';
import type {Client} from '../../service/client.ts';
import type {Session} from '../../session/session.ts';
import {toAccountPlace} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import {emptyList, type ListState} from '../list/list.ts';
import {createList, type ListMarks, type ListWithDetailState} from '../list/slice.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly ipLists: IpListsSlice;
		readonly ipListItems: ListItemsSlice;
	}
}

type IpListsState = ListState<AccountList>;

/** The lists of the account, which expressions of all its zones use as `$name`. */
type IpListsSlice = ListMembers<IpListsState> & {
	readonly data: IpListsState;
	load(signal: AbortSignal): Promise<void>;
	/** Creates an empty IP list. */
	create(name: string, signal: AbortSignal): Promise<void>;
};

export const ipLists = declareList({
	getSlice: state => state.ipLists,
	screen: 'ipLists',
	group: 'IP lists',
	id: 'lists',
	rowLabel: 'list',
	getKey: ({id}: AccountList) => id,
	getTexts: ({name, kind, description}) => [name, kind, description],
	getIds: ({id}) => [id],
	getTitle: ({name}) => name,
});

export const createIpListsSlice: Slice<IpListsSlice> = (set, get, {session}) => {
	const {read, show, move, filter, change} = createList(ipLists, () => get().ipLists.data, set);
	const load = async (signal: AbortSignal): Promise<void> => {
		await read(
			signal,
			async () => readAccountLists(await session.client(), (await session.account(signal)).id, signal),
			rows => show({rows}),
		);
	};
	return {
		data: emptyList,
		move,
		filter,
		load,
		async create(name, signal) {
			const {id} = await writeToAccount(session, `create list ${name}`, signal, (client, account) =>
				createAccountList(client, account, {name, kind: 'ip'}, {signal}),
			);
			await load(signal);
			change(ipLists.applyRowFocus(get().ipLists.data, id));
			get().messages.say(`Created list "${name}". Rules use it as $${name}.`);
		},
	};
};

type ListItemsState = ListWithDetailState<AccountListItem> & {readonly list: AccountList};

/** A part of a change that this session made to a list. */
type ListUndo = ListUndoStep & {readonly listId: string; readonly listName: string};

/** The items of one list. */
type ListItemsSlice = ListMembers<ListItemsState> &
	ListMarks & {
		/** What this session changed in any list and did not undo, the last change last. */
		readonly undoSteps: readonly ListUndo[];
		/** Shows the detail of the current item from row `top`; undefined returns to the list. */
		showDetail(top: number | undefined): void;
		/** Opens a list, and drops what was read of another one. */
		open(list: AccountList): void;
		load(signal: AbortSignal): Promise<void>;
		/**
		 * Changes the addresses as planned from the shown items, unless others changed them meanwhile. `undone`: the
		 * step that the change undoes.
		 */
		change(request: RequestedListChange, signal: AbortSignal, undone?: ListUndo): Promise<void>;
	};

export const listItems = declareList({
	getSlice: state => state.ipListItems,
	screen: 'ipListItems',
	group: 'Items of an IP list',
	id: 'items',
	rowLabel: 'item',
	getKey: ({id}: AccountListItem) => id,
	getTexts: item => [formatItemValue(item), item.comment],
});

export const createListItemsSlice: Slice<ListItemsSlice> = (set, get, {session}) => {
	const getData = () => get().ipListItems.data;
	const {read, show, forget, move, filter, change, showDetail, marks} = createList(listItems, getData, set);
	/** Reads the items, and the list itself: rules may use it by now. */
	const readList = async ({id}: AccountList, signal: AbortSignal) => {
		const client = await session.client();
		const account = await session.account(signal);
		const list = await findAccountList(client, account.id, id, signal);
		return {list, rows: await readListItems(client, account.id, list, signal)};
	};
	const load = async (signal: AbortSignal): Promise<void> => {
		const data = getData();
		if (data) await read(signal, () => readList(data.list, signal), show);
	};
	return {
		data: undefined,
		undoSteps: [],
		move,
		filter,
		...marks,
		showDetail,
		load,
		open(list) {
			if (getData()?.list.id === list.id) return change({list, detail: undefined});
			forget();
			set({data: {...emptyList, list}});
		},
		async change(request, signal, undone) {
			const data = getData();
			if (!data) return;
			const {list, rows} = data;
			const plan = planListChange(request, rows);
			try {
				const {mismatched} = await writeToAccount(
					session,
					describeListChange(plan, list, 'plan'),
					signal,
					(client, account) => executeListChange(client, {account, list}, request, plan, {signal}),
				);
				const {undoSteps} = get().ipListItems;
				const newSteps = undone
					? []
					: listUndoSteps(plan).map(step => ({...step, listId: list.id, listName: list.name}));
				set({undoSteps: [...undoSteps.filter(step => step !== undone), ...newSteps]});
				// The undo is offered for what is no longer listed, also before the items are read again.
				if (plan.kind === 'remove') show({rows: rows.filter(row => !plan.items.includes(row))});
				const addresses = new Set<string>(request.addresses);
				marks.unmark(rows.flatMap(row => (addresses.has(getItemAddress(row)) ? [row.id] : [])));
				const undoHint = undone ? '' : ` ${describeUndo(newSteps)}`;
				const done = `${describeListChange(plan, list, undone ? 'undone' : 'done')}.${undoHint}`;
				if (mismatched.length === 0) get().messages.say(done);
				else
					get().messages.warn(
						`The service accepted the change, but someone else may have changed the list: ${describeUnmatched(plan, mismatched)}.`,
					);
			} catch (error) {
				change({reading: 'stale'});
				throw error;
			}
			await load(signal);
			await get().ipLists.load(signal);
		},
	};
};

/** Says what the undo of a change does: each step is undone by itself, since it is a request of its own. */
function describeUndo(steps: readonly ListUndoStep[]): string {
	const key = nameKey('items.undo', 'u');
	return steps.length === 1
		? `${key} undoes it.`
		: `${key} removes what was added, ${key} again restores the comments.`;
}

/** Runs a write to the lists of the account: checks the permission, and records it in the audit log. */
async function writeToAccount<T>(
	session: Session,
	description: string,
	signal: AbortSignal,
	write: (client: Client, account: string) => Promise<T>,
): Promise<T> {
	session.refuseWhenReadOnly(description);
	const client = await session.client();
	const account = await session.account(signal);
	const place = await session.permit(toAccountPlace(account), description);
	return session.auditWrite(description, place, () => write(client, account.id));
}
