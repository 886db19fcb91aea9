/** The plans of a zone, from the lowest. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** Plan names for sentences. */
export const planNames: Readonly<Record<Plan, string>> = {
	free: 'Free',
	pro: 'Pro',
	business: 'Business',
	enterprise: 'Enterprise',
};

/** True if `plan` is at least `minPlan`. */
export const hasRequiredPlan = (plan: Plan, minPlan: Plan): boolean =>
	plans.indexOf(plan) >= plans.indexOf(minPlan);
