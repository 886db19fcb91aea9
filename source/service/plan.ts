/** Plans of a zone, lowest first. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** Plan names for sentences. */
export const planNames: Readonly<Record<Plan, string>> = {
	free: 'Free',
	pro: 'Pro',
	business: 'Business',
	enterprise: 'Enterprise',
};

export const isPlanAtLeast = (plan: Plan, minPlan: Plan): boolean =>
	plans.indexOf(plan) >= plans.indexOf(minPlan);

/**
 * Parses a plan from the service's name ("Enterprise Website") or legacy id ("pro"), case-insensitively;
 * undefined if neither names one.
 */
export function parsePlan(...texts: readonly (string | undefined)[]): Plan | undefined {
	for (const text of texts) {
		const match = plans.find(plan => text?.toLowerCase().includes(plan));
		if (match) return match;
	}
	return undefined;
}
