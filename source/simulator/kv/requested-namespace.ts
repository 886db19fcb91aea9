import type {Method, RequestContext, Route} from '../http/route.ts';
import type {StoredNamespace} from '../world/namespaces.ts';
import {findKeyNameProblem} from './checks.ts';
import {refuseKvProblem, refuseKvRequest} from './error.ts';
import {getUnixSeconds} from './limits.ts';

/** Creates a KV route; its errors begin with the name of the operation. */
export const createKvRoute = (
	method: Method,
	path: string,
	grant: 'kv:read' | 'kv:write',
	operation: string,
	answer: Route['answer'],
): Route => ({method, path, grant, operation, answer});

/** Returns the namespace in the path, without loading its entries. */
export function getRequestedNamespace(context: RequestContext): StoredNamespace {
	return context.world.namespaces.get(getNamespaceId(context)) ?? refuseKvRequest(context, 10013);
}

/** Returns the namespace in the path, with its entries loaded. */
export function openRequestedNamespace(context: RequestContext): StoredNamespace {
	return context.world.namespaces.open(getNamespaceId(context)) ?? refuseKvRequest(context, 10013);
}

function getNamespaceId(context: RequestContext): string {
	const id = context.parameters.namespace ?? '';
	return /^[0-9a-f]{32}$/.test(id) ? id : refuseKvRequest(context, 10011);
}

/** Decodes the key in the path. */
export function decodePathKey(context: RequestContext): string {
	const encodedKey = context.parameters.key ?? '';
	let key: string;
	try {
		key = context.quirks.keepsEncodedKeys() ? encodedKey : decodeURIComponent(encodedKey);
	} catch {
		return refuseKvRequest(context, 10042);
	}
	refuseKvProblem(context, findKeyNameProblem(key));
	return key;
}

/** Returns the time of the request in UNIX seconds. */
export const getRequestSeconds = ({now}: RequestContext): number => getUnixSeconds(now);
