import {type SimulatedAccount, simulatedUser} from './accounts/identities.ts';
import {
	accountRoutes,
	authenticationError,
	buildUnknownRouteAnswer,
	checkIdentifiers,
	tokenVerifyPath,
	unauthorizedError,
} from './accounts/routes.ts';
import {zoneRoutes} from './accounts/zone-routes.ts';
import type {KvUsage} from './analytics/kv-usage.ts';
import {analyticsPath, createAnalyticsRoutes} from './analytics/routes.ts';
import {filterRoutes} from './firewall/filter-routes.ts';
import {firewallRuleRoutes} from './firewall/rule-routes.ts';
import {validationRoutes} from './firewall/validation-routes.ts';
import {
	buildErrorAnswer,
	buildHtmlAnswer,
	Refusal,
	type ServiceAnswer,
	tooManyRequestsError,
} from './http/answer.ts';
import {type Caller, createAuthenticator, type SimulatedToken} from './http/authentication.ts';
import type {EditLimit} from './http/edit-limit.ts';
import type {IncomingRequest} from './http/incoming.ts';
import {createQuirks} from './http/quirks.ts';
import type {RateLimit} from './http/rate-limit.ts';
import {createRouteTable, type Route} from './http/route.ts';
import {bulkRoutes} from './kv/bulk-routes.ts';
import {buildKvErrorAnswer} from './kv/error.ts';
import {keyRoutes} from './kv/key-routes.ts';
import {namespaceRoutes} from './kv/namespace-routes.ts';
import type {WriteClock} from './kv/write-pace.ts';
import {listRoutes} from './lists/list-routes.ts';
import {migrationRoutes} from './migration/routes.ts';
import {rulesetRoutes} from './rulesets/ruleset-routes.ts';
import {overrideRoutes} from './waf/override-routes.ts';
import {packageRoutes} from './waf/package-routes.ts';
import {pageRuleRoutes} from './waf/page-rule-routes.ts';
import {settingRoutes} from './waf/setting-routes.ts';
import type {World} from './world/world.ts';

/** An answer of the service, and the route that gave it. */
export type RoutedAnswer = {readonly answer: ServiceAnswer; readonly route?: Route};

type ServiceOptions = {
	/** The worlds of the accounts, in the same order; only the first one has zones. */
	readonly worlds: readonly [World, ...World[]];
	readonly accounts: readonly SimulatedAccount[];
	readonly now: () => number;
	readonly tokens: readonly SimulatedToken[];
	readonly requestLimit: RateLimit | undefined;
	/** Limits analytics queries, which do not count toward `requestLimit`. */
	readonly queryLimit: RateLimit | undefined;
	readonly usage: KvUsage;
	readonly writeClock: WriteClock | undefined;
	readonly editLimiter: EditLimit;
	readonly migrationMilliseconds: number;
};

const routes: readonly Route[] = [
	...accountRoutes,
	...zoneRoutes,
	...validationRoutes,
	...filterRoutes,
	...firewallRuleRoutes,
	...rulesetRoutes,
	...listRoutes,
	...migrationRoutes,
	...packageRoutes,
	...overrideRoutes,
	...settingRoutes,
	...pageRuleRoutes,
	...namespaceRoutes,
	...bulkRoutes,
	...keyRoutes,
];

/** Creates the function that answers a request: authentication, limits, routing and the handler. */
export function createService(options: ServiceOptions) {
	const {
		worlds,
		accounts,
		now,
		tokens,
		requestLimit,
		queryLimit,
		usage,
		writeClock,
		editLimiter,
		migrationMilliseconds,
	} = options;
	const findRoute = createRouteTable([...routes, ...createAnalyticsRoutes({worlds, accounts, usage})]);
	const authenticate = createAuthenticator(tokens, simulatedUser.email);

	/** Answers a request; errors thrown while handling it become answers, too. */
	return async (incoming: IncomingRequest): Promise<RoutedAnswer> => {
		let headers: ServiceAnswer['headers'] = {};
		let route: Route | undefined;
		try {
			if (incoming.path === undefined) return {answer: buildHtmlAnswer(404, '404 Not Found')};
			const caller = authenticate(incoming.request.headers, incoming.path === tokenVerifyPath);
			const allowance = (incoming.path === analyticsPath ? queryLimit : requestLimit)?.countRequest(now());
			headers = allowance?.headers ?? {};
			if (allowance?.isRefused) throw new Refusal(buildErrorAnswer(429, tooManyRequestsError));
			const match = findRoute(incoming.request.method, incoming.path);
			if (match.kind === 'unknown') throw new Refusal(buildUnknownRouteAnswer(incoming.path));
			if (match.kind === 'other-method') throw new Refusal(buildMethodError(match.allowed));
			route = match.route;
			const answer = await handleRequest(incoming, incoming.path, match, caller);
			return {answer: {...answer, headers: {...headers, ...answer.headers}}, route};
		} catch (error) {
			if (incoming.request.signal.aborted) throw error;
			const answer = error instanceof Refusal ? error.answer : buildFailureAnswer(error);
			return {answer: {...answer, headers: {...headers, ...answer.headers}}, ...(route && {route})};
		}
	};

	async function handleRequest(
		incoming: IncomingRequest,
		path: string,
		{route, parameters}: {readonly route: Route; readonly parameters: Readonly<Record<string, string>>},
		caller: Caller,
	): Promise<ServiceAnswer> {
		checkIdentifiers(route, path, parameters, accounts);
		const world = worlds[accounts.findIndex(({id}) => id === parameters.account)] ?? worlds[0];
		checkGrant(route, caller);
		const answer = await route.answer({
			world,
			accounts,
			caller,
			operation: route.operation ?? '',
			parameters,
			query: incoming.query,
			headers: incoming.request.headers,
			now: now(),
			quirks: createQuirks(incoming.requestFaults, {
				isTooSoon: (namespace, key) => writeClock?.isTooSoon(namespace, key, now()) ?? false,
				checkEdit: ruleset => editLimiter.countEdit(incoming, ruleset, now()),
			}),
			migrationMilliseconds,
			readBody: maxBytes => incoming.read(maxBytes),
		});
		const {namespace} = parameters;
		if (namespace !== undefined) usage.count(world, namespace, route.operation ?? '', answer, now());
		return answer;
	}
}

function checkGrant({grant, operation = ''}: Route, caller: Caller): void {
	if (grant === undefined || caller.hasGrant(grant)) return;
	if (grant.startsWith('kv:')) throw new Refusal(buildKvErrorAnswer(operation, {code: 10037}));
	const error = /^(firewall|waf):/.test(grant) ? authenticationError : unauthorizedError;
	throw new Refusal(buildErrorAnswer(403, error));
}

const buildMethodError = (allowedMethods: readonly string[]): ServiceAnswer =>
	buildErrorAnswer(405, {code: 10405, message: 'Method not allowed'}, {allow: allowedMethods.join(', ')});

/** Reports a bug in the simulator where a user or a test sees it. */
function buildFailureAnswer(error: unknown): ServiceAnswer {
	const message = `The simulator failed: ${error instanceof Error ? error.message : String(error)}`;
	return buildErrorAnswer(500, {code: 10001, message});
}
