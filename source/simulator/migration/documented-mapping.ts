/**
 * What the service makes of old settings, and how much of them it takes. Written out here, and not taken from where ledge works out what to expect: the two are compared, and a
 * wrong row of either shows.
 */
export const owaspLevels: Readonly<Record<string, OwaspLevel>> = {
	high: {threshold: 40, disabled: ['paranoia-level-3', 'paranoia-level-4']},
	medium: {threshold: 25, disabled: ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4']},
	low: {threshold: 40, disabled: ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4']},
	default: {threshold: 40, disabled: ['paranoia-level-3', 'paranoia-level-4']},
};

/** The new OWASP ruleset at the level of an old sensitivity: points to act on, and the categories that are off. */
type OwaspLevel = {readonly threshold: number; readonly disabled: readonly string[]};

/** What an old action becomes. */
export const newActions: Readonly<Record<string, string>> = {
	simulate: 'log',
	block: 'block',
	challenge: 'managed_challenge',
};

/** Firewall rules that are migrated at the most. */
export const mostBypasses = 200;

/** Bytes of an expression that is migrated, at the most: 4 KB. */
export const longestExpression = 4096;
