import type {LintCode} from '../lints/catalogue.ts';

/** A range of an expression in UTF-16 offsets; `end` is exclusive. */
export type Span = {readonly start: number; readonly end: number};

/** A replacement that corrects a problem. */
export type Correction = {readonly span: Span; readonly text: string};

/**
 * An error in an expression (the service would reject it), or a warning. The sentence says what is wrong and
 * how to write it. It may quote the expression, so it must be sanitized before it is displayed.
 */
export type ExpressionProblem = {
	readonly severity: 'error' | 'warning';
	readonly span: Span;
	/** From 1: lines by line feeds, columns in characters (code points). */
	readonly line: number;
	readonly column: number;
	readonly sentence: string;
	/** Identifies its kind in the catalogue of lints. It never changes. */
	readonly code?: LintCode | undefined;
	/** The message of the service's engine, such as `unknown identifier`; only for errors. */
	readonly engineMessage?: string | undefined;
	readonly correction?: Correction | undefined;
};
