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

/** How a configuration deploys the service's managed ruleset, and what it overrides. */
export type ManagedDeployment = {
	/** `off` if the rule that executes it, or the whole ruleset, is off. */
	readonly deployed: 'on' | 'off' | 'not deployed';
	/** Override of all rules. */
	readonly whole: OverrideSettings | undefined;
	/** Overrides of single rules, by id. */
	readonly rules: ReadonlyMap<string, OverrideSettings>;
};

export function readManagedDeployment({rules}: Pick<ManagedConfiguration, 'rules'>): ManagedDeployment {
	const executing = rules.filter(rule => findExecutedRuleset(rule) === managedRulesets.platform.id);
	const rule = executing.find(({enabled}) => enabled !== false) ?? executing[0];
	if (!rule) return {deployed: 'not deployed', whole: undefined, rules: new Map()};
	const overrides = getRulesetOverrides(rule);
	const whole = readOverrideSettings(overrides);
	return {
		deployed: getRulesetActivity(rule) === 'on' ? 'on' : 'off',
		whole: whole.action === undefined && whole.enabled === undefined ? undefined : whole,
		rules: new Map(
			filterObjects(overrides.rules).flatMap(one =>
				typeof one.id === 'string' ? [[one.id, readOverrideSettings(one)]] : [],
			),
		),
	};
}

/**
 * Returns the override of one rule: its own settings, then those of all rules. Undefined if nothing is
 * overridden.
 */
export function findManagedRuleSettings(
	{whole, rules}: ManagedDeployment,
	id: string,
): OverrideSettings | undefined {
	const own = rules.get(id);
	if (!own || !whole) return own ?? whole;
	return {action: own.action ?? whole.action, enabled: own.enabled ?? whole.enabled};
}

export const defaultWords = 'as the new ruleset has it';

export function formatOverrideSettings(one: OverrideSettings | undefined): string {
	if (!one) return defaultWords;
	if (one.enabled === false) return 'off';
	if (one.action !== undefined) return formatActionWords(one.action);
	return one.enabled ? 'on' : defaultWords;
}
