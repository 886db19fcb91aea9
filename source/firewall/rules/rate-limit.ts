import {Failure} from '../../failure.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {type Ruleset, rateLimitPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type CommandZone, formatRulesCommand} from '../commands.ts';

/** A rate limit; fields that the service omits are undefined. */
type RateLimit = {
	/** Requests allowed per period. */
	readonly requests: number | undefined;
	/** Length of the period in seconds. */
	readonly period: number | undefined;
	/** Requests are counted per combination of these. */
	readonly characteristics: readonly string[];
	/** How long the action stays active, in seconds. */
	readonly timeout: number | undefined;
	/** Expression of counted requests, if it differs from the rule's. */
	readonly countingExpression: string | undefined;
	/** Fields that ledge does not know. */
	readonly unknownFields: JsonObject | undefined;
};

/** Reads the entry point of a zone's rate limits; undefined if it has none. */
export const readRateLimitRuleset = (
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<Ruleset | undefined> => readRulesetEntryPoint(client, zoneId, rateLimitPhase, signal);

export function parseRateLimit({ratelimit}: JsonObject): RateLimit {
	const limit = isJsonObject(ratelimit) ? ratelimit : {};
	const {
		requests_per_period: requests,
		period,
		characteristics,
		mitigation_timeout: timeout,
		counting_expression: counting,
		...others
	} = limit;
	return {
		requests: toNumber(requests),
		period: toNumber(period),
		characteristics: Array.isArray(characteristics) ? characteristics.map(String) : [],
		timeout: toNumber(timeout),
		countingExpression: typeof counting === 'string' && counting !== '' ? counting : undefined,
		unknownFields: Object.keys(others).length > 0 ? others : undefined,
	};
}

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/**
 * Formats a rate, as in "20 requests in 60 s"; returns only the period if something other than requests is
 * counted.
 */
export function formatRate({requests, period}: RateLimit): string | undefined {
	const periodText = period === undefined ? '' : ` in ${formatInteger(period)} s`;
	if (requests === undefined) return periodText === '' ? undefined : `counted${periodText}`;
	return `${formatQuantity(requests, 'request')}${periodText}`;
}

/**
 * Formats a timeout, as in "600 s". With a timeout of 0, the action applies only to the requests over the
 * limit.
 */
export function formatRateLimitTimeout({timeout}: RateLimit): string | undefined {
	if (timeout === undefined) return undefined;
	return timeout === 0 ? 'only while over limit' : `${formatInteger(timeout)} s`;
}

export const createRateLimitRefusal = (zone: CommandZone, id: string): Failure =>
	new Failure('usage', `Rule ${id} is a rate limit, not a custom rule.`, {
		why: 'Rate limits are changed on the screen or in a file of rules, not by this command.',
		left: 'Nothing was sent.',
		next: `To write the rate limits to a file: ${formatRulesCommand(zone, ['export'], ['--output', 'rules.yaml'])}\n\`ledge rules apply\` makes an edited file active.\nTo view it: ${formatRulesCommand(zone, ['get', id])}`,
	});
