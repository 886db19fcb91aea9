import type {Pages} from './pages.ts';
import {Uint32List} from './uint32-list.ts';

/** Positions of keys sorted by a value, with the rounded values. */
export class Run {
	readonly positions: Uint32List;
	readonly roundedValues: Uint32List;

	constructor(pages: Pages) {
		this.positions = new Uint32List(pages);
		this.roundedValues = new Uint32List(pages);
	}

	get length(): number {
		return this.positions.length;
	}

	/** Frees the pages; the run must not be used afterwards. */
	release(): void {
		this.positions.truncate(0);
		this.roundedValues.truncate(0);
	}
}

/** Orders two positions with equal rounded values: below 0, or above. */
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
	const [positions, roundedValues] = [new Uint32Array(windowKeys), new Uint32Array(windowKeys)];
	while (first.fill() && second.fill()) {
		const count = mergeWindows(first, second, {positions, roundedValues}, breakTie);
		mergedRun.positions.append(positions.subarray(0, count));
		mergedRun.roundedValues.append(roundedValues.subarray(0, count));
		yield;
	}
	for (const remainder of [first, second])
		while (remainder.fill()) {
			mergedRun.positions.append(remainder.positions.subarray(remainder.start, remainder.end));
			mergedRun.roundedValues.append(remainder.roundedValues.subarray(remainder.start, remainder.end));
			remainder.start = remainder.end;
			yield;
		}
}

/** Merges until a window is used up or the output is full. Returns the number of merged keys. */
function mergeWindows(
	first: RunWindow,
	second: RunWindow,
	{positions, roundedValues}: {readonly positions: Uint32Array; readonly roundedValues: Uint32Array},
	breakTie: TieBreak,
): number {
	const {positions: firstPositions, roundedValues: firstValues, end: firstEnd} = first;
	const {positions: secondPositions, roundedValues: secondValues, end: secondEnd} = second;
	let count = 0;
	let {start} = first;
	let {start: secondStart} = second;
	while (count < positions.length && start < firstEnd && secondStart < secondEnd) {
		const firstValue = firstValues[start] ?? 0;
		const secondValue = secondValues[secondStart] ?? 0;
		const takesFirst =
			firstValue < secondValue ||
			(firstValue === secondValue &&
				breakTie(firstPositions[start] ?? 0, secondPositions[secondStart] ?? 0) < 0);
		roundedValues[count] = takesFirst ? firstValue : secondValue;
		positions[count++] = (takesFirst ? firstPositions[start++] : secondPositions[secondStart++]) ?? 0;
	}
	first.start = start;
	second.start = secondStart;
	return count;
}

/** A window of a run in memory. */
class RunWindow {
	readonly positions: Uint32Array;
	readonly roundedValues: Uint32Array;
	/** Start and end of the unused part of the window. */
	start = 0;
	end = 0;
	readonly #run: Run;
	#readCount = 0;

	constructor(run: Run, capacity: number) {
		this.#run = run;
		this.positions = new Uint32Array(capacity);
		this.roundedValues = new Uint32Array(capacity);
	}

	/** Reads the next part if the window is used up. Returns false at the end of the run. */
	fill(): boolean {
		if (this.start < this.end) return true;
		this.start = 0;
		this.end = this.#run.positions.copyTo(this.positions, this.#readCount);
		this.#run.roundedValues.copyTo(this.roundedValues, this.#readCount);
		this.#readCount += this.end;
		return this.end > 0;
	}
}
