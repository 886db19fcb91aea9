import type {Plan} from '../accounts/plan.ts';

/** Maximum length of the description of a filter or a rule. */
export const descriptionCharacters = 500;
/** Maximum length of a reference. */
export const refCharacters = 50;
/** Maximum number of firewall rules in a zone, including paused ones. */
export const rulesByPlan: Readonly<Record<Plan, number>> = {
	free: 5,
	pro: 20,
	business: 100,
	enterprise: 1000,
};
/** Maximum number of rules to change in one call. */
export const rulesPerCall = 25;
