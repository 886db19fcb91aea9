import type {JsonObject} from '../../text/json.ts';
import type {ManagedRule} from '../zone/managed-contents.ts';
import {
	type ConfiguredRule,
	findOverrideLayers,
	getRulesetOverrides,
	readOverrideSettings,
} from './rule-overrides.ts';

/** What decides the effect of a managed rule. Without an id, no override names it. */
type EffectRule = Pick<ManagedRule, 'categories' | 'action' | 'enabled'> & {
	readonly id?: string | undefined;
};

/** Action of rules that only add to a request's score. */
const scoreAction = 'score';

/** Effect of a managed rule where its ruleset is executed. */
export type ManagedRuleEffect = {
	readonly action: string;
	readonly enabled: boolean;
	/** What overrides the action or state; undefined for the ruleset's defaults. */
	readonly by: 'rule' | 'category' | 'ruleset' | undefined;
};

/**
 * Returns the effect of a managed rule under a rule that executes its ruleset. Overrides of the rule win over
 * those of its categories (the last one counts), and these over the whole ruleset's.
 */
export function getManagedRuleEffect(executingRule: ConfiguredRule, rule: EffectRule): ManagedRuleEffect {
	const layers = findOverrideLayers(getRulesetOverrides(executingRule), rule);
	const findValue = <Value>(readSetting: (override: JsonObject) => Value | undefined) => {
		for (const by of ['rule', 'category', 'ruleset'] as const) {
			const value = layers[by].map(readSetting).findLast(candidate => candidate !== undefined);
			if (value !== undefined) return {by, value};
		}
		return undefined;
	};
	const action = findValue(override => readOverrideSettings(override).action);
	const enabled = findValue(override => readOverrideSettings(override).enabled);
	return {
		// Scoring rules do nothing else, whatever their ruleset overrides.
		action: rule.action === scoreAction ? scoreAction : (action?.value ?? rule.action),
		enabled: (executingRule.enabled ?? true) && (enabled?.value ?? rule.enabled),
		by: enabled?.by ?? (rule.action === scoreAction ? undefined : action?.by),
	};
}
