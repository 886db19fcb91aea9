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
};

export const noPositions = new Uint32Array();

/** Positions, from one to before another, which moved by the same distance. */
type Stretch = {readonly from: number; readonly to: number; readonly distance: number};

/** All positions that did not go, in order. The last stretch has no end. */
function* stretches({removed, inserted}: PositionShift): Generator<Stretch, void, undefined> {
	let from = 0;
	let gone = 0;
	let come = 0;
	for (;;) {
		const distance = come - gone;
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

/** The first position about which shifts were, taken one after the other: nothing before it moved. */
export const firstMoved = (shifts: readonly PositionShift[]): number =>
	Math.min(
		...shifts.flatMap(({removed, inserted}) => [
			removed[0] ?? Number.POSITIVE_INFINITY,
			inserted[0] ?? Number.POSITIVE_INFINITY,
		]),
	);
