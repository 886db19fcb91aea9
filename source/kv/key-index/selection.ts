import type {Pages} from './pages.ts';
import {type PositionShift, shiftPositions} from './position-shift.ts';
import {Uint32List} from './uint32-list.ts';

/** Selected positions, sorted, so that a range is counted with two searches. */
export class Selection {
	readonly positions: Uint32List;

	constructor(pages: Pages) {
		this.positions = new Uint32List(pages);
	}

	has(position: number): boolean {
		return this.countBetween(position, position + 1) === 1;
	}

	countBetween(from: number, to: number): number {
		return this.positions.findFirstAtLeast(to) - this.positions.findFirstAtLeast(from);
	}

	set(from: number, to: number, isSelected: boolean): void {
		const first = this.positions.findFirstAtLeast(from);
		const coveredCount = this.positions.findFirstAtLeast(to) - first;
		this.positions.replaceByRange(first, coveredCount, from, isSelected ? to : from);
	}

	clear(): void {
		this.positions.truncate(0);
	}

	/** Applies a shift; removed keys are no longer selected. */
	applyShift(shift: PositionShift): void {
		shiftPositions(this.positions, shift);
	}
}
