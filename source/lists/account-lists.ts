import {Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {checkPageCount} from '../service/paging.ts';
import {encodePathSegment} from '../service/path-segment.ts';
import {readResult} from '../service/read-result.ts';
import {
	createMalformedFailure,
	readList,
	readOptionalNumber,
	readOptionalText,
	requireText,
} from '../service/response-fields.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {formatDidYouMean} from '../text/closest-name.ts';
import {isJsonObject, type JsonObject} from '../text/json.ts';

/** What the items of a list are. Later services may know others. */
export const listKinds = ['ip', 'asn', 'hostname', 'redirect'] as const;
export type ListKind = (typeof listKinds)[number];

/** A list of an account as the service describes it, with the names of its fields, which `--json` prints. */
export type AccountList = {
	readonly id: string;
	readonly name: string;
	readonly kind: string;
	readonly description?: string;
	readonly num_items?: number;
	/** Number of rules in all zones that use the list; undefined if the service does not say. */
	readonly num_referencing_filters?: number;
	readonly created_on?: string;
	readonly modified_on?: string;
};

/** An item of a list, with the fields of the service. One field of its kind holds its value. */
export type AccountListItem = {
	readonly id: string;
	readonly ip?: string;
	readonly asn?: number;
	readonly hostname?: JsonObject;
	readonly redirect?: JsonObject;
	readonly comment?: string;
	readonly created_on?: string;
	readonly modified_on?: string;
};

/** Items per page: the documented maximum. */
const itemsPerPage = 500;

/** Builds a path below the lists of an account. */
export const buildListsPath = (account: string, ...segments: readonly string[]): string =>
	[`/accounts/${encodePathSegment(account, 'an account')}/rules/lists`, ...segments].join('/');

/** Builds the path of the items of a list. */
export const buildItemsPath = (account: string, listId: string): string =>
	buildListsPath(account, encodePathSegment(listId, 'a list', buildCommand('lists list')), 'items');

export function parseAccountList(item: Readonly<Record<string, unknown>>): AccountList {
	const numbers = {
		num_items: readOptionalNumber(item, 'num_items', 'a list'),
		num_referencing_filters: readOptionalNumber(item, 'num_referencing_filters', 'a list'),
	};
	return {
		id: requireText(item, 'id', 'a list'),
		name: requireText(item, 'name', 'a list'),
		kind: requireText(item, 'kind', 'a list'),
		...pickTexts(item, ['description']),
		...(numbers.num_items !== undefined && {num_items: numbers.num_items}),
		...(numbers.num_referencing_filters !== undefined && {
			num_referencing_filters: numbers.num_referencing_filters,
		}),
		...pickTexts(item, ['created_on', 'modified_on']),
	};
}

function parseItem(item: Readonly<Record<string, unknown>>): AccountListItem {
	const {asn, hostname, redirect} = item;
	const parsed = {
		id: requireText(item, 'id', 'an item of a list'),
		...pickTexts(item, ['ip']),
		...(typeof asn === 'number' && {asn}),
		...(isJsonObject(hostname) && {hostname}),
		...(isJsonObject(redirect) && {redirect}),
		...pickTexts(item, ['comment', 'created_on', 'modified_on']),
	};
	if (formatItemValue(parsed) === '') throw createMalformedFailure('value of an item of a list');
	return parsed;
}

const pickTexts = <Name extends string>(
	item: Readonly<Record<string, unknown>>,
	names: readonly Name[],
): {readonly [One in Name]?: string} =>
	Object.fromEntries(
		names.flatMap(name => {
			const text = readOptionalText(item, name);
			return text === undefined ? [] : [[name, text]];
		}),
	) as {readonly [One in Name]?: string};

/** Formats the value of an item: an address, `AS64500`, a hostname, or the two addresses of a redirect. */
export function formatItemValue({ip, asn, hostname, redirect}: AccountListItem): string {
	if (ip !== undefined) return ip;
	if (asn !== undefined) return `AS${asn}`;
	if (hostname) return String(hostname.url_hostname ?? '');
	return redirect ? `${redirect.source_url ?? ''} → ${redirect.target_url ?? ''}` : '';
}

/** Lists the lists of an account, in the order of the service. */
export async function readAccountLists(
	client: Client,
	account: string,
	signal: AbortSignal,
): Promise<readonly AccountList[]> {
	const result = await readResult(client, {path: buildListsPath(account), responseLimit: 'listing'}, signal);
	return readList(result, 'a list', parseAccountList);
}

/** Returns the list with a name or id. Fails with `not_found`. */
export async function findAccountList(
	client: Client,
	account: string,
	nameOrId: string,
	signal: AbortSignal,
): Promise<AccountList> {
	const name = nameOrId.replace(/^\$/, '');
	const lists = await readAccountLists(client, account, signal);
	const list = lists.find(one => one.name === name) ?? lists.find(({id}) => id === nameOrId);
	if (list) return list;
	throw new Failure('not_found', `There is no list "${name}" in this account.`, {
		next: buildAdvice`${formatDidYouMean(
			name,
			lists.map(one => one.name),
		)}See \`${buildCommand('lists list')}\` for all lists.`,
	});
}

/** Reads all items of a list, 500 per page. */
export async function readListItems(
	client: Client,
	account: string,
	{id, num_items: expectedCount = 0}: AccountList,
	signal: AbortSignal,
): Promise<readonly AccountListItem[]> {
	const items = new Map<string, AccountListItem>();
	let cursor: string | undefined;
	for (;;) {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path: buildItemsPath(account, id),
				query: {per_page: itemsPerPage, cursor},
				repeat: 'always',
				writes: false,
				responseLimit: 'listing',
			},
			signal,
		);
		const page = readList(result, 'an item of a list', parseItem);
		checkPageCount(info, page.length);
		const previousCount = items.size;
		for (const item of page) items.set(item.id, item);
		cursor = info.cursor || undefined;
		if (cursor === undefined) {
			// A full page without a cursor can be the last one, but only if it completes the list.
			if (page.length >= itemsPerPage && items.size < expectedCount)
				throw createMalformedFailure('page of list items').withDetails({
					why: 'It is full, but has no cursor for the next page.',
				});
			return [...items.values()];
		}
		if (items.size === previousCount) return [...items.values()];
	}
}
