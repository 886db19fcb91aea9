/** The plans of a zone, from the smallest. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** The name of a plan in sentences. */
export const planNames: Readonly<Record<Plan, string>> = {
	free: 'Free',
	pro: 'Pro',
	business: 'Business',
	enterprise: 'Enterprise',
};

/** True if `plan` includes what `needed` does. */
export const planHas = (plan: Plan, needed: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(needed);
