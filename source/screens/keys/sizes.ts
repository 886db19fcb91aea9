import type {KvStore} from '../../kv/store.ts';

/** Maximum sizes in memory. Beyond it, all are dropped, and looked up again when shown. */
const maxSizes = 100_000;

/**
 * Known sizes of values, in bytes: those of values read or written in this session, or all sizes if the store
 * knows them without reading. Never reads a value and never guesses.
 */
export class KnownSizes {
	readonly #readStoreSize: ((key: string) => number | undefined) | undefined;
	readonly #sizes = new Map<string, number | undefined>();

	constructor(store: Pick<KvStore, 'size'>) {
		if (store.size) this.#readStoreSize = key => store.size?.(key);
	}

	getSize(name: string): number | undefined {
		const knownSize = this.#sizes.get(name);
		if (knownSize !== undefined || !this.#readStoreSize || this.#sizes.has(name)) return knownSize;
		const bytes = this.#readStoreSize(name);
		this.#storeSize(name, bytes);
		return bytes;
	}

	/** True if at least one size is known. */
	get hasAny(): boolean {
		return this.#readStoreSize !== undefined || [...this.#sizes.values()].some(bytes => bytes !== undefined);
	}

	/** Returns a function for the sizes known now, which does not change as more become known. */
	capture(): (name: string) => number | undefined {
		if (this.#readStoreSize) return name => this.getSize(name);
		const sizes = new Map(this.#sizes);
		return name => sizes.get(name);
	}

	set(name: string, bytes: number): void {
		this.#storeSize(name, bytes);
	}

	/** Drops the size after a write or deletion. */
	forget(name: string): void {
		this.#sizes.delete(name);
	}

	#storeSize(name: string, bytes: number | undefined): void {
		if (this.#sizes.size >= maxSizes) this.#sizes.clear();
		this.#sizes.set(name, bytes);
	}
}
