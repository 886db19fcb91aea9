import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';
import {type ParanoiaLevel, paranoiaCategory, paranoiaLevels, thresholdRule} from './mapping.ts';

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

/** Returns what an execute rule overrides in its managed ruleset; empty if nothing. */
export function overridesIn({action_parameters: parameters}: ConfiguredRule): JsonObject {
	const given = parameters?.overrides;
	return isJsonObject(given) ? given : {};
}

/** The settings of an override; undefined keeps the value of the managed ruleset. */
export type Overridden = {readonly action: string | undefined; readonly enabled: boolean | undefined};

/** Reads an override of a ruleset, a category, or a rule. */
export const overridden = ({action, enabled}: JsonObject): Overridden => ({
	action: typeof action === 'string' ? action : undefined,
	enabled: typeof enabled === 'boolean' ? enabled : undefined,
});

/** Overrides that affect a managed rule, by level. Within a level, the last one that sets a property wins. */
type OverrideLayers = Readonly<Record<'rule' | 'category' | 'ruleset', readonly JsonObject[]>>;

/** Finds the overrides that affect a managed rule. Precedence: rule, then category, then ruleset. */
export const overrideLayers = (
	overrides: JsonObject,
	{id: rule, categories}: {readonly id?: string | undefined; readonly categories: readonly string[]},
): OverrideLayers => ({
	rule: objects(overrides.rules).filter(({id}) => rule !== undefined && id === rule),
	category: objects(overrides.categories).filter(({category}) => categories.some(one => one === category)),
	ruleset: [overrides],
});

/** OWASP settings that an execute rule overrides; undefined keeps the value of the ruleset. */
type OwaspSettings = {
	/** The highest level that is not off; undefined if no level is overridden. */
	readonly level: ParanoiaLevel | undefined;
	/** Minimum score, in points, of requests that are acted on. */
	readonly threshold: number | undefined;
	/** Override of the rule that acts on those requests. */
	readonly scoring: Overridden;
};

/** Reads the overridden settings of the OWASP ruleset. If a setting is repeated, the last one wins. */
export function owaspSettings(overrides: JsonObject): OwaspSettings {
	const categories = objects(overrides.categories);
	const isSaidOn = (level: ParanoiaLevel): boolean | undefined => {
		const said = categories.findLast(({category}) => category === paranoiaCategory(level));
		return said && overridden(said).enabled;
	};
	const isSaid = paranoiaLevels.some(level => isSaidOn(level) !== undefined);
	const scoring = objects(overrides.rules).findLast(({id}) => id === thresholdRule) ?? {};
	const {score_threshold: threshold} = scoring;
	return {
		level: isSaid ? (paranoiaLevels.findLast(level => isSaidOn(level) !== false) ?? 1) : undefined,
		threshold: typeof threshold === 'number' ? threshold : undefined,
		scoring: overridden(scoring),
	};
}

/**
 * How much of a managed ruleset an execute rule activates. `partly on`: only what an override turns on in it;
 * `off`: the execute rule itself is off.
 */
export type Acting = 'on' | 'partly on' | 'all rules off' | 'off';

export function acting(rule: ConfiguredRule): Acting {
	if (rule.enabled === false) return 'off';
	const overrides = overridesIn(rule);
	if (overridden(overrides).enabled !== false) return 'on';
	const entries = [...objects(overrides.categories), ...objects(overrides.rules)];
	return entries.some(({enabled}) => enabled === true) ? 'partly on' : 'all rules off';
}

/** True if a rule activates at least part of a managed ruleset. */
export function isOn(rule: ConfiguredRule): boolean {
	const how = acting(rule);
	return rule.action === 'execute' && (how === 'on' || how === 'partly on');
}

/** Returns the expression that limits a rule to some requests. Undefined if it applies to all. */
export const onlyFor = ({expression}: ConfiguredRule): string | undefined =>
	/^[\s(]*true[\s)]*$/.test(expression) ? undefined : expression;
