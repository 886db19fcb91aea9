import {bisect} from './bisect.ts';
import type {NumberedLines} from './lines.ts';
import {type Steps, YieldBudget} from './steps.ts';

/** Maximum number of edits in the search for the shortest edit script. */
const maxEdits = 500;
/** Maximum steps of one matching; lines not matched by then count as replaced. */
const maxSteps = 30_000_000;
/** Comparisons between two yields; each takes some nanoseconds. */
const comparisonsPerStep = 50_000;

/** Lines [from, to) of both texts still to match. */
type Gap = {aFrom: number; aTo: number; bFrom: number; bTo: number};

/**
 * Returns for each line of `before` the matching line of `after`, or -1: ascending positions from 0, equal
 * texts. Few changes give the longest possible match; for many, lines unique in both texts serve as anchors.
 * Work is bounded: hard cases give fewer matches instead of a long wait. Both texts must be numbered
 * together.
 */
export const matchLines = (before: NumberedLines, after: NumberedLines): Steps<Int32Array> =>
	new Matching(before.numbers, after.numbers, before.texts.length).run();

class Matching {
	readonly #a: readonly number[];
	readonly #b: readonly number[];
	readonly #matches: Int32Array;
	readonly #uniqueInA: UniqueLines;
	readonly #uniqueInB: UniqueLines;
	readonly #budget = new YieldBudget(comparisonsPerStep);
	#steps = 0;

	/** `distinctCount`: number of distinct lines; line numbers are below it. */
	constructor(a: readonly number[], b: readonly number[], distinctCount: number) {
		this.#a = a;
		this.#b = b;
		this.#matches = new Int32Array(a.length).fill(-1);
		this.#uniqueInA = new UniqueLines(distinctCount);
		this.#uniqueInB = new UniqueLines(distinctCount);
	}

	*run(): Steps<Int32Array> {
		const gaps: Gap[] = [{aFrom: 0, aTo: this.#a.length, bFrom: 0, bTo: this.#b.length}];
		for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
			yield* this.#matchEnds(gap);
			if (gap.aFrom === gap.aTo || gap.bFrom === gap.bTo || (yield* this.#matchShortestEdit(gap))) continue;
			if (this.#steps < maxSteps) yield* this.#matchAnchors(gap, gaps);
		}
		return this.#matches;
	}

	/** Matches the common start and end, and removes them from the gap. */
	*#matchEnds(gap: Gap): Steps<void> {
		const a = this.#a;
		const b = this.#b;
		while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aFrom] === b[gap.bFrom]) {
			this.#matches[gap.aFrom++] = gap.bFrom++;
			if (this.#budget.shouldYield()) yield;
		}
		while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aTo - 1] === b[gap.bTo - 1]) {
			this.#matches[--gap.aTo] = --gap.bTo;
			if (this.#budget.shouldYield()) yield;
		}
	}

	/** Finds the shortest edit by Myers' greedy algorithm; false if it takes too many edits or steps. */
	*#matchShortestEdit({aFrom, aTo, bFrom, bTo}: Gap): Steps<boolean> {
		const aSize = aTo - aFrom;
		const bSize = bTo - bFrom;
		const limit = Math.min(aSize + bSize, maxEdits);
		// The furthest line of `a` on each diagonal (line of a - line of b), and its state after each edit.
		const furthest = new Int32Array(2 * limit + 3);
		const middle = limit + 1;
		const trace: Int32Array[] = [];
		for (let edits = 0; edits <= limit && this.#steps < maxSteps; edits++) {
			for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
				const index = middle + diagonal;
				const lowerReach = furthest[index - 1] ?? 0;
				const upperReach = furthest[index + 1] ?? 0;
				const startX =
					diagonal === -edits || (diagonal !== edits && lowerReach < upperReach)
						? upperReach
						: lowerReach + 1;
				let x = startX;
				while (x < aSize && x - diagonal < bSize && this.#a[aFrom + x] === this.#b[bFrom + x - diagonal]) x++;
				this.#steps += x - startX + 1;
				furthest[index] = x;
				if (this.#budget.shouldYield(x - startX + 1)) yield;
				if (x < aSize || x - diagonal < bSize) continue;
				this.#traceBack(trace, aFrom, bFrom, aSize, bSize);
				return true;
			}
			trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
		}
		return false;
	}

	/** Walks back from the end; `trace[e]` is the state after e edits, with its middle at e + 1. */
	#traceBack(trace: readonly Int32Array[], aFrom: number, bFrom: number, aSize: number, bSize: number): void {
		let x = aSize;
		let y = bSize;
		for (let edits = trace.length; edits > 0; edits--) {
			const previousState = trace[edits - 1] ?? new Int32Array();
			const getReached = (diagonal: number): number => previousState[edits + diagonal] ?? 0;
			const diagonal = x - y;
			const isInsertion =
				diagonal === -edits || (diagonal !== edits && getReached(diagonal - 1) < getReached(diagonal + 1));
			const previousDiagonal = isInsertion ? diagonal + 1 : diagonal - 1;
			const startX = isInsertion ? getReached(previousDiagonal) : getReached(previousDiagonal) + 1;
			for (; x > startX; x--, y--) this.#matches[aFrom + x - 1] = bFrom + y - 1;
			x = getReached(previousDiagonal);
			y = x - previousDiagonal;
		}
		for (; x > 0; x--, y--) this.#matches[aFrom + x - 1] = bFrom + y - 1;
	}

