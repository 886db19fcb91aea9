import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer, tooManyRequestsError} from '../http/answer.ts';
import type {Grant} from '../http/authentication.ts';
import {readJsonBody} from '../http/json-request.ts';
import {parseQueryInteger} from '../http/pages.ts';
import type {Method, RequestContext, Route} from '../http/route.ts';
import {maxAccountLists, maxListNameLength} from './limits.ts';
import {advanceOperation, findOpenOperation, finishDueOperation, startOperation} from './operations.ts';
import {readRequestedIds, readRequestedItems, refuseListBody} from './requested-items.ts';
import {
	getStoredListItems,
	getStoredListOperations,
	getStoredLists,
	listItemKinds,
	type StoredList,
	type StoredListOperation,
} from './stored-lists.ts';

const listsPath = '/accounts/:account/rules/lists';
const itemsPath = `${listsPath}/:list/items`;
const maxItemsPerPage = 500;

type ListContext = RequestContext & {readonly account: string};

/** A route that first makes the change of an operation whose time has come, in one transaction with its own work. */
const createListRoute = (
	method: Method,
	path: string,
	grant: Grant,
	answer: (context: ListContext, body: Awaited<ReturnType<typeof readJsonBody>>) => ServiceAnswer,
): Route => ({
	method,
	path,
	grant,
	async answer(context) {
		const body = method === 'GET' ? undefined : await readJsonBody(context);
		const listContext = {...context, account: context.parameters.account ?? ''};
		return context.world.runTransaction(() => {
			finishDueOperation(listContext);
			return answer(listContext, body);
		});
	},
});

/** Lists of an account. Routes without a parameter come before those with one in the same place. */
export const listRoutes: readonly Route[] = [
	createListRoute('GET', listsPath, 'lists:read', context => {
		const lists = getStoredLists(context.world, context.account).list();
		return buildSuccessAnswer(lists.map(list => buildListResult(context, list)));
	}),
	createListRoute('POST', listsPath, 'lists:write', createList),
	createListRoute('GET', `${listsPath}/bulk_operations/:listOperation`, 'lists:read', showOperation),
	createListRoute('GET', `${listsPath}/:list`, 'lists:read', context =>
		buildSuccessAnswer(buildListResult(context, getRequestedList(context))),
	),
	createListRoute('GET', itemsPath, 'lists:read', listItems),
	createListRoute('POST', itemsPath, 'lists:write', (context, body) => {
		const list = getRequestedList(context);
		return beginOperation(context, list, {added: readRequestedItems(body, list.kind), removed: []});
	}),
	createListRoute('DELETE', itemsPath, 'lists:write', (context, body) =>
		beginOperation(context, getRequestedList(context), {added: [], removed: readRequestedIds(body)}),
	),
];

function getRequestedList({world, account, parameters}: ListContext): StoredList {
	const list = getStoredLists(world, account).get(parameters.list ?? '');
	return list ?? refuseRequest(404, {message: 'could not find list'});
}

const buildListResult = ({world, account}: ListContext, list: StoredList): JsonObject => ({
	...list,
	num_items: getStoredListItems(world, account, list.id).list().length,
	num_referencing_filters: countReferences(world, list.name),
});

/** Counts the rules and filters of all zones whose expression names a list. */
function countReferences({resources}: RequestContext['world'], name: string): number {
	const pattern = new RegExp(`\\$${name}(?![\\w.])`);
	const expressions = [
		...resources.listEverywhere('filter'),
		...resources
			.listEverywhere('ruleset')
			.flatMap(({rules}) => (Array.isArray(rules) ? rules.filter(isJsonObject) : [])),
	].map(({expression}) => String(expression));
	return expressions.filter(expression => pattern.test(expression)).length;
}

function createList(context: ListContext, body: unknown): ServiceAnswer {
	const {world, account, now} = context;
	const {
		name,
		kind: kindName,
		description,
	} = isJsonObject(body) ? body : refuseListBody('filters.api.invalid_json');
	if (typeof name !== 'string' || !/^[a-z0-9_]+$/.test(name) || name.length > maxListNameLength)
		return refuseListBody('List name must only contain lowercase letters, numbers and underscores');
	const kind = listItemKinds.find(one => one === kindName) ?? refuseListBody('unknown kind');
	if (description !== undefined && typeof description !== 'string')
		return refuseListBody('description must be a string');
	const lists = getStoredLists(world, account);
	if (lists.list().some(list => list.name === name))
		return refuseRequest(400, {message: 'a list with this name already exists'});
	if (lists.list().length >= maxAccountLists)
		return refuseRequest(400, {message: `an account has at most ${maxAccountLists} lists`});
	const time = new Date(now).toISOString();
	const list = lists.add({
		name,
		kind,
		...(description !== undefined && {description}),
		created_on: time,
		modified_on: time,
	});
	return buildSuccessAnswer(buildListResult(context, list));
}

/** Lists items; a cursor is the id of the last item of the page before. */
function listItems(context: ListContext): ServiceAnswer {
	const {world, account, query} = context;
	const list = getRequestedList(context);
	const perPage = parseQueryInteger(query.get('per_page'), maxItemsPerPage) ?? 0;
	if (perPage < 1 || perPage > maxItemsPerPage)
		return refuseRequest(400, {message: `per_page must be 1 to ${maxItemsPerPage}`});
	const search = query.get('search')?.toLowerCase() ?? '';
	const items = getStoredListItems(world, account, list.id)
		.list()
		.filter(item =>
			JSON.stringify([item[list.kind], item.comment ?? ''])
				.toLowerCase()
				.includes(search),
		);
	const cursor = query.get('cursor');
	const previousIndex = cursor === null ? -1 : items.findIndex(({id}) => id === cursor);
	if (cursor !== null && previousIndex === -1) return refuseRequest(400, {message: 'invalid cursor'});
	const page = items.slice(previousIndex + 1, previousIndex + 1 + perPage);
	const after = previousIndex + 1 + perPage < items.length ? page.at(-1)?.id : undefined;
	return buildSuccessAnswer(page, {info: {cursors: after === undefined ? {} : {after}}});
}

function beginOperation(
	context: ListContext,
	list: StoredList,
	change: Pick<StoredListOperation, 'added' | 'removed'>,
): ServiceAnswer {
	if (findOpenOperation(context)) refuseRequest(429, tooManyRequestsError, {'retry-after': '1'});
	return buildSuccessAnswer({operation_id: startOperation(context, list, change).id});
}

function showOperation(context: ListContext): ServiceAnswer {
	const {world, account, parameters} = context;
	const operation = getStoredListOperations(world, account).get(parameters.listOperation ?? '');
	if (!operation) return refuseRequest(404, {message: 'could not find operation'});
	const {id, status, completed, error} = advanceOperation(context, operation);
	return buildSuccessAnswer({
		id,
		status,
		...(completed !== undefined && {completed}),
		...(error !== undefined && {error}),
	});
}
