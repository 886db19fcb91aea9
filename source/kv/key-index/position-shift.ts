import {firstAtLeast, type Uint32List} from './uint32-list.ts';

/** Positions from one to before another. */
export type PositionRange = {readonly from: number; readonly to: number};

/**
 * How positions in a sorted list moved: first those at `removed` (places before) went, then others came to stand
 * at `inserted` (places afterwards). Both ascend.
 */
export type PositionShift = {
	readonly removed: Uint32Array;
	readonly inserted: Uint32Array;
	/** For a shift of a part of the list only (`shiftWithin`): how many went, and came, before that part. */
	readonly removedBefore?: number;
	readonly insertedBefore?: number;
};

export const noPositions = new Uint32Array();

/** Positions, from one to before another, which moved by the same distance. */
type Stretch = {readonly from: number; readonly to: number; readonly distance: number};

/** All positions that did not go, in order. The last stretch has no end. */
export function* stretches(shift: PositionShift): Generator<Stretch, void, undefined> {
	const {removed, inserted} = shift;
	const distanceBefore = (shift.insertedBefore ?? 0) - (shift.removedBefore ?? 0);
	let from = 0;
	let gone = 0;
	let come = 0;
	for (;;) {
		const distance = distanceBefore + come - gone;
		const nextGone = removed[gone] ?? Number.POSITIVE_INFINITY;
		const nextCome = (inserted[come] ?? Number.POSITIVE_INFINITY) - distance;
		const to = Math.min(nextGone, nextCome);
		if (from < to) yield {from, to, distance};
		if (to === Number.POSITIVE_INFINITY) return;
		if (nextCome <= nextGone) {
			from = to;
			come++;
		} else {
			from = to + 1;
			gone++;
		}
	}
}

/** Makes a list of positions, which ascend, follow a shift; those that went are taken out. */
export function shiftPositions(positions: Uint32List, shift: PositionShift): void {
	let kept = 0;
	let end = 0;
	for (const {from, to, distance} of stretches(shift)) {
		const first = positions.firstAtLeast(from, end);
		end = positions.firstAtLeast(to, first);
		positions.move(kept, first, end, distance);
		kept += end - first;
	}
	positions.truncate(kept);
}

/** Follows positions through a shift. It is asked in ascending order, and then costs no more than the shift is long. */
export class ShiftCursor {
	readonly #removed: Uint32Array;
	readonly #inserted: Uint32Array;
	readonly #removedBefore: number;
	readonly #insertedBefore: number;
	#gone = 0;
	#come = 0;

	constructor(shift: PositionShift) {
		this.#removed = shift.removed;
		this.#inserted = shift.inserted;
		this.#removedBefore = shift.removedBefore ?? 0;
		this.#insertedBefore = shift.insertedBefore ?? 0;
	}

	/** How many of those before a position are left, not counting what was inserted. */
	survivorsBefore(position: number): number {
		while (this.#gone < this.#removed.length && (this.#removed[this.#gone] ?? 0) < position) this.#gone++;
		return position - this.#removedBefore - this.#gone;
	}

	/** Where the survivor of this number stands now. */
	place(survivor: number): number {
		const place = survivor + this.#insertedBefore;
		while (this.#come < this.#inserted.length && (this.#inserted[this.#come] ?? 0) <= place + this.#come)
			this.#come++;
		return place + this.#come;
	}

	/** Where what stood at a position stands now; `undefined` if it went. */
	moved(position: number): number | undefined {
		const survivor = this.survivorsBefore(position);
		return this.#removed[this.#gone] === position ? undefined : this.place(survivor);
	}
}

/** Where what stood at any position stands now, asked in any order; `undefined` if it went. */
export function positionMover({removed, inserted}: PositionShift): (position: number) => number | undefined {
	const come = inserted.map((place, number) => place - number);
	return position => {
		const gone = firstAtLeast(removed, position);
		if (removed[gone] === position) return undefined;
		const survivor = position - gone;
		return survivor + firstAtLeast(come, survivor + 1);
	};
}

/** What of a shift concerns a part of the list, which was the first range and is the second one now. */
export function shiftWithin(shift: PositionShift, before: PositionRange, now: PositionRange): PositionShift {
	const gone = firstAtLeast(shift.removed, before.from);
	const come = firstAtLeast(shift.inserted, now.from);
	return {
		removed: shift.removed.subarray(gone, firstAtLeast(shift.removed, before.to)),
		inserted: shift.inserted.subarray(come, firstAtLeast(shift.inserted, now.to)),
		removedBefore: (shift.removedBefore ?? 0) + gone,
		insertedBefore: (shift.insertedBefore ?? 0) + come,
	};
}

export function combined(first: PositionShift, second: PositionShift): PositionShift {
	const removed: number[] = [];
	const back = new ShiftCursor({removed: noPositions, inserted: first.removed});
	let came = 0;
	for (const position of second.removed) {
		while (came < first.inserted.length && (first.inserted[came] ?? 0) < position) came++;
		// What only the first shift brought in was never there before.
		if (first.inserted[came] !== position) removed.push(back.place(position - came));
	}
	const forward = new ShiftCursor(second);
	const inserted: number[] = [];
	for (const position of first.inserted) {
		const now = forward.moved(position);
		if (now !== undefined) inserted.push(now);
	}
	return {removed: merged(first.removed, removed), inserted: merged(second.inserted, inserted)};
}

/** The numbers of two ascending lists, ascending. */
function merged(one: ArrayLike<number>, other: ArrayLike<number>): Uint32Array {
	const all = new Uint32Array(one.length + other.length);
	let left = 0;
	let right = 0;
	for (let place = 0; place < all.length; place++) {
		const takeLeft = right >= other.length || (left < one.length && (one[left] ?? 0) <= (other[right] ?? 0));
		all[place] = (takeLeft ? one[left++] : other[right++]) ?? 0;
	}
	return all;
}
