import type {Phase} from '../../../../source/firewall/expression/expressions.ts';
import type {ZonePlan} from '../../../../source/service/plan.ts';

/** Who says so: the service's own pages, the parser of its engine, or somebody else. */
export type Source = 'documented' | "the engine's parser" | 'third party' | 'inferred';

export type Verdict = 'valid' | 'warning' | 'error';

/**
 * An expression with its verdict. «» are around each stretch that an error or a warning marks, and are no part of the
 * expression. `becomes` is what taking the first correction makes of it.
 */
export type Entry = readonly [verdict: Verdict, marked: string, becomes?: string];

/** Expressions for one fact. */
export type Group = {
	readonly fact: string;
	readonly source: Source;
	/** The name of the page, or of what was looked at. */
	readonly page: string;
	readonly phase?: Phase;
	readonly plan?: ZonePlan;
	/** Whether the rule lets requests through. */
	readonly letsThrough?: true;
	readonly entries: readonly Entry[];
};
