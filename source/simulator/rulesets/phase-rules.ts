import type {Plan} from '../accounts/plan.ts';
import type {ManagedCatalogue} from './managed-catalogue.ts';
import type {RequestedRule} from './requested-rule.ts';

/** What the check of a rule depends on. */
export type RuleContext = {
	readonly plan: Plan;
	readonly catalogue: ManagedCatalogue;
	/** True if the zone uses the new managed rules, or starts using them with this call. */
	readonly isMigrated: boolean;
};

/** A phase whose rules can be changed, and which rules it accepts. */
export type PhaseDefinition = {
	readonly name: string;
	/** The `source` of its rulesets. */
	readonly source: 'firewall_custom' | 'firewall_managed' | 'rate_limit';
	/** Returns the maximum number of rules on a plan. */
	readonly getMaxRules: (plan: Plan) => number;
	/** Refuses a rule that is invalid in the phase; `pointer` is its location in the request. */
	readonly check: (rule: RequestedRule, zone: RuleContext, pointer: string) => void;
	/** Refuses rules that a zone cannot have together, though each one is valid. */
	readonly checkCombination?: (rules: readonly RequestedRule[], zone: RuleContext) => void;
};
