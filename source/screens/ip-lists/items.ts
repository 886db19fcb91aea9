import {isFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {type AccountList, type AccountListItem, formatItemValue} from '../../lists/account-lists.ts';
import {parseListAddresses} from '../../lists/addresses.ts';
import {
	buildUndoRequest,
	isEmptyListChange,
	listConfirmationReasons,
	planListChange,
	type RequestedListChange,
} from '../../lists/change.ts';
import {describeListChange, formatAddressNames, getItemAddress} from '../../lists/change-words.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {hasLoaded} from '../list/reading.ts';
import {
	createDetailActions,
	createListActions,
	createListScreen,
	createMarkActions,
	createMarkSelection,
	type ListScreenDefinition,
} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {cutToLine, listFirst} from '../rows/dialog-lines.ts';
import {buildNamedRows} from '../rows/rows.ts';
import {getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {createListItemsSlice, listItems} from './slice.ts';

function readItemsOfList({state}: App): void {
	const name = state().ipListItems.data?.list.name ?? '';
	void state().work.run(`loading the items of ${name}`, 'read', signal => state().ipListItems.load(signal));
}

/** Opens the items of a list, and reads them. */
export function openListItems(app: App, list: AccountList): void {
	app.state().ipListItems.open(list);
	app.state().navigation.go('ipListItems');
	readItemsOfList(app);
}

function getItemsBlockedReason(state: StateWith<'ipListItems' | 'connection'>): string | undefined {
	const {data} = state.ipListItems;
	if (data && data.list.kind !== 'ip')
		return `only IP lists can be changed here, and this one is of the kind ${data.list.kind}`;
	return getReadOnlyReason(state) ?? (data && hasLoaded(data) ? undefined : 'its items are not loaded');
}

/** Finds the last change of the open list that can be undone, with the request that undoes it. */
function findUndo({ipListItems: {data, undoSteps}}: StateWith<'ipListItems', 'data' | 'undoSteps'>) {
	for (const step of undoSteps.toReversed()) {
		const request = step.listId === data?.list.id ? buildUndoRequest(step, data.rows) : undefined;
		if (request) return {step, request};
	}
	return undefined;
}

/**
 * Shows what a change does, and makes it after a confirmation: with the list's name if rules use the list.
 * `undone`: the step that it undoes.
 */
function askToChange(
	{state}: App,
	request: RequestedListChange,
	undone?: NonNullable<ReturnType<typeof findUndo>>['step'],
): void {
	const {data} = state().ipListItems;
	if (!data) return;
	const {list, rows} = data;
	const change = planListChange(request, rows);
	if (isEmptyListChange(change)) {
		state().messages.say('No difference, so nothing was sent.');
		return;
	}
	const reasons = listConfirmationReasons(list, change);
	askToConfirm(
		state(),
		{
			title: `${describeListChange(change, list, undone ? 'undo' : 'plan')}?`,
			lines: [
				...reasons,
				...listItemLines(
					undone && 'items' in undone ? undone.items : change.kind === 'remove' ? change.items : [],
				),
				...(undone || change.kind === 'remove' ? [] : describeCurrentComments(change.recommented)),
				...describeNewComment(request),
			],
			actionLabel:
				change.kind === 'remove'
					? 'remove'
					: change.addresses.length > 0
						? 'add'
						: `${undone ? 'restore' : 'change'} comment`,
		},
		reasons.length > 0 ? list.name : undefined,
		() =>
			void state().work.run(`changing list ${list.name}`, 'write', signal =>
				state().ipListItems.change(request, signal, undone),
			),
	);
}

/** Lists items with their comments; nothing for a single one without, which the title names. */
const listItemLines = (items: readonly AccountListItem[]): readonly string[] =>
	items.length > 1 || items[0]?.comment
		? listFirst(
				items.map(item =>
					cutToLine(toDrawable([formatItemValue(item), item.comment].filter(Boolean).join(': '))),
				),
			)
		: [];

const describeCurrentComments = (items: readonly AccountListItem[]): readonly string[] => {
	const lines = listItemLines(items.filter(({comment}) => comment));
	return lines.length > 0 ? [`Current comment${lines.length === 1 ? '' : 's'}:`, ...lines] : [];
};

const describeNewComment = ({comment}: RequestedListChange): readonly string[] =>
	comment === undefined ? [] : [comment === '' ? 'Without a comment.' : `Comment: ${comment}`];

/** Splits a typed line. Line ends of a paste are spaces in it, so that a comment would have no end: it is refused. */
const splitAddresses = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(word => word !== '');

function findAddressProblem(text: string): string | undefined {
	try {
		return parseListAddresses(splitAddresses(text)).length > 0 ? undefined : 'Type an address or a network.';
	} catch (error) {
		return isFailure(error) ? [error.message, error.details.why].join(' ') : String(error);
	}
}

function askForAddresses(app: App): void {
	const {openField} = app.state().dialog;
	const name = app.state().ipListItems.data?.list.name ?? '';
	openField({
		title: `Add addresses to "${name}"`,
		lines: ['Addresses and networks, separated by spaces or commas.'],
		value: '',
		actionLabel: 'next',
		check: findAddressProblem,
		submit: text =>
			openField({
				title: 'Comment',
				lines: [
					cutToLine(toDrawable(`For ${text.trim()}.`)),
					'Leave it empty to keep the comments of addresses that are in the list already.',
				],
				value: '',
				actionLabel: 'next',
				submit: comment =>
					askToChange(app, {
						kind: 'add',
						addresses: parseListAddresses(splitAddresses(text)),
						comment: comment.trim() || undefined,
					}),
			}),
	});
}

/** Asks for another comment of items; empty removes it. */
function askForComment(app: App, items: readonly AccountListItem[]): void {
	const [firstComment = '', ...otherComments] = new Set(items.map(({comment = ''}) => comment));
	app.state().dialog.openField({
		title: 'Comment',
		lines: [`For ${formatAddressNames(items.map(getItemAddress))}. Leave it empty for none.`],
		value: otherComments.length === 0 ? firstComment : '',
		actionLabel: 'next',
		submit: comment =>
			askToChange(app, {
				kind: 'add',
				addresses: parseListAddresses(items.map(getItemAddress)),
				comment: comment.trim(),
			}),
	});
}

const itemColumns: readonly Column<AccountListItem>[] = [
	{
		title: 'ITEM',
		isEssential: true,
		getWidth: columns => (columns >= 100 ? 44 : 28),
		cut: 'middle',
		getText: formatItemValue,
	},
	{title: 'COMMENT', gap: 2, getText: ({comment}) => comment ?? ''},
];

const listItemsActions: readonly Action[] = [
	...createDetailActions(listItems),
	listItems.defineAction('items.add', ['a'], 'add addresses to the list', {
		effect: 'writes',
		hint: 'add',
		searchTerms: ['add ip', 'block ip', 'new address'],
		getUnavailableReason: getItemsBlockedReason,
		run: askForAddresses,
	}),
	listItems.defineAction(
		'items.comment',
		['e'],
		'edit the comment of the selected addresses or the address',
		{
			effect: 'writes',
			hint: 'comment',
			searchTerms: ['change comment', 'describe address', 'note'],
			...listItems.withTargetRows(askForComment, getItemsBlockedReason),
		},
	),
	listItems.defineAction(
		'items.delete',
		['d'],
		'remove the selected addresses or the address from the list',
		{
			effect: 'writes',
			hint: 'remove',
			searchTerms: ['delete', 'remove ip', 'unblock'],
			...listItems.withTargetRows(
				(app, items) =>
					askToChange(app, {
						kind: 'remove',
						addresses: parseListAddresses(items.map(getItemAddress)),
					}),
				getItemsBlockedReason,
			),
		},
	),
	listItems.defineAction('items.undo', ['u'], 'undo the last change to the list made here', {
		effect: 'writes',
		paletteMode: 'never',
		hint: 'undo',
		searchTerms: ['restore addresses', 'take back', 'revert'],
		...withSelection(
			findUndo,
			'no changes to this list in this session',
			(app, {step, request}) => askToChange(app, request, step),
			getItemsBlockedReason,
		),
	}),
	...createMarkActions(listItems, 'item'),
	...createListActions(listItems, 'filter the items by text', [
		{shortcut: 'y', noun: 'the item', hint: 'copy', getText: formatItemValue},
	]),
];

export const listItemsScreen: ListScreenDefinition = createListScreen(listItems, {
	label: 'the items of the list',
	buildPath: (parentPath, state) => [...parentPath, state.ipListItems.data?.list.name ?? ''],
	actions: listItemsActions,
	createSlice: createListItemsSlice,
	selection: createMarkSelection(listItems),
	reload: readItemsOfList,
	listUndoable: ({ipListItems: {undoSteps}}) =>
		[...Map.groupBy(undoSteps, ({listId}) => listId).values()].flatMap(([first, ...others]) =>
			first ? [{count: others.length + 1, subject: `the list "${first.listName}"`}] : [],
		),
	buildDetail(data, columns) {
		const item = listItems.getSelected(data);
		return item
			? [
					...buildNamedRows('item', formatItemValue(item), columns),
					...buildNamedRows('comment', item.comment, columns),
					...buildNamedRows('added', item.created_on, columns),
					...buildNamedRows('changed', item.modified_on, columns),
				]
			: [];
	},
	view: {
		getColumns: () => itemColumns,
		isMarked: (item, data) => listItems.isMarked(data, item),
		getDetailHint: () => ': enter',
		closedTitle: 'No list is open.',
		describeEmpty: ({list}) => `The list "${list.name}" is empty.`,
		describeNextStep: ({list}) =>
			list.kind === 'ip' ? `${nameKey('items.add', 'a')} adds addresses` : 'esc goes back',
	},
});
