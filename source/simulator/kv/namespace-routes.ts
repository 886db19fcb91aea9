import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, type ServiceAnswer} from '../http/answer.ts';
import {parseJsonBytes} from '../http/body.ts';
import {readPage} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import type {StoredNamespace} from '../world/namespaces.ts';
import {refuseKvRequest} from './error.ts';
import {kvServiceLimits} from './limits.ts';
import {createKvRoute, getRequestedNamespace} from './requested-namespace.ts';

const namespacesPath = '/accounts/:account/storage/kv/namespaces';
export const namespacePath = `${namespacesPath}/:namespace`;

/** Maximum number of namespaces in an account. */
const maxNamespaces = 1000;

const maxBodyBytes = 16_384;

const jurisdictions: ReadonlySet<string> = new Set(['eu', 'us', 'fedramp']);

export const namespaceRoutes: readonly Route[] = [
	createKvRoute('GET', namespacesPath, 'kv:read', 'list namespaces', listNamespaces),
	createKvRoute('POST', namespacesPath, 'kv:write', 'create namespace', createNamespace),
	createKvRoute('GET', namespacePath, 'kv:read', 'get namespace', context =>
		buildSuccessAnswer(buildNamespaceResult(context, getRequestedNamespace(context))),
	),
	createKvRoute('PUT', namespacePath, 'kv:write', 'update namespace', renameNamespace),
	createKvRoute('DELETE', namespacePath, 'kv:write', 'remove namespace', removeNamespace),
];

const buildNamespaceResult = (
	{quirks}: RequestContext,
	{id, title, jurisdiction}: StoredNamespace,
): JsonObject => ({
	id,
	title,
	supports_url_encoding: !quirks.keepsEncodedKeys(),
	...(jurisdiction !== null && {jurisdiction}),
});

/** Lists namespaces; wrangler asks for 1,000 a page. This list has no `total_pages`. */
function listNamespaces(context: RequestContext): ServiceAnswer {
	const sizes = {minSize: 5, maxSize: 1000, defaultSize: 20};
	const {page, perPage} = readPage(context, sizes, name =>
		refuseKvRequest(context, name === 'page' ? 10007 : 10008),
	);
	const orderField = context.query.get('order') ?? 'id';
	if (orderField !== 'id' && orderField !== 'title') return refuseKvRequest(context, 10043);
	const direction = context.query.get('direction') ?? 'asc';
	if (direction !== 'asc' && direction !== 'desc') return refuseKvRequest(context, 10044);
	const {namespaces} = context.world;
	const pageNamespaces = namespaces.list({field: orderField, direction}, perPage, (page - 1) * perPage);
	return buildSuccessAnswer(
		pageNamespaces.map(namespace => buildNamespaceResult(context, namespace)),
		{
			info: {page, per_page: perPage, count: pageNamespaces.length, total_count: namespaces.count()},
		},
	);
}

async function createNamespace(context: RequestContext): Promise<ServiceAnswer> {
	const {title, jurisdiction} = await readNamespaceBody(context);
	return context.world.runTransaction(() => {
		const {namespaces} = context.world;
		if (namespaces.findByTitle(title)) return refuseKvRequest(context, 10014);
		if (namespaces.count() >= maxNamespaces) return refuseKvRequest(context, 10018);
		return buildSuccessAnswer(
			buildNamespaceResult(
				context,
				namespaces.create({title, ...(jurisdiction !== undefined && {jurisdiction})}),
			),
		);
	});
}

async function renameNamespace(context: RequestContext): Promise<ServiceAnswer> {
	const {title} = await readNamespaceBody(context);
	return context.world.runTransaction(() => {
		const {namespaces} = context.world;
		const namespace = getRequestedNamespace(context);
		const namespaceWithTitle = namespaces.findByTitle(title);
		if (namespaceWithTitle && namespaceWithTitle.id !== namespace.id) return refuseKvRequest(context, 10014);
		namespaces.rename(namespace.id, title);
		return buildSuccessAnswer(buildNamespaceResult(context, {...namespace, title}));
	});
}

function removeNamespace(context: RequestContext): ServiceAnswer {
	return context.world.runTransaction(() => {
		context.world.namespaces.remove(getRequestedNamespace(context));
		return buildSuccessAnswer(null);
	});
}

async function readNamespaceBody(
	context: RequestContext,
): Promise<{title: string; jurisdiction: string | undefined}> {
	const body = await context.readBody(maxBodyBytes);
	if (!body) return refuseKvRequest(context, 10024);
	const json = parseJsonBytes(body);
	if (!isJsonObject(json)) return refuseKvRequest(context, 10010);
	const {title, jurisdiction} = json;
	if (title === undefined || title === '') return refuseKvRequest(context, 10019);
	if (typeof title !== 'string' || [...title].length > kvServiceLimits.titleCharacters)
		return refuseKvRequest(context, 10010);
	if (jurisdiction === undefined || jurisdiction === null) return {title, jurisdiction: undefined};
	if (typeof jurisdiction !== 'string' || !jurisdictions.has(jurisdiction))
		return refuseKvRequest(
			context,
			10010,
			`malformed namespace: jurisdiction must be one of ${[...jurisdictions].join(', ')}`,
		);
	return {title, jurisdiction};
}
