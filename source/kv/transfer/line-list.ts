import type {Pages} from '../key-index/pages.ts';
import {Records} from '../key-index/records.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import type {KeyEntry} from '../store.ts';

/** The location of an entry in its file, and its listing data. */
export type Line = {
	readonly entry: KeyEntry;
	/** Number of bytes before the entry. */
	readonly offset: number;
	readonly bytes: number;
};

/** Fields per line: the address of its entry, its offset (two numbers), and its size. */
const fieldsPerLine = 4;
const [offsetField, offsetHighField, sizeField] = [1, 2, 3];
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
		return this.#fields.length / fieldsPerLine;
	}

	/** Bytes of the pages of its entries, without those of the fields. */
	get entryPageBytes(): number {
		return this.#records.totalBytes;
	}

	add({entry, offset, bytes}: Line): void {
		this.#push(this.#records.add(entry), offset % two32, Math.floor(offset / two32), bytes);
	}

	getLine(index: number): Line {
		const offset = this.#getField(index, offsetHighField) * two32 + this.#getField(index, offsetField);
		return {entry: this.getEntry(index), offset, bytes: this.#getField(index, sizeField)};
	}

	getEntry(index: number): KeyEntry {
		return this.#records.getEntry(this.#getAddress(index));
	}

	getName(index: number): string {
		return this.#records.readName(this.#getAddress(index), 0);
	}

	/** Compares the key at an index with a UTF-8 key in byte order: below 0, 0, or above 0. */
	compareKey(index: number, key: Buffer): number {
		return this.#records.compareBytes(this.#getAddress(index), key, 0, key.length);
	}

	/** Compares the key at an index with a key in another list, or in this one. */
	compare(index: number, otherList: LineList, otherIndex: number): number {
		const address = otherList.#getAddress(otherIndex);
		const start = otherList.#records.getNameStart(address);
		const length = otherList.#records.getNameLength(address);
		const chunk = otherList.#records.getChunk(address);
		return this.#records.compareBytes(this.#getAddress(index), chunk, start, length);
	}

	/**
	 * Returns the end of the range that begins at `from` and ends with the line whose record reaches `minBytes`
	 * bytes in memory, or with the list. It has at least one line, unless `from` is the end of the list.
	 */
	findEnd(from: number, minBytes: number): number {
		let [end, bytes] = [from, 0];
		while (end < this.count && (end === from || bytes < minBytes))
			bytes += this.#records.getSize(this.#getAddress(end++));
		return end;
	}

	/** Returns the lines between two indexes, sorted by key; of duplicate keys, only the last line. */
	sortRange(from: number, to: number, pages: Pages): LineList {
		const order = Uint32Array.from({length: to - from}, (_, number) => from + number);
		order.sort((one, other) => this.compare(one, this, other) || one - other);
		const sorted = new LineList(pages);
		for (let number = 0; number < order.length; number++) {
			const [index = 0, nextIndex] = [order[number], order[number + 1]];
			if (nextIndex === undefined || this.compare(index, this, nextIndex) !== 0) sorted.#copy(this, index);
		}
		return sorted;
	}

	/** Merges sorted lists into one; of duplicate keys the line of the last list wins. */
	static merge(lists: readonly LineList[], pages: Pages): LineList {
		const merged = new LineList(pages);
		const heads = lists.map(list => ({list, index: 0})).filter(({list}) => list.count > 0);
		while (heads.length > 0) {
			let [first] = heads;
			for (const head of heads)
				if (first && head.list.compare(head.index, first.list, first.index) <= 0) first = head;
			if (!first) break;
			const {list, index} = first;
			for (const head of heads)
				if (head !== first && head.list.compare(head.index, list, index) === 0) head.index++;
			merged.#copy(list, index);
			first.index++;
			for (let headIndex = heads.length - 1; headIndex >= 0; headIndex--) {
				const head = heads[headIndex];
				if (head && head.index === head.list.count) heads.splice(headIndex, 1);
			}
		}
		return merged;
	}

	#copy(otherList: LineList, index: number): void {
		const address = this.#records.copy(otherList.#records, otherList.#getAddress(index));
		const getField = (field: number) => otherList.#getField(index, field);
		this.#push(address, getField(offsetField), getField(offsetHighField), getField(sizeField));
	}

	#push(...values: readonly [number, number, number, number]): void {
		for (const value of values) this.#fields.push(value);
	}

	#getAddress(index: number): number {
		return this.#fields.at(index * fieldsPerLine);
	}

	#getField(index: number, field: number): number {
		return this.#fields.at(index * fieldsPerLine + field);
	}
}
