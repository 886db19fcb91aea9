import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseValue} from './errors.ts';

/** A rule of a request, before the checks of its phase. */
export type GivenRule = {
	readonly id?: string;
	readonly ref?: string;
	readonly action: string;
	readonly action_parameters?: JsonObject;
	readonly expression: string;
	readonly description: string;
	readonly enabled: boolean;
	readonly logging?: {readonly enabled: boolean};
};

/** Reads a rule; `pointer` is its place in the request: `/rules/0`, or empty for the whole body. */
export function readGivenRule(given: JsonValue | undefined, pointer: string): GivenRule {
	if (!isJsonObject(given)) return refuseValue('a rule must be an object', pointer);
	const readText = (name: string): string | undefined => {
		const value = given[name];
		if (value === undefined || typeof value === 'string') return value;
		return refuseValue(`${name} must be a text`, `${pointer}/${name}`);
	};
	const parameters = given.action_parameters;
	if (parameters !== undefined && !isJsonObject(parameters))
		return refuseValue('action_parameters must be an object', `${pointer}/action_parameters`);
	const {enabled = true} = given;
	if (typeof enabled !== 'boolean') return refuseValue('enabled must be true or false', `${pointer}/enabled`);
	const logging = readLogging(given.logging, `${pointer}/logging`);
	const id = readText('id');
	const ref = readText('ref');
	return {
		...(id && {id}),
		...(ref && {ref}),
		action: readText('action') || refuseValue('action is required', `${pointer}/action`),
		...(parameters && {action_parameters: parameters}),
		expression: readText('expression') ?? refuseValue('expression is required', `${pointer}/expression`),
		description: readText('description') ?? '',
		enabled,
		...(logging && {logging}),
	};
}

export function readGivenRules(given: JsonValue | undefined): readonly GivenRule[] {
	if (!Array.isArray(given)) return refuseValue('rules must be an array', '/rules');
	return given.map((rule: JsonValue, index) => readGivenRule(rule, `/rules/${index}`));
}

function readLogging(given: JsonValue | undefined, pointer: string): {enabled: boolean} | undefined {
	if (given === undefined) return undefined;
	if (!isJsonObject(given) || typeof given.enabled !== 'boolean')
		return refuseValue('logging.enabled must be true or false', pointer);
	return {enabled: given.enabled};
}
