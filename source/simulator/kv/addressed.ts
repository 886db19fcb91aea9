import type {Ask, Method, Route} from '../http/route.ts';
import type {Namespace} from '../world/namespaces.ts';
import {keyProblem} from './checks.ts';
import {kvRefuse, refuseProblem} from './error.ts';
import {unixSeconds} from './limits.ts';

/** Creates a KV route; its errors begin with the name of the operation. */
export const kvRoute = (
	method: Method,
	path: string,
	grant: 'kv:read' | 'kv:write',
	operation: string,
	answer: Route['answer'],
): Route => ({method, path, grant, operation, answer});

/** Returns the namespace in the path, without loading its entries. */
export function namespaceOf(ask: Ask): Namespace {
	return ask.world.namespaces.get(namespaceId(ask)) ?? kvRefuse(ask, 10013);
}

/** Returns the namespace in the path, with its entries loaded. */
export function openNamespace(ask: Ask): Namespace {
	return ask.world.namespaces.open(namespaceId(ask)) ?? kvRefuse(ask, 10013);
}

function namespaceId(ask: Ask): string {
	const id = ask.parameters.namespace ?? '';
	return /^[0-9a-f]{32}$/.test(id) ? id : kvRefuse(ask, 10011);
}

/** Decodes the key in the path. */
export function keyOf(ask: Ask): string {
	let key: string;
	try {
		key = decodeURIComponent(ask.parameters.key ?? '');
	} catch {
		return kvRefuse(ask, 10042);
	}
	refuseProblem(ask, keyProblem(key));
	return key;
}

/** Returns the time of the request in UNIX seconds. */
export const secondsOf = ({now}: Ask): number => unixSeconds(now);
