/** Plans of a zone, lowest first. */
export const zonePlans = ['free', 'pro', 'business', 'enterprise'] as const;
export type ZonePlan = (typeof zonePlans)[number];

/** Plan names for sentences. */
export const zonePlanNames: Readonly<Record<ZonePlan, string>> = {
	free: 'Free',
	pro: 'Pro',
	business: 'Business',
	enterprise: 'Enterprise',
};

export const isPlanAtLeast = (plan: ZonePlan, minPlan: ZonePlan): boolean =>
	zonePlans.indexOf(plan) >= zonePlans.indexOf(minPlan);

/**
 * Parses a plan from the service's name ("Enterprise Website") or legacy id ("pro"), case-insensitively;
 * undefined if neither names one.
 */
export function parsePlan(...texts: readonly (string | undefined)[]): ZonePlan | undefined {
	for (const text of texts) {
		const match = zonePlans.find(plan => text?.toLowerCase().includes(plan));
		if (match) return match;
	}
	return undefined;
}
