import {filterObjects, isJsonObject, type JsonObject} from '../../text/json.ts';
import {getParanoiaCategory, type ParanoiaLevel, paranoiaLevels, thresholdRuleId} from './mapping.ts';

/**
 * A rule of an entry point configuration. Keeps fields that ledge does not know, so that they are sent back
 * unchanged.
 */
export type ConfiguredRule = JsonObject & {
	readonly action: string;
	readonly expression: string;
	readonly description?: string;
	readonly enabled?: boolean;
	readonly action_parameters?: JsonObject;
};

/** Returns the overrides of an execute rule for its managed ruleset; empty if it has none. */
export function getRulesetOverrides({action_parameters: parameters}: ConfiguredRule): JsonObject {
	const rawOverrides = parameters?.overrides;
	return isJsonObject(rawOverrides) ? rawOverrides : {};
}

/** The settings of an override. An undefined setting keeps the value of the managed ruleset. */
export type OverrideSettings = {readonly action: string | undefined; readonly enabled: boolean | undefined};

/** Parses an override of a ruleset, a category, or a rule. */
export const readOverrideSettings = ({action, enabled}: JsonObject): OverrideSettings => ({
	action: typeof action === 'string' ? action : undefined,
	enabled: typeof enabled === 'boolean' ? enabled : undefined,
});

/**
 * The overrides that affect a managed rule, by level. Within a level, the last override of a property wins.
 */
type OverrideLayers = Readonly<Record<'rule' | 'category' | 'ruleset', readonly JsonObject[]>>;

/** Finds the overrides that affect a managed rule. Precedence: rule, then category, then ruleset. */
export const findOverrideLayers = (
	overrides: JsonObject,
	{id: ruleId, categories}: {readonly id?: string | undefined; readonly categories: readonly string[]},
): OverrideLayers => ({
	rule: filterObjects(overrides.rules).filter(({id}) => ruleId !== undefined && id === ruleId),
	category: filterObjects(overrides.categories).filter(({category}) =>
		categories.some(one => one === category),
	),
	ruleset: [overrides],
});

/** The OWASP settings that an execute rule overrides. An undefined setting keeps the value of the ruleset. */
type OwaspSettings = {
	/** The highest level that is not off; undefined if no level is overridden. */
	readonly level: ParanoiaLevel | undefined;
	/** Minimum score, in points, of requests that are acted on. */
	readonly threshold: number | undefined;
	/** The override of the rule that acts on such requests. */
	readonly scoringOverride: OverrideSettings;
};

/** Reads the overridden settings of the OWASP ruleset. If a setting is repeated, the last one wins. */
export function readOwaspSettings(overrides: JsonObject): OwaspSettings {
	const categories = filterObjects(overrides.categories);
	const getLevelEnabled = (level: ParanoiaLevel): boolean | undefined => {
		const entry = categories.findLast(({category}) => category === getParanoiaCategory(level));
		return entry && readOverrideSettings(entry).enabled;
	};
	const isAnyLevelSet = paranoiaLevels.some(level => getLevelEnabled(level) !== undefined);
	const scoringEntry = filterObjects(overrides.rules).findLast(({id}) => id === thresholdRuleId) ?? {};
	const {score_threshold: threshold} = scoringEntry;
	return {
		level: isAnyLevelSet
			? (paranoiaLevels.findLast(level => getLevelEnabled(level) !== false) ?? 1)
			: undefined,
		threshold: typeof threshold === 'number' ? threshold : undefined,
		scoringOverride: readOverrideSettings(scoringEntry),
	};
}

/**
 * How much of a managed ruleset an execute rule activates. `partly on`: only the parts that an override turns
 * on. `off`: the execute rule itself is off.
 */
export type RulesetActivity = 'on' | 'partly on' | 'all rules off' | 'off';

export function getRulesetActivity(rule: ConfiguredRule): RulesetActivity {
	if (rule.enabled === false) return 'off';
	const overrides = getRulesetOverrides(rule);
	if (readOverrideSettings(overrides).enabled !== false) return 'on';
	const entries = [...filterObjects(overrides.categories), ...filterObjects(overrides.rules)];
	return entries.some(({enabled}) => enabled === true) ? 'partly on' : 'all rules off';
}

/** True if a rule activates at least part of a managed ruleset. */
export function activatesRuleset(rule: ConfiguredRule): boolean {
	const activity = getRulesetActivity(rule);
	return rule.action === 'execute' && (activity === 'on' || activity === 'partly on');
}

/** Returns the expression that limits a rule to some requests. Undefined if it applies to all. */
export const findTrafficFilter = ({expression}: ConfiguredRule): string | undefined =>
	/^[\s(]*true[\s)]*$/.test(expression) ? undefined : expression;
