import {filterObjects} from '../../text/json.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatActionWords} from '../configuration/edits.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import {findExecutedRuleset} from '../configuration/override-edits.ts';
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
	readonly rules: ReadonlyMap<string, OverrideSettings>;
};

export function readManagedDeployment({rules}: Pick<ManagedConfiguration, 'rules'>): ManagedDeployment {
	const executeRules = rules.filter(rule => findExecutedRuleset(rule) === managedRulesets.platform.id);
	const rule = executeRules.find(({enabled}) => enabled !== false) ?? executeRules[0];
	if (!rule) return {activity: 'not deployed', rulesetSettings: undefined, rules: new Map()};
	const overrides = getRulesetOverrides(rule);
	const rulesetSettings = readOverrideSettings(overrides);
	return {
		activity: getRulesetActivity(rule) === 'on' ? 'on' : 'off',
		rulesetSettings:
			rulesetSettings.action === undefined && rulesetSettings.enabled === undefined
				? undefined
				: rulesetSettings,
		rules: new Map(
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
	{rulesetSettings, rules}: ManagedDeployment,
	id: string,
): OverrideSettings | undefined {
	const ownSettings = rules.get(id);
	if (!ownSettings || !rulesetSettings) return ownSettings ?? rulesetSettings;
	return {
		action: ownSettings.action ?? rulesetSettings.action,
		enabled: ownSettings.enabled ?? rulesetSettings.enabled,
	};
}

export const defaultWords = 'new ruleset default';

export function formatOverrideSettings(one: OverrideSettings | undefined): string {
	if (!one) return defaultWords;
	if (one.enabled === false) return 'off';
	if (one.action !== undefined) return formatActionWords(one.action);
	return one.enabled ? 'on' : defaultWords;
}
