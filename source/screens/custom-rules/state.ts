import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {declareList} from '../list/declared.ts';
import type {ZoneListState} from '../list/slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** The custom rules of the open zone. */
export type CustomRulesState = ZoneListState<RulesetRule, ZoneWithLabel> & {
	/** The entry point as last read; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** Id of the rule being moved; the rows show an unsent order. */
	readonly movingRuleId?: string | undefined;
};

/** The custom rules in order of evaluation, or in the previewed order. */
export const customRuleList = declareList({
	getSlice: state => state.customRules,
	screen: 'customRules',
	group: 'Custom rules',
	id: 'custom',
	rowLabel: 'rule',
	getKey: ({id}: RulesetRule) => id,
	getTexts: ({expression, action, description, ref, id}) => [expression, action, description, ref, id],
	isActive: ({customRules: {data}}) => data?.movingRuleId === undefined,
});

/** Returns all custom rules of the zone, in order of evaluation. */
export const getCustomRules = ({ruleset}: Pick<CustomRulesState, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** A rule that exists in the zone. */
export type ExistingRule = RulesetRule & {readonly id: string};

/** Returns the rule under the cursor. */
export function getSelectedCustomRule(state: CustomRulesState | undefined): ExistingRule | undefined {
	const rule = customRuleList.getSelected(state);
	return rule?.id === undefined ? undefined : {...rule, id: rule.id};
}

/** Returns the position of a rule in the order of evaluation, from 1; 0 if it is not among `rules`. */
export const getCustomRulePosition = (rules: readonly RulesetRule[], {id}: Pick<RulesetRule, 'id'>): number =>
	rules.findIndex(rule => rule.id === id) + 1;
