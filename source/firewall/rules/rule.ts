import type {ZonePlan} from '../../service/plan.ts';
import type {Filter, FilterDraft} from './filter.ts';

/** Actions in evaluation order for rules of equal priority. */
export const ruleActionNames = [
	'log',
	'bypass',
	'allow',
	'challenge',
	'managed_challenge',
	'js_challenge',
	'block',
] as const;
export type RuleAction = (typeof ruleActionNames)[number];

/** Products that the action `bypass` can skip. */
export const bypassableProducts = [
	'zoneLockdown',
	'uaBlock',
	'bic',
	'hot',
	'securityLevel',
	'rateLimit',
	'waf',
] as const;
export type Product = (typeof bypassableProducts)[number];

/** The filter of a rule, or its id if it is deleted. */
export type RuleFilter = Filter | {readonly id: string; readonly deleted: true};

/** A firewall rule. `action` and `products` can be unknown to ledge. */
export type Rule = {
	readonly id: string;
	readonly paused: boolean;
	readonly action: string;
	/** Lower numbers run first; null runs last. */
	readonly priority: number | null;
	readonly filter: RuleFilter;
	readonly products?: readonly string[] | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** False if the rule or its filter is paused, or its filter is deleted. */
export const isRuleActive = ({
	paused,
	filter,
}: {
	readonly paused?: boolean | undefined;
	readonly filter: RuleFilter | {readonly paused?: boolean | undefined};
}): boolean => !(paused || 'deleted' in filter || filter.paused);

/** Settings of a rule apart from its filter. */
export type RuleSettings = {
	readonly action: RuleAction;
	readonly products?: readonly Product[] | undefined;
	readonly priority?: number | null | undefined;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** A new rule on an existing filter, or with a new one. */
export type RuleDraft = RuleSettings & {readonly filter: {readonly id: string} | FilterDraft};

/** Zone of filters and rules. If the plan is undefined, its limits are unknown. */
export type FirewallZone = {
	readonly id: string;
	readonly name: string;
	readonly plan: ZonePlan | undefined;
	/** Session options at the end of a printed command, quoted, with a leading space: ` --simulate`. */
	readonly sessionOptions?: string | undefined;
};
