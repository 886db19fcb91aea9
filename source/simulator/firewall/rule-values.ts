/** Actions of firewall rules. */
export const actions = [
	'log',
	'bypass',
	'allow',
	'challenge',
	'managed_challenge',
	'js_challenge',
	'block',
] as const;

/** What a rule with the action `bypass` can skip. */
export const products = [
	'zoneLockdown',
	'uaBlock',
	'bic',
	'hot',
	'securityLevel',
	'rateLimit',
	'waf',
] as const;
