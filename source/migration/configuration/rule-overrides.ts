import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';

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
