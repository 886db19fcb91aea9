import type {SimulatedAccount} from '../accounts/identities.ts';
import type {World} from '../world/world.ts';
import type {Answer} from './answer.ts';
import type {Caller, Grant} from './authentication.ts';
import type {Quirks} from './quirks.ts';

/** What a handler may know about the request it answers. */
export type Ask = {
	/** That of the account in the path, or of the first one where the path names none. */
	readonly world: World;
	readonly accounts: readonly SimulatedAccount[];
	readonly caller: Caller;
	/** Begins the texts of errors of the KV part: `get: 'key not found'`. Empty elsewhere. */
	readonly operation: string;
	/** The named pieces of the path, still percent-encoded. */
	readonly parameters: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly headers: Headers;
	/** The moment of the request, milliseconds. */
	readonly now: number;
	readonly quirks: Quirks;
	/** How long the migration of a zone takes. */
	readonly migrationMilliseconds: number;
	/** The body, or `undefined` if it has more than `most` bytes. */
	body(most: number): Promise<Uint8Array | undefined>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A call of the service. A segment of `path` that begins with `:` is one segment that is not empty, with
 * `*` is a segment that may be. Of two routes that fitted, the first one answers.
 */
export type Route = {
	readonly method: Method;
	readonly path: string;
	/** What a token must be allowed to do; left out: nothing special. */
	readonly grant?: Grant;
	readonly operation?: string;
	readonly answer: (ask: Ask) => Answer | Promise<Answer>;
};

type Found =
	| {readonly kind: 'route'; readonly route: Route; readonly parameters: Readonly<Record<string, string>>}
	| {readonly kind: 'other-method'; readonly allowed: readonly Method[]}
	| {readonly kind: 'unknown'};

/** Finds the route of a method and a path, which is the part below the base, percent-encoded. */
export function routeTable(routes: readonly Route[]): (method: string, path: string) => Found {
	const table = routes.map(route => ({route, pattern: route.path.split('/')}));
	return (method, path) => {
		const segments = path.split('/');
		const allowed: Method[] = [];
		for (const {route, pattern} of table) {
			const parameters = matched(pattern, segments);
			if (!parameters) continue;
			if (route.method === method) return {kind: 'route', route, parameters};
			allowed.push(route.method);
		}
		return allowed.length > 0 ? {kind: 'other-method', allowed} : {kind: 'unknown'};
	};
}

function matched(
	pattern: readonly string[],
	segments: readonly string[],
): Record<string, string> | undefined {
	if (pattern.length !== segments.length) return undefined;
	const parameters: Record<string, string> = {};
	for (const [index, wanted] of pattern.entries()) {
		const given = segments[index] ?? '';
		if (wanted.startsWith(':') ? given !== '' : wanted.startsWith('*')) parameters[wanted.slice(1)] = given;
		else if (wanted !== given) return undefined;
	}
	return parameters;
}
