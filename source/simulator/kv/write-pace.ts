/** Limits writes to one per second and key. */
export class WriteClock {
	readonly #writes = new Map<string, number>();

	/**
	 * True if the key was written less than a second before `now` (milliseconds); otherwise records a write.
	 */
	isTooSoon(namespace: string, key: string, now: number): boolean {
		const name = `${namespace}/${key}`;
		const lastWrite = this.#writes.get(name);
		if (lastWrite !== undefined && now - lastWrite < 1000) return true;
		if (this.#writes.size > 20_000) this.#deleteOld(now);
		this.#writes.set(name, now);
		return false;
	}

	clear(): void {
		this.#writes.clear();
	}

	#deleteOld(now: number): void {
		for (const [name, writtenAt] of this.#writes) if (now - writtenAt >= 1000) this.#writes.delete(name);
	}
}
