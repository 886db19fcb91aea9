/** Blocks work while it is paused. */
export class Gate {
	#closed: {readonly opened: Promise<void>; open(): void} | undefined;

	get isClosed(): boolean {
		return this.#closed !== undefined;
	}

	close(): void {
		if (this.#closed) return;
		const {promise, resolve} = Promise.withResolvers<void>();
		this.#closed = {opened: promise, open: resolve};
	}

	open(): void {
		this.#closed?.open();
		this.#closed = undefined;
	}

	/** Waits until the gate is open, or `isOver` returns true. */
	async waitUntilOpen(isOver: () => boolean = () => false): Promise<void> {
		while (this.#closed && !isOver()) await this.#closed.opened;
	}
}
