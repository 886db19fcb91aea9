import {setImmediate as turn} from 'node:timers/promises';
import {interrupted} from '../../failure.ts';
import type {Gate} from './gate.ts';

/** Bytes of requests in memory at a time. */
const mostBytes = 64_000_000;

/**
 * Work under way side by side: so many pieces, and so many bytes in all. The first failure keeps new pieces
 * from being started; those under way end by themselves.
 */
export class Lanes {
	readonly #most: number;
	readonly #signal: AbortSignal;
	readonly #gate: Gate;
	readonly #running = new Set<Promise<void>>();
	#bytes = 0;
	#failed: {readonly error: unknown} | undefined;

	constructor(most: number, {signal, gate}: {readonly signal: AbortSignal; readonly gate: Gate}) {
		this.#most = Math.max(1, most);
		this.#signal = signal;
		this.#gate = gate;
	}

	/**
	 * Starts a piece of work once there is room for its bytes and the job is not paused; a piece larger than all the room
	 * goes alone. Throws what failed before; the failure of this piece is thrown by the next `start` or `idle`.
	 */
	async start(bytes: number, work: () => Promise<void>): Promise<void> {
		await this.#room(bytes);
		await this.#gate.passed(() => this.#failed !== undefined);
		// What was under way may have failed meanwhile.
		this.#check();
		// Local batches follow each other without a pause: the keyboard of the screens must be heard in between.
		await turn();
		if (this.#signal.aborted) throw interrupted();
		this.#bytes += bytes;
		const piece = work()
			.catch((error: unknown) => {
				this.#failed ??= {error};
				// A paused job stops, too.
				this.#gate.open();
			})
			.finally(() => {
				this.#bytes -= bytes;
				this.#running.delete(piece);
			});
		this.#running.add(piece);
	}

	async settled(): Promise<void> {
		await Promise.all(this.#running);
	}

	/** The same, and throws what failed. */
	async idle(): Promise<void> {
		await this.settled();
		this.#check();
	}

	async #room(bytes: number): Promise<void> {
		while (this.#running.size >= this.#most || (this.#running.size > 0 && this.#bytes + bytes > mostBytes))
			await Promise.race(this.#running);
		this.#check();
	}

	#check(): void {
		if (this.#failed) throw this.#failed.error;
	}
}
