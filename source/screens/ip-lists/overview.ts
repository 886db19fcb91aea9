import type {AccountList} from '../../lists/account-lists.ts';
import {findListNameProblem} from '../../lists/change.ts';
import {formatInteger} from '../../text/figures.ts';
import {createListActions, createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {buildNamedRows} from '../rows/rows.ts';
import {defineGlobalAction, getReadOnlyReason, getSettingsProblem} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {openListItems} from './items.ts';
import {createIpListsSlice, ipLists} from './slice.ts';

/** Reads the lists of the account. */
function readIpLists({state}: App): void {
	void state().work.run('loading lists', 'read', signal => state().ipLists.load(signal));
}

const formatCount = (count: number | undefined): string => (count === undefined ? '?' : formatInteger(count));

const listColumns: readonly Column<AccountList>[] = [
	{
		title: 'NAME',
		isEssential: true,
		getWidth: columns => (columns >= 100 ? 30 : 20),
		getText: ({name}) => name,
	},
	{title: 'KIND', getWidth: () => 8, getText: ({kind}) => kind},
	{title: 'ITEMS', getWidth: () => 7, align: 'right', getText: ({num_items}) => formatCount(num_items)},
	{
		title: 'RULES',
		getWidth: () => 5,
		align: 'right',
		getText: ({num_referencing_filters: count}) => formatCount(count),
	},
	{title: 'DESCRIPTION', gap: 2, getText: ({description}) => description ?? ''},
];

/** Opens the lists of the account, and reads them. */
export function openIpLists(app: App): void {
	app.state().work.cancelReads();
	app.state().navigation.go('ipLists');
	readIpLists(app);
}

export const goIpLists = defineGlobalAction('go.lists', ['I'], 'go to the IP lists of the account', {
	searchTerms: ['ip lists', 'lists', 'blocklist', 'allowlist', 'addresses', 'custom lists', 'account lists'],
	getUnavailableReason: getSettingsProblem,
	run: openIpLists,
});

function askToCreateList({state}: App): void {
	state().dialog.openField({
		title: 'Create an IP list',
		lines: ['Rules of all zones in this account can use it as $NAME. The name cannot be changed.'],
		value: '',
		actionLabel: 'next',
		check: findListNameProblem,
		submit(name) {
			const question = {
				title: `Create the list "${name}"?`,
				lines: [`Rules use it as $${name}. Its name cannot be changed, and ledge cannot delete it.`],
				actionLabel: 'create list',
			};
			askToConfirm(
				state(),
				question,
				undefined,
				() =>
					void state().work.run(`creating list ${name}`, 'write', signal =>
						state().ipLists.create(name, signal),
					),
			);
		},
	});
}

const ipListsActions: readonly Action[] = [
	ipLists.defineAction('lists.open', ['enter', 'l', 'right'], 'open the items of the list', {
		opensRow: true,
		hint: 'items',
		...ipLists.withCurrentRow(openListItems),
	}),
	ipLists.defineAction('lists.new', ['a'], 'create an IP list', {
		effect: 'writes',
		hint: 'new',
		searchTerms: ['new list', 'add list'],
		getUnavailableReason: getReadOnlyReason,
		run: askToCreateList,
	}),
	// The key is answered, since it deletes on every other screen.
	ipLists.defineAction('lists.delete', ['d'], 'how to delete or rename a list (in the dashboard)', {
		searchTerms: ['remove list'],
		run: ({state}) =>
			state().messages.say('Delete lists in the dashboard, once no rule uses them. Names cannot be changed.'),
	}),
	...createListActions(ipLists, 'filter the lists by text', [
		{shortcut: 'y', noun: 'the name for expressions', hint: 'copy', getText: ({name}) => `$${name}`},
		{shortcut: 'Y', noun: 'the list id', getText: ({id}) => id},
	]),
];

export const ipListsScreen: ListScreenDefinition = createListScreen(ipLists, {
	label: 'the IP lists',
	buildPath: () => ['ledge', 'IP lists'],
	actions: ipListsActions,
	createSlice: createIpListsSlice,
	reload: readIpLists,
	buildDetail(data, columns) {
		const list = ipLists.getSelected(data);
		return list
			? [
					...buildNamedRows('description', list.description || undefined, columns),
					...buildNamedRows('written as', `$${list.name} in expressions`, columns),
					...buildNamedRows('changed', list.modified_on, columns),
					...buildNamedRows('list id', list.id, columns),
				]
			: [];
	},
	view: {getColumns: () => listColumns, describeEmpty: () => 'This account has no lists.'},
});
