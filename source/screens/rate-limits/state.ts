import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {declareList} from '../list/declared.ts';
import type {ZoneListState} from '../list/slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** A rate limit with its position in the order of evaluation, from 1. */
export type PositionedLimit = {readonly rule: RulesetRule; readonly position: number};

/** The rate limits of a zone. */
export type RateLimitsState = ZoneListState<PositionedLimit, ZoneWithLabel> & {
	/** The entry point as last read; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
};

/** The list of rate limits, searchable by the text of a rule. */
export const rateLimitList = declareList({
	getSlice: state => state.rateLimits,
	screen: 'rateLimits',
	group: 'Rate limits',
	id: 'limits',
	rowLabel: 'rate limit',
	getKey: ({rule, position}: PositionedLimit) => rule.id ?? String(position),
	getTexts: ({rule: {expression, action, description, ref, id}}) => [
		expression,
		action,
		description,
		ref,
		id,
	],
});
