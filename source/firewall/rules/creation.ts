import type {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Filter} from './filter.ts';
import type {Rule} from './rule.ts';

export type CreationOptions = {
	readonly signal: AbortSignal;
	/** What begins now; `looking` when an answer was lost and the state is read. */
	onStep?(step: 'filter' | 'rule' | 'looking'): void;
	/** What a write has done, as soon as that is known: `create filter ID`. Never called for what is only planned. */
	onWrite?(done: string): void;
};

/** What has become of a rule that was to be created; each has the current state. */
export type Creation =
	| {
			readonly state: 'created';
			readonly rule: Rule;
			/** Whether the filter was made for it, was there before, or was found after the answer to its call was lost. */
			readonly filter: 'made' | 'reused' | 'found';
			/** Found by reading the state after an answer was lost. */
			readonly afterDoubt?: true;
	  }
	/** A filter of this expression is there already; nothing was made. It can be used instead (code 10102). */
	| {readonly state: 'duplicate'; readonly filterId: string; readonly failure: Failure}
	/** The filter is there, the rule is not. `made`: this run made it for certain. */
	| {
			readonly state: 'filter only';
			readonly filter: Pick<Filter, 'id'> & Partial<Filter>;
			readonly made: boolean;
			readonly failure: Failure;
	  }
	/** Nothing was created. `isFilterGone`: the filter that it was to use does not exist. */
	| {readonly state: 'nothing'; readonly failure: Failure; readonly isFilterGone?: true}
	/** The answer was lost, and the state could not be read or may still change: `what` may be there or not. */
	| {
			readonly state: 'unsure';
			readonly what: 'filter' | 'rule';
			readonly filter?: (Pick<Filter, 'id'> & Partial<Filter>) | undefined;
			readonly failure: Failure;
			/** Reads the state again, with all that was known when it was sent. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<Creation>;
	  };

/** A later look at a write whose outcome is unknown; the writes that it finds are reported as when they were sent. */
export type LookAgain<T> = (
	client: Client,
	options: Pick<CreationOptions, 'signal' | 'onWrite'>,
) => Promise<T>;
