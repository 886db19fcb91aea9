import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import type {RequestContext} from '../http/route.ts';
import {maxListItems} from './limits.ts';
import {
	getStoredListItems,
	getStoredListOperations,
	getStoredLists,
	type StoredList,
	type StoredListOperation,
} from './stored-lists.ts';

/** Milliseconds after which an operation is complete, however often anyone asks. */
const operationMs = 2_000;

type OwnedContext = Pick<RequestContext, 'world' | 'now'> & {readonly account: string};

/** Returns the operation of the account that is not complete. */
export const findOpenOperation = ({world, account}: OwnedContext): StoredListOperation | undefined =>
	getStoredListOperations(world, account)
		.list()
		.find(({status}) => status === 'pending' || status === 'running');

/** Makes the change of an operation whose time has come. */
export function finishDueOperation(context: OwnedContext): void {
	const operation = findOpenOperation(context);
	if (operation && context.now - operation.since >= operationMs) finishOperation(context, operation);
}

/** Moves an operation one step on, from pending over running to its end. Returns it as it was before. */
export function advanceOperation(context: OwnedContext, operation: StoredListOperation): StoredListOperation {
	if (operation.status === 'pending')
		getStoredListOperations(context.world, context.account).put({...operation, status: 'running'});
	if (operation.status === 'running') finishOperation(context, operation);
	return operation;
}

export const startOperation = (
	{world, now, account}: OwnedContext,
	list: StoredList,
	change: Pick<StoredListOperation, 'added' | 'removed'>,
): StoredListOperation =>
	getStoredListOperations(world, account).add({list: list.id, status: 'pending', since: now, ...change});

function finishOperation(context: OwnedContext, operation: StoredListOperation): void {
	const {world, now, account} = context;
	const completed = new Date(now).toISOString();
	const list = getStoredLists(world, account).get(operation.list);
	const error = list ? changeItems(context, list, operation, completed) : 'the list has been deleted';
	if (list && error === undefined) getStoredLists(world, account).put({...list, modified_on: completed});
	getStoredListOperations(world, account).put({
		...operation,
		status: error === undefined ? 'completed' : 'failed',
		completed,
		...(error !== undefined && {error}),
	});
}

/** Adds and deletes items; an item with the value of an existing one replaces its comment. */
function changeItems(
	{world, account}: OwnedContext,
	list: StoredList,
	{added, removed}: StoredListOperation,
	time: string,
): string | undefined {
	const items = getStoredListItems(world, account, list.id);
	const getValue = (item: JsonObject) => JSON.stringify(item[list.kind]);
	const existing = new Map(items.list().map(item => [getValue(item), item]));
	const newCount = new Set(added.map(getValue).filter(value => !existing.has(value))).size;
	if (countItems(world, account) + newCount > maxListItems)
		return `too many items: the lists of an account hold ${maxListItems}`;
	for (const id of removed) items.delete(id);
	for (const item of added) {
		const previous = existing.get(getValue(item));
		const id = previous?.id ?? randomBytes(16).toString('hex');
		const stored = {id, created_on: previous?.created_on ?? time, modified_on: time, ...item};
		existing.set(getValue(item), items.put(stored));
	}
	return undefined;
}

const countItems = (world: RequestContext['world'], account: string): number =>
	getStoredLists(world, account)
		.list()
		.reduce((count, {id}) => count + getStoredListItems(world, account, id).list().length, 0);
