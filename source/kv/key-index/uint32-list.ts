/** A growing list of whole numbers below 2^32, four bytes each. What is read beyond its end is 0. */
export class Uint32List {
	#values: Uint32Array<ArrayBuffer>;
	#length = 0;

	constructor(expected = 0) {
		this.#values = new Uint32Array(expected);
	}

	get length(): number {
		return this.#length;
	}

	get bytesUsed(): number {
		return this.#values.byteLength;
	}

	at(place: number): number {
		return this.#values[place] ?? 0;
	}

	set(place: number, value: number): void {
		this.#values[place] = value;
	}

	push(value: number): void {
		if (this.#length === this.#values.length) this.#grow(this.#length + 1);
		this.#values[this.#length++] = value;
	}

	truncate(length: number): void {
		this.#length = Math.min(this.#length, length);
	}

	/** Puts values in, so that each is at its place afterwards; the places ascend. */
	insertAt(places: Uint32Array, values: Uint32Array): void {
		const length = this.#length + places.length;
		this.#grow(length);
		let end = this.#length;
		for (let number = places.length - 1; number >= 0; number--) {
			const place = places[number] ?? 0;
			this.#values.copyWithin(place + 1, place - number, end);
			this.#values[place] = values[number] ?? 0;
			end = place - number;
		}
		this.#length = length;
	}

	/** Takes out the values at places that ascend. */
	removeAt(places: Uint32Array): void {
		for (let number = 0; number < places.length; number++) {
			const from = (places[number] ?? 0) + 1;
			this.#values.copyWithin(from - 1 - number, from, places[number + 1] ?? this.#length);
		}
		this.#length -= places.length;
	}

	/** Moves the values from one place to before another down to a place, and adds to each. */
	move(place: number, from: number, to: number, added: number): void {
		if (place !== from) this.#values.copyWithin(place, from, to);
		this.#add(place, place + to - from, added);
	}

	/** Takes over the values of others from one place to before another, and adds to each. */
	pushAll(others: Uint32List, from: number, to: number, added: number): void {
		const start = this.#length;
		this.#grow(start + to - from);
		this.#values.set(others.#values.subarray(from, to), start);
		this.#length = start + to - from;
		this.#add(start, this.#length, added);
	}

	addToAll(added: number): void {
		this.#add(0, this.#length, added);
	}

	/** Puts `from` to before `to` in the place of `removed` values at a place. */
	replaceByRange(place: number, removed: number, from: number, to: number): void {
		const length = this.#length - removed + to - from;
		this.#grow(length);
		this.#values.copyWithin(place + to - from, place + removed, this.#length);
		for (let value = from; value < to; value++) this.#values[place + value - from] = value;
		this.#length = length;
	}

	/** The place, from a given one on, of the first value that is not less; the values ascend. */
	firstAtLeast(value: number, from = 0): number {
		return firstAtLeast(this.#values, value, from, this.#length);
	}

	#add(from: number, to: number, added: number): void {
		if (added === 0) return;
		const values = this.#values.subarray(from, to);
		for (let place = 0; place < values.length; place++) values[place] = (values[place] ?? 0) + added;
	}

	#grow(needed: number): void {
		if (needed <= this.#values.length) return;
		const grown = new Uint32Array(Math.ceil(needed * 1.25) + 3);
		grown.set(this.#values.subarray(0, this.#length));
		this.#values = grown;
	}
}

/** The place, from one to before another, of the first value that is not less; the values ascend. */
export function firstAtLeast(values: Uint32Array, value: number, from = 0, to = values.length): number {
	let low = from;
	let high = to;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((values[middle] ?? 0) < value) low = middle + 1;
		else high = middle;
	}
	return low;
}
