import {
	type AccountList,
	type AccountListItem,
	findAccountList,
	formatItemValue,
	readAccountLists,
	readListItems,
} from '../../lists/account-lists.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {formatInteger} from '../../text/figures.ts';
import {escapeText} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import type {ListShowOptions} from './lists.ts';

const formatCount = (count: number | undefined): string => (count === undefined ? '–' : formatInteger(count));

const listColumns: readonly TextColumn<AccountList>[] = [
	{title: 'NAME', cell: ({name}) => name},
	{title: 'KIND', cell: ({kind}) => kind},
	{title: 'ITEMS', align: 'right', cell: ({num_items}) => formatCount(num_items)},
	{title: 'RULES', align: 'right', cell: ({num_referencing_filters}) => formatCount(num_referencing_filters)},
	{title: 'ID', cell: ({id}) => id},
	{title: 'DESCRIPTION', cell: ({description}) => description ?? ''},
];

const itemColumns: readonly TextColumn<AccountListItem>[] = [
	{title: 'ITEM', cell: formatItemValue},
	{title: 'CHANGED', cell: ({modified_on, created_on}) => modified_on ?? created_on ?? '–'},
	{title: 'COMMENT', cell: ({comment}) => comment ?? ''},
];

/** `lists list`. */
export async function printAccountLists(context: CommandContext): Promise<void> {
	const {output, signal} = context;
	const client = await context.client();
	const account = await context.getAccount();
	const lists = await readAccountLists(client, account.id, signal);
	if (output.json) return output.writeJson(lists);
	await output.writeText(formatTable(listColumns, lists));
}

/** `lists show`. */
export async function printAccountList(
	context: CommandContext,
	{format}: ListShowOptions,
	name: string,
): Promise<void> {
	const {output, signal} = context;
	if (output.json && format !== undefined && format !== 'json')
		throw buildExclusionFailure('--json', `--format ${format}`);
	const client = await context.client();
	const account = await context.getAccount();
	const list = await findAccountList(client, account.id, name, signal);
	const items = await readListItems(client, account.id, list, signal);
	if (output.json || format === 'json') return output.writeJson(items);
	await output.writeText(
		format === 'text'
			? items.map(item => `${escapeText(formatItemValue(item))}\n`).join('')
			: formatTable(itemColumns, items),
	);
}
