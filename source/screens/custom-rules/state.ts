import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {declareList} from '../list/declared.ts';
import type {ZoneListed} from '../list/slice.ts';
import type {LastChange} from '../rulesets/writes.ts';

/** The custom rules of the zone that is open. */
export type CustomRulesState = ZoneListed<RulesetRule, OpenedZone> & {
	/** The entry point as it was read last; `undefined` where the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** The id of the rule that is being moved: the rows have a new order, which was not sent. */
	readonly moving?: string | undefined;
	/** The last change made here. */
	readonly undo?: LastChange | undefined;
};

/** The custom rules of a zone in the order of their evaluation; in a new order while one is moved. */
export const customRuleList = declareList({
	slice: state => state.customRules,
	screen: 'customRules',
	group: 'Custom rules',
	id: 'custom',
	row: 'rule',
	key: ({id}: RulesetRule) => id,
	texts: ({expression, action, description, ref, id}) => [expression, action, description, ref, id],
	isHere: ({customRules: {data}}) => data?.moving === undefined,
});

/** All custom rules of the zone, in the order of their evaluation. */
export const rulesOf = ({ruleset}: Pick<CustomRulesState, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** A rule that the zone has. */
export type RuleThere = RulesetRule & {readonly id: string};

/** The rule under the cursor. */
export function customRuleUnderCursor(state: CustomRulesState | undefined): RuleThere | undefined {
	const rule = customRuleList.selected(state);
	return rule?.id === undefined ? undefined : {...rule, id: rule.id};
}

/** The place of a rule in the order of evaluation, from 1; 0 where it has none. */
export const placeOfRule = (rules: readonly RulesetRule[], {id}: Pick<RulesetRule, 'id'>): number =>
	rules.findIndex(rule => rule.id === id) + 1;
