import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';
import {createPositionMover, type PositionShift} from './position-shift.ts';
import {mergeRuns, Run} from './runs.ts';

/** Batch sizes of sorting. */
export type SortSizes = {
	/** Number of keys sorted at once, which takes about ten milliseconds. */
	readonly maxGathered: number;
	/** Maximum length of a run into which new keys are inserted directly; keys of a longer run are merged. */
	readonly maxInsertionLength: number;
	/** Number of keys merged between two checks of the deadline. */
	readonly mergeStep: number;
};

export const defaultSortSizes: SortSizes = {maxGathered: 32_768, maxInsertionLength: 65_536, mergeStep: 1024};

/**
 * How far `settle` merges:
 * - `make room`: only enough to keep the runs few, so that more keys can be added.
 * - `merge if many`: everything, if enough keys are unmerged.
 * - `merge all`: everything.
 */
type SettleGoal = 'make room' | 'merge if many' | 'merge all';

/** Unmerged keys stay below this share of the merged ones. */
const maxUnmergedShare = 1 / 16;

/** Exclusive upper limit of rounded values, which are 32-bit numbers. */
const valueLimit = 2 ** 32 - 1;

/** Returns the number that a key is sorted by, such as its expiry in UNIX seconds; undefined if it has none. */
export type GetSortValue = (position: number) => number | undefined;

/**
 * Positions of keys that have a value, such as an expiry, smallest first, ties by position. Added keys are sorted in runs, which are
 * merged step by step: `getPosition` and `findRank` cover only the first run; the others wait for `settle`.
 * Runs live in the pages of the index, so they may exceed memory.
 */
export class ValueOrder {
	readonly #pages: KeyIndex['pages'];
	readonly #getValue: GetSortValue;
	readonly #sizes: SortSizes;
	/** The runs, longest first. */
	#runs: [Run, ...Run[]];
	#mergeSteps: Generator<undefined, void> | undefined;
	/** Added keys that are not in a run yet: the first `#gatheredCount` entries. */
	#gatheredPositions = new Uint32Array();
	#gatheredValues = new Float64Array();
	#gatheredCount = 0;
	/** True if rounding changed no value so far, so that equal rounded values mean equal values. */
	#hasOnlyExactValues = true;

	constructor(pages: KeyIndex['pages'], getValue: GetSortValue, sizes: SortSizes) {
		this.#pages = pages;
		this.#getValue = getValue;
		this.#sizes = sizes;
		this.#runs = [new Run(pages)];
	}

	/** Number of merged keys. */
	get length(): number {
		return this.#runs[0].length;
	}

	get isSettled(): boolean {
		return this.#gatheredCount === 0 && this.#runs.length === 1;
	}

	/** True if no key may be added before `settle`. */
	get isFull(): boolean {
		return this.#gatheredCount === this.#sizes.maxGathered;
	}

	getPosition(rank: number): number {
		return this.#runs[0].positions.at(rank);
	}

