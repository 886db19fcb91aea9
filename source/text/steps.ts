/**
 * Work in steps of well under a millisecond, with a result at the end: the caller can do other things between
 * steps.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps at once. */
export function runSteps<Result>(work: Steps<Result>): Result {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** Counts pieces of work, and tells when a step ends: `if (budget.shouldYield()) yield;` */
export class YieldBudget {
	readonly #piecesPerStep: number;
	#pieceCount = 0;

	/** The default suits pieces of about a microsecond. */
	constructor(piecesPerStep = 500) {
		this.#piecesPerStep = piecesPerStep;
	}

	/** Counts `pieces` as done; returns true at the end of a step. */
	shouldYield(pieces = 1): boolean {
		this.#pieceCount += pieces;
		if (this.#pieceCount < this.#piecesPerStep) return false;
		this.#pieceCount = 0;
		return true;
	}
}
