import {bisect} from '../../text/bisect.ts';
import {inMemoryPages, type Page, type Pages} from './pages.ts';

/** A growing list of 32-bit unsigned integers, four bytes each. Reads beyond its end return 0. */
export class Uint32List {
	readonly #pages: Pages;
	readonly #pageLength: number;
	readonly #shift: number;
	readonly #mask: number;
	/** All values, while they fit in one page. */
	#unpaged = new Uint32Array();
	/** Pages of the values, otherwise. */
	readonly #paged: Page[] = [];
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

	at(place: number): number {
		if (place >= this.#length) return 0;
		const page = this.#paged[place >>> this.#shift];
		if (page === undefined) return this.#unpaged[place] ?? 0;
		return this.#pages.getWords(page)[place & this.#mask] ?? 0;
	}

	set(place: number, value: number): void {
		const page = this.#paged[place >>> this.#shift];
		if (page === undefined) this.#unpaged[place] = value;
		else this.#pages.getWritableWords(page)[place & this.#mask] = value;
	}

	push(value: number): void {
		const place = this.#length;
		if (place === this.#capacity) this.#grow(place + 1);
		this.set(place, value);
		this.#length = place + 1;
	}

	truncate(length: number): void {
		this.#length = Math.min(this.#length, length);
		const needed = Math.max(1, Math.ceil(this.#length / this.#pageLength));
		if (this.#paged.length <= needed) return;
		this.#pages.free(this.#paged.splice(needed));
		this.#capacity = needed * this.#pageLength;
	}

	/** Inserts values at the given final places, which ascend. */
	insert(places: Uint32Array, values: Uint32Array): void {
		const length = this.#length + places.length;
		this.#grow(length);
		let end = this.#length;
		for (let number = places.length - 1; number >= 0; number--) {
			const place = places[number] ?? 0;
			this.#copyWithin(place + 1, place - number, end);
			this.set(place, values[number] ?? 0);
			end = place - number;
		}
		this.#length = length;
	}

	/** Removes the values at ascending places. */
	remove(places: Uint32Array): void {
		for (let number = 0; number < places.length; number++) {
			const from = (places[number] ?? 0) + 1;
			this.#copyWithin(from - 1 - number, from, places[number + 1] ?? this.#length);
		}
		this.truncate(this.#length - places.length);
	}

	/** Moves the values between two places down to a place, adding `added` to each. */
	move(place: number, from: number, to: number, added: number): void {
		if (place !== from) this.#copyWithin(place, from, to);
		this.#add(place, place + to - from, added);
	}

	/** Appends values. */
	append(values: Uint32Array): void {
		const start = this.#length;
		this.#grow(start + values.length);
		this.#length = start + values.length;
		for (let done = 0; done < values.length; ) {
			const {words, at, length} = this.#getWritableRange(start + done, this.#length);
			words.set(values.subarray(done, done + length), at);
			done += length;
		}
	}

	/** Copies values from a place on into `target`, as many as fit. Returns how many. */
	copyTo(target: Uint32Array, from: number): number {
		const count = Math.max(0, Math.min(target.length, this.#length - from));
		for (let done = 0; done < count; ) {
			const values = this.#readValues(from + done, from + count);
			target.set(values, done);
			done += values.length;
		}
		return count;
	}

	/** Replaces `removed` values at a place with the integers from `from` to before `to`. */
	replaceByRange(place: number, removed: number, from: number, to: number): void {
		const length = this.#length - removed + to - from;
		this.#grow(length);
		this.#copyWithin(place + to - from, place + removed, this.#length);
		this.#length = Math.max(this.#length, length);
		for (let value = from; value < to; value++) this.set(place + value - from, value);
		this.truncate(length);
	}

	/** Returns the first place, at or after `from`, whose value is not less; the values ascend. */
	findFirstAtLeast(value: number, from = 0): number {
		if (this.#paged.length === 0) return findFirstAtLeast(this.#unpaged, value, from, this.#length);
		return bisect(from, this.#length, place => this.at(place) < value);
	}

	#add(from: number, to: number, added: number): void {
		if (added === 0) return;
		for (let place = from; place < to; ) {
			const {words, at, length} = this.#getWritableRange(place, to);
			for (let word = at; word < at + length; word++) words[word] = (words[word] ?? 0) + added;
			place += length;
		}
	}

	/** Returns the writable page of a place, and the number of its values before `to`. */
	#getWritableRange(place: number, to: number): {words: Uint32Array; at: number; length: number} {
		const page = this.#paged[place >>> this.#shift];
		if (page === undefined) return {words: this.#unpaged, at: place, length: to - place};
		const at = place & this.#mask;
		return {
			words: this.#pages.getWritableWords(page),
			at,
			length: Math.min(to - place, this.#pageLength - at),
		};
	}

	/** Like `Array.copyWithin`: ranges may overlap. */
	#copyWithin(place: number, from: number, to: number): void {
		if (place < from) this.#copy(place, from, to);
		else if (place > from) this.#copyBackwards(place, from, to);
	}

	#copy(place: number, from: number, to: number): void {
		for (let done = 0; from + done < to; ) {
			const source = this.#readValues(from + done, to);
			const {words, at, length} = this.#getWritableRange(place + done, place + to - from);
			const count = Math.min(length, source.length);
			words.set(source.subarray(0, count), at);
			done += count;
		}
	}

	/** Returns the values of one page from a place on. */
	#readValues(place: number, to: number): Uint32Array {
		const page = this.#paged[place >>> this.#shift];
		if (page === undefined) return this.#unpaged.subarray(place, to);
		const at = place & this.#mask;
		return this.#pages.getWords(page).subarray(at, Math.min(this.#pageLength, at + to - place));
	}

	/** Copies to a higher place, last values first. */
	#copyBackwards(place: number, from: number, to: number): void {
		if (this.#paged.length === 0) {
			this.#unpaged.copyWithin(place, from, to);
			return;
		}
		for (let left = to - from; left > 0; ) {
			const sourceLast = from + left - 1;
			const targetLast = place + left - 1;
			const count = Math.min(left, (sourceLast & this.#mask) + 1, (targetLast & this.#mask) + 1);
			const source = this.#readValues(sourceLast - count + 1, sourceLast + 1);
			const {words, at} = this.#getWritableRange(targetLast - count + 1, targetLast + 1);
			words.set(source, at);
			left -= count;
		}
	}

	#grow(needed: number): void {
		if (needed <= this.#capacity) return;
		if (needed <= this.#pageLength) {
			const grown = new Uint32Array(Math.min(this.#pageLength, Math.ceil(needed * 1.25) + 3));
			grown.set(this.#unpaged.subarray(0, this.#length));
			this.#unpaged = grown;
			this.#capacity = grown.length;
			return;
		}
		if (this.#paged.length === 0) this.#convertToPages();
		while (this.#paged.length * this.#pageLength < needed) this.#paged.push(this.#pages.createPage());
		this.#capacity = this.#paged.length * this.#pageLength;
	}

	#convertToPages(): void {
		const first = this.#pages.createPage();
		this.#pages.getWritableWords(first).set(this.#unpaged.subarray(0, this.#length));
		this.#paged.push(first);
		this.#pages.freeWith(this, this.#paged);
		this.#unpaged = new Uint32Array();
	}
}

/** Returns the first place between two whose value is not less; the values ascend. */
export const findFirstAtLeast = (values: Uint32Array, value: number, from = 0, to = values.length): number =>
	bisect(from, to, place => (values[place] ?? 0) < value);
