import {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {LookAgain} from './creation.ts';
import type {EarlierRule} from './earlier-rules.ts';
import type {Filter, FilterDraft} from './filter.ts';
import type {Rule, RuleSettings} from './rule.ts';

/** How a block is put in force: a firewall rule among the others of its zone, or the first custom rule. */
export type EmergencyForm = 'firewall rule' | 'custom rule';

/** The rule that an emergency has made, or found, as it was then. */
type Created = {
	readonly state: 'created';
	/** Found by reading the state after the answer was lost: the rule is there, whoever made it. */
	readonly afterDoubt?: true;
	/** It was there before, just as it was to be; nothing was made. */
	readonly already?: true;
	/** Rules that run before it and let some of it through; undefined if the rules could not be read. */
	readonly earlier?: readonly EarlierRule[] | undefined;
} & (
	| {readonly form: 'firewall rule'; readonly rule: Rule}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule; readonly ruleset: Ruleset}
);

/** What has become of an emergency; each has the current state. */
export type Emergency =
	| Created
	/** Nothing was made: neither a filter nor a rule. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** The filter is there, the rule is not: on with the two-call way and that filter. */
	| {
			readonly state: 'filter left';
			readonly filter: Pick<Filter, 'id'> & Partial<Filter>;
			readonly failure: Failure;
			/** The zone has no room for the rule: `failure.next` is another way. */
			readonly isFull?: true;
	  }
	/** A filter of this expression was there before; nothing was made. On with the two-call way and that filter. */
	| {
			readonly state: 'duplicate';
			readonly filterId: string;
			readonly failure: Failure;
			/** No rule on the filter does the same: `failure.next` creates one. */
			readonly lacksRule?: true;
	  }
	/** The service has retired firewall rules (410): the same block can be one custom rule. */
	| {readonly state: 'gone'; readonly failure: Failure}
	/** The answer was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again, with all that was known when it was sent. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<EmergencySettled>;
	  };

/** What a later look can find; that firewall rules are retired is known when it is sent. */
export type EmergencySettled = Exclude<Emergency, {state: 'gone'}>;

/** Why nothing was made, for the audit log: what is in force already was refused, too. */
export function findRefusal(done: Emergency): Failure | undefined {
	if (done.state !== 'created') return done.failure;
	return done.already ? new Failure('already_exists', 'It is in force already.') : undefined;
}

/** What existed before an emergency was sent, as far as it could be read in time. */
export type EmergencyBefore = {
	readonly rules: readonly Rule[];
	/** The filter that had its expression. */
	readonly filter: Filter | undefined;
};

/** A block for now: a rule and its filter, made in one call. */
export type EmergencyDraft = RuleSettings & {readonly filter: FilterDraft};
