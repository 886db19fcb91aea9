import {isDeepStrictEqual} from 'node:util';
import {isIdenticalRule} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {canonicalize} from '../expression/expressions.ts';
import {buildSkipParameters} from './skip.ts';

/** Settings of a custom rule; what is undefined stays unchanged. */
export type CustomRuleSettings = {
	readonly expression?: string | undefined;
	readonly action?: string | undefined;
	/** What the action `skip` skips, by names of `skippable`. */
	readonly skip?: readonly string[] | undefined;
	/** True to log skipped requests. */
	readonly log?: boolean | undefined;
	/** Custom response of a block, in full or in part; `none` uses the service's default. */
	readonly response?: CustomResponse | 'none' | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
	readonly paused?: boolean | undefined;
};

export type CustomResponse = {
	readonly status?: number | undefined;
	readonly type?: string | undefined;
	readonly body?: string | undefined;
};

/** Returns the rule with these settings. Changing the action drops its parameters. */
export function withCustomRuleSettings(
	rule: RulesetRule,
	{expression, action = rule.action, skip, log, response, description, ref, paused}: CustomRuleSettings,
): RulesetRule {
	const {action_parameters: parametersBefore, logging, ...otherFields} = rule;
	const keepsAction = action === rule.action;
	const parameters = withResponse(withSkipped((keepsAction && parametersBefore) || {}, skip), response);
	const logs = log === undefined ? (keepsAction ? logging : undefined) : {enabled: log};
	return {
		...otherFields,
		action,
		...(expression !== undefined && {expression}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
		...(paused !== undefined && {enabled: !paused}),
		...(Object.keys(parameters).length > 0 && {action_parameters: parameters}),
		...(logs && {logging: logs}),
	};
}

function withSkipped(parameters: JsonObject, names: readonly string[] | undefined): JsonObject {
	if (names === undefined) return parameters;
	const {ruleset, phases, products, ...otherParameters} = parameters;
	return {...otherParameters, ...buildSkipParameters(names)};
}

function withResponse(parameters: JsonObject, newResponse: CustomRuleSettings['response']): JsonObject {
	if (newResponse === undefined) return parameters;
	const {response, ...otherParameters} = parameters;
	if (newResponse === 'none') return otherParameters;
	const {status, type, body} = newResponse;
	return {
		...otherParameters,
		response: {
			status_code: 403,
			content_type: 'text/plain',
			...(isJsonObject(response) && response),
			...(status !== undefined && {status_code: status}),
			...(type !== undefined && {content_type: type}),
			...(body !== undefined && {content: body}),
		},
	};
}

/**
 * Finds another rule with the same action and limit, and an equivalent expression. The service accepts duplicates, so
 * this only warrants a warning.
 */
export function findEquivalentCustomRule(
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): RulesetRule | undefined {
	const meaning = canonicalize(rule.expression);
	return rules.find(
		candidate =>
			(rule.id === undefined || candidate.id !== rule.id) &&
			candidate.action === rule.action &&
			isDeepStrictEqual(candidate.ratelimit, rule.ratelimit) &&
			(candidate.expression === rule.expression ||
				(meaning !== undefined && canonicalize(candidate.expression) === meaning)),
	);
}

/** Finds a rule identical to this one, including its description and paused state. */
export const findIdenticalRule = (
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): (RulesetRule & {readonly id: string}) | undefined =>
	rules.flatMap(candidate =>
		candidate.id !== undefined && isIdenticalRule(rule, candidate) ? [{...candidate, id: candidate.id}] : [],
	)[0];

export const formatEquivalentRuleWarning = (
	{id, enabled}: RulesetRule,
	sentenceNoun = 'Custom rule',
): string => `${sentenceNoun} ${id} already does the same${enabled === false ? ', but is paused' : ''}.`;
