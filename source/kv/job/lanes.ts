import {setImmediate as turn} from 'node:timers/promises';
import {createInterruptedFailure} from '../../failure.ts';
import type {Gate} from './gate.ts';

/** Maximum bytes of requests in memory. */
const maxBytesInFlight = 64_000_000;

/**
 * Runs work concurrently, limited by number and by bytes. After the first failure no new work starts; running
 * work finishes.
 */
export class Lanes {
	readonly #maxRunning: number;
	readonly #signal: AbortSignal;
	readonly #gate: Gate;
	readonly #running = new Set<Promise<void>>();
	#bytesInFlight = 0;
	#failure: {readonly error: unknown} | undefined;

	constructor(maxRunning: number, {signal, gate}: {readonly signal: AbortSignal; readonly gate: Gate}) {
		this.#maxRunning = Math.max(1, maxRunning);
		this.#signal = signal;
		this.#gate = gate;
	}

	/**
	 * Starts work as soon as there is room for its bytes and the job is not paused; work larger than the
	 * limit runs alone. Throws an earlier failure; the next `start` or `finish` throws the failure of this
	 * work.
	 */
	async start(bytes: number, work: () => Promise<void>): Promise<void> {
		await this.#waitForRoom(bytes);
		await this.#gate.waitUntilOpen(() => this.#failure !== undefined);
		// Running work may have failed while this waited.
		this.#throwFailure();
		// Local batches never wait, so yield here to keep the keyboard responsive.
		await turn();
		if (this.#signal.aborted) throw createInterruptedFailure();
		this.#bytesInFlight += bytes;
		const task = work()
			.catch((error: unknown) => {
				this.#failure ??= {error};
				// A paused job stops, too.
				this.#gate.open();
			})
			.finally(() => {
				this.#bytesInFlight -= bytes;
				this.#running.delete(task);
			});
		this.#running.add(task);
	}

	/** Waits for all running work; does not throw its failures. */
	async drain(): Promise<void> {
		await Promise.all(this.#running);
	}

	/** Waits for all running work, and throws the first failure. */
	async finish(): Promise<void> {
		await this.drain();
		this.#throwFailure();
	}

	async #waitForRoom(bytes: number): Promise<void> {
		while (
			this.#running.size >= this.#maxRunning ||
			(this.#running.size > 0 && this.#bytesInFlight + bytes > maxBytesInFlight)
		)
			await Promise.race(this.#running);
		this.#throwFailure();
	}

	#throwFailure(): void {
		if (this.#failure) throw this.#failure.error;
	}
}
