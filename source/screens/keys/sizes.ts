import type {KvStore} from '../../kv/store.ts';

/** Maximum sizes in memory. Beyond it, all are dropped, and looked up again when shown. */
const maxSizes = 100_000;

/**
 * Known sizes of values, in bytes: those of values read or written in this session, or all sizes if the store
 * knows them without reading. Never reads a value and never guesses.
 */
export class KnownSizes {
	readonly #sizeOf: ((key: string) => number | undefined) | undefined;
	readonly #known = new Map<string, number | undefined>();

	constructor(store: Pick<KvStore, 'size'>) {
		if (store.size) this.#sizeOf = key => store.size?.(key);
	}

	getSize(name: string): number | undefined {
		const knownSize = this.#known.get(name);
		if (knownSize !== undefined || !this.#sizeOf || this.#known.has(name)) return knownSize;
		const bytes = this.#sizeOf(name);
		this.#keep(name, bytes);
		return bytes;
	}

	set(name: string, bytes: number): void {
		this.#keep(name, bytes);
	}

	/** Drops the size after a write or deletion. */
	forget(name: string): void {
		this.#known.delete(name);
	}

	#keep(name: string, bytes: number | undefined): void {
		if (this.#known.size >= maxSizes) this.#known.clear();
		this.#known.set(name, bytes);
	}
}
