import {setImmediate as turn} from 'node:timers/promises';

/** Milliseconds per slice, much shorter than a request takes. */
const sliceMs = 4;

/**
 * Splits long work into slices. Between them, the process handles responses, sends requests and reads keys.
 */
export class Slices {
	readonly #elapsed: () => number;
	#startedAt: number;

	/** `elapsed`: monotonic milliseconds. */
	constructor(elapsed: () => number) {
		this.#elapsed = elapsed;
		this.#startedAt = elapsed();
	}

	get isOver(): boolean {
		return this.#elapsed() - this.#startedAt >= sliceMs;
	}

	/** Starts the next slice after all other pending events. */
	async startNext(): Promise<void> {
		await turn();
		this.#startedAt = this.#elapsed();
	}
}
