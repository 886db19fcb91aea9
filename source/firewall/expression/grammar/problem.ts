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
	/** Identifies its kind in the catalogue of lints; undefined for answers of the service. */
	readonly code?: LintCode | undefined;
	/** The message of the service's engine, such as `unknown identifier`; only for errors. */
	readonly engineMessage?: string | undefined;
	readonly correction?: Correction | undefined;
};

/** True for an error that rests on ledge's tables and not on the grammar: `allowUnknown` makes it a warning. */
export const isTableError = ({code}: ExpressionProblem): boolean =>
	code === 'E003' || code === 'E004' || code === 'E005';

/** A problem while parsing, before its line and column are computed. */
export type FoundProblem = Omit<ExpressionProblem, 'line' | 'column' | 'code'> & {
	readonly code: LintCode;
	readonly mistake?: Mistake | undefined;
};

/** The kind of a mistake, to group problems whose sentences quote different parts of the expression. */
export type Mistake = 'unquoted text' | 'dash in a range' | 'star in an address' | 'open quote';

/** The engine's message and a correction; a string replaces the whole span. */
export type ProblemDetails = {
	readonly engineMessage?: string | undefined;
	readonly correction?: Correction | string | undefined;
	readonly mistake?: Mistake | undefined;
};

/** Builds a problem; spans are copied, since lexemes have more properties. */
export function createFoundProblem(
	severity: ExpressionProblem['severity'],
	{start, end}: Span,
	sentence: string,
	{code, engineMessage, correction: givenCorrection, mistake}: ProblemDetails & {readonly code: LintCode},
): FoundProblem {
	const span = {start, end};
	const correction = typeof givenCorrection === 'string' ? {span, text: givenCorrection} : givenCorrection;
	return {
		severity,
		span,
		sentence,
		code,
		...(engineMessage !== undefined && {engineMessage}),
		...(mistake !== undefined && {mistake}),
		...(correction && {
			correction: {
				span: {start: correction.span.start, end: correction.span.end},
				text: correction.text,
			},
		}),
	};
}
