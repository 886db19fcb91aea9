import {isRecord} from '../service/envelope.ts';
import {malformed, optionalText, readList, text} from '../service/reading.ts';
import {isJsonObject, type JsonObject} from '../text/json.ts';

/** The phases of rulesets that ledge works with. */
export const customPhase = 'http_request_firewall_custom';
export const managedPhase = 'http_request_firewall_managed';
export const rateLimitPhase = 'http_ratelimit';
/** The phases that ledge writes to. */
export type Phase = typeof customPhase | typeof managedPhase;
/** Those whose entry point it reads. */
export type ReadPhase = Phase | typeof rateLimitPhase;

/**
 * A rule of a ruleset as it is sent: what the service adds by itself is left out, and fields that ledge does not know
 * stay in it.
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

/** A ruleset, as the entry point of a phase. */
export type Ruleset = {
	readonly id: string;
	readonly name: string;
	readonly kind: string;
	readonly phase: string;
	/** A decimal number as text; one more with every change. */
	readonly version: string;
	readonly description?: string | undefined;
	/** RFC 3339, as the service gave it. */
	readonly last_updated?: string | undefined;
	readonly rules: readonly RulesetRule[];
};

/** A ruleset out of an answer; those of a list have no rules. */
export function readRuleset(result: unknown): Ruleset {
	if (!isRecord(result)) throw malformed('ruleset');
	const description = optionalText(result, 'description');
	const updated = optionalText(result, 'last_updated');
	return {
		id: text(result, 'id', 'a ruleset'),
		name: optionalText(result, 'name') ?? '',
		kind: text(result, 'kind', 'a ruleset'),
		phase: text(result, 'phase', 'a ruleset'),
		version: optionalText(result, 'version') ?? '',
		...(description !== undefined && {description}),
		...(updated !== undefined && {last_updated: updated}),
		// One without rules has no such field.
		rules: result.rules === undefined ? [] : readList(result.rules, 'a rule', readRulesetRule),
	};
}

/** What a rule is and does. Rules of managed rulesets have no expression: theirs is empty. */
export function readRulesetRule(item: Readonly<Record<string, unknown>>): RulesetRule {
	const {action_parameters: parameters, enabled, logging} = item;
	const id = optionalText(item, 'id');
	const ref = optionalText(item, 'ref');
	const description = optionalText(item, 'description');
	return {
		...(id && {id}),
		...(ref && {ref}),
		action: text(item, 'action', 'a rule'),
		...(isJsonObject(parameters) && {action_parameters: parameters}),
		expression: optionalText(item, 'expression') ?? '',
		...(description !== undefined && {description}),
		...(typeof enabled === 'boolean' && {enabled}),
		...(isRecord(logging) && typeof logging.enabled === 'boolean' && {logging: {enabled: logging.enabled}}),
		...unknownFields(item as JsonObject),
	};
}

/** The fields of a rule that ledge does not know. */
export const unknownFields = (rule: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(rule).filter(([name]) => !known.has(name)));

/** The fields of a rule that are read, and those that the service makes by itself and takes from nobody. */
const known: ReadonlySet<string> = new Set([
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
