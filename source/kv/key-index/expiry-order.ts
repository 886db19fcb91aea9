import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';
import {type PositionShift, positionMover} from './position-shift.ts';
import {mergeRuns, Run} from './runs.ts';

/** How many keys are worked on at once. */
export type SortSizes = {
	/** Keys that are sorted at once, which takes some ten milliseconds. */
	readonly gathered: number;
	/** A run up to this length takes in others by moving its own. */
	readonly moved: number;
	/** Keys merged between two looks at the clock. */
	readonly merged: number;
};

export const usualSizes: SortSizes = {gathered: 32_768, moved: 65_536, merged: 1024};

/** What is not merged yet is at most this part of what is, before it is merged. */
const mostBehind = 1 / 16;

/** Above all expiries as numbers of 32 bits. */
const aboveAll = 2 ** 32 - 1;

/**
 * Positions of keys that expire, the soonest first; equal ones by position. They are added in any number, and sorted
 * in runs that are merged step by step: the first run is what `at` and `placeOf` know, others are behind it until
 * `settle` has merged them. Runs are in the pages of the index, so that they may be too many for memory.
 */
export class ExpiryOrder {
	readonly #index: KeyIndex;
	readonly #sizes: SortSizes;
	/** The longest first. */
	#runs: [Run, ...Run[]];
	#merging: Generator<undefined, void> | undefined;
	#positions = new Uint32Array();
	#expiries = new Float64Array();
	#gathered = 0;
	/** Whether all expiries are as they are in the runs: what is equal there is equal. */
	#areWhole = true;

	constructor(index: KeyIndex, sizes: SortSizes) {
		this.#index = index;
		this.#sizes = sizes;
		this.#runs = [new Run(this.#index.pages)];
	}

	/** Of the keys that are merged. */
	get length(): number {
		return this.#runs[0].length;
	}

	get isSettled(): boolean {
		return this.#gathered === 0 && this.#runs.length === 1;
	}

	/** Whether no other key is to be added before `settle`. */
	get isFull(): boolean {
		return this.#gathered === this.#sizes.gathered;
	}

	at(place: number): number {
		return this.#runs[0].positions.at(place);
	}

