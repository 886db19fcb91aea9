import {setImmediate as turn} from 'node:timers/promises';

/** Milliseconds of one slice: a request is on its way for much longer. */
const longest = 4;

/**
 * Long work in slices. In between everything else in this process has its turn: answers of a service come in and the
 * next requests leave, and keys are heard.
 */
export class Slices {
	readonly #elapsed: () => number;
	#began: number;

	/** `elapsed`: milliseconds of a clock that nobody can set. */
	constructor(elapsed: () => number) {
		this.#elapsed = elapsed;
		this.#began = elapsed();
	}

	get isOver(): boolean {
		return this.#elapsed() - this.#began >= longest;
	}

	/** Begins the next slice, behind everything else that waits for its turn. */
	async next(): Promise<void> {
		await turn();
		this.#began = this.#elapsed();
	}
}
