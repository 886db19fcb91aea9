import type {KvStore} from '../../kv/store.ts';

/** Sizes that are kept at most; beyond it all are forgotten, and found again where they are shown. */
const most = 100_000;

/**
 * How large the values of a namespace are, in bytes, as far as that is known: of those that were read or written here, and
 * of all where the store can tell without reading them. Nothing is read or guessed for it.
 */
export class KnownSizes {
	readonly #sizeOf: ((key: string) => number | undefined) | undefined;
	readonly #known = new Map<string, number | undefined>();

	constructor(store: Pick<KvStore, 'size'>) {
		if (store.size) this.#sizeOf = key => store.size?.(key);
	}

	of(name: string): number | undefined {
		const known = this.#known.get(name);
		if (known !== undefined || !this.#sizeOf || this.#known.has(name)) return known;
		const bytes = this.#sizeOf(name);
		this.#keep(name, bytes);
		return bytes;
	}

	note(name: string, bytes: number): void {
		this.#keep(name, bytes);
	}

	/** The value was written, or the key deleted. */
	forget(name: string): void {
		this.#known.delete(name);
	}

	#keep(name: string, bytes: number | undefined): void {
		if (this.#known.size >= most) this.#known.clear();
		this.#known.set(name, bytes);
	}
}
