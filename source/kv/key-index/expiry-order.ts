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

/** Exclusive upper limit of rounded expiries, which are 32-bit numbers. */
const expiryLimit = 2 ** 32 - 1;

/**
 * Positions of keys that expire, soonest first, ties by position. Added keys are sorted in runs, which are
 * merged step by step: `getPosition` and `findRank` cover only the first run; the others wait for `settle`.
 * Runs live in the pages of the index, so they may exceed memory.
 */
export class ExpiryOrder {
	readonly #index: KeyIndex;
	readonly #sizes: SortSizes;
	/** The runs, longest first. */
	#runs: [Run, ...Run[]];
	#mergeSteps: Generator<undefined, void> | undefined;
	/** Added keys that are not in a run yet: the first `#gatheredCount` entries. */
	#gatheredPositions = new Uint32Array();
	#gatheredExpiries = new Float64Array();
	#gatheredCount = 0;
	/** True if rounding changed no expiry so far, so that equal rounded expiries mean equal expiries. */
	#hasOnlyExactExpiries = true;

	constructor(index: KeyIndex, sizes: SortSizes) {
		this.#index = index;
		this.#sizes = sizes;
		this.#runs = [new Run(this.#index.pages)];
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

	/** Adds a key; positions come in any order, each once. `expiry` in UNIX seconds. */
	add(position: number, expiry: number): void {
		if (this.#gatheredCount === this.#gatheredPositions.length) this.#growBuffer();
		this.#gatheredPositions[this.#gatheredCount] = position;
		this.#gatheredExpiries[this.#gatheredCount++] = expiry;
		this.#hasOnlyExactExpiries &&= toUint32Expiry(expiry) === expiry;
	}

	/** Returns how many merged keys come before a key. */
	findRank(expiry: number, position: number): number {
		const [{positions, roundedExpiries}] = this.#runs;
		const roundedExpiry = toUint32Expiry(expiry);
		return bisect(0, positions.length, rank => {
			const order =
				roundedExpiries.at(rank) - roundedExpiry ||
				this.#compareExact(positions.at(rank), expiry) ||
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
		const {positions, roundedExpiries} = firstRun;
		const mapPosition = createPositionMover(shift);
		let keptCount = 0;
		for (let rank = 0; rank < positions.length; rank++) {
			const newPosition = mapPosition(positions.at(rank));
			if (newPosition === undefined) continue;
			positions.set(keptCount, newPosition);
			if (keptCount < rank) roundedExpiries.set(keptCount, roundedExpiries.at(rank));
			keptCount++;
		}
		positions.truncate(keptCount);
		roundedExpiries.truncate(keptCount);
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
		const {positions, expiries} = this.#takeSorted();
		const roundedExpiries = Uint32Array.from(expiries, toUint32Expiry);
		const ranks = positions.map((position, index) => this.findRank(expiries[index] ?? 0, position) + index);
		firstRun.positions.insert(ranks, positions);
		firstRun.roundedExpiries.insert(ranks, roundedExpiries);
		return true;
	}

	/** Turns the gathered keys into a run. */
	#startRun(): void {
		const {positions, expiries} = this.#takeSorted();
		const isFirst = this.#runs.length === 1 && this.length === 0;
		const run = isFirst ? this.#runs[0] : new Run(this.#index.pages);
		run.positions.append(positions);
		run.roundedExpiries.append(Uint32Array.from(expiries, toUint32Expiry));
		if (!isFirst) this.#runs.push(run);
	}

	/** Takes the gathered keys, sorted by expiry. */
	#takeSorted(): {positions: Uint32Array; expiries: Float64Array} {
		const positions = this.#gatheredPositions.subarray(0, this.#gatheredCount);
		const expiries = this.#gatheredExpiries.subarray(0, this.#gatheredCount);
		this.#gatheredCount = 0;
		const order = sortByExpiry(expiries, positions);
		return {
			positions: order.map(index => positions[index] ?? 0),
			expiries: Float64Array.from(order, index => expiries[index] ?? 0),
		};
	}

	*#mergeLast(): Generator<undefined, void> {
		const [leftRun, rightRun] = [this.#runs.at(-2), this.#runs.at(-1)];
		if (!leftRun || !rightRun) return;
		const merged = new Run(this.#index.pages);
		yield* mergeRuns([leftRun, rightRun, merged], this.#sizes.mergeStep, this.#breakTie);
		this.#runs.pop();
		this.#runs[this.#runs.length - 1] = merged;
		leftRun.release();
		rightRun.release();
	}

	#breakTie = (position: number, otherPosition: number): number =>
		(this.#hasOnlyExactExpiries
			? 0
			: this.#compareExact(position, this.#index.getExpiration(otherPosition) ?? 0)) ||
		position - otherPosition;

	/** Compares exact expiries of keys whose rounded expiries are equal. */
	#compareExact(position: number, expiry: number): number {
		if (this.#hasOnlyExactExpiries) return 0;
		return (this.#index.getExpiration(position) ?? 0) - expiry;
	}

	#growBuffer(): void {
		const length = Math.min(this.#sizes.maxGathered, Math.max(1024, this.#gatheredPositions.length * 2));
		const [positions, expiries] = [new Uint32Array(length), new Float64Array(length)];
		positions.set(this.#gatheredPositions);
		expiries.set(this.#gatheredExpiries);
		[this.#gatheredPositions, this.#gatheredExpiries] = [positions, expiries];
	}
}

/** Rounds an expiry to a 32-bit integer, preserving order; different expiries may become equal. */
const toUint32Expiry = (expiry: number): number => Math.max(0, Math.min(expiryLimit - 1, Math.floor(expiry)));

/** Sorts indexes of keys by expiry, ties by position. */
function sortByExpiry(expiries: Float64Array, positions: Uint32Array): Uint32Array {
	const {length} = expiries;
	let minExpiry = Number.POSITIVE_INFINITY;
	let maxExpiry = Number.NEGATIVE_INFINITY;
	let canPack = true;
	for (let index = 0; index < length; index++) {
		const expiry = expiries[index] ?? 0;
		if (expiry < minExpiry) minExpiry = expiry;
		if (expiry > maxExpiry) maxExpiry = expiry;
		canPack &&=
			Number.isSafeInteger(expiry) && (index === 0 || (positions[index - 1] ?? 0) < (positions[index] ?? 0));
	}
	if (!canPack || (maxExpiry - minExpiry + 1) * length > Number.MAX_SAFE_INTEGER)
		return Uint32Array.from({length}, (_, index) => index).sort(
			(one, other) =>
				(expiries[one] ?? 0) - (expiries[other] ?? 0) || (positions[one] ?? 0) - (positions[other] ?? 0),
		);
	// Expiry and index packed into one number sort natively, without a comparator, in a tenth of the time.
	const packedKeys = expiries.map((expiry, index) => (expiry - minExpiry) * length + index);
	const order = new Uint32Array(length);
	for (const [index, packedKey] of packedKeys.sort().entries()) order[index] = packedKey % length;
	return order;
}
