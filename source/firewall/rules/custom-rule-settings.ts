import {saysTheSame} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {canonical} from '../expression/expressions.ts';
import {skipParameters} from './skip.ts';

/** What can be decided of a custom rule; what is not named stays as it is. */
export type CustomSettings = {
	readonly expression?: string | undefined;
	readonly action?: string | undefined;
	/** All that the action skip skips, by the names of `skippable`. */
	readonly skip?: readonly string[] | undefined;
	/** Whether what is skipped is logged. */
	readonly log?: boolean | undefined;
	/** The answer of its own that a block has, of which parts can be named; `none` is that of the service. */
	readonly answer?: Answer | 'none' | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
	readonly paused?: boolean | undefined;
};

export type Answer = {
	readonly status?: number | undefined;
	readonly type?: string | undefined;
	readonly body?: string | undefined;
};

/** A rule with these settings. What another action had as its parameters is gone with that action. */
export function withSettings(
	rule: RulesetRule,
	{expression, action = rule.action, skip, log, answer, description, ref, paused}: CustomSettings,
): RulesetRule {
	const {action_parameters: before, logging, ...rest} = rule;
	const isSame = action === rule.action;
	const parameters = answered(skipping((isSame && before) || {}, skip), answer);
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

function skipping(parameters: JsonObject, names: readonly string[] | undefined): JsonObject {
	if (names === undefined) return parameters;
	const {ruleset, phases, products, ...others} = parameters;
	return {...others, ...skipParameters(names)};
}

function answered(parameters: JsonObject, answer: CustomSettings['answer']): JsonObject {
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

/** Another rule that does the same to the same requests: the service takes a second one, the person may not mean it. */
export function sameCustomRule(rule: RulesetRule, rules: readonly RulesetRule[]): RulesetRule | undefined {
	const meaning = canonical(rule.expression);
	return rules.find(
		one =>
			(rule.id === undefined || one.id !== rule.id) &&
			one.action === rule.action &&
			(one.expression === rule.expression ||
				(meaning !== undefined && canonical(one.expression) === meaning)),
	);
}

/** A rule that is already just as this one is to be, its description and whether it is paused included. */
export const identicalRule = (
	rule: RulesetRule,
	rules: readonly RulesetRule[],
): (RulesetRule & {readonly id: string}) | undefined =>
	rules.flatMap(one => (one.id !== undefined && saysTheSame(rule, one) ? [{...one, id: one.id}] : []))[0];

/** That a custom rule does the same, as a warning. */
export const sameRuleWarning = ({id, enabled}: RulesetRule): string =>
	`Custom rule ${id} does the same already${enabled === false ? ', but is paused' : ''}.`;
