import type {Plan} from '../service/plan.ts';
/** Characters of a description, of filters and rules alike. */
export const maxDescriptionCharacters = 500;
/** Characters of a reference. */
export const maxRefCharacters = 50;
/** Firewall rules per zone, including paused ones. */
export const maxRulesByPlan: Readonly<Record<Plan, number>> = {
	free: 5,
	pro: 20,
	business: 100,
	enterprise: 1000,
};
/** Rules that one call can change. */
export const maxRulesPerCall = 25;
/** A zone with more rules evaluates them by priority, whatever order it is set to. */
export const maxRulesInListOrder = 200;
