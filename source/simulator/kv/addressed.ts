import type {Ask, Method, Route} from '../http/route.ts';
import type {Namespace} from '../world/namespaces.ts';
import {keyProblem} from './checks.ts';
import {kvRefuse, refuseProblem} from './error.ts';
import {unixSeconds} from './limits.ts';

/** A call of this part; its errors begin with the name of the operation. */
export const kvRoute = (
	method: Method,
	path: string,
	grant: 'kv:read' | 'kv:write',
	operation: string,
	answer: Route['answer'],
): Route => ({method, path, grant, operation, answer});

/** The namespace that the path names, without its entries. */
export function namespaceOf(ask: Ask): Namespace {
	return ask.world.namespaces.get(namespaceId(ask)) ?? kvRefuse(ask, 10013);
}

/** The namespace that the path names, its entries there to be read. */
export function openNamespace(ask: Ask): Namespace {
	return ask.world.namespaces.open(namespaceId(ask)) ?? kvRefuse(ask, 10013);
}

function namespaceId(ask: Ask): string {
	const id = ask.parameters.namespace ?? '';
	return /^[0-9a-f]{32}$/.test(id) ? id : kvRefuse(ask, 10011);
}

/** The key that the path names, decoded. */
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

/** The moment of the request in UNIX seconds. */
export const secondsOf = ({now}: Ask): number => unixSeconds(now);