	/** Positions may come in any order, each once. `expiry` in UNIX seconds. */
	add(position: number, expiry: number): void {
		if (this.#gathered === this.#positions.length) this.#makeRoom();
		this.#positions[this.#gathered] = position;
		this.#expiries[this.#gathered++] = expiry;
		this.#areWhole &&= roughly(expiry) === expiry;
	}

	/** How many of those that are merged come before a key. */
	placeOf(expiry: number, position: number): number {
		const [{positions, numbers}] = this.#runs;
		const rough = roughly(expiry);
		return bisect(0, positions.length, place => {
			const order =
				numbers.at(place) - rough ||
				this.#exactly(positions.at(place), expiry) ||
				positions.at(place) - position;
			return order < 0;
		});
	}

	/**
	 * Merges what was added, until the deadline (`performance.now()`). With `more` to come at once only what keeps the runs few,
	 * with `growing` only what is worth it, otherwise everything. Returns whether that is done.
	 */
	settle(deadline: number, to: 'more' | 'growing' | 'end'): boolean {
		for (;;) {
			if (this.#merging === undefined) {
				if (this.#gathered > 0 && to !== 'more' && this.#moveIn()) continue;
				if (this.isFull || (this.#gathered > 0 && this.#isWorthIt(to))) this.#seal();
				if (!this.#hasToMerge(to)) return true;
				this.#merging = this.#mergeLast();
			}
			if (this.#merging.next().done) this.#merging = undefined;
			if (performance.now() >= deadline) return false;
		}
	}

	/** Follows keys that came and went. Of those that came none is here, and those that are not merged are forgotten. */
	follow(shift: PositionShift): void {
		const [first] = this.#runs;
		const {positions, numbers} = first;
		const moved = positionMover(shift);
		let kept = 0;
		for (let place = 0; place < positions.length; place++) {
			const now = moved(positions.at(place));
			if (now === undefined) continue;
			positions.set(kept, now);
			if (kept < place) numbers.set(kept, numbers.at(place));
			kept++;
		}
		positions.truncate(kept);
		numbers.truncate(kept);
		this.#merging = undefined;
		this.#gathered = 0;
		for (const run of this.#runs.splice(1)) run.release();
	}

	#isWorthIt(to: 'more' | 'growing' | 'end'): boolean {
		if (to !== 'growing') return to === 'end';
		const behind = this.#runs.slice(1).reduce((sum, {length}) => sum + length, this.#gathered);
		return behind >= this.length * mostBehind;
	}

	#hasToMerge(to: 'more' | 'growing' | 'end'): boolean {
		const [last, before] = [this.#runs.at(-1), this.#runs.at(-2)];
		if (!last || !before) return false;
		return before.length < last.length * 2 || this.#isWorthIt(to);
	}

	/** Puts the gathered keys between those of a short run. Returns whether it is short. */
	#moveIn(): boolean {
		const [first] = this.#runs;
		if (this.#runs.length > 1 || first.length > this.#sizes.moved) return false;
		const {positions, expiries} = this.#sorted();
		const numbers = Uint32Array.from(expiries, roughly);
		const places = positions.map((position, key) => this.placeOf(expiries[key] ?? 0, position) + key);
		first.positions.insertAt(places, positions);
		first.numbers.insertAt(places, numbers);
		return true;
	}

	/** Makes a run of the gathered keys. */
	#seal(): void {
		const {positions, expiries} = this.#sorted();
		const isFirst = this.#runs.length === 1 && this.length === 0;
		const run = isFirst ? this.#runs[0] : new Run(this.#index.pages);
		run.positions.append(positions);
		run.numbers.append(Uint32Array.from(expiries, roughly));
		if (!isFirst) this.#runs.push(run);
	}

	/** The gathered keys by expiry, which are gathered no longer. */
	#sorted(): {positions: Uint32Array; expiries: Float64Array} {
		const positions = this.#positions.subarray(0, this.#gathered);
		const expiries = this.#expiries.subarray(0, this.#gathered);
		this.#gathered = 0;
		const order = orderOf(expiries, positions);
		return {
			positions: order.map(at => positions[at] ?? 0),
			expiries: Float64Array.from(order, at => expiries[at] ?? 0),
		};
	}

	*#mergeLast(): Generator<undefined, void> {
		const [one, other] = [this.#runs.at(-2), this.#runs.at(-1)];
		if (!one || !other) return;
		const merged = new Run(this.#index.pages);
		yield* mergeRuns([one, other, merged], this.#sizes.merged, this.#tieBreak);
		this.#runs.pop();
		this.#runs[this.#runs.length - 1] = merged;
		one.release();
		other.release();
	}

	#tieBreak = (position: number, other: number): number =>
		(this.#areWhole ? 0 : this.#exactly(position, this.#index.expirationAt(other) ?? 0)) || position - other;

	/** How the expiry of a key stands to another of the same number of 32 bits. */
	#exactly(position: number, expiry: number): number {
		if (this.#areWhole) return 0;
		return (this.#index.expirationAt(position) ?? 0) - expiry;
	}

	#makeRoom(): void {
		const length = Math.min(this.#sizes.gathered, Math.max(1024, this.#positions.length * 2));
		const [positions, expiries] = [new Uint32Array(length), new Float64Array(length)];
		positions.set(this.#positions);
		expiries.set(this.#expiries);
		[this.#positions, this.#expiries] = [positions, expiries];
	}
}

/** An expiry as a whole number of 32 bits, in the same order: others may have the same one. */
const roughly = (expiry: number): number => Math.max(0, Math.min(aboveAll - 1, Math.floor(expiry)));

/** The places of keys by expiry, equal ones by position. */
function orderOf(expiries: Float64Array, positions: Uint32Array): Uint32Array {
	const {length} = expiries;
	let least = Number.POSITIVE_INFINITY;
	let most = Number.NEGATIVE_INFINITY;
	let canPack = true;
	for (let at = 0; at < length; at++) {
		const expiry = expiries[at] ?? 0;
		if (expiry < least) least = expiry;
		if (expiry > most) most = expiry;
		canPack &&= Number.isSafeInteger(expiry) && (at === 0 || (positions[at - 1] ?? 0) < (positions[at] ?? 0));
	}
	if (!canPack || (most - least + 1) * length > Number.MAX_SAFE_INTEGER)
		return Uint32Array.from({length}, (_, at) => at).sort(
			(one, other) =>
				(expiries[one] ?? 0) - (expiries[other] ?? 0) || (positions[one] ?? 0) - (positions[other] ?? 0),
		);
	// Expiry and place as one number are sorted without a comparison in JavaScript: that takes a tenth of the time.
	const packed = expiries.map((expiry, at) => (expiry - least) * length + at);
	const order = new Uint32Array(length);
	for (const [at, one] of packed.sort().entries()) order[at] = one % length;
	return order;
}
