import {refuseRequest} from '../http/answer.ts';
import {hasRequiredPlan, type Plan, planNames} from './plan.ts';

/** Formats the message that a plan does not have a feature, and which plan does. */
export const describeMissingFeature = (plan: Plan, feature: string, requiredPlan: Plan | undefined): string =>
	`The ${planNames[plan]} plan does not have ${feature}: ${describeRequiredPlan(requiredPlan)}.`;

function describeRequiredPlan(plan: Plan | undefined): string {
	if (plan === undefined) return 'no plan has it by itself';
	return `it needs the ${planNames[plan]} plan${plan === 'enterprise' ? '' : ' or a higher one'}`;
}

/** Refuses the request if the plan is lower than `requiredPlan`; `feature` is named in the message. */
export function requirePlan(plan: Plan, requiredPlan: Plan, feature: string): void {
	if (!hasRequiredPlan(plan, requiredPlan))
		refuseRequest(403, {message: describeMissingFeature(plan, feature, requiredPlan)});
}

/** Returns why a rule cannot have this action: `log` is for Enterprise. Undefined if it can. */
export const getUnavailableActionReason = (plan: Plan, action: string): string | undefined =>
	action === 'log' && plan !== 'enterprise'
		? describeMissingFeature(plan, 'the action log', 'enterprise')
		: undefined;

/** Returns why a rule cannot bypass one of these products: some need Pro. Undefined if it can. */
export function getUnavailableProductReason(plan: Plan, products: readonly string[]): string | undefined {
	const product = products.find(name => name === 'zoneLockdown' || name === 'waf');
	return product === undefined || hasRequiredPlan(plan, 'pro')
		? undefined
		: describeMissingFeature(plan, `the product ${product}`, 'pro');
}
