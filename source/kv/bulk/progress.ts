import type {Gate} from '../job/gate.ts';
import {Rate} from '../job/rate.ts';
import type {Recorder, RecordState} from '../job/recorder.ts';

type BulkPhase = 'sending' | 'repeated keys' | 'retrying' | 'done';

/** Progress of a bulk job, reported after each acknowledged batch and on any other change. */
export type BulkProgress = {
	readonly phase: BulkPhase;
	readonly done: number;
	readonly total: number;
	/** Bytes sent and acknowledged. */
	readonly bytes: number;
	readonly inFlight: number;
	/** Halved batches, plus rounds of retries. */
	readonly retries: number;
	/** Entries refused so far and not done yet. */
	readonly refused: number;
	/** Entries per second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	/**
	 * Time of the last response, or of the first request in flight, in milliseconds since the epoch; only
	 * while requests are in flight.
	 */
	readonly waitingSince?: number | undefined;
	readonly record: RecordState;
	/** Entries of the batch just acknowledged, if that is the reason for the report. */
	readonly acknowledged?: number;
};

type ProgressOptions = {
	readonly total: number;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	/** Monotonic milliseconds. */
	readonly elapsed: () => number;
	readonly report?: ((progress: BulkProgress) => void) | undefined;
};

export class ProgressCounter {
	phase: BulkPhase = 'sending';
	done = 0;
	bytes = 0;
	inFlight = 0;
	retries = 0;
	refused = 0;
	requests = 0;
	/** A time of `elapsed`. */
	#waitingSince: number | undefined;
	readonly #options: ProgressOptions;
	readonly #job: {readonly gate: Gate; readonly recorder: Recorder};
	readonly #rate: Rate;

	constructor(options: ProgressOptions, job: {readonly gate: Gate; readonly recorder: Recorder}) {
		this.#options = options;
		this.#job = job;
		this.#rate = new Rate(options.elapsed);
	}

	getProgress(): BulkProgress {
		const {phase, done, bytes, inFlight, retries, refused} = this;
		const {total, now, elapsed} = this.#options;
		// Derived from the monotonic clock, because the date may have been changed.
		const waitingSince =
			inFlight > 0 && this.#waitingSince !== undefined ? now() - (elapsed() - this.#waitingSince) : undefined;
		return {
			phase,
			done,
			total,
			bytes,
			inFlight,
			retries,
			refused,
			rate: this.#rate.compute(done),
			paused: this.#job.gate.isClosed,
			waitingSince,
			record: this.#job.recorder.state,
		};
	}

	changeInFlight(change: 1 | -1): void {
		if (this.inFlight === 0) this.noteResponse();
		this.inFlight += change;
	}

	noteResponse(): void {
		this.#waitingSince = this.#options.elapsed();
	}

	/** Reports the progress. `acknowledged`: entries of the batch just done. */
	report(acknowledged?: number): void {
		this.#rate.note(this.done);
		this.#options.report?.({...this.getProgress(), ...(acknowledged !== undefined && {acknowledged})});
	}
}
