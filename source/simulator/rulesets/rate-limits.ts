import {refuseInvalidExpression} from '../accounts/expression-check.ts';
import {getUnavailableActionReason} from '../accounts/missing-features.ts';
import {checkBlock, refuseParameters} from './block-parameters.ts';
import {refuseAction, refusePlanFeature, refuseValue} from './errors.ts';
import {rateLimitRulesPhase} from './phase-names.ts';
import type {PhaseDefinition} from './phase-rules.ts';
import type {RequestedRule} from './requested-rule.ts';

/** The phase of rate limits. The number of rules per plan is not documented, so it is not limited. */
export const rateLimitPhaseDefinition: PhaseDefinition = {
	name: rateLimitRulesPhase,
	source: 'rate_limit',
	getMaxRules: () => 1000,
	check(rule, {plan}, pointer) {
		const unavailableReason = getUnavailableActionReason(plan, rule.action);
		if (unavailableReason !== undefined) refusePlanFeature(unavailableReason, `${pointer}/action`);
		checkRateLimitAction(rule, pointer);
		refuseInvalidExpression(rule.expression, {plan, phase: 'http_ratelimit'}, `${pointer}/expression`);
		checkLimit(rule, pointer);
	},
};

function checkRateLimitAction(rule: RequestedRule, pointer: string): void {
	switch (rule.action) {
		case 'log':
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			refuseParameters(rule, pointer);
			break;
		case 'block':
			checkBlock(rule, pointer);
			break;
		default:
			refuseAction(rule.action, rateLimitRulesPhase, pointer);
	}
}

/** The documented periods, in seconds. */
const periods: readonly number[] = [10, 60, 120, 300, 600, 3600];

function checkLimit({ratelimit}: RequestedRule, pointer: string): void {
	const limit = ratelimit ?? refuseValue('ratelimit is required', `${pointer}/ratelimit`);
	const {characteristics, period, requests_per_period: requests, counting_expression: counting} = limit;
	if (!Array.isArray(characteristics) || !characteristics.includes('cf.colo.id'))
		refuseValue('characteristics must include cf.colo.id', `${pointer}/ratelimit/characteristics`);
	if (typeof period !== 'number' || !periods.includes(period))
		refuseValue('period must be one of 10, 60, 120, 300, 600, 3600', `${pointer}/ratelimit/period`);
	if (requests !== undefined && (typeof requests !== 'number' || requests < 1))
		refuseValue('requests_per_period must be at least 1', `${pointer}/ratelimit/requests_per_period`);
	if (typeof counting === 'string' && counting !== '')
		refuseInvalidExpression(
			counting,
			{phase: 'http_ratelimit.counting_expression'},
			`${pointer}/ratelimit/counting_expression`,
		);
}
