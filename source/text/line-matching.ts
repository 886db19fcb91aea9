/** Edits between two runs of lines up to which the shortest way from one to the other is looked for. */
const mostEdits = 500;
/** Steps of work that one matching may take; what is not matched by then counts as replaced. */
const mostSteps = 30_000_000;

/** Lines [from, to) before and after that still have to be matched. */
type Gap = {aFrom: number; aTo: number; bFrom: number; bTo: number};

/**
 * For each line of `before` the line of `after` that it is, or -1: positions from 0, rising, equal texts. Few
 * changes give the longest possible match; of many, the lines that are in both only once hold the rest in place.
 * The work is bounded, so that hopeless cases end with fewer matches, never with a wait.
 */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array {
	const match = new Int32Array(before.length).fill(-1);
	const gap = {aFrom: 0, aTo: before.length, bFrom: 0, bTo: after.length};
	matchEnds(before, after, gap, match);
	const numbers = new Map<string, number>();
	const a = numbered(before, gap.aFrom, gap.aTo, numbers);
	const b = numbered(after, gap.bFrom, gap.bTo, numbers);
	for (const [at, found] of new Matching(a, b).run().entries())
		if (found >= 0) match[gap.aFrom + at] = gap.bFrom + found;
	return match;
}

/** Matches the common head and tail, and leaves them out of the gap. */
function matchEnds<Line>(a: ArrayLike<Line>, b: ArrayLike<Line>, gap: Gap, match: Int32Array): void {
	while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aFrom] === b[gap.bFrom])
		match[gap.aFrom++] = gap.bFrom++;
	while (gap.aFrom < gap.aTo && gap.bFrom < gap.bTo && a[gap.aTo - 1] === b[gap.bTo - 1])
		match[--gap.aTo] = --gap.bTo;
}

/** Lines as numbers, equal ones as one. */
function numbered(
	lines: readonly string[],
	from: number,
	to: number,
	numbers: Map<string, number>,
): Int32Array {
	const found = new Int32Array(to - from);
	for (let at = from; at < to; at++) {
		const line = lines[at] ?? '';
		let number = numbers.get(line);
		if (number === undefined) {
			number = numbers.size;
			numbers.set(line, number);
		}
		found[at - from] = number;
	}
	return found;
}

class Matching {
	readonly #a: Int32Array;
	readonly #b: Int32Array;
	readonly #match: Int32Array;
	#steps = 0;

	constructor(a: Int32Array, b: Int32Array) {
		this.#a = a;
		this.#b = b;
		this.#match = new Int32Array(a.length).fill(-1);
	}

	run(): Int32Array {
		const gaps: Gap[] = [{aFrom: 0, aTo: this.#a.length, bFrom: 0, bTo: this.#b.length}];
		for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
			matchEnds(this.#a, this.#b, gap, this.#match);
			if (gap.aFrom === gap.aTo || gap.bFrom === gap.bTo || this.#shortestEdit(gap)) continue;
			if (this.#steps < mostSteps) for (const rest of this.#anchored(gap)) gaps.push(rest);
		}
		return this.#match;
	}

	/** Myers' greedy search for the shortest edit; false when it takes too many edits or steps. */
	#shortestEdit({aFrom, aTo, bFrom, bTo}: Gap): boolean {
		const aSize = aTo - aFrom;
		const bSize = bTo - bFrom;
		const limit = Math.min(aSize + bSize, mostEdits);
		// The furthest line of `a` reached on each diagonal (line of a - line of b), and as it was after each edit.
		const furthest = new Int32Array(2 * limit + 3);
		const middle = limit + 1;
		const trace: Int32Array[] = [];
		for (let edits = 0; edits <= limit && this.#steps < mostSteps; edits++) {
			for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
				const at = middle + diagonal;
				const below = furthest[at - 1] ?? 0;
				const above = furthest[at + 1] ?? 0;
				const start = diagonal === -edits || (diagonal !== edits && below < above) ? above : below + 1;
				let x = start;
				while (x < aSize && x - diagonal < bSize && this.#a[aFrom + x] === this.#b[bFrom + x - diagonal]) x++;
				this.#steps += x - start + 1;
				furthest[at] = x;
				if (x < aSize || x - diagonal < bSize) continue;
				this.#traceBack(trace, aFrom, bFrom, aSize, bSize);
				return true;
			}
			trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
		}
		return false;
	}

	/** Walks back from the end: `trace[e]` holds what was reached with e edits, its middle at e + 1. */
	#traceBack(trace: readonly Int32Array[], aFrom: number, bFrom: number, aSize: number, bSize: number): void {
		let x = aSize;
		let y = bSize;
		for (let edits = trace.length; edits > 0; edits--) {
			const reached = trace[edits - 1] ?? new Int32Array();
			const at = (diagonal: number): number => reached[edits + diagonal] ?? 0;
			const diagonal = x - y;
			const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
			const previous = down ? diagonal + 1 : diagonal - 1;
			const startX = down ? at(previous) : at(previous) + 1;
			for (; x > startX; x--, y--) this.#match[aFrom + x - 1] = bFrom + y - 1;
			x = at(previous);
			y = x - previous;
		}
		for (; x > 0; x--, y--) this.#match[aFrom + x - 1] = bFrom + y - 1;
	}

	/** Matches the lines that the gap has only once on either side, as many as keep their order; what is left between. */
	#anchored(gap: Gap): Gap[] {
		this.#steps += gap.aTo - gap.aFrom + gap.bTo - gap.bFrom;
		const onceInB = once(this.#b, gap.bFrom, gap.bTo);
		const pairs: [a: number, b: number][] = [];
		for (const [line, a] of once(this.#a, gap.aFrom, gap.aTo)) {
			const b = onceInB.get(line) ?? -1;
			if (a >= 0 && b >= 0) pairs.push([a, b]);
		}
		const gaps: Gap[] = [];
		const anchors = rising(pairs.sort(([one], [other]) => one - other));
		if (anchors.length === 0) return gaps;
		let {aFrom, bFrom} = gap;
		for (const [a, b] of anchors) {
			this.#match[a] = b;
			gaps.push({aFrom, aTo: a, bFrom, bTo: b});
			aFrom = a + 1;
			bFrom = b + 1;
		}
		gaps.push({aFrom, aTo: gap.aTo, bFrom, bTo: gap.bTo});
		return gaps;
	}
}

/** Each line of a run with where it stands, or with -1 if it stands there more than once. */
function once(lines: Int32Array, from: number, to: number): Map<number, number> {
	const places = new Map<number, number>();
	for (let at = from; at < to; at++) {
		const line = lines[at] ?? 0;
		places.set(line, places.has(line) ? -1 : at);
	}
	return places;
}

/** The longest run of pairs, given in the order of their first, in which the second rises, too. */
function rising(pairs: readonly [number, number][]): [number, number][] {
	/** For each length the pair that ends a run of that length lowest, and for each pair the one before it. */
	const ends: number[] = [];
	const previous: number[] = [];
	for (const [at, [, second]] of pairs.entries()) {
		let low = 0;
		let high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < second) low = middle + 1;
			else high = middle;
		}
		previous.push(ends[low - 1] ?? -1);
		ends[low] = at;
	}
	const run: [number, number][] = [];
	for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
		const pair = pairs[at];
		if (pair) run.push(pair);
	}
	return run.reverse();
}
