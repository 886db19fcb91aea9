import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	createPositionMover,
	findFirstMovedPosition,
	noPositions,
	type PositionShift,
	shiftPositions,
} from '../../../source/kv/key-index/position-shift.ts';
import {Uint32List} from '../../../source/kv/key-index/uint32-list.ts';
import {runs} from '../../support/full.ts';

/** Removals from a list of so many, or insertions into it. */
const anyStep = fc.record({
	removes: fc.boolean(),
	picks: fc.uniqueArray(fc.nat(11), {maxLength: 5}).map(picks => picks.sort((one, other) => one - other)),
});

/** The shift of a step on a list of numbered things, and the list afterwards. */
function stepped(
	list: number[],
	step: {removes: boolean; picks: number[]},
	fresh: () => number,
): [PositionShift, number[]] {
	if (step.removes) {
		const removed = step.picks.filter(pick => pick < list.length);
		const left = list.filter((_, position) => !removed.includes(position));
		return [{removed: Uint32Array.from(removed), inserted: noPositions}, left];
	}
	const longer = [...list];
	const inserted = step.picks.filter((pick, number) => pick <= list.length + number);
	for (const position of inserted) longer.splice(position, 0, fresh());
	return [{removed: noPositions, inserted: Uint32Array.from(inserted)}, longer];
}

test('consecutive shifts give the new place of each position', () => {
	fc.assert(
		fc.property(fc.nat(10), fc.array(anyStep, {maxLength: 6}), (length, steps) => {
			let next = length;
			let list = Array.from({length}, (_, number) => number);
			const followed = new Uint32List();
			for (const number of list) followed.push(number);
			const shifts: PositionShift[] = [];
			for (const step of steps) {
				const [shift, after] = stepped(list, step, () => next++);
				const moved = createPositionMover(shift);
				for (const [place, number] of list.entries()) {
					const now = after.indexOf(number);
					expect(moved(place)).toBe(now === -1 ? undefined : now);
				}
				shiftPositions(followed, shift);
				shifts.push(shift);
				list = after;
			}
			const left = Array.from({length: followed.length}, (_, place) => list[followed.at(place)]);
			expect(left).toEqual(list.filter(number => number < length));
			const unmoved = Math.min(findFirstMovedPosition(shifts), list.length, length);
			expect(list.slice(0, unmoved)).toEqual(Array.from({length: unmoved}, (_, number) => number));
		}),
		{numRuns: runs(500)},
	);
});
