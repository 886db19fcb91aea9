import {Ranges} from '../../text/ranges.ts';
import {addCounts, type Counts, noCounts} from './counts.ts';
import type {WalkPosition} from './listing.ts';

/** Where a transfer resumes, and the counts of everything before that. */
export type CheckpointState = {readonly place: WalkPosition | undefined; readonly counts: Counts};

/**
 * Tracks the resume position of a transfer whose keys are settled in any order: after the last run before
 * which every key is settled. Keys settled beyond it are repeated after an interruption.
 */
export class Checkpoint {
	readonly #settled = new Ranges();
	/** Runs after the resume position. */
	readonly #runs: {readonly last: number; readonly place: WalkPosition; counts: Counts}[] = [];
	#to: CheckpointState;
	#given = 0;

	constructor(from: CheckpointState = {place: undefined, counts: noCounts}) {
		this.#to = from;
	}

	/** Counts of everything settled, including beyond the resume position. */
	get counts(): Counts {
		const {counts: behind} = this.getState();
		return this.#runs.reduce((sum, {counts}) => addCounts(sum, counts), behind);
	}

	/** Begins a run of `keys` keys to settle; returns the number of the first, from 1. */
	beginRun(keys: number, place: WalkPosition, counts: Partial<Counts> = {}): number {
		const first = this.#given + 1;
		this.#given += keys;
		this.#runs.push({last: this.#given, place, counts: addCounts(noCounts, counts)});
		return first;
	}

	/** Settles a key and adds its counts to its run. */
	settle(number: number, counts: Partial<Counts>): void {
		this.#settled.add(number, number + 1);
		const run = this.#runs.find(({last}) => number <= last);
		if (run) run.counts = addCounts(run.counts, counts);
	}

	getState(): CheckpointState {
		const [from, end] = this.#settled[Symbol.iterator]().next().value ?? [1, 1];
		const open = from === 1 ? end : 1;
		while (this.#runs[0] && this.#runs[0].last < open) {
			const run = this.#runs.shift();
			if (run) this.#to = {place: run.place, counts: addCounts(this.#to.counts, run.counts)};
		}
		return this.#to;
	}
}
