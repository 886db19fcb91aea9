import {objects} from '../../text/json.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {actionInWords} from '../configuration/edits.ts';
import {managedRulesets} from '../configuration/mapping.ts';
import {executedRuleset} from '../configuration/override-edits.ts';
import {acting, type Overridden, overridden, overridesIn} from '../configuration/rule-overrides.ts';

/** How a configuration deploys the managed ruleset of the service, and what it overrides in it. */
export type ManagedAfter = {
	/** `not deployed` where no rule executes it; `off` where that rule, or all of the ruleset, is off. */
	readonly deployed: 'on' | 'off' | 'not deployed';
	/** What it sets for all rules. */
	readonly whole: Overridden | undefined;
	/** What it sets for single rules, by their ids. */
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

/** What holds for one rule: what is said of it, else of all; `undefined` where it is as the ruleset has it. */
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
