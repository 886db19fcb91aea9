import {Ranges} from '../../text/ranges.ts';
import {addedCounts, type Counts, noCounts} from './counts.ts';
import type {Place} from './listing.ts';

/** Where a transfer goes on, and what became of everything before that. */
export type CheckpointState = {readonly place: Place | undefined; readonly counts: Counts};

/**
 * How far a transfer has come whose keys are settled in any order: behind the last run of keys before which nothing is
 * open. Whatever of a later run is settled already is done once more after an interruption.
 */
export class Checkpoint {
	readonly #settled = new Ranges();
	/** Runs that are not behind the place yet. */
	readonly #runs: {readonly last: number; readonly place: Place; counts: Counts}[] = [];
	#to: CheckpointState;
	#given = 0;

	constructor(from: CheckpointState = {place: undefined, counts: noCounts}) {
		this.#to = from;
	}

	/** Of all that is settled, also behind the place. */
	get counts(): Counts {
		const {counts: behind} = this.to();
		return this.#runs.reduce((sum, {counts}) => addedCounts(sum, counts), behind);
	}

	/** Begins a run of so many keys that have to be settled; returns the number of the first, from 1. */
	begin(keys: number, place: Place, counts: Partial<Counts> = {}): number {
		const first = this.#given + 1;
		this.#given += keys;
		this.#runs.push({last: this.#given, place, counts: addedCounts(noCounts, counts)});
		return first;
	}

	/** These keys are settled, each in the run that it was begun with. */
	settle(number: number, counts: Partial<Counts>): void {
		this.#settled.add(number, number + 1);
		const run = this.#runs.find(({last}) => number <= last);
		if (run) run.counts = addedCounts(run.counts, counts);
	}

	to(): CheckpointState {
		const [from, end] = this.#settled[Symbol.iterator]().next().value ?? [1, 1];
		const open = from === 1 ? end : 1;
		while (this.#runs[0] && this.#runs[0].last < open) {
			const run = this.#runs.shift();
			if (run) this.#to = {place: run.place, counts: addedCounts(this.#to.counts, run.counts)};
		}
		return this.#to;
	}
}
