/** The plans of a zone, from the least on. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** How a plan is called in sentences. */
export const planNames: Readonly<Record<Plan, string>> = {
	free: 'Free',
	pro: 'Pro',
	business: 'Business',
	enterprise: 'Enterprise',
};

export const planHas = (plan: Plan, needed: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(needed);

/**
 * The plan that the service means by a name ("Enterprise Website") or a legacy id ("pro"), in any case of
 * letters; `undefined` where neither names one.
 */
export function planOf(...texts: readonly (string | undefined)[]): Plan | undefined {
	for (const text of texts) {
		const found = plans.find(plan => text?.toLowerCase().includes(plan));
		if (found) return found;
	}
	return undefined;
}
