import {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {LookAgain} from './creation.ts';
import type {EarlierRule} from './earlier-rules.ts';
import type {Filter, FilterDraft} from './filter.ts';
import type {Rule, RuleSettings} from './rule.ts';

/** A block is a firewall rule among the others of its zone, or the first custom rule. */
export type EmergencyForm = 'firewall rule' | 'custom rule';

/** The rule that an emergency created or found. */
type CreatedBlock = {
	readonly state: 'created';
	/**
	 * Set if the rule was found by reading the state after a lost response; someone else may have created it.
	 */
	readonly foundAfterLostResponse?: true;
	/** Set if an identical rule existed, so that nothing was created. */
	readonly alreadyExisted?: true;
	/** Rules that run before it and let some of it through; undefined if the rules could not be read. */
	readonly earlierRules?: readonly EarlierRule[] | undefined;
} & (
	| {readonly form: 'firewall rule'; readonly rule: Rule}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule; readonly ruleset: Ruleset}
);

/** Outcome of creating an emergency block; each failure describes the current state. */
export type EmergencyOutcome =
	| CreatedBlock
	/** Neither a filter nor a rule was created. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/**
	 * The filter exists, but the rule does not. The user can continue by creating only the rule, on
	 * that filter.
	 */
	| {
			readonly state: 'filter left';
			readonly filter: Pick<Filter, 'id'> & Partial<Filter>;
			readonly failure: Failure;
			/** Set if the zone has no room for the rule; `failure.next` names another way. */
			readonly isFull?: true;
	  }
	/**
	 * A filter with this expression existed; nothing was created. The user can continue by creating
	 * only the rule, on that filter.
	 */
	| {
			readonly state: 'duplicate';
			readonly filterId: string;
			readonly failure: Failure;
			/** Set if no rule on the filter does the same; the command in `failure.next` creates one. */
			readonly lacksRule?: true;
	  }
	/** Firewall rules are retired; the same block can be a custom rule. */
	| {readonly state: 'gone'; readonly failure: Failure}
	/** The response was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<EmergencyRecheckOutcome>;
	  };

/** What reading the state again can find: every outcome but `gone`, which only sending shows. */
export type EmergencyRecheckOutcome = Exclude<EmergencyOutcome, {state: 'gone'}>;

/**
 * Returns the failure to record in the audit log if nothing was created; an existing identical rule counts as
 * a refusal.
 */
export function findAuditedFailure(outcome: EmergencyOutcome): Failure | undefined {
	if (outcome.state !== 'created') return outcome.failure;
	return outcome.alreadyExisted ? new Failure('already_exists', 'It is already active.') : undefined;
}

/** State read before an emergency was sent. */
export type EmergencyBefore = {
	readonly rules: readonly Rule[];
	/** The filter with the same expression. */
	readonly filter: Filter | undefined;
};

/** An emergency block: a rule and its filter, created in one call. */
export type EmergencyDraft = RuleSettings & {readonly filter: FilterDraft};
