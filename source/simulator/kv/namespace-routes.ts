import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {type Answer, done} from '../http/answer.ts';
import {parseJson} from '../http/body.ts';
import {readPage} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import type {Namespace} from '../world/namespaces.ts';
import {kvRoute, namespaceOf} from './addressed.ts';
import {kvRefuse} from './error.ts';
import {limits} from './limits.ts';

const namespacesPath = '/accounts/:account/storage/kv/namespaces';
export const namespacePath = `${namespacesPath}/:namespace`;

/** Maximum number of namespaces in an account. */
const mostNamespaces = 1000;

const mostTitleBytes = 16_384;

export const namespaceRoutes: readonly Route[] = [
	kvRoute('GET', namespacesPath, 'kv:read', 'list namespaces', listNamespaces),
	kvRoute('POST', namespacesPath, 'kv:write', 'create namespace', createNamespace),
	kvRoute('GET', namespacePath, 'kv:read', 'get namespace', ask => done(shown(namespaceOf(ask)))),
	kvRoute('PUT', namespacePath, 'kv:write', 'update namespace', renameNamespace),
	kvRoute('DELETE', namespacePath, 'kv:write', 'remove namespace', removeNamespace),
];

const shown = ({id, title, jurisdiction}: Namespace): JsonObject => ({
	id,
	title,
	supports_url_encoding: true,
	...(jurisdiction !== null && {jurisdiction}),
});

/** Lists namespaces; wrangler asks for 1,000 a page. This list has no `total_pages`. */
function listNamespaces(ask: Ask): Answer {
	const sizes = {least: 5, most: 1000, usual: 20};
	const {page, perPage} = readPage(ask, sizes, name => kvRefuse(ask, name === 'page' ? 10007 : 10008));
	const by = ask.query.get('order') ?? 'id';
	if (by !== 'id' && by !== 'title') return kvRefuse(ask, 10043);
	const direction = ask.query.get('direction') ?? 'asc';
	if (direction !== 'asc' && direction !== 'desc') return kvRefuse(ask, 10044);
	const {namespaces} = ask.world;
	const found = namespaces.list({by, direction}, perPage, (page - 1) * perPage);
	return done(found.map(shown), {
		info: {page, per_page: perPage, count: found.length, total_count: namespaces.count()},
	});
}

async function createNamespace(ask: Ask): Promise<Answer> {
	const {title, jurisdiction} = await readNamespace(ask);
	return ask.world.transaction(() => {
		const {namespaces} = ask.world;
		if (namespaces.titled(title)) return kvRefuse(ask, 10014);
		if (namespaces.count() >= mostNamespaces) return kvRefuse(ask, 10018);
		return done(shown(namespaces.create({title, ...(jurisdiction !== undefined && {jurisdiction})})));
	});
}

async function renameNamespace(ask: Ask): Promise<Answer> {
	const {title} = await readNamespace(ask);
	return ask.world.transaction(() => {
		const {namespaces} = ask.world;
		const namespace = namespaceOf(ask);
		const holder = namespaces.titled(title);
		if (holder && holder.id !== namespace.id) return kvRefuse(ask, 10014);
		namespaces.rename(namespace.id, title);
		return done(shown({...namespace, title}));
	});
}

function removeNamespace(ask: Ask): Answer {
	return ask.world.transaction(() => {
		ask.world.namespaces.remove(namespaceOf(ask));
		return done(null);
	});
}

async function readNamespace(ask: Ask): Promise<{title: string; jurisdiction: string | undefined}> {
	const body = await ask.body(mostTitleBytes);
	if (!body) return kvRefuse(ask, 10024);
	const given = parseJson(body);
	if (!isJsonObject(given)) return kvRefuse(ask, 10010);
	const {title, jurisdiction} = given;
	if (title === undefined || title === '') return kvRefuse(ask, 10019);
	if (typeof title !== 'string' || [...title].length > limits.titleCharacters) return kvRefuse(ask, 10010);
	return {title, jurisdiction: typeof jurisdiction === 'string' ? jurisdiction : undefined};
}
