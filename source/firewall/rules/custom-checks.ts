import {customPhase, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {isJsonObject} from '../../text/json.ts';
import {
	buildFindings,
	checkExpression,
	checkPlanFeature,
	checkQuota,
	checkTexts,
	type DraftFinding,
	type DraftZone,
} from './checks.ts';
import {bypassableProducts} from './rule.ts';
import {listSkippedNames} from './skip.ts';

/** Actions of custom rules; those that let requests through come last. */
export const customActions = [
	'block',
	'managed_challenge',
	'js_challenge',
	'challenge',
	'log',
	'skip',
] as const;

/** Actions of rate limits. */
const rateLimitActions = customActions.filter(action => action !== 'skip');

/** Content types of a custom block response. */
export const contentTypes = ['text/plain', 'text/html', 'application/json', 'text/xml'] as const;

/**
 * Checks a custom rule without calling the service: expression, action, parameters, lengths, and the plan's
 * quota if `existingCount`, the number of existing rules, is given.
 */
export function checkCustomRule(
	rule: RulesetRule,
	zone: DraftZone,
	{existingCount}: {readonly existingCount?: number | undefined} = {},
): readonly DraftFinding[] {
	return [
		...checkExpression(rule.expression, zone, rule.action === 'skip', customPhase),
		...checkRuleAction(rule, zone.plan, 'Custom rules', customActions),
		...(rule.action === 'skip' ? checkSkip(rule, zone.plan) : []),
		...checkResponse(rule),
		...checkTexts(rule, 'custom rule'),
		...(existingCount === undefined ? [] : checkQuota(existingCount, zone.plan, 'custom rule')),
	];
}

/**
 * Checks a rate limit without calling the service: expression, action, parameters and lengths. What a plan does
 * not allow in the expression is a warning: that is less certain than for custom rules, so the service decides.
 */
export const checkRateLimit = (rule: RulesetRule, zone: DraftZone): readonly DraftFinding[] => [
	...checkExpression(rule.expression, {...zone, plan: undefined}, false, rateLimitPhase),
	...checkRuleAction(rule, zone.plan, 'Rate limits', rateLimitActions),
	...checkResponse(rule),
	...checkTexts(rule, 'rule'),
];

function checkRuleAction(
	{action}: RulesetRule,
	plan: DraftZone['plan'],
	noun: 'Custom rules' | 'Rate limits',
	actions: readonly string[],
): readonly DraftFinding[] {
	if (!actions.includes(action))
		return buildFindings('action', 'usage', `${noun} have no action "${action}".`, {
			next: `Use one of: ${actions.join(', ')}.`,
		});
	return action === 'log' ? checkPlanFeature('action', 'The log action', 'enterprise', plan) : [];
}

function checkSkip(rule: RulesetRule, plan: DraftZone['plan']): readonly DraftFinding[] {
	const skippedNames = listSkippedNames(rule);
	if (skippedNames.length === 0)
		return buildFindings('products', 'usage', 'The skip action needs at least one thing to skip.', {
			next: `Name one or more of: remaining, rate-limits, bot-fight-mode, managed-rules, ${bypassableProducts.join(', ')}.`,
		});
	return skippedNames
		.filter(name => name === 'zoneLockdown' || name === 'waf')
		.flatMap(name => checkPlanFeature('products', `Skipping ${name}`, 'pro', plan));
}

function checkResponse({action, action_parameters: parameters}: RulesetRule): readonly DraftFinding[] {
	const response = parameters?.response;
	if (response === undefined) return [];
	if (action !== 'block')
		return buildFindings('response', 'usage', 'Only the block action can have a custom response.', {
			why: `The action is ${action}.`,
			next: 'Remove the response, or use the block action.',
		});
	const {status_code: status, content, content_type: type} = isJsonObject(response) ? response : {};
	return [
		...(typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 499
			? []
			: buildFindings(
					'response',
					'usage',
					`Invalid response status ${status}: use a number from 400 to 499.`,
				)),
		...(typeof content === 'string' && content !== ''
			? []
			: buildFindings('response', 'usage', 'The response needs a body.')),
		...((contentTypes as readonly unknown[]).includes(type)
			? []
			: buildFindings(
					'response',
					'usage',
					`The content type of the response must be one of ${contentTypes.join(', ')}.`,
				)),
	];
}
