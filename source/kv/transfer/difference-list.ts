import type {JsonValue} from '../../text/json.ts';
import {inMemoryPages, type Pages} from '../key-index/pages.ts';
import {Records} from '../key-index/records.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import type {KeyDifference} from './difference.ts';

/** A growing list of differences, packed: about 60 bytes each besides the key's name and metadata. */
export class DifferenceList implements Iterable<KeyDifference> {
	readonly #records: Records;
	readonly #addresses: Uint32List;

	constructor(pages: Pages = inMemoryPages) {
		this.#records = new Records(pages);
		this.#addresses = new Uint32List(pages);
	}

	get length(): number {
		return this.#addresses.length;
	}

	push({key, ...rest}: KeyDifference): void {
		this.#addresses.push(this.#records.add({name: key, metadata: rest as unknown as JsonValue}));
	}

	/** Returns a difference; undefined beyond the end. */
	at(index: number): KeyDifference | undefined {
		if (index >= this.length) return undefined;
		const {name: key, metadata} = this.#records.getEntry(this.#addresses.at(index));
		return {key, ...(metadata as object)} as KeyDifference;
	}

	/** Returns the key of a difference; empty beyond the end. */
	getKey(index: number): string {
		return index < this.length ? this.#records.readName(this.#addresses.at(index), 0) : '';
	}

	*[Symbol.iterator](): Generator<KeyDifference> {
		for (let index = 0; index < this.length; index++) {
			const difference = this.at(index);
			if (difference) yield difference;
		}
	}
}