	/** Adds a key; positions come in any order, each once. */
	add(position: number, value: number): void {
		if (this.#gatheredCount === this.#gatheredPositions.length) this.#growBuffer();
		this.#gatheredPositions[this.#gatheredCount] = position;
		this.#gatheredValues[this.#gatheredCount++] = value;
		this.#hasOnlyExactValues &&= toUint32(value) === value;
	}

	/** Returns how many merged keys come before a key. */
	findRank(value: number, position: number): number {
		const [{positions, roundedValues}] = this.#runs;
		const roundedValue = toUint32(value);
		return bisect(0, positions.length, rank => {
			const order =
				roundedValues.at(rank) - roundedValue ||
				this.#compareExact(positions.at(rank), value) ||
				positions.at(rank) - position;
			return order < 0;
		});
	}

	/**
	 * Merges added keys until the deadline (`performance.now()`). Returns true when the goal is reached.
	 */
	settle(deadline: number, goal: SettleGoal): boolean {
		for (;;) {
			if (this.#mergeSteps === undefined) {
				if (this.#gatheredCount > 0 && goal !== 'make room' && this.#insertGathered()) continue;
				if (this.isFull || (this.#gatheredCount > 0 && this.#shouldMerge(goal))) this.#startRun();
				if (!this.#mustMerge(goal)) return true;
				this.#mergeSteps = this.#mergeLast();
			}
			if (this.#mergeSteps.next().done) this.#mergeSteps = undefined;
			if (performance.now() >= deadline) return false;
		}
	}

	/**
	 * Applies a shift of positions to the merged keys, so that this order can be shown until a new one is
	 * complete: inserted keys are not added, and unmerged keys are dropped.
	 */
	applyShift(shift: PositionShift): void {
		const [firstRun] = this.#runs;
		const {positions, roundedValues} = firstRun;
		const mapPosition = createPositionMover(shift);
		let keptCount = 0;
		for (let rank = 0; rank < positions.length; rank++) {
			const newPosition = mapPosition(positions.at(rank));
			if (newPosition === undefined) continue;
			positions.set(keptCount, newPosition);
			if (keptCount < rank) roundedValues.set(keptCount, roundedValues.at(rank));
			keptCount++;
		}
		positions.truncate(keptCount);
		roundedValues.truncate(keptCount);
		this.#mergeSteps = undefined;
		this.#gatheredCount = 0;
		for (const run of this.#runs.splice(1)) run.release();
	}

	#shouldMerge(goal: SettleGoal): boolean {
		if (goal !== 'merge if many') return goal === 'merge all';
		const unmergedCount = this.#runs.slice(1).reduce((sum, {length}) => sum + length, this.#gatheredCount);
		return unmergedCount >= this.length * maxUnmergedShare;
	}

	#mustMerge(goal: SettleGoal): boolean {
		const [lastRun, previousRun] = [this.#runs.at(-1), this.#runs.at(-2)];
		if (!lastRun || !previousRun) return false;
		return previousRun.length < lastRun.length * 2 || this.#shouldMerge(goal);
	}

	/** Inserts the gathered keys into a short single run. Returns false if the run is too long. */
	#insertGathered(): boolean {
		const [firstRun] = this.#runs;
		if (this.#runs.length > 1 || firstRun.length > this.#sizes.maxInsertionLength) return false;
		const {positions, values} = this.#takeSorted();
		const roundedValues = Uint32Array.from(values, toUint32);
		const ranks = positions.map((position, index) => this.findRank(values[index] ?? 0, position) + index);
		firstRun.positions.insert(ranks, positions);
		firstRun.roundedValues.insert(ranks, roundedValues);
		return true;
	}

	/** Turns the gathered keys into a run. */
	#startRun(): void {
		const {positions, values} = this.#takeSorted();
		const isFirst = this.#runs.length === 1 && this.length === 0;
		const run = isFirst ? this.#runs[0] : new Run(this.#pages);
		run.positions.append(positions);
		run.roundedValues.append(Uint32Array.from(values, toUint32));
		if (!isFirst) this.#runs.push(run);
	}

	/** Takes the gathered keys, sorted by value. */
	#takeSorted(): {positions: Uint32Array; values: Float64Array} {
		const positions = this.#gatheredPositions.subarray(0, this.#gatheredCount);
		const values = this.#gatheredValues.subarray(0, this.#gatheredCount);
		this.#gatheredCount = 0;
		const order = sortByValue(values, positions);
		return {
			positions: order.map(index => positions[index] ?? 0),
			values: Float64Array.from(order, index => values[index] ?? 0),
		};
	}

	*#mergeLast(): Generator<undefined, void> {
		const [leftRun, rightRun] = [this.#runs.at(-2), this.#runs.at(-1)];
		if (!leftRun || !rightRun) return;
		const merged = new Run(this.#pages);
		yield* mergeRuns([leftRun, rightRun, merged], this.#sizes.mergeStep, this.#breakTie);
		this.#runs.pop();
		this.#runs[this.#runs.length - 1] = merged;
		leftRun.release();
		rightRun.release();
	}

	#breakTie = (position: number, otherPosition: number): number =>
		(this.#hasOnlyExactValues ? 0 : this.#compareExact(position, this.#getValue(otherPosition) ?? 0)) ||
		position - otherPosition;

	/** Compares exact values of keys whose rounded values are equal. */
	#compareExact(position: number, value: number): number {
		if (this.#hasOnlyExactValues) return 0;
		return (this.#getValue(position) ?? 0) - value;
	}

	#growBuffer(): void {
		const length = Math.min(this.#sizes.maxGathered, Math.max(1024, this.#gatheredPositions.length * 2));
		const [positions, values] = [new Uint32Array(length), new Float64Array(length)];
		positions.set(this.#gatheredPositions);
		values.set(this.#gatheredValues);
		[this.#gatheredPositions, this.#gatheredValues] = [positions, values];
	}
}

/** Rounds a value to a 32-bit integer, preserving order; different values may become equal. */
const toUint32 = (value: number): number => Math.max(0, Math.min(valueLimit - 1, Math.floor(value)));

/** Sorts indexes of keys by value, ties by position. */
function sortByValue(values: Float64Array, positions: Uint32Array): Uint32Array {
	const {length} = values;
	let minValue = Number.POSITIVE_INFINITY;
	let maxValue = Number.NEGATIVE_INFINITY;
	let canPack = true;
	for (let index = 0; index < length; index++) {
		const value = values[index] ?? 0;
		if (value < minValue) minValue = value;
		if (value > maxValue) maxValue = value;
		canPack &&=
			Number.isSafeInteger(value) && (index === 0 || (positions[index - 1] ?? 0) < (positions[index] ?? 0));
	}
	if (!canPack || (maxValue - minValue + 1) * length > Number.MAX_SAFE_INTEGER)
		return Uint32Array.from({length}, (_, index) => index).sort(
			(one, other) =>
				(values[one] ?? 0) - (values[other] ?? 0) || (positions[one] ?? 0) - (positions[other] ?? 0),
		);
	// Value and index packed into one number sort natively, without a comparator, in a tenth of the time.
	const packedKeys = values.map((value, index) => (value - minValue) * length + index);
	const order = new Uint32Array(length);
	for (const [index, packedKey] of packedKeys.sort().entries()) order[index] = packedKey % length;
	return order;
}
