import type {Plan} from '../accounts/plan.ts';
import type {GivenRule} from './given-rule.ts';
import type {ManagedCatalogue} from './managed-catalogue.ts';

/** What of a zone its rules depend on. */
export type RulesZone = {
	readonly plan: Plan;
	readonly managed: ManagedCatalogue;
	/** Whether it uses the new managed rules, or begins to with this call. */
	readonly isMigrated: boolean;
};

/** What a phase takes. Another phase is another one of these. */
export type PhaseRules = {
	readonly phase: string;
	/** What rulesets of it are marked with. */
	readonly source: 'firewall_custom' | 'firewall_managed';
	/** How many rules a plan allows. */
	readonly most: (plan: Plan) => number;
	/** Refuses a rule that the phase does not take; `pointer` is its place in the request. */
	readonly check: (rule: GivenRule, zone: RulesZone, pointer: string) => void;
	/** Refuses rules that the zone cannot have as they are together. */
	readonly checkTogether?: (rules: readonly GivenRule[], zone: RulesZone) => void;
};
