import {unixSeconds} from '../../kv/limits.ts';
import {Refusal} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import type {Namespace} from '../world/namespaces.ts';
import {keyProblem} from './checks.ts';
import {kvRefuse, kvRefused} from './error.ts';

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
	const problem = keyProblem(key);
	if (problem) throw new Refusal(kvRefused(ask.operation, problem));
	return key;
}

/** The moment of the request in UNIX seconds. */
export const secondsOf = ({now}: Ask): number => unixSeconds(now);
