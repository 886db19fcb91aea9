/** Blocks work while it is paused. */
export class Gate {
	#barrier: {readonly whenOpen: Promise<void>; open(): void} | undefined;

	get isClosed(): boolean {
		return this.#barrier !== undefined;
	}

	close(): void {
		if (this.#barrier) return;
		const {promise, resolve} = Promise.withResolvers<void>();
		this.#barrier = {whenOpen: promise, open: resolve};
	}

	open(): void {
		this.#barrier?.open();
		this.#barrier = undefined;
	}

	/**
	 * Waits until the gate is open. `shouldStopWaiting` is asked before each wait: if it becomes true during
	 * one, open the gate.
	 */
	async waitUntilOpen(shouldStopWaiting: () => boolean = () => false): Promise<void> {
		while (this.#barrier && !shouldStopWaiting()) await this.#barrier.whenOpen;
	}
}
