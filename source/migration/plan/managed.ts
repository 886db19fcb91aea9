import {filterObjects, type JsonObject} from '../../text/json.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import {findExecutedRulesetId} from '../configuration/override-edits.ts';
import {
	findOverrideLayers,
	getRulesetActivity,
	getRulesetOverrides,
	type OverrideSettings,
	readOverrideSettings,
} from '../configuration/rule-overrides.ts';
import type {ManagedContents, ManagedRule} from '../zone/managed-contents.ts';

/** How a configuration deploys the Managed Ruleset, and what it overrides. */
export type ManagedDeployment = {
	/** `off`: the rule that executes it is off, or all its rules are. */
	readonly activity: 'on' | 'off' | 'not deployed';
	/** The override of all rules. */
	readonly rulesetSettings: OverrideSettings | undefined;
	/** Overrides of single rules, by id. */
	readonly ruleOverrides: ReadonlyMap<string, OverrideSettings>;
	/** All overrides, as configured. */
	readonly overrides: JsonObject;
	/** The rules of the ruleset, by id; empty if it could not be read. */
	readonly rules: ReadonlyMap<string, ManagedRule>;
};

export function readManagedDeployment(
	configuration: Pick<ManagedConfiguration, 'rules'>,
	catalogue: readonly ManagedContents[] = [],
): ManagedDeployment {
	const {id: rulesetId} = managedRulesets.platform;
	const rules = new Map(catalogue.find(({id}) => id === rulesetId)?.rules?.map(one => [one.id, one]));
	const executeRules = configuration.rules.filter(rule => findExecutedRulesetId(rule) === rulesetId);
	const rule = executeRules.find(({enabled}) => enabled !== false) ?? executeRules[0];
	if (!rule)
		return {
			activity: 'not deployed',
			rulesetSettings: undefined,
			ruleOverrides: new Map(),
			overrides: {},
			rules,
		};
	const overrides = getRulesetOverrides(rule);
	const rulesetSettings = readOverrideSettings(overrides);
	return {
		activity: getRulesetActivity(rule) === 'on' ? 'on' : 'off',
		rulesetSettings:
			rulesetSettings.action === undefined && rulesetSettings.enabled === undefined
				? undefined
				: rulesetSettings,
		ruleOverrides: new Map(
			filterObjects(overrides.rules).flatMap(one =>
				typeof one.id === 'string' ? [[one.id, readOverrideSettings(one)]] : [],
			),
		),
		overrides,
		rules,
	};
}

/**
 * Returns what overrides one rule: its own settings where they are set, then those of its categories, then
 * those of all rules. Undefined if nothing is overridden.
 */
export function findManagedRuleSettings(
	{overrides, rules}: ManagedDeployment,
	id: string,
): OverrideSettings | undefined {
	const layers = findOverrideLayers(overrides, {id, categories: rules.get(id)?.categories ?? []});
	const settings = [layers.rule, layers.category, layers.ruleset].map(one => one.map(readOverrideSettings));
	const findSetting = <Name extends keyof OverrideSettings>(name: Name) =>
		settings
			.map(layer => layer.findLast(one => one[name] !== undefined)?.[name])
			.find(value => value !== undefined);
	const [action, enabled] = [findSetting('action'), findSetting('enabled')];
	return action === undefined && enabled === undefined ? undefined : {action, enabled};
}

export const rulesetDefaultText = 'new ruleset default';

export function formatOverrideSettings(settings: OverrideSettings | undefined): string {
	if (!settings) return rulesetDefaultText;
	if (settings.enabled === false) return 'off';
	if (settings.action !== undefined) return formatActionWords(settings.action);
	return settings.enabled ? 'on' : rulesetDefaultText;
}
