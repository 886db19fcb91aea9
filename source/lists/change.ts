import {Failure, isFailure, toFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {createMalformedFailure} from '../service/response-fields.ts';
import {type Change, executeChange} from '../service/settle.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {formatQuantity} from '../text/figures.ts';
import {isJsonObject} from '../text/json.ts';
import {
	type AccountList,
	type AccountListItem,
	buildItemsPath,
	buildListsPath,
	type ListKind,
	parseAccountList,
	readAccountLists,
	readListItems,
} from './account-lists.ts';
import {parseListAddress} from './addresses.ts';
import {runListOperation} from './operation.ts';

/** What a change does to the addresses of an IP list, compared with the items that were read. */
export type ListChange =
	| {
			readonly kind: 'add';
			readonly addresses: readonly string[];
			readonly comment: string | undefined;
			/** Items whose comment is replaced. */
			readonly recommented: readonly AccountListItem[];
			/** Addresses that stay as they are. */
			readonly unchanged: readonly string[];
	  }
	| {
			readonly kind: 'remove';
			readonly items: readonly AccountListItem[];
			/** Addresses that the list does not contain. */
			readonly missing: readonly string[];
	  };

/** What the user wants. Each time the items are read, a `ListChange` is computed from it. */
export type RequestedListChange = {
	readonly kind: ListChange['kind'];
	/** As `parseListAddresses` returns them. */
	readonly addresses: readonly string[];
	readonly comment?: string | undefined;
	/** Comments of single addresses, in place of `comment`. */
	readonly comments?: ReadonlyMap<string, string> | undefined;
};

const getComment = ({comment, comments}: RequestedListChange, address: string): string | undefined =>
	comments?.get(address) ?? comment;

/** A part of a change that one request undoes. `items`: as they were before. */
export type ListUndoStep =
	| {readonly kind: 'added'; readonly addresses: readonly string[]}
	| {readonly kind: 'removed' | 'recommented'; readonly items: readonly AccountListItem[]};

/** Lists what undoes a change, the step to undo first last. */
export const listUndoSteps = (change: ListChange): readonly ListUndoStep[] =>
	change.kind === 'remove'
		? [{kind: 'removed', items: change.items}]
		: [
				...(change.recommented.length > 0 ? [{kind: 'recommented', items: change.recommented} as const] : []),
				...(change.addresses.length > 0 ? [{kind: 'added', addresses: change.addresses} as const] : []),
			];

/**
 * Builds the request that undoes a step, as far as `items` still differ from what was before; undefined if they
 * do not. Addresses that are listed again keep their comments, and those that are gone are not added for one.
 */
export function buildUndoRequest(
	step: ListUndoStep,
	items: readonly AccountListItem[],
): RequestedListChange | undefined {
	const comments = new Map(items.map(item => [getAddress(item), item.comment ?? '']));
	if (step.kind === 'added') {
		const addresses = step.addresses.filter(address => comments.has(address));
		return addresses.length > 0 ? {kind: 'remove', addresses} : undefined;
	}
	const differing = step.items.filter(item => {
		const comment = comments.get(getAddress(item));
		return step.kind === 'removed'
			? comment === undefined
			: comment !== undefined && comment !== (item.comment ?? '');
	});
	if (differing.length === 0) return undefined;
	return {
		kind: 'add',
		addresses: differing.map(getAddress),
		comments: new Map(differing.map(item => [getAddress(item), item.comment ?? ''])),
	};
}

/** Computes what a requested change does to these items. */
export function planListChange(request: RequestedListChange, items: readonly AccountListItem[]): ListChange {
	const {kind, addresses, comment} = request;
	const itemsByAddress = new Map(items.map(item => [getAddress(item), item]));
	const existing = addresses.flatMap(address => itemsByAddress.get(address) ?? []);
	const missing = addresses.filter(address => !itemsByAddress.has(address));
	if (kind === 'remove') return {kind, items: existing, missing};
	const isUnchanged = (item: AccountListItem) => {
		const newComment = getComment(request, getAddress(item));
		return newComment === undefined || (item.comment ?? '') === newComment;
	};
	return {
		kind,
		addresses: missing,
		comment,
		recommented: existing.filter(item => !isUnchanged(item)),
		unchanged: existing.filter(isUnchanged).map(getAddress),
	};
}

/** The address of an item in the form of `parseListAddresses`; its own text if it is not an address. */
function getAddress({ip = ''}: AccountListItem): string {
	const parsed = parseListAddress(ip);
	return 'address' in parsed ? parsed.address : ip;
}

/** True if a change leaves the list as it is. */
export const isEmptyListChange = (change: ListChange): boolean =>
	change.kind === 'add'
		? change.addresses.length + change.recommented.length === 0
		: change.items.length === 0;

/** Refuses lists of other kinds, whose items are not addresses. */
export function requireIpList({name, kind}: AccountList): void {
	if (kind !== 'ip')
		throw new Failure('usage', `The list "${name}" is not an IP list.`, {
			why: `It is of the kind ${kind}; ledge only changes lists of addresses.`,
		});
}

/**
 * Lists why a change needs the list's name as confirmation: rules use the list, so that traffic is blocked or
 * let through. Empty if no rule uses it, or if only comments change.
 */
export function listConfirmationReasons(
	{name, num_referencing_filters: ruleCount}: AccountList,
	change: ListChange,
): readonly string[] {
	if (ruleCount === 0 || (change.kind === 'add' && change.addresses.length === 0)) return [];
	const users =
		ruleCount === undefined
			? `Rules of any zone may use $${name}.`
			: `${formatQuantity(ruleCount, 'rule')} of the zones in this account ${ruleCount === 1 ? 'uses' : 'use'} $${name}.`;
	return [
		change.kind === 'add'
			? `${users} Rules that block this list will also block these addresses; rules that skip checks for it will let them through unchecked.`
			: `${users} Rules that block this list will no longer block these addresses; rules that skip checks for it will check them again.`,
	];
}

type ListPlace = {readonly account: string; readonly list: AccountList};

/** Result of a change of items. `mismatched`: addresses that are not as requested after it. */
export type ListChangeResult = {readonly wasLost: boolean; readonly mismatched: readonly string[]};

type ExecuteOptions = {readonly signal: AbortSignal; onRecheck?: (() => void) | undefined};

/**
 * Makes a change with one request per list. Reads the items right before, and sends nothing if the change would
 * do something else than `change` (`changed_meanwhile`). If its outcome is unknown, reads the items to settle it.
 */
export async function executeListChange(
	client: Client,
	{account, list}: ListPlace,
	request: RequestedListChange,
	change: ListChange,
	options: ExecuteOptions,
): Promise<ListChangeResult> {
	const {signal} = options;
	const current = planListChange(request, await readListItems(client, account, list, signal));
	if (JSON.stringify(toComparable(current)) !== JSON.stringify(toComparable(change)))
		throw new Failure(
			'changed_meanwhile',
			`Someone else changed the list "${list.name}" after it was read.`,
			{
				left: 'Nothing was sent.',
				next: buildAdvice`To see the items: \`${buildShowCommand(list)}\``,
			},
		);
	const outcome = await executeChange(client, buildItemsChange({account, list}, request, change), options);
	if (outcome.state !== 'done') throw outcome.failure;
	const isVerified = outcome.lost || client.dryRun !== false;
	return {
		wasLost: outcome.lost,
		mismatched: isVerified ? [] : await findMismatched(client, {account, list}, request, signal),
	};
}

/** What two readings must agree on: which addresses are touched, and what is overwritten or deleted. */
const toComparable = (change: ListChange) =>
	change.kind === 'add'
		? [change.addresses, change.recommented.map(({id, comment}) => [id, comment ?? ''])]
		: change.items.map(({id, comment}) => [id, comment ?? '']);

const buildItemsChange = (
	{account, list}: ListPlace,
	request: RequestedListChange,
	change: ListChange,
): Change<void> => ({
	send: (client, signal) =>
		runListOperation(
			client,
			account,
			{path: buildItemsPath(account, list.id), ...buildItemsRequest(request, change)},
			signal,
		),
	async checkEffect(client, signal) {
		const mismatched = await findMismatched(client, {account, list}, request, signal);
		if (mismatched.length === 0) return {effect: 'done', value: undefined};
		return {
			effect: 'not done',
			sentence:
				change.kind === 'add'
					? `${formatQuantity(mismatched.length, 'address', 'addresses')} of the change ${mismatched.length === 1 ? 'is' : 'are'} not in the list "${list.name}".`
					: `${formatQuantity(mismatched.length, 'address', 'addresses')} of the change ${mismatched.length === 1 ? 'is' : 'are'} still in the list "${list.name}".`,
		};
	},
	inspectCommand: buildShowCommand(list),
	continuesAfterCall: true,
});

function buildItemsRequest(
	request: RequestedListChange,
	change: ListChange,
): {method: 'POST' | 'DELETE'; body: unknown} {
	if (change.kind === 'remove') return {method: 'DELETE', body: {items: change.items.map(({id}) => ({id}))}};
	return {
		method: 'POST',
		body: [...change.addresses, ...change.recommented.map(getAddress)].map(ip => {
			const comment = getComment(request, ip);
			return {ip, ...(comment !== undefined && {comment})};
		}),
	};
}

/** Reads the items, and returns the addresses that are not as requested. */
async function findMismatched(
	client: Client,
	{account, list}: ListPlace,
	request: RequestedListChange,
	signal: AbortSignal,
): Promise<readonly string[]> {
	// Without a number of items to expect: the service may count them later than it lists them.
	const left = planListChange(request, await readListItems(client, account, {...list, num_items: 0}, signal));
	return left.kind === 'add'
		? [...left.addresses, ...left.recommented.map(getAddress)]
		: left.items.map(getAddress);
}

/** Describes the addresses that are not as requested after a change, as the end of a sentence. */
export const describeUnmatched = ({kind}: ListChange, mismatched: readonly string[]): string =>
	`${mismatched.join(', ')} ${mismatched.length === 1 ? 'is' : 'are'} ${kind === 'add' ? 'not in it as requested' : 'still in it'}`;

const buildShowCommand = ({name}: AccountList) => buildCommand('lists', 'show', name);

/** Maximum length of a list name; documented. */
export const maxListNameCharacters = 50;

/** Returns what is wrong with the name of a new list; undefined if nothing. */
export function findListNameProblem(name: string): string | undefined {
	if (!/^[a-z0-9_]+$/.test(name)) return 'A list name may contain only a-z, 0-9 and _.';
	return name.length > maxListNameCharacters
		? `A list name may have at most ${maxListNameCharacters} characters; this one has ${name.length}.`
		: undefined;
}

/** Creates an empty list. Never repeated by itself; an unknown outcome is settled by reading the lists. */
export async function createAccountList(
	client: Client,
	account: string,
	list: {readonly name: string; readonly kind: ListKind; readonly description?: string | undefined},
	options: ExecuteOptions,
): Promise<AccountList> {
	const {name, kind, description} = list;
	const problem = findListNameProblem(name);
	if (problem !== undefined)
		throw new Failure('limit', `"${name}" is not a valid list name.`, {why: problem});
	const findByName = async (signal: AbortSignal) =>
		(await readAccountLists(client, account, signal)).find(one => one.name === name);
	if (await findByName(options.signal))
		throw new Failure('already_exists', `The list "${name}" already exists.`, {
			left: 'Nothing was sent.',
			next: buildAdvice`Choose another name, or add to it: \`${buildCommand('lists', 'add', name, '203.0.113.0/24')}\``,
		});
	const body = {name, kind, ...(description !== undefined && {description})};
	const outcome = await executeChange<AccountList, never, never>(
		client,
		{
			async send(sender, signal) {
				const {result} = await sender.call(
					{
						method: 'POST',
						path: buildListsPath(account),
						body: {kind: 'json', value: body},
						repeat: 'never',
						writes: true,
						dryRunResult: {id: '<id from step 1>', ...body},
					},
					signal,
				);
				try {
					if (!isJsonObject(result)) throw createMalformedFailure('list');
					return parseAccountList(result);
				} catch (error) {
					const failure = toFailure(error);
					throw isFailure(failure, 'answer_malformed')
						? failure.withDetails({outcomeUnknown: true})
						: failure;
				}
			},
			async checkEffect(_client, signal) {
				const created = await findByName(signal);
				return created?.kind === kind
					? {effect: 'done', value: created}
					: {effect: 'not done', sentence: `There is no list "${name}" of the kind ${kind}.`};
			},
			inspectCommand: buildCommand('lists list'),
		},
		options,
	);
	if (outcome.state !== 'done') throw outcome.failure;
	return outcome.value;
}
