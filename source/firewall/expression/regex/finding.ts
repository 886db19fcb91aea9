import type {Correction, Span} from '../grammar/problem.ts';

/** Something wrong with a pattern (`error`), or odd about it; span and correction by UTF-16 offsets in the pattern. */
export type PatternFinding = {
	readonly severity: 'error' | 'warning';
	readonly span: Span;
	readonly sentence: string;
	/** What the engine of the service says; only errors have one. */
	readonly engine?: string;
	readonly correction?: Correction;
};

/** An error from `start` to `end`; the correction, where there is one, replaces just that. */
export function patternError(
	start: number,
	end: number,
	engine: string,
	sentence: string,
	correction?: string,
): PatternFinding {
	const span = {start, end};
	const error = {severity: 'error', span, engine, sentence} as const;
	return correction === undefined ? error : {...error, correction: {span, text: correction}};
}
