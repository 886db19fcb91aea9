/** Sensitivities of the previous OWASP package. */
export const sensitivities = ['high', 'medium', 'low', 'default'] as const;
type Sensitivity = (typeof sensitivities)[number];

/**
 * The settings that replace an old sensitivity. `threshold`: the minimum score, in points, of requests that
 * are acted on.
 */
export type OwaspLevel = {
	readonly paranoia: 1 | 2;
	readonly thresholdName: 'Medium' | 'High';
	readonly threshold: 40 | 25;
};

/** The documented mapping of old OWASP sensitivities to new OWASP settings; see docs/service.md#migration. */
export const owaspLevels: Readonly<Record<Sensitivity, OwaspLevel>> = {
	high: {paranoia: 2, thresholdName: 'Medium', threshold: 40},
	medium: {paranoia: 1, thresholdName: 'High', threshold: 25},
	low: {paranoia: 1, thresholdName: 'Medium', threshold: 40},
	default: {paranoia: 2, thresholdName: 'Medium', threshold: 40},
};

/** The service's names of score thresholds. */
const thresholdNames: Readonly<Record<number, string>> = {25: 'High', 40: 'Medium', 60: 'Low'};

/** Named score thresholds, the most permissive first. */
export const namedThresholds = [60, 40, 25] as const;

/** The score threshold of the OWASP ruleset without an override. */
export const defaultThreshold = 40;

/** Formats a score threshold: "Medium, 40 or higher", or "50 or higher" without a name. */
export const formatScoreThreshold = (points: number): string =>
	[thresholdNames[points], `${points} or higher`].filter(Boolean).join(', ');

/** Parses a score threshold in points, or one of the names. Undefined for anything else. */
export function parseScoreThreshold(text: string): number | undefined {
	const name = text.trim().toLowerCase();
	const points = namedThresholds.find(one => thresholdNames[one]?.toLowerCase() === name);
	return points ?? (/^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined);
}

/** The last version of the Terraform provider with resources for the previous managed rules. */
export const terraformProviderWarning =
	'Terraform: resources for the previous managed rules (cloudflare_waf_package, _group and _rule) work only up to provider version 3.35, and stop working once the zone is migrated; version 4.x does not support them. Manage the new rules with cloudflare_ruleset.';

/** The two sentences of the documentation that contradict each other; see docs/service.md#migration. */
export const paranoiaLevelWarning =
	"The service's documentation contradicts itself (PL2 for every zone, but PL1 for zones with Medium or Low sensitivity): check the level after the migration.";

/** The managed rulesets of the new version. */
export const managedRulesets = {
	platform: {id: 'efb7b8c949ac4650a09736fc376e9aee', name: 'Managed Ruleset'},
	owasp: {id: '4814384a9e5d4991b9815dcfc25d2f1f', name: 'OWASP Core Ruleset'},
	credentials: {id: 'c2e184081120413c86c3ab7e14069605', name: 'Exposed Credentials Check'},
} as const;

/** Returns the name of a managed ruleset, or its id if it is unknown to ledge. */
export const formatRulesetName = (id: string): string =>
	Object.values(managedRulesets).find(one => one.id === id)?.name ?? id;

/** The id of the OWASP rule that holds the threshold ("949110: Inbound Anomaly Score Exceeded"). */
export const thresholdRuleId = '6179ae15870a4bb7b2d480d4843b323c';

/** The threshold of the lowest sensitivity, in points; hardly any request scores more. */
export const highestThreshold = 60;

export const paranoiaLevels = [1, 2, 3, 4] as const;
export type ParanoiaLevel = (typeof paranoiaLevels)[number];

/** Returns the category of all rules of a paranoia level. */
export const getParanoiaCategory = (level: ParanoiaLevel): string => `paranoia-level-${level}`;

/** Actions of the new managed rules that an override can set. */
export const overrideActions = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log'] as const;
export type OverrideAction = (typeof overrideActions)[number];

/** The new action for an old one (`simulate` becomes `log`). */
export const migratedActions: Readonly<Record<string, OverrideAction>> = {
	simulate: 'log',
	block: 'block',
	challenge: 'managed_challenge',
};

/** Maximum number of firewall rules of a zone that can be migrated. */
export const maxFirewallRules = 200;
