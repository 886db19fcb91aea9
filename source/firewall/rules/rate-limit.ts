import {Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {type Ruleset, rateLimitPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {counted, grouped} from '../../text/figures.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type CommandZone, rulesCommand} from '../continuation.ts';

/** What a rate limit counts, and what follows when it is exceeded; what the service does not name is `undefined`. */
type RateLimit = {
	/** Requests that are allowed within the period. */
	readonly requests: number | undefined;
	/** Seconds. */
	readonly period: number | undefined;
	/** What requests are counted by, each combination by itself. */
	readonly characteristics: readonly string[];
	/** Seconds for which the action stays in force. */
	readonly timeout: number | undefined;
	/** Which requests are counted, where it is not those of the expression. */
	readonly counting: string | undefined;
	/** Fields that ledge does not know. */
	readonly others: JsonObject | undefined;
};

/** The entry point of the rate limits of a zone; `undefined` where it has none. Nothing here writes to it. */
export const rateLimits = (client: Client, zone: string, signal: AbortSignal): Promise<Ruleset | undefined> =>
	entryPoint(client, zone, rateLimitPhase, signal);

/** The limit of a rule as the service has it. */
export function rateLimitOf({ratelimit}: JsonObject): RateLimit {
	const given = isJsonObject(ratelimit) ? ratelimit : {};
	const {
		requests_per_period: requests,
		period,
		characteristics,
		mitigation_timeout: timeout,
		counting_expression: counting,
		...others
	} = given;
	return {
		requests: figure(requests),
		period: figure(period),
		characteristics: Array.isArray(characteristics) ? characteristics.map(String) : [],
		timeout: figure(timeout),
		counting: typeof counting === 'string' && counting !== '' ? counting : undefined,
		others: Object.keys(others).length > 0 ? others : undefined,
	};
}

const figure = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** "20 requests in 60 s"; only the period where another score than requests is counted. */
export function rateWords({requests, period}: RateLimit): string | undefined {
	const within = period === undefined ? '' : ` in ${grouped(period)} s`;
	if (requests === undefined) return within === '' ? undefined : `counted${within}`;
	return `${counted(requests, 'request')}${within}`;
}

/** "600 s". Without a time the action meets only what is over the limit. */
export function timeoutWords({timeout}: RateLimit): string | undefined {
	if (timeout === undefined) return undefined;
	return timeout === 0 ? 'only while over it' : `${grouped(timeout)} s`;
}

/** Why rate limits cannot be changed here, and where they can. */
export const readOnlyRateLimits = {
	why: 'ledge shows rate limits read-only.',
	next: 'Change it in the dashboard of the service: Security, WAF, Rate limiting rules.',
} as const;

/** The refusal of a write to a rate limit. */
export const rateLimitRefused = (zone: CommandZone, id: string): Failure =>
	new Failure('usage', `Rule ${id} is a rate limit, which cannot be changed here.`, {
		why: readOnlyRateLimits.why,
		left: 'Nothing was sent.',
		next: `${readOnlyRateLimits.next}\nTo see it: ${rulesCommand(zone, ['get', id])}`,
	});
