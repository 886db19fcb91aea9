import type {Plan} from '../service/plan.ts';
/** A description has at most so many characters, that of a filter as that of a rule. */
export const descriptionCharacters = 500;
/** A reference has at most so many characters. */
export const refCharacters = 50;
/** Firewall rules that a zone can have, paused ones too. */
export const rulesByPlan: Readonly<Record<Plan, number>> = {
	free: 5,
	pro: 20,
	business: 100,
	enterprise: 1000,
};
/** Rules that one call can change. */
export const rulesPerCall = 25;
/** With more rules than this a zone evaluates them by priority, whatever was chosen. */
export const rulesInListOrder = 200;
