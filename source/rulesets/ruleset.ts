import {createMalformedFailure, readList, readOptionalText, requireText} from '../service/response-fields.ts';
import {isJsonObject, type JsonObject} from '../text/json.ts';

/** Phases that ledge reads and writes. */
export const customPhase = 'http_request_firewall_custom';
export const managedPhase = 'http_request_firewall_managed';
export const rateLimitPhase = 'http_ratelimit';
export type RulesetPhase = typeof customPhase | typeof managedPhase | typeof rateLimitPhase;

/**
 * A rule as it is sent: it lacks the fields that the service adds, and keeps those that ledge does not know.
 */
export type RulesetRule = JsonObject & {
	readonly id?: string;
	readonly ref?: string;
	readonly action: string;
	readonly action_parameters?: JsonObject;
	readonly expression: string;
	readonly description?: string;
	readonly enabled?: boolean;
	readonly logging?: {readonly enabled: boolean};
};

export type Ruleset = {
	readonly id: string;
	readonly name: string;
	readonly kind: string;
	readonly phase: string;
	/** A decimal number as text. Each change adds 1. */
	readonly version: string;
	readonly description?: string | undefined;
	/** RFC 3339, as the service sent it. */
	readonly last_updated?: string | undefined;
	readonly rules: readonly RulesetRule[];
};

/** Reads a ruleset from a response; rulesets in lists have no rules. */
export function readRuleset(result: unknown): Ruleset {
	if (!isJsonObject(result)) throw createMalformedFailure('ruleset');
	const description = readOptionalText(result, 'description');
	const updated = readOptionalText(result, 'last_updated');
	return {
		id: requireText(result, 'id', 'a ruleset'),
		name: readOptionalText(result, 'name') ?? '',
		kind: requireText(result, 'kind', 'a ruleset'),
		phase: requireText(result, 'phase', 'a ruleset'),
		version: readOptionalText(result, 'version') ?? '',
		...(description !== undefined && {description}),
		...(updated !== undefined && {last_updated: updated}),
		// A ruleset without rules lacks this field.
		rules: result.rules === undefined ? [] : readList(result.rules, 'a rule', readRulesetRule),
	};
}

/** Reads a rule from a response. Rules of managed rulesets have an empty expression. */
export function readRulesetRule(item: Readonly<Record<string, unknown>>): RulesetRule {
	const {action_parameters: parameters, enabled, logging} = item;
	const id = readOptionalText(item, 'id');
	const ref = readOptionalText(item, 'ref');
	const description = readOptionalText(item, 'description');
	return {
		...(id && {id}),
		...(ref && {ref}),
		action: requireText(item, 'action', 'a rule'),
		...(isJsonObject(parameters) && {action_parameters: parameters}),
		expression: readOptionalText(item, 'expression') ?? '',
		...(description !== undefined && {description}),
		...(typeof enabled === 'boolean' && {enabled}),
		...(isJsonObject(logging) &&
			typeof logging.enabled === 'boolean' && {logging: {enabled: logging.enabled}}),
		...pickUnknownFields(item as JsonObject),
	};
}

/** Returns the fields of a rule that ledge does not know. */
export const pickUnknownFields = (rule: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(rule).filter(([name]) => !knownFields.has(name)));

/** Fields that ledge reads, and fields that only the service sets. */
const knownFields: ReadonlySet<string> = new Set([
	'id',
	'ref',
	'action',
	'action_parameters',
	'expression',
	'description',
	'enabled',
	'logging',
	'version',
	'last_updated',
	'categories',
]);
