/**
 * Work under way side by side: so many pieces, and so many bytes in all. The first failure keeps new pieces
 * from being started; those under way end by themselves.
 */
export class Lanes {
	readonly #most: number;
	readonly #mostBytes: number;
	readonly #running = new Set<Promise<void>>();
	#bytes = 0;
	#failed: {readonly error: unknown} | undefined;

	constructor(most: number, mostBytes: number) {
		this.#most = Math.max(1, most);
		this.#mostBytes = mostBytes;
	}

	get running(): number {
		return this.#running.size;
	}

	get failed(): boolean {
		return this.#failed !== undefined;
	}

	/** Waits until there is room for so many bytes; a piece larger than all the room goes alone. Throws what failed. */
	async acquire(bytes: number): Promise<void> {
		while (
			this.#running.size >= this.#most ||
			(this.#running.size > 0 && this.#bytes + bytes > this.#mostBytes)
		)
			await Promise.race(this.#running);
		this.#check();
	}

	/** Starts a piece of work; its failure is thrown by the next `room` or `idle`. */
	start(bytes: number, work: () => Promise<void>): void {
		this.#bytes += bytes;
		const piece = work()
			.catch((error: unknown) => {
				this.#failed ??= {error};
			})
			.finally(() => {
				this.#bytes -= bytes;
				this.#running.delete(piece);
			});
		this.#running.add(piece);
	}

	/** Waits until nothing is under way. */
	async settled(): Promise<void> {
		await Promise.all(this.#running);
	}

	/** The same, and throws what failed. */
	async idle(): Promise<void> {
		await this.settled();
		this.#check();
	}

	#check(): void {
		if (this.#failed) throw this.#failed.error;
	}
}
