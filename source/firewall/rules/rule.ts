import type {Plan} from '../../service/plan.ts';
import type {Filter, FilterDraft} from './filter.ts';

/** Actions in the order in which they go before each other where no priority tells. */
export const actions = [
	'log',
	'bypass',
	'allow',
	'challenge',
	'managed_challenge',
	'js_challenge',
	'block',
] as const;
export type Action = (typeof actions)[number];

/** What a rule with the action `bypass` can go around. */
export const products = [
	'zoneLockdown',
	'uaBlock',
	'bic',
	'hot',
	'securityLevel',
	'rateLimit',
	'waf',
] as const;
export type Product = (typeof products)[number];

/** The filter of a rule: all of it, or that it is gone. */
export type RuleFilter = Filter | {readonly id: string; readonly deleted: true};

/**
 * A firewall rule. `action` and `products` may be ones that this ledge does not know.
 */
export type Rule = {
	readonly id: string;
	readonly paused: boolean;
	readonly action: string;
	/** Smaller goes first; `null` goes last. */
	readonly priority: number | null;
	readonly filter: RuleFilter;
	readonly products?: readonly string[] | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** Whether a rule does anything: it can be paused, as can its filter, or its filter can be gone. */
export const isInForce = ({paused, filter}: Pick<Rule, 'paused' | 'filter'>): boolean =>
	!(paused || 'deleted' in filter || filter.paused);

/** What a rule does and says, beside its filter. */
export type RuleSettings = {
	readonly action: Action;
	readonly products?: readonly Product[] | undefined;
	readonly priority?: number | null | undefined;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** A rule to be made: on an existing filter, or with a new one. */
export type RuleDraft = RuleSettings & {readonly filter: {readonly id: string} | FilterDraft};

/** The zone that filters and rules are of. Without a plan it is not known what the zone lacks. */
export type FirewallZone = {
	readonly id: string;
	readonly name: string;
	readonly plan: Plan | undefined;
	/** The options that lead to where it is, as they end a command: `--simulate`, quoted, with a space before. */
	readonly way?: string | undefined;
};
