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
import {getRunCount} from '../../support/full.ts';

/** Removals from a list, or insertions into it, at ascending positions. */
const anyStep = fc.record({
	removes: fc.boolean(),
	picks: fc.uniqueArray(fc.nat(11), {maxLength: 5}).map(picks => picks.sort((one, other) => one - other)),
});

/** Applies a step to a list of distinct numbers. Returns its shift, and the list afterwards. */
function applyStep(
	list: number[],
	step: {removes: boolean; picks: number[]},
	createNumber: () => number,
): [PositionShift, number[]] {
	if (step.removes) {
		const removed = step.picks.filter(pick => pick < list.length);
		const remaining = list.filter((_, position) => !removed.includes(position));
		return [{removed: Uint32Array.from(removed), inserted: noPositions}, remaining];
	}
	const longer = [...list];
	const inserted = step.picks.filter((pick, number) => pick <= list.length + number);
	for (const position of inserted) longer.splice(position, 0, createNumber());
	return [{removed: noPositions, inserted: Uint32Array.from(inserted)}, longer];
}

test('consecutive shifts give the new position of each element', () => {
	fc.assert(
		fc.property(fc.nat(10), fc.array(anyStep, {maxLength: 6}), (length, steps) => {
			let nextNumber = length;
			let list = Array.from({length}, (_, number) => number);
			const followedPositions = new Uint32List();
			for (const number of list) followedPositions.push(number);
			const shifts: PositionShift[] = [];
			for (const step of steps) {
				const [shift, after] = applyStep(list, step, () => nextNumber++);
				const movePosition = createPositionMover(shift);
				for (const [position, number] of list.entries()) {
					const newPosition = after.indexOf(number);
					expect(movePosition(position)).toBe(newPosition === -1 ? undefined : newPosition);
				}
				shiftPositions(followedPositions, shift);
				shifts.push(shift);
				list = after;
			}
			const followedNumbers = Array.from(
				{length: followedPositions.length},
				(_, index) => list[followedPositions.at(index)],
			);
			expect(followedNumbers).toEqual(list.filter(number => number < length));
			const unmovedCount = Math.min(findFirstMovedPosition(shifts), list.length, length);
			expect(list.slice(0, unmovedCount)).toEqual(Array.from({length: unmovedCount}, (_, number) => number));
		}),
		{numRuns: getRunCount(500)},
	);
});
