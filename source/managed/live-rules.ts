import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';
import {readRulesetRule} from '../rulesets/read-ruleset.ts';
import type {RulesetRule} from '../rulesets/ruleset.ts';

/** A live rule as the editor of configurations takes it, under its own id and with fields that ledge does not know. */
export function configuredRule({more, ...rule}: RulesetRule): ConfiguredRule {
	const stated = Object.entries({...rule, ...more}).filter(([, value]) => value !== undefined);
	return Object.fromEntries(stated) as ConfiguredRule;
}

/** A rule of an edited configuration as it is sent; without an id it is a new one. */
export const liveRule = (rule: ConfiguredRule): RulesetRule => readRulesetRule(rule);
