/**
 * Work that stops after each step, well under a millisecond, and returns its result at the end: whoever drives it can
 * do something else between two steps.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all of the work at once. */
export function finish<Result>(work: Steps<Result>): Result {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** Counts the pieces of some work, and reports where a step ends: `if (budget.isStep()) yield;` */
export class YieldBudget {
	readonly #piecesPerStep: number;
	#pieces = 0;

	/** A step of so many pieces; if none are given, of pieces of about a microsecond. */
	constructor(piecesPerStep = 500) {
		this.#piecesPerStep = piecesPerStep;
	}

	/** Takes in that so many pieces were done; returns whether that makes a step. */
	isStep(pieces = 1): boolean {
		this.#pieces += pieces;
		if (this.#pieces < this.#piecesPerStep) return false;
		this.#pieces = 0;
		return true;
	}
}