	/**
	 * Matches lines that are unique on both sides of the gap, as many as keep their order, and adds the gaps
	 * between.
	 */
	*#matchAnchors({aFrom, aTo, bFrom, bTo}: Gap, gaps: Gap[]): Steps<void> {
		this.#steps += aTo - aFrom + bTo - bFrom;
		yield* this.#uniqueInA.scan(this.#a, aFrom, aTo, this.#budget);
		yield* this.#uniqueInB.scan(this.#b, bFrom, bTo, this.#budget);
		const positionsInA: number[] = [];
		const positionsInB: number[] = [];
		for (let index = aFrom; index < aTo; index++) {
			const line = this.#a[index] ?? 0;
			const positionInB = this.#uniqueInB.getPosition(line);
			if (this.#uniqueInA.getPosition(line) >= 0 && positionInB >= 0) {
				positionsInA.push(index);
				positionsInB.push(positionInB);
			}
			if (this.#budget.shouldYield()) yield;
		}
		yield* this.#uniqueInA.clear(this.#a, aFrom, aTo, this.#budget);
		yield* this.#uniqueInB.clear(this.#b, bFrom, bTo, this.#budget);
		const anchors = yield* findIncreasingSubsequence(positionsInB, this.#budget);
		if (anchors.length === 0) return;
		let a = aFrom;
		let b = bFrom;
		for (const anchor of anchors) {
			const nextA = positionsInA[anchor] ?? 0;
			const nextB = positionsInB[anchor] ?? 0;
			this.#matches[nextA] = nextB;
			if (a < nextA && b < nextB) gaps.push({aFrom: a, aTo: nextA, bFrom: b, bTo: nextB});
			a = nextA + 1;
			b = nextB + 1;
			if (this.#budget.shouldYield(10)) yield;
		}
		gaps.push({aFrom: a, aTo, bFrom: b, bTo});
	}
}

/**
 * Finds the lines that are unique in a run. Shares one table among runs and clears it after each, since most
 * runs are short.
 */
class UniqueLines {
	/** For each line: 0 if not in the run, its position from 1 on, or -1 if it repeats. */
	readonly #positions: Int32Array;

	constructor(distinctCount: number) {
		this.#positions = new Int32Array(distinctCount);
	}

	*scan(lines: readonly number[], from: number, to: number, budget: YieldBudget): Steps<void> {
		for (let index = from; index < to; index++) {
			const line = lines[index] ?? 0;
			this.#positions[line] = this.#positions[line] === 0 ? index + 1 : -1;
			if (budget.shouldYield()) yield;
		}
	}

	/** Returns the position of a unique line; negative for others. */
	getPosition(line: number): number {
		return (this.#positions[line] ?? 0) - 1;
	}

	*clear(lines: readonly number[], from: number, to: number, budget: YieldBudget): Steps<void> {
		for (let index = from; index < to; index++) {
			this.#positions[lines[index] ?? 0] = 0;
			if (budget.shouldYield()) yield;
		}
	}
}

/** Returns the indexes of a longest ascending subsequence. */
function* findIncreasingSubsequence(numbers: readonly number[], budget: YieldBudget): Steps<number[]> {
	/**
	 * `ends`: for each length, the index of the lowest last element of a run of that length. `previous`: for
	 * each index, the index before it in its run.
	 */
	const ends: number[] = [];
	const previous: number[] = [];
	for (const [index, number] of numbers.entries()) {
		const low = bisect(0, ends.length, lengthIndex => (numbers[ends[lengthIndex] ?? 0] ?? 0) < number);
		previous.push(ends[low - 1] ?? -1);
		ends[low] = index;
		if (budget.shouldYield(20)) yield;
	}
	const subsequence: number[] = [];
	for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
		subsequence.push(index);
		if (budget.shouldYield()) yield;
	}
	return subsequence.reverse();
}
