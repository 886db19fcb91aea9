import {bisect} from './bisect.ts';
import type {NumberedLines} from './lines.ts';
import {type Steps, YieldBudget} from './steps.ts';

/** Maximum number of edits in the search for the shortest edit script. */
const maxEdits = 500;
/** Maximum steps of one matching; lines not matched by then count as replaced. */
const maxSteps = 30_000_000;
/** Operations of some nanoseconds, such as comparing two numbers, between two yields. */
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
	readonly #match: Int32Array;
	readonly #onceInA: OnceInRun;
	readonly #onceInB: OnceInRun;
	readonly #budget = new YieldBudget(comparisonsPerStep);
	#steps = 0;

	/** Lines are numbers below `different`. */
	constructor(a: readonly number[], b: readonly number[], different: number) {
		this.#a = a;
		this.#b = b;
		this.#match = new Int32Array(a.length).fill(-1);
		this.#onceInA = new OnceInRun(different);
		this.#onceInB = new OnceInRun(different);
	}

	*run(): Steps<Int32Array> {
		const gaps: Gap[] = [{aFrom: 0, aTo: this.#a.length, bFrom: 0, bTo: this.#b.length}];
		for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
			yield* this.#matchEnds(gap);
			if (gap.aFrom === gap.aTo || gap.bFrom === gap.bTo || (yield* this.#matchShortestEdit(gap))) continue;
			if (this.#steps < maxSteps) yield* this.#matchAnchors(gap, gaps);
		}
		return this.#match;
	}

	/** Matches the common start and end, and removes them from the gap. */
	*#matchEnds(gap: Gap): Steps<void> {
		const a = this.#a;
		const b = this.#b;
		while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aFrom] === b[gap.bFrom]) {
			this.#match[gap.aFrom++] = gap.bFrom++;
			if (this.#budget.isStep()) yield;
		}
		while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aTo - 1] === b[gap.bTo - 1]) {
			this.#match[--gap.aTo] = --gap.bTo;
			if (this.#budget.isStep()) yield;
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
				const at = middle + diagonal;
				const below = furthest[at - 1] ?? 0;
				const above = furthest[at + 1] ?? 0;
				const start = diagonal === -edits || (diagonal !== edits && below < above) ? above : below + 1;
				let x = start;
				while (x < aSize && x - diagonal < bSize && this.#a[aFrom + x] === this.#b[bFrom + x - diagonal]) x++;
				this.#steps += x - start + 1;
				furthest[at] = x;
				if (this.#budget.isStep(x - start + 1)) yield;
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
			const reached = trace[edits - 1] ?? new Int32Array();
			const getReached = (diagonal: number): number => reached[edits + diagonal] ?? 0;
			const diagonal = x - y;
			const down =
				diagonal === -edits || (diagonal !== edits && getReached(diagonal - 1) < getReached(diagonal + 1));
			const previous = down ? diagonal + 1 : diagonal - 1;
			const startX = down ? getReached(previous) : getReached(previous) + 1;
			for (; x > startX; x--, y--) this.#match[aFrom + x - 1] = bFrom + y - 1;
			x = getReached(previous);
			y = x - previous;
		}
		for (; x > 0; x--, y--) this.#match[aFrom + x - 1] = bFrom + y - 1;
	}

	/**
	 * Matches lines that are unique on both sides of the gap, as many as keep their order, and adds the gaps
	 * between.
	 */
	*#matchAnchors({aFrom, aTo, bFrom, bTo}: Gap, gaps: Gap[]): Steps<void> {
		this.#steps += aTo - aFrom + bTo - bFrom;
		yield* this.#onceInA.scan(this.#a, aFrom, aTo, this.#budget);
		yield* this.#onceInB.scan(this.#b, bFrom, bTo, this.#budget);
		const common: number[] = [];
		const others: number[] = [];
		for (let at = aFrom; at < aTo; at++) {
			const line = this.#a[at] ?? 0;
			const other = this.#onceInB.getPlace(line);
			if (this.#onceInA.getPlace(line) >= 0 && other >= 0) {
				common.push(at);
				others.push(other);
			}
			if (this.#budget.isStep()) yield;
		}
		yield* this.#onceInA.forget(this.#a, aFrom, aTo, this.#budget);
		yield* this.#onceInB.forget(this.#b, bFrom, bTo, this.#budget);
		const anchors = yield* findRisingRun(others, this.#budget);
		if (anchors.length === 0) return;
		let a = aFrom;
		let b = bFrom;
		for (const anchor of anchors) {
			const nextA = common[anchor] ?? 0;
			const nextB = others[anchor] ?? 0;
			this.#match[nextA] = nextB;
			if (a < nextA && b < nextB) gaps.push({aFrom: a, aTo: nextA, bFrom: b, bTo: nextB});
			a = nextA + 1;
			b = nextB + 1;
			if (this.#budget.isStep(10)) yield;
		}
		gaps.push({aFrom: a, aTo, bFrom: b, bTo});
	}
}

/**
 * Finds the lines that are unique in a run. Shares one table among runs and clears it after each, since most
 * runs are short.
 */
class OnceInRun {
	/** For each line: 0 if not in the run, its position from 1 on, or -1 if it repeats. */
	readonly #places: Int32Array;

	constructor(different: number) {
		this.#places = new Int32Array(different);
	}

	*scan(lines: readonly number[], from: number, to: number, budget: YieldBudget): Steps<void> {
		for (let at = from; at < to; at++) {
			const line = lines[at] ?? 0;
			this.#places[line] = this.#places[line] === 0 ? at + 1 : -1;
			if (budget.isStep()) yield;
		}
	}

	/** Returns the position of a unique line; negative for others. */
	getPlace(line: number): number {
		return (this.#places[line] ?? 0) - 1;
	}

	*forget(lines: readonly number[], from: number, to: number, budget: YieldBudget): Steps<void> {
		for (let at = from; at < to; at++) {
			this.#places[lines[at] ?? 0] = 0;
			if (budget.isStep()) yield;
		}
	}
}

/** Returns the indexes of a longest ascending subsequence. */
function* findRisingRun(numbers: readonly number[], budget: YieldBudget): Steps<number[]> {
	/**
	 * For each length the index of the lowest end of a run of that length; for each index the one before it.
	 */
	const ends: number[] = [];
	const previous: number[] = [];
	for (const [at, number] of numbers.entries()) {
		const low = bisect(0, ends.length, place => (numbers[ends[place] ?? 0] ?? 0) < number);
		previous.push(ends[low - 1] ?? -1);
		ends[low] = at;
		if (budget.isStep(20)) yield;
	}
	const run: number[] = [];
	for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
		run.push(at);
		if (budget.isStep()) yield;
	}
	return run.reverse();
}
