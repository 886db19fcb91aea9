import type {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {holding} from '../../text/smart-case.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {LastChange} from '../rulesets/writes.ts';
import type {Rereading} from '../shell/rereading.ts';

/** The custom rules of the zone that is open. */
export type CustomRulesState = {
	readonly zone: OpenedZone;
	/** `stale`: since they were read something was written, and they could not be refreshed. */
	readonly reading: Rereading;
	readonly failure?: Failure | undefined;
	/** The entry point as it was read last; `undefined` where the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** Among the rules that are shown. */
	readonly cursor: number;
	/** The rule that the cursor was on last. */
	readonly lastOn?: string | undefined;
	/** What the rules are narrowed by. */
	readonly sought: string;
	/** Set while all of the rule under the cursor is shown in place of the list: its first row in view. */
	readonly detail?: number | undefined;
	/** A new order that was not sent: all rules, and the id of the moved one. */
	readonly moving?: Moving | undefined;
	/** The last change made here. */
	readonly undo?: LastChange | undefined;
	/** A rule that was made and is not in the list yet: the cursor goes to it as soon as it is read. */
	readonly awaited?: string | undefined;
};

type Moving = {readonly id: string; readonly order: readonly RulesetRule[]};

/** All custom rules of the zone, in the order of their evaluation. */
export const rulesOf = ({ruleset}: Pick<CustomRulesState, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** The rules that are shown: in the new order while one is moved, else by expression, action, description, reference or id. */
export function visibleCustomRules({
	moving,
	sought,
	...state
}: Pick<CustomRulesState, 'ruleset' | 'moving' | 'sought'>): readonly RulesetRule[] {
	if (moving) return moving.order;
	const rules = rulesOf(state);
	if (sought === '') return rules;
	const isMatch = holding(sought);
	return rules.filter(({expression, action, description, ref, id}) =>
		[expression, action, description, ref, id].some(text => text !== undefined && isMatch(text)),
	);
}

/** A rule that the zone has. */
export type RuleThere = RulesetRule & {readonly id: string};

/** The rule under the cursor. */
export function customRuleUnderCursor(state: CustomRulesState | undefined): RuleThere | undefined {
	const rule = state && visibleCustomRules(state)[state.cursor];
	return rule?.id === undefined ? undefined : {...rule, id: rule.id};
}

/** The place of a rule in the order of evaluation, from 1; 0 where it has none. */
export const placeOfRule = (rules: readonly RulesetRule[], {id}: Pick<RulesetRule, 'id'>): number =>
	rules.findIndex(rule => rule.id === id) + 1;
