import type {Correction, Span} from '../grammar/problem.ts';

/** An error in a pattern, or a warning about it. Offsets are UTF-16 units in the pattern. */
export type PatternFinding = {
	readonly severity: 'error' | 'warning';
	readonly span: Span;
	readonly sentence: string;
	/** The message of the service's engine; only for errors. */
	readonly engine?: string;
	readonly correction?: Correction;
};

/** Creates an error from `start` to `end`; the correction replaces that span. */
export function createPatternError(
	start: number,
	end: number,
	engineMessage: string,
	sentence: string,
	correction?: string,
): PatternFinding {
	const span = {start, end};
	const error = {severity: 'error', span, engine: engineMessage, sentence} as const;
	return correction === undefined ? error : {...error, correction: {span, text: correction}};
}
