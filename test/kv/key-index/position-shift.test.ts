import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	combined,
	noPositions,
	type PositionShift,
	ShiftCursor,
} from '../../../source/kv/key-index/position-shift.ts';
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

test('several shifts in one tell where each position went', () => {
	fc.assert(
		fc.property(fc.nat(10), fc.array(anyStep, {maxLength: 6}), (length, steps) => {
			let next = length;
			const before = Array.from({length}, (_, number) => number);
			let after = before;
			let shift: PositionShift = {removed: noPositions, inserted: noPositions};
			for (const step of steps) {
				const [taken, list] = stepped(after, step, () => next++);
				shift = combined(shift, taken);
				after = list;
			}
			const cursor = new ShiftCursor(shift);
			for (const number of before) {
				const place = after.indexOf(number);
				expect(cursor.moved(number)).toBe(place === -1 ? undefined : place);
			}
			expect([...shift.inserted]).toEqual(
				after.flatMap((number, place) => (number >= length ? [place] : [])),
			);
		}),
		{numRuns: runs(500)},
	);
});
