import {refuseBroken} from '../accounts/expression-judgement.ts';
import type {Plan} from '../accounts/plan.ts';
import {lackedAction} from '../accounts/plan-lacks.ts';
import {rulesByPlan} from '../firewall/limits.ts';
import {checkBlock, checkNoParameters} from './block-parameters.ts';
import {refuseAction, refusePlan} from './errors.ts';
import type {GivenRule} from './given-rule.ts';
import {customPhase} from './phase-names.ts';
import type {PhaseRules} from './phase-rules.ts';
import {checkCustomSkip} from './skip-parameters.ts';

/** Custom rules of a zone, the successors of firewall rules. */
export const customRules: PhaseRules = {
	phase: customPhase,
	source: 'firewall_custom',
	most: plan => rulesByPlan[plan],
	check(rule, {plan}, pointer) {
		const lacked = lackedAction(plan, rule.action);
		if (lacked !== undefined) refusePlan(lacked, `${pointer}/action`);
		checkAction(rule, plan, pointer);
		refuseBroken(rule.expression, {plan}, `${pointer}/expression`);
	},
};

function checkAction(rule: GivenRule, plan: Plan, pointer: string): void {
	switch (rule.action) {
		case 'log':
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			checkNoParameters(rule, pointer);
			break;
		case 'block':
			checkBlock(rule, pointer);
			break;
		case 'skip':
			checkCustomSkip(rule, plan, pointer);
			break;
		default:
			refuseAction(rule.action, customPhase, pointer);
	}
}
