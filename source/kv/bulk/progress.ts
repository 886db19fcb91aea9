import type {Gate} from '../job/gate.ts';
import {Rate} from '../job/rate.ts';
import type {Recorder, RecordState} from '../job/recorder.ts';

type BulkPhase = 'sending' | 'repeated keys' | 'retrying' | 'done';

/** How far a bulk job has come: reported whenever a batch was acknowledged, and whenever something else changes. */
export type BulkProgress = {
	readonly phase: BulkPhase;
	readonly done: number;
	readonly total: number;
	/** Bytes sent and acknowledged. */
	readonly bytes: number;
	readonly inFlight: number;
	/** Batches that had to be halved, and rounds of trying refused entries again. */
	readonly retries: number;
	/** Entries refused so far that are not done yet. */
	readonly refused: number;
	/** Entries a second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	/** When the last answer came, or what is under way was sent, in milliseconds since the epoch; only while something is under way. */
	readonly waitingSince?: number | undefined;
	readonly record: RecordState;
	/** Entries of the batch that was just acknowledged, if that is what is reported. */
	readonly acknowledged?: number;
};

type ProgressOptions = {
	readonly total: number;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	/** Milliseconds of a clock that nobody can set. */
	readonly elapsed: () => number;
	readonly report?: ((progress: BulkProgress) => void) | undefined;
};

export class ProgressCount {
	phase: BulkPhase = 'sending';
	done = 0;
	bytes = 0;
	inFlight = 0;
	retries = 0;
	refused = 0;
	requests = 0;
	/** By `elapsed`. */
	#waitingSince: number | undefined;
	readonly #options: ProgressOptions;
	readonly #job: {readonly gate: Gate; readonly recorder: Recorder};
	readonly #rate: Rate;

	constructor(options: ProgressOptions, job: {readonly gate: Gate; readonly recorder: Recorder}) {
		this.#options = options;
		this.#job = job;
		this.#rate = new Rate(options.elapsed);
	}

	now(): BulkProgress {
		const {phase, done, bytes, inFlight, retries, refused} = this;
		const {total, now, elapsed} = this.#options;
		// As long ago as it is, whatever became of the date since.
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
			rate: this.#rate.now(done),
			paused: this.#job.gate.isClosed,
			waitingSince,
			record: this.#job.recorder.state,
		};
	}

	underWay(by: 1 | -1): void {
		if (this.inFlight === 0) this.answered();
		this.inFlight += by;
	}

	answered(): void {
		this.#waitingSince = this.#options.elapsed();
	}

	/** Reports where the job is. `acknowledged`: entries of a batch that is done just now. */
	report(acknowledged?: number): void {
		this.#rate.note(this.done);
		this.#options.report?.({...this.now(), ...(acknowledged !== undefined && {acknowledged})});
	}
}
