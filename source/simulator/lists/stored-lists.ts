import type {JsonObject} from '../../text/json.ts';
import type {Collection, ResourceOwner} from '../world/resources.ts';

/** A list of an account, without the figures that depend on its items and on rules. */
export type StoredList = JsonObject & {
	readonly id: string;
	readonly name: string;
	readonly kind: ListItemKind;
	readonly description?: string;
	readonly created_on: string;
	readonly modified_on: string;
};

/** An item of a list: its value is in the field named like its kind. */
export type StoredListItem = JsonObject & {
	readonly id: string;
	readonly comment?: string;
	readonly created_on: string;
	readonly modified_on: string;
};

/** A change of items that the service makes later. */
export type StoredListOperation = JsonObject & {
	readonly id: string;
	readonly list: string;
	readonly status: 'pending' | 'running' | 'completed' | 'failed';
	/** Items to add or update, or ids to delete. */
	readonly added: readonly JsonObject[];
	readonly removed: readonly string[];
	/** In milliseconds. */
	readonly since: number;
	readonly completed?: string;
	readonly error?: string;
};

export const listItemKinds = ['ip', 'asn', 'hostname', 'redirect'] as const;
export type ListItemKind = (typeof listItemKinds)[number];

export const getStoredLists = ({resources}: ResourceOwner, account: string): Collection<StoredList> =>
	resources.getCollection('list', account);

export const getStoredListItems = (
	{resources}: ResourceOwner,
	account: string,
	listId: string,
): Collection<StoredListItem> => resources.getCollection('list-item', `${account}/${listId}`);

export const getStoredListOperations = (
	{resources}: ResourceOwner,
	account: string,
): Collection<StoredListOperation> => resources.getCollection('list-operation', account);
