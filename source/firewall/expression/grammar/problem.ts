/** A stretch of an expression: UTF-16 offsets, `end` behind the last one. */
export type Span = {readonly start: number; readonly end: number};

/** What can be written in place of a stretch to mend a problem. */
export type Correction = {readonly span: Span; readonly text: string};

/**
 * Something wrong with an expression (`error`: the service would refuse it), or odd about it (`warning`). The
 * sentence is for a person: what is wrong, and how it is meant to be written. It may quote the expression: it is
 * made safe where it is shown.
 */
export type Problem = {
	readonly severity: 'error' | 'warning';
	readonly span: Span;
	/** From 1, counted as a person does: lines by line feeds, columns in characters (code points). */
	readonly line: number;
	readonly column: number;
	readonly sentence: string;
	/** What the engine of the service reports for it, as `unknown identifier`; only errors have one. */
	readonly engine?: string | undefined;
	readonly correction?: Correction | undefined;
};
