import {filterObjects} from '../../text/json.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import {findExecutedRulesetId} from '../configuration/override-edits.ts';
import {
	getRulesetActivity,
	getRulesetOverrides,
	type OverrideSettings,
	readOverrideSettings,
} from '../configuration/rule-overrides.ts';

/** How a configuration deploys the Managed Ruleset, and what it overrides. */
export type ManagedDeployment = {
	/** `off`: the rule that executes it is off, or all its rules are. */
	readonly activity: 'on' | 'off' | 'not deployed';
	/** The override of all rules. */
	readonly rulesetSettings: OverrideSettings | undefined;
	/** Overrides of single rules, by id. */
	readonly ruleOverrides: ReadonlyMap<string, OverrideSettings>;
};

export function readManagedDeployment({rules}: Pick<ManagedConfiguration, 'rules'>): ManagedDeployment {
	const executeRules = rules.filter(rule => findExecutedRulesetId(rule) === managedRulesets.platform.id);
	const rule = executeRules.find(({enabled}) => enabled !== false) ?? executeRules[0];
	if (!rule) return {activity: 'not deployed', rulesetSettings: undefined, ruleOverrides: new Map()};
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
	};
}

/**
 * Returns the override of one rule: its own settings where they are set, otherwise those of all rules.
 * Undefined if nothing is overridden.
 */
export function findManagedRuleSettings(
	{rulesetSettings, ruleOverrides}: ManagedDeployment,
	id: string,
): OverrideSettings | undefined {
	const ownSettings = ruleOverrides.get(id);
	if (!ownSettings || !rulesetSettings) return ownSettings ?? rulesetSettings;
	return {
		action: ownSettings.action ?? rulesetSettings.action,
		enabled: ownSettings.enabled ?? rulesetSettings.enabled,
	};
}

export const rulesetDefaultText = 'new ruleset default';

export function formatOverrideSettings(settings: OverrideSettings | undefined): string {
	if (!settings) return rulesetDefaultText;
	if (settings.enabled === false) return 'off';
	if (settings.action !== undefined) return formatActionWords(settings.action);
	return settings.enabled ? 'on' : rulesetDefaultText;
}
