import type {LintCode} from '../lints/catalogue.ts';
import type {Correction, ExpressionProblem, Span} from './problem.ts';

/** A problem while parsing, before its line and column are computed. */
export type FoundProblem = Omit<ExpressionProblem, 'line' | 'column'> & {
	readonly mistake?: Mistake | undefined;
};

/** The kind of a mistake, to group problems whose sentences quote different parts of the expression. */
export type Mistake = 'unquoted text' | 'dash in a range' | 'star in an address' | 'open quote';

/** The code, the engine's message and a correction; a string replaces the whole span. */
export type ProblemDetails = {
	readonly code?: LintCode | undefined;
	readonly engineMessage?: string | undefined;
	readonly correction?: Correction | string | undefined;
	readonly mistake?: Mistake | undefined;
};

/** Builds a problem; spans are copied, since lexemes have more properties. */
export function toProblem(
	severity: ExpressionProblem['severity'],
	{start, end}: Span,
	sentence: string,
	{code, engineMessage, correction: givenCorrection, mistake}: ProblemDetails = {},
): FoundProblem {
	const span = {start, end};
	const correction = typeof givenCorrection === 'string' ? {span, text: givenCorrection} : givenCorrection;
	return {
		severity,
		span,
		sentence,
		...(code !== undefined && {code}),
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
