import {refuseInvalidExpression} from '../accounts/expression-check.ts';
import {getUnavailableActionReason} from '../accounts/missing-features.ts';
import type {Plan} from '../accounts/plan.ts';
import {ruleQuotaByPlan} from '../firewall/limits.ts';
import {checkBlock, refuseParameters} from './block-parameters.ts';
import {refuseAction, refusePlanFeature, refuseValue} from './errors.ts';
import {customRulesPhase} from './phase-names.ts';
import type {PhaseDefinition} from './phase-rules.ts';
import type {RequestedRule} from './requested-rule.ts';
import {checkCustomSkip} from './skip-parameters.ts';

/** The phase of custom rules, the successors of firewall rules. */
export const customPhaseDefinition: PhaseDefinition = {
	name: customRulesPhase,
	source: 'firewall_custom',
	getMaxRules: plan => ruleQuotaByPlan[plan],
	check(rule, {plan}, pointer) {
		const unavailableReason = getUnavailableActionReason(plan, rule.action);
		if (unavailableReason !== undefined) refusePlanFeature(unavailableReason, `${pointer}/action`);
		if (rule.ratelimit) refuseValue('ratelimit is not allowed in this phase', `${pointer}/ratelimit`);
		checkCustomAction(rule, plan, pointer);
		refuseInvalidExpression(rule.expression, {plan}, `${pointer}/expression`);
	},
};

function checkCustomAction(rule: RequestedRule, plan: Plan, pointer: string): void {
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
		case 'skip':
			checkCustomSkip(rule, plan, pointer);
			break;
		default:
			refuseAction(rule.action, customRulesPhase, pointer);
	}
}
