/** The rulesets of the new managed rules. */
export const newManagedRulesets = {
	platform: {id: 'efb7b8c949ac4650a09736fc376e9aee', name: 'Managed Ruleset'},
	owasp: {id: '4814384a9e5d4991b9815dcfc25d2f1f', name: 'OWASP Core Ruleset'},
	credentials: {id: 'c2e184081120413c86c3ab7e14069605', name: 'Exposed Credentials Check'},
} as const;

/** The id of the OWASP rule with the threshold ("949110: Inbound Anomaly Score Exceeded"). */
export const owaspThresholdRuleId = '6179ae15870a4bb7b2d480d4843b323c';

/** Formats the category of all rules of a paranoia level. */
export const formatParanoiaCategory = (level: 1 | 2 | 3 | 4): string => `paranoia-level-${level}`;

/** Actions that an override of the new managed rules can set. */
export const newOverrideActions = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log'] as const;
