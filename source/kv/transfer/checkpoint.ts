import {Ranges} from '../../text/ranges.ts';
import {addCounts, type Counts, noCounts} from './counts.ts';
import type {WalkPosition} from './listing.ts';

/** Where a transfer resumes, and the counts up to there. */
export type CheckpointState = {readonly place: WalkPosition | undefined; readonly counts: Counts};

/**
 * Tracks the resume position of a transfer that reads keys in runs and processes them in any order: the end
 * of the last run up to which every key is processed. Keys processed beyond it are repeated after an
 * interruption.
 */
export class Checkpoint {
	readonly #processedNumbers = new Ranges();
	/** Runs after the resume position. */
	readonly #runs: {readonly lastNumber: number; readonly position: WalkPosition; counts: Counts}[] = [];
	#state: CheckpointState;
	#keyCount = 0;

	constructor(initialState: CheckpointState = {place: undefined, counts: noCounts}) {
		this.#state = initialState;
	}

	/** Counts of everything processed, including beyond the resume position. */
	get counts(): Counts {
		const {counts: countsAtPosition} = this.getState();
		return this.#runs.reduce((sum, {counts}) => addCounts(sum, counts), countsAtPosition);
	}

	/** Begins a run of `keyCount` keys; returns the number of its first key, from 1. */
	beginRun(keyCount: number, position: WalkPosition, counts: Partial<Counts> = {}): number {
		const first = this.#keyCount + 1;
		this.#keyCount += keyCount;
		this.#runs.push({lastNumber: this.#keyCount, position, counts: addCounts(noCounts, counts)});
		return first;
	}

	/** Marks a key as processed, and adds its outcome to the counts of its run. */
	markProcessed(number: number, counts: Partial<Counts>): void {
		this.#processedNumbers.add(number, number + 1);
		const run = this.#runs.find(({lastNumber}) => number <= lastNumber);
		if (run) run.counts = addCounts(run.counts, counts);
	}

	getState(): CheckpointState {
		const [from, end] = this.#processedNumbers[Symbol.iterator]().next().value ?? [1, 1];
		const firstUnprocessed = from === 1 ? end : 1;
		while (this.#runs[0] && this.#runs[0].lastNumber < firstUnprocessed) {
			const run = this.#runs.shift();
			if (run) this.#state = {place: run.position, counts: addCounts(this.#state.counts, run.counts)};
		}
		return this.#state;
	}
}
