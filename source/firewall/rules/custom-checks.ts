import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject} from '../../text/json.ts';
import {checkExpression, checkQuota, checkTexts, type Finding, found, type Judged, lacks} from './checks.ts';
import {products} from './rule.ts';
import {skippedBy} from './skip.ts';

/** Actions of custom rules; those that let requests through come last. */
export const customActions = [
	'block',
	'managed_challenge',
	'js_challenge',
	'challenge',
	'log',
	'skip',
] as const;

/** Content types of a custom block response. */
export const contentTypes = ['text/plain', 'text/html', 'application/json', 'text/xml'] as const;

/**
 * Checks a custom rule without calling the service: expression, action, parameters, lengths, and the plan's
 * quota if `count`, the number of existing rules, is given.
 */
export function checkCustomRule(
	rule: RulesetRule,
	zone: Judged,
	{count}: {readonly count?: number | undefined} = {},
): readonly Finding[] {
	return [
		...checkExpression(rule.expression, zone, rule.action === 'skip', customPhase),
		...checkAction(rule, zone.plan),
		...(rule.action === 'skip' ? checkSkip(rule, zone.plan) : []),
		...checkResponse(rule),
		...checkTexts(rule, 'rule'),
		...(count === undefined ? [] : checkQuota(count, zone.plan, 'custom rule')),
	];
}

function checkAction({action}: RulesetRule, plan: Judged['plan']): readonly Finding[] {
	if (!(customActions as readonly string[]).includes(action))
		return found('action', 'usage', `There is no action "${action}" for custom rules.`, {
			next: `There are: ${customActions.join(', ')}.`,
		});
	return action === 'log' ? lacks('action', 'The action log', 'enterprise', plan) : [];
}

function checkSkip(rule: RulesetRule, plan: Judged['plan']): readonly Finding[] {
	const skipped = skippedBy(rule);
	if (skipped.length === 0)
		return found('products', 'usage', 'The action skip needs to know what it skips.', {
			next: `Name one or more of: remaining, rate-limits, bot-fight-mode, managed-rules, ${products.join(', ')}.`,
		});
	return skipped
		.filter(name => name === 'zoneLockdown' || name === 'waf')
		.flatMap(name => lacks('products', `Skipping ${name}`, 'pro', plan));
}

function checkResponse({action, action_parameters: given}: RulesetRule): readonly Finding[] {
	const response = given?.response;
	if (response === undefined) return [];
	if (action !== 'block')
		return found('response', 'usage', 'Only the action block has an answer of its own.', {
			why: `The action is ${action}.`,
			next: 'Leave the answer out, or take the action block.',
		});
	const {status_code: status, content, content_type: type} = isJsonObject(response) ? response : {};
	return [
		...(typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 499
			? []
			: found(
					'response',
					'usage',
					`The status of the answer is a number from 400 to 499; ${status} is not.`,
				)),
		...(typeof content === 'string' && content !== ''
			? []
			: found('response', 'usage', 'The answer needs a body.')),
		...((contentTypes as readonly unknown[]).includes(type)
			? []
			: found('response', 'usage', `The content type of the answer is one of ${contentTypes.join(', ')}.`)),
	];
}
