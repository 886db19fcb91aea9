/**
 * How the service converts old settings, and the limits of what it converts. Not shared with ledge's own
 * prediction: tests compare the two tables, so that a wrong row in either is found.
 */
export const newOwaspLevels: Readonly<Record<string, OwaspLevel>> = {
	high: {threshold: 40, disabledCategories: ['paranoia-level-3', 'paranoia-level-4']},
	medium: {threshold: 25, disabledCategories: ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4']},
	low: {threshold: 40, disabledCategories: ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4']},
	default: {threshold: 40, disabledCategories: ['paranoia-level-3', 'paranoia-level-4']},
};

/** The new OWASP ruleset for an old sensitivity: score threshold and disabled categories. */
type OwaspLevel = {readonly threshold: number; readonly disabledCategories: readonly string[]};

/** The new action for each old one. */
export const newActions: Readonly<Record<string, string>> = {
	simulate: 'log',
	block: 'block',
	challenge: 'managed_challenge',
};

/** Maximum number of firewall rules to migrate. */
export const maxMigratedRules = 200;

/** Maximum size of a migrated expression, in bytes. */
export const maxMigratedExpressionBytes = 4096;
