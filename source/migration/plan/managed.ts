import {objects} from '../../text/json.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {actionInWords} from '../configuration/edits.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import {executedRuleset} from '../configuration/override-edits.ts';
import {acting, type Overridden, overridden, overridesIn} from '../configuration/rule-overrides.ts';

/** How a configuration deploys the service's managed ruleset, and what it overrides. */
export type ManagedAfter = {
	/** `off` if the rule that executes it, or the whole ruleset, is off. */
	readonly deployed: 'on' | 'off' | 'not deployed';
	/** Override of all rules. */
	readonly whole: Overridden | undefined;
	/** Overrides of single rules, by id. */
	readonly rules: ReadonlyMap<string, Overridden>;
};

export function managedIn({rules}: Pick<Configuration, 'rules'>): ManagedAfter {
	const executing = rules.filter(rule => executedRuleset(rule) === managedRulesets.platform.id);
	const rule = executing.find(({enabled}) => enabled !== false) ?? executing[0];
	if (!rule) return {deployed: 'not deployed', whole: undefined, rules: new Map()};
	const overrides = overridesIn(rule);
	const whole = overridden(overrides);
	return {
		deployed: acting(rule) === 'on' ? 'on' : 'off',
		whole: whole.action === undefined && whole.enabled === undefined ? undefined : whole,
		rules: new Map(
			objects(overrides.rules).flatMap(one =>
				typeof one.id === 'string' ? [[one.id, overridden(one)]] : [],
			),
		),
	};
}

/**
 * Returns the override of one rule: its own settings, then those of all rules. Undefined if nothing is
 * overridden.
 */
export function managedRuleIn({whole, rules}: ManagedAfter, id: string): Overridden | undefined {
	const own = rules.get(id);
	if (!own || !whole) return own ?? whole;
	return {action: own.action ?? whole.action, enabled: own.enabled ?? whole.enabled};
}

export const byDefault = 'as the new ruleset has it';

export function overriddenInWords(one: Overridden | undefined): string {
	if (!one) return byDefault;
	if (one.enabled === false) return 'off';
	if (one.action !== undefined) return actionInWords(one.action);
	return one.enabled ? 'on' : byDefault;
}
