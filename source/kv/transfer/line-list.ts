import type {Pages} from '../key-index/pages.ts';
import {Records} from '../key-index/records.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import type {KeyEntry} from '../store.ts';

/** The location of an entry in its file, and its listing data. */
export type Line = {
	readonly entry: KeyEntry;
	/** Bytes before it. */
	readonly offset: number;
	readonly bytes: number;
};

/** Fields per line: the address of its entry, its offset (two numbers), and its size. */
const fields = 4;
const [beginsAt, beginsAtHigh, sizeAt] = [1, 2, 3];
const two32 = 2 ** 32;

/** A growing list of lines, packed in pages in reading order. */
export class LineList {
	readonly #records: Records;
	readonly #fields: Uint32List;

	constructor(pages: Pages) {
		this.#records = new Records(pages);
		this.#fields = new Uint32List(pages);
	}

	get count(): number {
		return this.#fields.length / fields;
	}

	/** Bytes of its pages. */
	get bytes(): number {
		return this.#records.bytes;
	}

	add({entry, offset, bytes}: Line): void {
		this.#push(this.#records.add(entry), offset % two32, Math.floor(offset / two32), bytes);
	}

	lineAt(place: number): Line {
		const offset = this.#field(place, beginsAtHigh) * two32 + this.#field(place, beginsAt);
		return {entry: this.entryAt(place), offset, bytes: this.#field(place, sizeAt)};
	}

	entryAt(place: number): KeyEntry {
		return this.#records.entry(this.#addressAt(place));
	}

	nameAt(place: number): string {
		return this.#records.text(this.#addressAt(place), 0);
	}

	/** Compares the key at a place with a UTF-8 key in byte order: below 0, 0, or above 0. */
	compareWith(place: number, key: Buffer): number {
		return this.#records.compareWith(this.#addressAt(place), key, 0, key.length);
	}

	/** Compares the key at a place with one in another list, or in this one. */
	compare(place: number, others: LineList, otherPlace: number): number {
		const address = others.#addressAt(otherPlace);
		const start = others.#records.nameStart(address);
		const length = others.#records.nameLength(address);
		const chunk = others.#records.chunkOf(address);
		return this.#records.compareWith(this.#addressAt(place), chunk, start, length);
	}

	/** Returns the end of a range from `from` that takes at most `most` bytes, with at least one line. */
	endOfBytes(from: number, most: number): number {
		let [end, bytes] = [from, 0];
		while (end < this.count && (end === from || bytes < most))
			bytes += this.#records.sizeOf(this.#addressAt(end++));
		return end;
	}

	/** Returns the lines between two places sorted by key; of duplicate keys only the last line. */
	sorted(from: number, to: number, pages: Pages): LineList {
		const order = Uint32Array.from({length: to - from}, (_, number) => from + number);
		order.sort((one, other) => this.compare(one, this, other) || one - other);
		const sorted = new LineList(pages);
		for (let number = 0; number < order.length; number++) {
			const [place = 0, next] = [order[number], order[number + 1]];
			if (next === undefined || this.compare(place, this, next) !== 0) sorted.#copy(this, place);
		}
		return sorted;
	}

	/** Merges sorted lists into one; of duplicate keys the line of the last list wins. */
	static merged(lists: readonly LineList[], pages: Pages): LineList {
		const merged = new LineList(pages);
		const heads = lists.map(list => ({list, at: 0})).filter(({list}) => list.count > 0);
		while (heads.length > 0) {
			let [first] = heads;
			for (const head of heads)
				if (first && head.list.compare(head.at, first.list, first.at) <= 0) first = head;
			if (!first) break;
			const {list, at} = first;
			for (const head of heads) if (head !== first && head.list.compare(head.at, list, at) === 0) head.at++;
			merged.#copy(list, at);
			first.at++;
			for (let number = heads.length - 1; number >= 0; number--) {
				const head = heads[number];
				if (head && head.at === head.list.count) heads.splice(number, 1);
			}
		}
		return merged;
	}

	#copy(others: LineList, place: number): void {
		const address = this.#records.copy(others.#records, others.#addressAt(place));
		const field = (number: number) => others.#field(place, number);
		this.#push(address, field(beginsAt), field(beginsAtHigh), field(sizeAt));
	}

	#push(...values: readonly [number, number, number, number]): void {
		for (const value of values) this.#fields.push(value);
	}

	#addressAt(place: number): number {
		return this.#fields.at(place * fields);
	}

	#field(place: number, field: number): number {
		return this.#fields.at(place * fields + field);
	}
}
