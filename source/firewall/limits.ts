import type {ZonePlan} from '../service/plan.ts';
/**
 * Maximum length of a custom rule's description in UTF-8 bytes, and how much of it the logs keep; source: the
 * service's change log of 2026-09-30.
 */
export const customDescriptionBytes = {rule: 4096, logs: 128} as const;
/** Maximum length of a description in characters, for filters and firewall rules alike. */
export const maxDescriptionCharacters = 500;
/** Maximum length of a reference in characters. */
export const maxRefCharacters = 50;
/** Maximum number of firewall rules per zone, including paused ones. */
export const maxRulesByPlan: Readonly<Record<ZonePlan, number>> = {
	free: 5,
	pro: 20,
	business: 100,
	enterprise: 1000,
};
/** Maximum number of rules that one call can change. */
export const maxRulesPerCall = 25;
/**
 * Maximum number of rules in list order: a zone with more evaluates them by priority, whatever its setting.
 */
export const maxRulesInListOrder = 200;
