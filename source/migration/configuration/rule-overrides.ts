import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';
import {type ParanoiaLevel, paranoiaCategory, paranoiaLevels, thresholdRule} from './mapping.ts';

/**
 * A rule of an entry point configuration. Fields that this
 * ledge does not know stay in it: what the service proposed is never lost on the way back.
 */
export type ConfiguredRule = JsonObject & {
	readonly action: string;
	readonly expression: string;
	readonly description?: string;
	readonly enabled?: boolean;
	readonly action_parameters?: JsonObject;
};

/** What a rule that executes a managed ruleset overrides in it; empty where it leaves all as the ruleset has it. */
export function overridesIn({action_parameters: parameters}: ConfiguredRule): JsonObject {
	const given = parameters?.overrides;
	return isJsonObject(given) ? given : {};
}

/** How an override stands: what it does not say is as the managed ruleset has it. */
export type Overridden = {readonly action: string | undefined; readonly enabled: boolean | undefined};

/** What an override says: of the whole ruleset, a category, or one rule. */
export const overridden = ({action, enabled}: JsonObject): Overridden => ({
	action: typeof action === 'string' ? action : undefined,
	enabled: typeof enabled === 'boolean' ? enabled : undefined,
});

/** Overrides that affect a managed rule, by level. Within a level, the last one that sets a property wins. */
type OverrideLayers = Readonly<Record<'rule' | 'category' | 'ruleset', readonly JsonObject[]>>;

/** Finds the overrides that affect a managed rule. Precedence: rule, then categories, then ruleset. */
export const overrideLayers = (
	overrides: JsonObject,
	{id: rule, categories}: {readonly id?: string | undefined; readonly categories: readonly string[]},
): OverrideLayers => ({
	rule: objects(overrides.rules).filter(({id}) => rule !== undefined && id === rule),
	category: objects(overrides.categories).filter(({category}) => categories.some(one => one === category)),
	ruleset: [overrides],
});

/** How the overrides of a rule that executes the OWASP ruleset set it; what they do not say is as the ruleset has it. */
type OwaspSettings = {
	/** The highest level that is not off; none where nothing is said of any. */
	readonly level: ParanoiaLevel | undefined;
	/** Points from which requests are acted on. */
	readonly threshold: number | undefined;
	/** What is said of the rule that acts on them. */
	readonly scoring: Overridden;
};

/** The settings of the OWASP ruleset. Where something is said twice, what is said last counts. */
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
 * How much of a managed ruleset acts by a rule that executes it: `partly on` where all of it is off but for what an
 * override turns on in it, `off` where the rule itself is.
 */
export type Acting = 'on' | 'partly on' | 'all rules off' | 'off';

export function acting(rule: ConfiguredRule): Acting {
	if (rule.enabled === false) return 'off';
	const overrides = overridesIn(rule);
	if (overridden(overrides).enabled !== false) return 'on';
	const entries = [...objects(overrides.categories), ...objects(overrides.rules)];
	return entries.some(({enabled}) => enabled === true) ? 'partly on' : 'all rules off';
}

/** Whether anything of a managed ruleset acts by a rule. */
export function isOn(rule: ConfiguredRule): boolean {
	const how = acting(rule);
	return rule.action === 'execute' && (how === 'on' || how === 'partly on');
}

/** The expression that says for which requests alone a rule acts; `undefined` where it acts for all. */
export const onlyFor = ({expression}: ConfiguredRule): string | undefined =>
	/^[\s(]*true[\s)]*$/.test(expression) ? undefined : expression;
