import type {ExpressionProblem} from './grammar/problem.ts';
import type {Token} from './grammar/token.ts';
import type {Expression} from './grammar/tree.ts';

/** Everything known about an expression without asking the service. */
export type Analysis = {
	readonly text: string;
	/** All of the text in order without gaps, white space included. */
	readonly tokens: readonly Token[];
	/** Undefined if the text cannot be parsed; the tree may still have type errors. */
	readonly tree: Expression | undefined;
	/** In text order. The service would reject the expression for each of them. */
	readonly errors: readonly ExpressionProblem[];
	readonly warnings: readonly ExpressionProblem[];
	/** Likely mistakes and style, which only `explain` shows. */
	readonly hints: readonly ExpressionProblem[];
	/** Names of the fields used, without duplicates, in text order. */
	readonly fields: readonly string[];
	readonly functions: readonly string[];
};
