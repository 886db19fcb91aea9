import type {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Filter} from './filter.ts';
import type {Rule} from './rule.ts';

export type CreationOptions = {
	readonly signal: AbortSignal;
	/** Called when a step begins; `looking`: a response was lost and the state is read. */
	onStep?(step: 'filter' | 'rule' | 'looking'): void;
	/** Called with what a write did, once known: `create filter ID`. Not called in a dry run. */
	onWritten?(done: string): void;
};

/** Outcome of creating a rule; each failure describes the current state. */
export type Creation =
	| {
			readonly state: 'created';
			readonly rule: Rule;
			/** The filter was created for it, existed before, or was found after its response was lost. */
			readonly filter: 'made' | 'reused' | 'found';
			/** Set if a response was lost, and reading the state found the filter or the rule. */
			readonly foundAfterLostResponse?: true;
	  }
	/** A filter with this expression exists (code 10102) and can be used instead; nothing was created. */
	| {readonly state: 'duplicate'; readonly filterId: string; readonly failure: Failure}
	/** The filter exists, the rule does not. `wasFilterCreated`: this run certainly created the filter. */
	| {
			readonly state: 'filter only';
			readonly filter: Pick<Filter, 'id'> & Partial<Filter>;
			readonly wasFilterCreated: boolean;
			readonly failure: Failure;
	  }
	/** Nothing was created. `isFilterGone`: the filter for it does not exist. */
	| {readonly state: 'nothing'; readonly failure: Failure; readonly isFilterGone?: true}
	/**
	 * The response was lost, and the state could not be read or may still change. `what` names the object
	 * that may exist.
	 */
	| {
			readonly state: 'unsure';
			readonly what: 'filter' | 'rule';
			readonly filter?: (Pick<Filter, 'id'> & Partial<Filter>) | undefined;
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<Creation>;
	  };

/** Checks a write of unknown outcome again; writes that it finds are reported like at sending. */
export type LookAgain<T> = (
	client: Client,
	options: Pick<CreationOptions, 'signal' | 'onWritten'>,
) => Promise<T>;
