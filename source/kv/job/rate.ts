const windowMs = 10_000;

/** Measures a rate per second over the last ten seconds. */
export class Rate {
	/** Monotonic milliseconds. */
	readonly #elapsed: () => number;
	readonly #samples: {readonly time: number; readonly done: number}[] = [];

	constructor(elapsed: () => number) {
		this.#elapsed = elapsed;
	}

	note(done: number): void {
		const time = this.#elapsed();
		const samples = this.#samples;
		if (time !== samples.at(-1)?.time) samples.push({time, done});
		while (samples.length > 2 && time - (samples[0]?.time ?? time) > windowMs) samples.shift();
	}

	compute(done: number): number {
		const oldest = this.#samples[0];
		const elapsedMs = oldest ? this.#elapsed() - oldest.time : 0;
		return oldest && elapsedMs > 0 ? ((done - oldest.done) * 1000) / elapsedMs : 0;
	}
}
