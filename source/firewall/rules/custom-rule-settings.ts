import {isEquivalentRule} from '../../rulesets/difference.ts';
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
	/** Log skipped requests. */
	readonly log?: boolean | undefined;
	/** Custom response of a block, in full or in part; `none` uses the service's default. */
	readonly answer?: CustomResponse | 'none' | undefined;
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
	{expression, action = rule.action, skip, log, answer, description, ref, paused}: CustomRuleSettings,
): RulesetRule {
	const {action_parameters: before, logging, ...rest} = rule;
	const isSame = action === rule.action;
	const parameters = withResponse(withSkipped((isSame && before) || {}, skip), answer);
	const logs = log === undefined ? (isSame ? logging : undefined) : {enabled: log};
	return {
		...rest,
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
	const {ruleset, phases, products, ...others} = parameters;
	return {...others, ...buildSkipParameters(names)};
}

function withResponse(parameters: JsonObject, answer: CustomRuleSettings['answer']): JsonObject {
	if (answer === undefined) return parameters;
	const {response, ...others} = parameters;
	if (answer === 'none') return others;
	const {status, type, body} = answer;
	return {
		...others,
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
 * Finds another rule with the same action and meaning. The service accepts a second one; the person may not
 * intend it.
 */
export function findSameCustomRule(
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): RulesetRule | undefined {
	const meaning = canonicalize(rule.expression);
	return rules.find(
		one =>
			(rule.id === undefined || one.id !== rule.id) &&
			one.action === rule.action &&
			(one.expression === rule.expression ||
				(meaning !== undefined && canonicalize(one.expression) === meaning)),
	);
}

/** Finds a rule identical to this one, including its description and paused state. */
export const findIdenticalRule = (
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): (RulesetRule & {readonly id: string}) | undefined =>
	rules.flatMap(one =>
		one.id !== undefined && isEquivalentRule(rule, one) ? [{...one, id: one.id}] : [],
	)[0];

export const formatSameRuleWarning = ({id, enabled}: RulesetRule): string =>
	`Custom rule ${id} does the same already${enabled === false ? ', but is paused' : ''}.`;
