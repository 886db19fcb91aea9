import type {Plan} from '../accounts/plan.ts';

/** Maximum length of the description of a filter or a rule, in characters. */
export const maxDescriptionLength = 500;
/** Maximum length of the `ref` of a filter or a rule, in characters. */
export const maxRefLength = 50;
/** Maximum number of firewall rules in a zone, including paused ones. */
export const ruleQuotaByPlan: Readonly<Record<Plan, number>> = {
	free: 5,
	pro: 20,
	business: 100,
	enterprise: 1000,
};
/** Maximum number of rules to change in one call. */
export const maxUpdatedRules = 25;
