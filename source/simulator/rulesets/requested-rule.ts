import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseValue} from './errors.ts';

/** Maximum length of a rule's description. */
export const maxRuleDescriptionBytes = 4096;

/** A rule of a request, before the checks of its phase. */
export type RequestedRule = {
	readonly id?: string;
	readonly ref?: string;
	readonly action: string;
	readonly action_parameters?: JsonObject;
	readonly expression: string;
	readonly description: string;
	readonly enabled: boolean;
	readonly logging?: {readonly enabled: boolean};
	/** How requests are counted; only in the phase of rate limits. */
	readonly ratelimit?: JsonObject;
};

/** Reads a rule; `pointer` is its location in the request: `/rules/0`, or empty for the whole body. */
export function readRequestedRule(rule: JsonValue | undefined, pointer: string): RequestedRule {
	if (!isJsonObject(rule)) return refuseValue('a rule must be an object', pointer);
	const readText = (name: string): string | undefined => {
		const value = rule[name];
		if (value === undefined || typeof value === 'string') return value;
		return refuseValue(`${name} must be a text`, `${pointer}/${name}`);
	};
	const parameters = rule.action_parameters;
	if (parameters !== undefined && !isJsonObject(parameters))
		return refuseValue('action_parameters must be an object', `${pointer}/action_parameters`);
	const {enabled = true, ratelimit} = rule;
	if (ratelimit !== undefined && !isJsonObject(ratelimit))
		return refuseValue('ratelimit must be an object', `${pointer}/ratelimit`);
	if (typeof enabled !== 'boolean') return refuseValue('enabled must be true or false', `${pointer}/enabled`);
	const logging = readLogging(rule.logging, `${pointer}/logging`);
	const id = readText('id');
	const ref = readText('ref');
	return {
		...(id && {id}),
		...(ref && {ref}),
		action: readText('action') || refuseValue('action is required', `${pointer}/action`),
		...(parameters && {action_parameters: parameters}),
		expression: readText('expression') ?? refuseValue('expression is required', `${pointer}/expression`),
		description: readDescription(readText('description') ?? '', `${pointer}/description`),
		enabled,
		...(logging && {logging}),
		...(ratelimit && {ratelimit}),
	};
}

function readDescription(description: string, pointer: string): string {
	if (Buffer.byteLength(description) <= maxRuleDescriptionBytes) return description;
	return refuseValue(`description has more than ${maxRuleDescriptionBytes} bytes`, pointer);
}

export function readRequestedRules(rules: JsonValue | undefined): readonly RequestedRule[] {
	if (!Array.isArray(rules)) return refuseValue('rules must be an array', '/rules');
	return rules.map((rule: JsonValue, index) => readRequestedRule(rule, `/rules/${index}`));
}

function readLogging(logging: JsonValue | undefined, pointer: string): {enabled: boolean} | undefined {
	if (logging === undefined) return undefined;
	if (!isJsonObject(logging) || typeof logging.enabled !== 'boolean')
		return refuseValue('logging.enabled must be true or false', pointer);
	return {enabled: logging.enabled};
}
