import {Failure} from '../../failure.ts';
import {splitTargetWords} from '../../firewall/rules/targets.ts';
import {type AccountList, findAccountList, readListItems} from '../../lists/account-lists.ts';
import {parseListAddresses} from '../../lists/addresses.ts';
import {
	createAccountList,
	describeUnmatched,
	executeListChange,
	isEmptyListChange,
	type ListChange,
	listConfirmationReasons,
	planListChange,
	type RequestedListChange,
	requireIpList,
} from '../../lists/change.ts';
import {describeListChange, formatAddressNames, getItemAddress} from '../../lists/change-words.ts';
import {toAccountPlace} from '../../session/write-place.ts';
import {buildCommand} from '../../text/advice.ts';
import {confirmWrite} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';
import type {ListAddOptions, ListCreateOptions, ListRemoveOptions} from './lists.ts';

/** `lists create`. */
export async function createAccountListCommand(
	context: CommandContext,
	{kind = 'ip', description}: ListCreateOptions,
	name: string,
): Promise<void> {
	const {output, signal} = context;
	const account = await context.getAccount();
	const client = await context.client();
	const place = toAccountPlace(account);
	await context.announceWrite({...place, label: `${account.label} › list ${name}`});
	const list = await context.auditWrite(`create list ${name}`, place, () =>
		createAccountList(
			client,
			account.id,
			{name, kind, description},
			{signal, onRecheck: () => output.say('The response was lost; checking the current state.')},
		),
	);
	await context.printResult(
		list,
		`Created list "${list.name}" in ${account.label}. Rules use it as $${list.name}.`,
	);
}

/** `lists add`: an address that the list contains already only gets the comment, if one is given. */
export const addListAddresses = async (
	context: CommandContext,
	{comment, ...options}: ListAddOptions,
	name: string,
	...addresses: string[]
): Promise<void> =>
	changeListAddresses(
		context,
		name,
		{kind: 'add', addresses: await readAddresses(context, addresses, options), comment},
		options.confirm,
	);

/** `lists remove`: an address that the list does not contain counts as removed. */
export const removeListAddresses = async (
	context: CommandContext,
	options: ListRemoveOptions,
	name: string,
	...addresses: string[]
): Promise<void> =>
	changeListAddresses(
		context,
		name,
		{kind: 'remove', addresses: await readAddresses(context, addresses, options)},
		options.confirm,
	);

/** Reads the addresses of the command line and of `--file`, where `#` begins a comment. */
async function readAddresses(
	context: CommandContext,
	words: readonly string[],
	{file}: ListRemoveOptions,
): Promise<readonly string[]> {
	const fileWords =
		file === undefined
			? []
			: splitTargetWords((await readInputValue(context.resolve(file), context)).toString('utf8'));
	const addresses = parseListAddresses([...words, ...fileWords]);
	if (addresses.length > 0) return addresses;
	throw new Failure('usage', 'No address was given.', {
		next: 'Name addresses or networks after the list, or a file of them with --file.',
	});
}

async function changeListAddresses(
	context: CommandContext,
	name: string,
	request: RequestedListChange,
	confirmOption: string | undefined,
): Promise<void> {
	const {output, signal} = context;
	const account = await context.getAccount();
	const client = await context.client();
	const list = await findAccountList(client, account.id, name, signal);
	requireIpList(list);
	const place = toAccountPlace(account);
	await context.announceWrite({...place, label: `${account.label} › list ${list.name}`});
	const change = planListChange(request, await readListItems(client, account.id, list, signal));
	reportUntouched(context, list, change);
	const description = describeListChange(change, list, 'plan');
	if (isEmptyListChange(change)) {
		output.say('No difference, so nothing was sent.');
		return context.printResult(toResult(change, list));
	}
	await confirmWrite(
		context,
		{name: list.name, noun: 'list'},
		listConfirmationReasons(list, change),
		confirmOption,
		change.kind === 'remove' ? `${description}, in ${account.label}?` : undefined,
	);
	const result = await context.auditWrite(description, place, () =>
		executeListChange(client, {account: account.id, list}, request, change, {
			signal,
			onRecheck: () => output.say('The response was lost; checking the current state.'),
		}),
	);
	if (result.wasLost) output.say('A later check confirmed the change.');
	if (result.mismatched.length > 0)
		output.warn(
			`The service accepted the change, but someone else may have changed the list: ${describeUnmatched(change, result.mismatched)}. See \`${buildCommand('lists', 'show', list.name)}\`.`,
		);
	await context.printResult(
		toResult(change, list),
		`${describeListChange(change, list, 'done')}, in ${account.label}.`,
	);
}

function reportUntouched({output}: CommandContext, {name}: AccountList, change: ListChange): void {
	const untouched = change.kind === 'add' ? change.unchanged : change.missing;
	if (untouched.length === 0) return;
	const addresses = formatAddressNames(untouched);
	const verb = untouched.length === 1 ? 'is' : 'are';
	output.say(`${addresses} ${verb} ${change.kind === 'add' ? 'already' : 'not'} in "${name}".`);
}

const toResult = (change: ListChange, {id, name}: AccountList) =>
	change.kind === 'add'
		? {
				list: {id, name},
				added: change.addresses,
				commented: change.recommented.map(getItemAddress),
				unchanged: change.unchanged,
			}
		: {list: {id, name}, removed: change.items.map(getItemAddress), missing: change.missing};
