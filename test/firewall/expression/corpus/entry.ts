import type {Phase} from '../../../../source/firewall/expression/expressions.ts';
import type {ZonePlan} from '../../../../source/service/plan.ts';

/** The source of a fact: the service's own pages, the parser of its engine, others, or our conclusion. */
export type Source = 'documented' | "the engine's parser" | 'third party' | 'inferred';

export type Verdict = 'valid' | 'hint' | 'warning' | 'error';

/**
 * An expression with its verdict. «» enclose each part that an error, a warning or a hint marks, and do not belong to
 * it. `becomes` is the expression after the first correction.
 */
export type Entry = readonly [verdict: Verdict, marked: string, becomes?: string];

/** Expressions for one fact. */
export type Group = {
	readonly fact: string;
	readonly source: Source;
	/** Name of the page, or of what else shows the fact. */
	readonly page: string;
	readonly phase?: Phase;
	readonly plan?: ZonePlan;
	/** Whether the rule lets requests through. */
	readonly letsThrough?: true;
	readonly entries: readonly Entry[];
};
