const windowMs = 10_000;

/** Measures a rate per second over the last ten seconds. */
export class Rate {
	/** Monotonic milliseconds. */
	readonly #elapsed: () => number;
	readonly #past: {readonly at: number; readonly done: number}[] = [];

	constructor(elapsed: () => number) {
		this.#elapsed = elapsed;
	}

	note(done: number): void {
		const at = this.#elapsed();
		const past = this.#past;
		if (at !== past.at(-1)?.at) past.push({at, done});
		while (past.length > 2 && at - (past[0]?.at ?? at) > windowMs) past.shift();
	}

	compute(done: number): number {
		const first = this.#past[0];
		const elapsedMs = first ? this.#elapsed() - first.at : 0;
		return first && elapsedMs > 0 ? ((done - first.done) * 1000) / elapsedMs : 0;
	}
}
