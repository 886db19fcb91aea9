import {hasRequiredPlan, type Plan, planNames, plans} from '../../firewall/expression/expressions.ts';

export {hasRequiredPlan, type Plan, planNames, plans};

/** Returns the plan with this legacy id ("pro"); undefined for any other text. */
export const findPlan = (legacyId: string | undefined): Plan | undefined =>
	plans.find(plan => plan === legacyId);
