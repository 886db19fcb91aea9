import type {FilteredRows} from './filtered-rows.ts';
import type {KeyIndex} from './key-index.ts';
import type {PositionRange} from './position-shift.ts';
import {closestRow, type FlatRows, type KeyRow, type KeyRows, plainRow} from './rows.ts';
import {Uint32List} from './uint32-list.ts';

/**
 * The keys of a plain list by their expiry, the soonest first, and those that never expire at the end; keys that expire
 * in the same second stay in the order of their names. What the listing brings is merged in. When keys are put or
 * removed in between, all are sorted again: a million keys take about a third of a second.
 */
export class SortedRows implements KeyRows {
	readonly arrangement = 'sorted';
	readonly #index: KeyIndex;
	readonly #source: FlatRows | FilteredRows;
	#order: Uint32List;
	/** The rough expiries of those in the order: what is compared first is not looked up in the index. */
	#expiries: Uint32List;
	/** Rows of the source that are in the order. */
	#taken = 0;
	#revision = 0;
	#changes = 0;

	constructor(index: KeyIndex, source: FlatRows | FilteredRows) {
		this.#index = index;
		this.#order = new Uint32List(index.pages);
		this.#expiries = new Uint32List(index.pages);
		this.#source = source;
	}

	get count(): number {
		this.#follow();
		return this.#order.length;
	}

	get isDone(): boolean {
		return this.#source.isDone;
	}

	at(row: number): KeyRow | undefined {
		return row >= 0 && row < this.count ? plainRow(this.#index, this.#order.at(row)) : undefined;
	}

	advance(budgetMilliseconds?: number): boolean {
		const isDone = this.#source.advance(budgetMilliseconds);
		this.#follow();
		return isDone;
	}

	/** The row of a key; a key that a filter hides has the row that its expiry would have. */
	rowOf(position: number): number {
		this.#follow();
		if (position >= this.#index.count) return closestRow(this.#order.length, this.#order.length);
		return closestRow(this.#placeOf(this.#expiryOf(position), position), this.#order.length);
	}

	positionsOf(row: number): PositionRange {
		if (row < 0 || row >= this.count) return {from: 0, to: 0};
		const position = this.#order.at(row);
		return {from: position, to: position + 1};
	}

	#follow(): void {
		const {revision, changes} = this.#index;
		const {count} = this.#source;
		if (this.#revision !== revision || this.#changes !== changes || count < this.#taken) {
			this.#order = new Uint32List(this.#index.pages);
			this.#expiries = new Uint32List(this.#index.pages);
			this.#taken = 0;
			this.#revision = revision;
			this.#changes = changes;
		}
		if (this.#taken === count) return;
		const added = this.#sorted(this.#taken, count);
		this.#taken = count;
		this.#merge(added);
	}

	/** The positions in some rows of the source, by expiry, and their expiries. */
	#sorted(from: number, to: number): {positions: Uint32Array; expiries: Float64Array} {
		const positions = new Uint32Array(to - from);
		const expiries = new Float64Array(to - from);
		for (let at = 0; at < positions.length; at++) {
			positions[at] = this.#source.positionAt(from + at);
			expiries[at] = this.#expiryOf(positions[at] ?? 0);
		}
		const order = orderOf(expiries);
		return {
			positions: order.map(at => positions[at] ?? 0),
			expiries: Float64Array.from(order, at => expiries[at] ?? 0),
		};
	}

	#merge({positions, expiries}: {positions: Uint32Array; expiries: Float64Array}): void {
		if (this.#order.length === 0) {
			for (const position of positions) this.#order.push(position);
			for (const expiry of expiries) this.#expiries.push(roughly(expiry));
			return;
		}
		const places = positions.map(
			(position, number) => this.#placeOf(expiries[number] ?? 0, position) + number,
		);
		this.#order.insertAt(places, positions);
		this.#expiries.insertAt(places, Uint32Array.from(expiries, roughly));
	}

	/** How many of those in the order come before a key. */
	#placeOf(expiry: number, position: number): number {
		const rough = roughly(expiry);
		let low = 0;
		let high = this.#order.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.#isBefore(middle, rough, expiry, position)) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Whether what is at a place of the order comes before a key. */
	#isBefore(place: number, rough: number, expiry: number, position: number): boolean {
		const otherRough = this.#expiries.at(place);
		if (otherRough !== rough) return otherRough < rough;
		const other = this.#order.at(place);
		const otherExpiry = rough === never ? expiry : this.#expiryOf(other);
		return otherExpiry === expiry ? other < position : otherExpiry < expiry;
	}

	/** UNIX seconds; without end for what never expires. */
	#expiryOf(position: number): number {
		return this.#index.expirationAt(position) ?? Number.POSITIVE_INFINITY;
	}
}

const never = 2 ** 32 - 1;

/** An expiry as a whole number of 32 bits, in the same order: others may have the same one. */
const roughly = (expiry: number): number =>
	expiry === Number.POSITIVE_INFINITY ? never : Math.max(0, Math.min(never - 1, Math.floor(expiry)));

/** The places of values from the least to the greatest, equal ones as they are. */
function orderOf(values: Float64Array): Uint32Array {
	const {length} = values;
	let least = Number.POSITIVE_INFINITY;
	let most = Number.NEGATIVE_INFINITY;
	let areWhole = true;
	for (const value of values) {
		if (value === Number.POSITIVE_INFINITY) continue;
		if (value < least) least = value;
		if (value > most) most = value;
		areWhole &&= Number.isSafeInteger(value);
	}
	if (least > most) return Uint32Array.from({length}, (_, at) => at);
	const span = most - least + 2;
	if (!areWhole || span * length > Number.MAX_SAFE_INTEGER)
		return Uint32Array.from({length}, (_, at) => at).sort(
			(one, other) => (values[one] ?? 0) - (values[other] ?? 0) || one - other,
		);
	// Value and place as one number are sorted without a comparison in JavaScript: that takes a tenth of the time.
	const packed = values.map(
		(value, at) => (value === Number.POSITIVE_INFINITY ? span - 1 : value - least) * length + at,
	);
	return Uint32Array.from(packed.sort(), one => one % length);
}
