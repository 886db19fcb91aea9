export const acceptedActions = [
	'log',
	'bypass',
	'allow',
	'challenge',
	'managed_challenge',
	'js_challenge',
	'block',
] as const;

/** Products that the action `bypass` can skip. */
export const acceptedProducts = [
	'zoneLockdown',
	'uaBlock',
	'bic',
	'hot',
	'securityLevel',
	'rateLimit',
	'waf',
] as const;
