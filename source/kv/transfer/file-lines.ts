import {Records} from '../key-index/records.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import type {KeyEntry} from '../store.ts';

/** Where an entry is in its file, and what a listing holds about it. */
export type Line = {
	readonly entry: KeyEntry;
	/** Bytes before it. */
	readonly offset: number;
	readonly bytes: number;
};

/**
 * The lines of a file by their keys, packed: some 28 bytes a line beside its name, expiration and metadata. Lines are
 * added in the order of the file; once they are `sorted`, positions are those of the keys in the order of their bytes,
 * and of two lines with one key the last one stands.
 */
export class FileLines {
	readonly #records = new Records();
	/** In the order of the file. */
	readonly #addresses = new Uint32List();
	readonly #offsets: number[] = [];
	readonly #sizes: number[] = [];
	/** Whether each key came behind the one before, as in every export. */
	#ascends = true;
	/** The lines that stand, in the order of their keys. */
	#order = new Uint32Array();

	get count(): number {
		return this.#order.length;
	}

	add({entry, offset, bytes}: Line): void {
		const address = this.#records.add(entry);
		const {length} = this.#addresses;
		if (length > 0 && this.#records.compare(this.#addresses.at(length - 1), address) >= 0)
			this.#ascends = false;
		this.#addresses.push(address);
		this.#offsets.push(offset);
		this.#sizes.push(bytes);
	}

	sorted(): this {
		const order = Uint32Array.from({length: this.#addresses.length}, (_, line) => line);
		const compared = (one: number, other: number) =>
			this.#records.compare(this.#addresses.at(one), this.#addresses.at(other));
		if (this.#ascends) this.#order = order;
		else {
			order.sort((one, other) => compared(one, other) || one - other);
			this.#order = order.filter((line, at) => {
				const next = order[at + 1];
				return next === undefined || compared(line, next) !== 0;
			});
		}
		return this;
	}

	entryAt(position: number): KeyEntry {
		return this.#records.entry(this.#addressAt(position));
	}

	/** The line of a key; `undefined` where the file has none. */
	find(key: string): Line | undefined {
		const position = this.firstAt(key);
		if (position === this.count) return undefined;
		const [entry, line] = [this.entryAt(position), this.#order[position] ?? 0];
		return entry.name === key
			? {entry, offset: this.#offsets[line] ?? 0, bytes: this.#sizes[line] ?? 0}
			: undefined;
	}

	/** The first position whose key is not before that text; behind the last one there may be none. */
	firstAt(text: string): number {
		const bytes = Buffer.from(text);
		let [low, high] = [0, this.count];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.#records.compareWith(this.#addressAt(middle), bytes, 0, bytes.length) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	#addressAt(position: number): number {
		return this.#addresses.at(this.#order[position] ?? 0);
	}
}
