import {findFirstAtLeast, type Uint32List} from './uint32-list.ts';

/** Positions from `from` to before `to`. */
export type PositionRange = {readonly from: number; readonly to: number};

/**
 * A change of positions in a sorted list. First the entries at `removed` (old positions) disappear, then new
 * ones appear at `inserted` (new positions). Both lists ascend.
 */
export type PositionShift = {
	readonly removed: Uint32Array;
	readonly inserted: Uint32Array;
};

export const noPositions = new Uint32Array();

/** Positions that move by the same distance. */
type Stretch = {readonly from: number; readonly to: number; readonly distance: number};

/** Lists the stretches of remaining positions in order. The last stretch is unbounded. */
function* listStretches({removed, inserted}: PositionShift): Generator<Stretch, void, undefined> {
	let from = 0;
	let removedCount = 0;
	let insertedCount = 0;
	for (;;) {
		const distance = insertedCount - removedCount;
		const nextRemoved = removed[removedCount] ?? Number.POSITIVE_INFINITY;
		const nextInserted = (inserted[insertedCount] ?? Number.POSITIVE_INFINITY) - distance;
		const to = Math.min(nextRemoved, nextInserted);
		if (from < to) yield {from, to, distance};
		if (to === Number.POSITIVE_INFINITY) return;
		if (nextInserted <= nextRemoved) {
			from = to;
			insertedCount++;
		} else {
			from = to + 1;
			removedCount++;
		}
	}
}

/** Applies a shift to an ascending list of positions; removed ones are dropped. */
export function shiftPositions(positions: Uint32List, shift: PositionShift): void {
	let keptCount = 0;
	let end = 0;
	for (const {from, to, distance} of listStretches(shift)) {
		const first = positions.findFirstAtLeast(from, end);
		end = positions.findFirstAtLeast(to, first);
		positions.move(keptCount, first, end, distance);
		keptCount += end - first;
	}
	positions.truncate(keptCount);
}

/**
 * Creates a function that maps an old position to the new one, in any order of calls; undefined if it was
 * removed.
 */
export function createPositionMover({
	removed,
	inserted,
}: PositionShift): (position: number) => number | undefined {
	const inserts = inserted.map((position, index) => position - index);
	return position => {
		const removedBefore = findFirstAtLeast(removed, position);
		if (removed[removedBefore] === position) return undefined;
		const survivor = position - removedBefore;
		return survivor + findFirstAtLeast(inserts, survivor + 1);
	};
}

/** Returns the first position that consecutive shifts affect: nothing before it moved. */
export const findFirstMovedPosition = (shifts: readonly PositionShift[]): number =>
	Math.min(
		...shifts.flatMap(({removed, inserted}) => [
			removed[0] ?? Number.POSITIVE_INFINITY,
			inserted[0] ?? Number.POSITIVE_INFINITY,
		]),
	);
