import {objects} from '../../text/json.ts';
import {type ConfiguredRule, overridden, overridesIn} from './rule-overrides.ts';

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
