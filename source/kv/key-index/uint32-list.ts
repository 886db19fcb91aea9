import {bisect} from '../../text/bisect.ts';
import {inMemoryPages, type Page, type Pages} from './pages.ts';

/** A growing list of 32-bit unsigned integers, four bytes each. Reads beyond its end return 0. */
export class Uint32List {
	readonly #pages: Pages;
	readonly #pageLength: number;
	readonly #shift: number;
	readonly #mask: number;
	/** All values, while they fit in one page. */
	#smallArray = new Uint32Array();
	/** Pages of the values, otherwise. */
	readonly #valuePages: Page[] = [];
	#capacity = 0;
	#length = 0;

	constructor(pages: Pages = inMemoryPages) {
		this.#pages = pages;
		this.#pageLength = pages.pageBytes / 4;
		this.#shift = Math.log2(this.#pageLength);
		this.#mask = this.#pageLength - 1;
	}

	get length(): number {
		return this.#length;
	}

	/** Bytes in memory and in the file. */
	get bytesUsed(): number {
		return this.#capacity * 4;
	}

	at(index: number): number {
		if (index >= this.#length) return 0;
		const page = this.#valuePages[index >>> this.#shift];
		if (page === undefined) return this.#smallArray[index] ?? 0;
		return this.#pages.getWords(page)[index & this.#mask] ?? 0;
	}

	set(index: number, value: number): void {
		const page = this.#valuePages[index >>> this.#shift];
		if (page === undefined) this.#smallArray[index] = value;
		else this.#pages.getWritableWords(page)[index & this.#mask] = value;
	}

	push(value: number): void {
		const index = this.#length;
		if (index === this.#capacity) this.#grow(index + 1);
		this.set(index, value);
		this.#length = index + 1;
	}

	truncate(length: number): void {
		this.#length = Math.min(this.#length, length);
		const neededPages = Math.max(1, Math.ceil(this.#length / this.#pageLength));
		if (this.#valuePages.length <= neededPages) return;
		this.#pages.free(this.#valuePages.splice(neededPages));
		this.#capacity = neededPages * this.#pageLength;
	}

	/** Inserts values at ascending indexes, which are those after the insertion. */
	insert(indexes: Uint32Array, values: Uint32Array): void {
		const length = this.#length + indexes.length;
		this.#grow(length);
		let end = this.#length;
		for (let ordinal = indexes.length - 1; ordinal >= 0; ordinal--) {
			const index = indexes[ordinal] ?? 0;
			this.#copyWithin(index + 1, index - ordinal, end);
			this.set(index, values[ordinal] ?? 0);
			end = index - ordinal;
		}
		this.#length = length;
	}

	/** Removes the values at ascending indexes. */
	remove(indexes: Uint32Array): void {
		for (let ordinal = 0; ordinal < indexes.length; ordinal++) {
			const from = (indexes[ordinal] ?? 0) + 1;
			this.#copyWithin(from - 1 - ordinal, from, indexes[ordinal + 1] ?? this.#length);
		}
		this.truncate(this.#length - indexes.length);
	}

	/** Moves the values between two indexes down to a lower one, and adds `increment` to each. */
	move(index: number, from: number, to: number, increment: number): void {
		if (index !== from) this.#copyWithin(index, from, to);
		this.#add(index, index + to - from, increment);
	}

	/** Appends values. */
	append(values: Uint32Array): void {
		const start = this.#length;
		this.#grow(start + values.length);
		this.#length = start + values.length;
		for (let doneCount = 0; doneCount < values.length; ) {
			const {words, offset, length} = this.#getWritableRange(start + doneCount, this.#length);
			words.set(values.subarray(doneCount, doneCount + length), offset);
			doneCount += length;
		}
	}

	/** Copies as many values as fit into `target`, starting at an index. Returns how many. */
	copyTo(target: Uint32Array, from: number): number {
		const count = Math.max(0, Math.min(target.length, this.#length - from));
		for (let doneCount = 0; doneCount < count; ) {
			const values = this.#readValues(from + doneCount, from + count);
			target.set(values, doneCount);
			doneCount += values.length;
		}
		return count;
	}

	/** Replaces `removedCount` values at an index with the integers from `from` to before `to`. */
	replaceByRange(index: number, removedCount: number, from: number, to: number): void {
		const length = this.#length - removedCount + to - from;
		this.#grow(length);
		this.#copyWithin(index + to - from, index + removedCount, this.#length);
		this.#length = Math.max(this.#length, length);
		for (let value = from; value < to; value++) this.set(index + value - from, value);
		this.truncate(length);
	}

	/** Returns the first index, at or after `from`, whose value is not less. The values must ascend. */
	findFirstAtLeast(value: number, from = 0): number {
		if (this.#valuePages.length === 0) return findFirstAtLeast(this.#smallArray, value, from, this.#length);
		return bisect(from, this.#length, index => this.at(index) < value);
	}

	#add(from: number, to: number, increment: number): void {
		if (increment === 0) return;
		for (let index = from; index < to; ) {
			const {words, offset, length} = this.#getWritableRange(index, to);
			for (let word = offset; word < offset + length; word++) words[word] = (words[word] ?? 0) + increment;
			index += length;
		}
	}

	/** Returns the writable page of an index, the offset in it, and the number of its values before `to`. */
	#getWritableRange(index: number, to: number): {words: Uint32Array; offset: number; length: number} {
		const page = this.#valuePages[index >>> this.#shift];
		if (page === undefined) return {words: this.#smallArray, offset: index, length: to - index};
		const offset = index & this.#mask;
		return {
			words: this.#pages.getWritableWords(page),
			offset,
			length: Math.min(to - index, this.#pageLength - offset),
		};
	}

	/** Like `Array.copyWithin`: ranges may overlap. */
	#copyWithin(index: number, from: number, to: number): void {
		if (index < from) this.#copy(index, from, to);
		else if (index > from) this.#copyBackwards(index, from, to);
	}

	#copy(index: number, from: number, to: number): void {
		for (let doneCount = 0; from + doneCount < to; ) {
			const source = this.#readValues(from + doneCount, to);
			const {words, offset, length} = this.#getWritableRange(index + doneCount, index + to - from);
			const count = Math.min(length, source.length);
			words.set(source.subarray(0, count), offset);
			doneCount += count;
		}
	}

	/** Returns the values from an index to the end of its page. */
	#readValues(index: number, to: number): Uint32Array {
		const page = this.#valuePages[index >>> this.#shift];
		if (page === undefined) return this.#smallArray.subarray(index, to);
		const offset = index & this.#mask;
		return this.#pages.getWords(page).subarray(offset, Math.min(this.#pageLength, offset + to - index));
	}

	/** Copies to a higher index, last values first. */
	#copyBackwards(index: number, from: number, to: number): void {
		if (this.#valuePages.length === 0) {
			this.#smallArray.copyWithin(index, from, to);
			return;
		}
		for (let remaining = to - from; remaining > 0; ) {
			const sourceLast = from + remaining - 1;
			const targetLast = index + remaining - 1;
			const count = Math.min(remaining, (sourceLast & this.#mask) + 1, (targetLast & this.#mask) + 1);
			const source = this.#readValues(sourceLast - count + 1, sourceLast + 1);
			const {words, offset} = this.#getWritableRange(targetLast - count + 1, targetLast + 1);
			words.set(source, offset);
			remaining -= count;
		}
	}

	#grow(neededLength: number): void {
		if (neededLength <= this.#capacity) return;
		if (neededLength <= this.#pageLength) {
			const largerArray = new Uint32Array(Math.min(this.#pageLength, Math.ceil(neededLength * 1.25) + 3));
			largerArray.set(this.#smallArray.subarray(0, this.#length));
			this.#smallArray = largerArray;
			this.#capacity = largerArray.length;
			return;
		}
		if (this.#valuePages.length === 0) this.#convertToPages();
		while (this.#valuePages.length * this.#pageLength < neededLength)
			this.#valuePages.push(this.#pages.createPage());
		this.#capacity = this.#valuePages.length * this.#pageLength;
	}

	#convertToPages(): void {
		const firstPage = this.#pages.createPage();
		this.#pages.getWritableWords(firstPage).set(this.#smallArray.subarray(0, this.#length));
		this.#valuePages.push(firstPage);
		this.#pages.freeWith(this, this.#valuePages);
		this.#smallArray = new Uint32Array();
	}
}

/** Returns the first index between two whose value is not less. The values must ascend. */
export const findFirstAtLeast = (values: Uint32Array, value: number, from = 0, to = values.length): number =>
	bisect(from, to, index => (values[index] ?? 0) < value);
