import type {KvStore} from '../../kv/store.ts';

/** Maximum sizes in memory; beyond it all are dropped and looked up again when shown. */
const maxSizes = 100_000;

/**
 * Known sizes of values in bytes: of those read or written in this session, and of all if the store knows
 * them without reading. Never reads or guesses.
 */
export class KnownSizes {
	readonly #sizeOf: ((key: string) => number | undefined) | undefined;
	readonly #known = new Map<string, number | undefined>();

	constructor(store: Pick<KvStore, 'size'>) {
		if (store.size) this.#sizeOf = key => store.size?.(key);
	}

	getSize(name: string): number | undefined {
		const known = this.#known.get(name);
		if (known !== undefined || !this.#sizeOf || this.#known.has(name)) return known;
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
