import type {Pages} from './pages.ts';
import {Uint32List} from './uint32-list.ts';

/** Positions of keys sorted by expiry, with the rounded expiries. */
export class Run {
	readonly positions: Uint32List;
	readonly numbers: Uint32List;

	constructor(pages: Pages) {
		this.positions = new Uint32List(pages);
		this.numbers = new Uint32List(pages);
	}

	get length(): number {
		return this.positions.length;
	}

	/** Frees the pages; the run must not be used afterwards. */
	release(): void {
		this.positions.truncate(0);
		this.numbers.truncate(0);
	}
}

/** Orders two positions with equal rounded expiries: below 0, or above. */
type TieBreak = (position: number, otherPosition: number) => number;

/**
 * Merges two runs into an empty one. Yields after about every `windowKeys` keys, so that the caller can
 * pause.
 */
export function* mergeRuns(
	[leftRun, rightRun, mergedRun]: readonly [Run, Run, Run],
	windowKeys: number,
	breakTie: TieBreak,
): Generator<undefined, void> {
	const [first, second] = [new RunWindow(leftRun, windowKeys), new RunWindow(rightRun, windowKeys)];
	const [positions, numbers] = [new Uint32Array(windowKeys), new Uint32Array(windowKeys)];
	while (first.fill() && second.fill()) {
		const count = mergeWindows(first, second, {positions, numbers}, breakTie);
		mergedRun.positions.append(positions.subarray(0, count));
		mergedRun.numbers.append(numbers.subarray(0, count));
		yield;
	}
	for (const remainder of [first, second])
		while (remainder.fill()) {
			mergedRun.positions.append(remainder.positions.subarray(remainder.start, remainder.end));
			mergedRun.numbers.append(remainder.numbers.subarray(remainder.start, remainder.end));
			remainder.start = remainder.end;
			yield;
		}
}

/** Merges until a window is used up or the output is full. Returns the number of merged keys. */
function mergeWindows(
	first: RunWindow,
	second: RunWindow,
	{positions, numbers}: {readonly positions: Uint32Array; readonly numbers: Uint32Array},
	breakTie: TieBreak,
): number {
	const {positions: firstPositions, numbers: firstNumbers, end: firstEnd} = first;
	const {positions: secondPositions, numbers: secondNumbers, end: secondEnd} = second;
	let count = 0;
	let {start} = first;
	let {start: secondStart} = second;
	while (count < positions.length && start < firstEnd && secondStart < secondEnd) {
		const firstNumber = firstNumbers[start] ?? 0;
		const secondNumber = secondNumbers[secondStart] ?? 0;
		const takesFirst =
			firstNumber < secondNumber ||
			(firstNumber === secondNumber &&
				breakTie(firstPositions[start] ?? 0, secondPositions[secondStart] ?? 0) < 0);
		numbers[count] = takesFirst ? firstNumber : secondNumber;
		positions[count++] = (takesFirst ? firstPositions[start++] : secondPositions[secondStart++]) ?? 0;
	}
	first.start = start;
	second.start = secondStart;
	return count;
}

/** A window of a run in memory. */
class RunWindow {
	readonly positions: Uint32Array;
	readonly numbers: Uint32Array;
	/** Start and end of the unused part of the window. */
	start = 0;
	end = 0;
	readonly #run: Run;
	#readCount = 0;

	constructor(run: Run, capacity: number) {
		this.#run = run;
		this.positions = new Uint32Array(capacity);
		this.numbers = new Uint32Array(capacity);
	}

	/** Reads the next part if the window is used up. Returns false at the end of the run. */
	fill(): boolean {
		if (this.start < this.end) return true;
		this.start = 0;
		this.end = this.#run.positions.copyTo(this.positions, this.#readCount);
		this.#run.numbers.copyTo(this.numbers, this.#readCount);
		this.#readCount += this.end;
		return this.end > 0;
	}
}
