import {formatExpressionEnd} from '../../firewall/rules/end-time.ts';
import type {RulesetEdit} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {declareList} from '../list/declared.ts';
import type {ZoneListSlice, ZoneListState} from '../list/slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {RuleType} from './rule-type.ts';
import type {RulesetPlan, RulesetWrites} from './writes.ts';

/** The rules of one type in the open zone. */
export type RuleListState = ZoneListState<RulesetRule, ZoneWithLabel> & {
	/** The entry point as last read; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** Id of the rule being moved; the rows show an unsent order. */
	readonly movingRuleId?: string | undefined;
	/** Where the last cancelled move had led; moving the same rule continues there while the version is the same. */
	readonly cancelledMove?: {
		readonly ruleId: string;
		readonly position: number;
		readonly version: string | undefined;
	};
};

/** The list of one type of rules, and its writes. */
export type RuleListSlice = ZoneListSlice<RuleListState> &
	RulesetWrites<RuleListState> & {
		/**
		 * Plans the change from the shown rules to `newRules`. `chosenEdit`: which edit to send if several have
		 * this result; the smallest by default.
		 */
		plan(newRules: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan;
		/**
		 * Shows the rules after a read or a write. Drops the preview of a new order if the version changed.
		 */
		show(zoneId: string, ruleset: Ruleset | undefined): void;
		/** Starts moving the rule under the cursor, in a preview of the new order, or continues its cancelled move. */
		beginMove(): void;
		/** Cancels the move, and says so if a new order was not sent. */
		cancelMove(): void;
	};

/** A rule that exists in the zone. */
export type ExistingRule = RulesetRule & {readonly id: string};

/** A declared list of rules, searchable by their text. */
export type RuleList = ReturnType<typeof declareRuleList>;

/** Declares the list of a type of rules in order of evaluation, or in the previewed order. */
export function declareRuleList(type: RuleType, group: string, id: string) {
	const {listScreen} = type;
	const list = declareList<RulesetRule, RuleListSlice>({
		getSlice: state => state[listScreen],
		screen: listScreen,
		group,
		id,
		rowLabel: type.shortNoun,
		getKey: (rule: RulesetRule) => rule.id,
		getTexts: ({expression, action, description, ref, id: ruleId, enabled}) => [
			expression,
			action,
			description,
			ref === ruleId ? undefined : ref,
			enabled === false ? 'paused' : undefined,
			formatExpressionEnd(expression),
		],
		getIds: ({id: ruleId}) => [ruleId],
		isActive: state => state[listScreen].data?.movingRuleId === undefined,
	});
	return {
		...list,
		type,
		/** Returns the rule under the cursor, if it has an id. */
		getSelectedRule(state: RuleListState | undefined): ExistingRule | undefined {
			const rule = list.getSelected(state);
			return rule?.id === undefined ? undefined : {...rule, id: rule.id};
		},
	};
}

/** Returns all rules of a zone's list, in order of evaluation. */
export const getListedRules = ({ruleset}: Pick<RuleListState, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** True while a rule is being moved and the previewed order differs from the current one. */
export function hasUnsentOrder(data: RuleListState): boolean {
	const currentRules = getListedRules(data);
	return data.movingRuleId !== undefined && data.rows.some((rule, index) => rule !== currentRules[index]);
}

/** Returns the position of a rule in the order of evaluation, from 1; 0 if it is not among `rules`. */
export const findRulePosition = (rules: readonly RulesetRule[], {id}: Pick<RulesetRule, 'id'>): number =>
	rules.findIndex(rule => rule.id === id) + 1;
