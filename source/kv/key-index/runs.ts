import type {Pages} from './pages.ts';
import {Uint32List} from './uint32-list.ts';

/** Positions of keys sorted by a number, with these numbers. */
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

/** Orders two positions with equal numbers: below 0, or above. */
type TieBreak = (position: number, other: number) => number;

/** Merges two runs into an empty one. Yields about every `keys` keys, so that the caller can pause. */
export function* mergeRuns(
	[one, other, into]: readonly [Run, Run, Run],
	keys: number,
	breakTie: TieBreak,
): Generator<undefined, void> {
	const [first, second] = [new RunWindow(one, keys), new RunWindow(other, keys)];
	const [positions, numbers] = [new Uint32Array(keys), new Uint32Array(keys)];
	while (first.fill() && second.fill()) {
		const count = mergeWindows(first, second, {positions, numbers}, breakTie);
		into.positions.append(positions.subarray(0, count));
		into.numbers.append(numbers.subarray(0, count));
		yield;
	}
	for (const rest of [first, second])
		while (rest.fill()) {
			into.positions.append(rest.positions.subarray(rest.at, rest.end));
			into.numbers.append(rest.numbers.subarray(rest.at, rest.end));
			rest.at = rest.end;
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
	const {positions: ones, numbers: oneNumbers, end} = first;
	const {positions: others, numbers: otherNumbers, end: otherEnd} = second;
	let count = 0;
	let {at} = first;
	let {at: otherAt} = second;
	while (count < positions.length && at < end && otherAt < otherEnd) {
		const number = oneNumbers[at] ?? 0;
		const otherNumber = otherNumbers[otherAt] ?? 0;
		const isOne =
			number < otherNumber || (number === otherNumber && breakTie(ones[at] ?? 0, others[otherAt] ?? 0) < 0);
		numbers[count] = isOne ? number : otherNumber;
		positions[count++] = (isOne ? ones[at++] : others[otherAt++]) ?? 0;
	}
	first.at = at;
	second.at = otherAt;
	return count;
}

/** A window of a run in memory. */
class RunWindow {
	readonly positions: Uint32Array;
	readonly numbers: Uint32Array;
	/** Unused part of the window. */
	at = 0;
	end = 0;
	readonly #run: Run;
	#read = 0;

	constructor(run: Run, keys: number) {
		this.#run = run;
		this.positions = new Uint32Array(keys);
		this.numbers = new Uint32Array(keys);
	}

	/** Reads the next part if the window is used up. Returns false at the end of the run. */
	fill(): boolean {
		if (this.at < this.end) return true;
		this.at = 0;
		this.end = this.#run.positions.copyTo(this.positions, this.#read);
		this.#run.numbers.copyTo(this.numbers, this.#read);
		this.#read += this.end;
		return this.end > 0;
	}
}
