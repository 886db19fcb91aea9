import type {SimulatedAccount} from '../accounts/identities.ts';
import type {World} from '../world/world.ts';
import type {ServiceAnswer} from './answer.ts';
import type {Caller, Grant} from './authentication.ts';
import type {Quirks} from './quirks.ts';

/** What a route receives to answer a request. */
export type RequestContext = {
	/** The world of the account in the path, or of the first account. */
	readonly world: World;
	readonly accounts: readonly SimulatedAccount[];
	readonly caller: Caller;
	/** Prefix of KV error messages: `get: 'key not found'`. Empty elsewhere. */
	readonly operation: string;
	/** The parameters in the path, still percent-encoded. */
	readonly parameters: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly headers: Headers;
	/** The time of the request, in milliseconds. */
	readonly now: number;
	readonly quirks: Quirks;
	/** How long the migration of a zone takes. */
	readonly migrationMilliseconds: number;
	/** Reads the body; undefined if it has more than `maxBytes` bytes. */
	readBody(maxBytes: number): Promise<Uint8Array | undefined>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A call of the service. In `path`, `:name` stands for a segment that is not empty, `*name` for one that may
 * be empty. The first route that matches answers.
 */
export type Route = {
	readonly method: Method;
	readonly path: string;
	/** The permission that a token needs; undefined: none. */
	readonly grant?: Grant;
	/** Prefix of error messages of KV routes; undefined elsewhere. */
	readonly operation?: string;
	readonly answer: (context: RequestContext) => ServiceAnswer | Promise<ServiceAnswer>;
};

type RouteMatch =
	| {readonly kind: 'route'; readonly route: Route; readonly parameters: Readonly<Record<string, string>>}
	| {readonly kind: 'other-method'; readonly allowed: readonly Method[]}
	| {readonly kind: 'unknown'};

/**
 * Creates a function that finds the route of a method and a path: the path is the part below the base path,
 * percent-encoded.
 */
export function createRouteTable(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
	const table = routes.map(route => ({route, pattern: route.path.split('/')}));
	return (method, path) => {
		const segments = path.split('/');
		const allowedMethods: Method[] = [];
		for (const {route, pattern} of table) {
			const parameters = matchPattern(pattern, segments);
			if (!parameters) continue;
			if (route.method === method) return {kind: 'route', route, parameters};
			allowedMethods.push(route.method);
		}
		return allowedMethods.length > 0 ? {kind: 'other-method', allowed: allowedMethods} : {kind: 'unknown'};
	};
}

function matchPattern(
	pattern: readonly string[],
	segments: readonly string[],
): Record<string, string> | undefined {
	if (pattern.length !== segments.length) return undefined;
	const parameters: Record<string, string> = {};
	for (const [index, patternSegment] of pattern.entries()) {
		const segment = segments[index] ?? '';
		if (patternSegment.startsWith(':') ? segment !== '' : patternSegment.startsWith('*'))
			parameters[patternSegment.slice(1)] = segment;
		else if (patternSegment !== segment) return undefined;
	}
	return parameters;
}
