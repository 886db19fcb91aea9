import {rulesByPlan} from '../../firewall/limits.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Plan} from '../../service/plan.ts';
import {objectionTo} from '../accounts/expression-judgement.ts';
import {lackedAction} from '../accounts/plan-lacks.ts';
import {refuse} from '../http/answer.ts';
import {checkBlock, checkNoParameters} from './block-parameters.ts';
import {refusePlan, refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';
import type {PhaseRules} from './phases.ts';
import {checkCustomSkip} from './skip-parameters.ts';

/** Custom rules of a zone, which firewall rules became. */
export const customRules: PhaseRules = {
	phase: customPhase,
	source: 'firewall_custom',
	most: plan => rulesByPlan[plan],
	check(rule, {plan}, pointer) {
		const lacked = lackedAction(plan, rule.action);
		if (lacked !== undefined) refusePlan(lacked, `${pointer}/action`);
		checkAction(rule, plan, pointer);
		const objection = objectionTo(rule.expression, plan);
		if (!objection) return;
		const source = {pointer: `${pointer}/expression`};
		refuse(objection.status, {message: objection.message, source});
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
			refuseValue(
				`'${rule.action}' is not a valid value for action because it is not allowed in the phase ${customPhase}`,
				`${pointer}/action`,
			);
	}
}
