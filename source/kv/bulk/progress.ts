export type BulkPhase = 'sending' | 'repeated keys' | 'retrying' | 'done';

/** Whether a job is written down, so that it can be gone on with: `coming` until it has lasted a moment. */
export type BulkRecord = 'made' | 'coming' | 'none';

/** How far a bulk job has come: told whenever a batch was acknowledged, and whenever something else changes. */
export type BulkProgress = {
	readonly phase: BulkPhase;
	/** Entries that are done. */
	readonly done: number;
	readonly total: number;
	/** Bytes sent and acknowledged. */
	readonly bytes: number;
	/** Batches under way. */
	readonly inFlight: number;
	/** Batches that had to be halved, and rounds of trying refused entries again. */
	readonly retries: number;
	/** Entries refused so far that are not done yet. */
	readonly refused: number;
	/** Entries a second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	/**
	 * When the last answer came, or what is under way was sent, in milliseconds since the epoch; without anything under
	 * way there is none.
	 */
	readonly waitingSince?: number | undefined;
	readonly record: BulkRecord;
	/** Entries of the batch that was just acknowledged, if that is what is told. */
	readonly acknowledged?: number;
};

const window = 10_000;

/** Keeps the figures of a bulk job. */
export class ProgressCount {
	phase: BulkPhase = 'sending';
	done = 0;
	bytes = 0;
	inFlight = 0;
	retries = 0;
	refused = 0;
	requests = 0;
	paused = false;
	record: BulkRecord = 'none';
	/** By `elapsed`. */
	#waitingSince: number | undefined;
	readonly #total: number;
	readonly #now: () => number;
	readonly #elapsed: () => number;
	readonly #tell: ((progress: BulkProgress) => void) | undefined;
	/** Times and counts of the last ten seconds. */
	readonly #past: {readonly at: number; readonly done: number}[] = [];

	/** `now`: milliseconds since the epoch; `elapsed`: milliseconds of a clock that nobody can set. */
	constructor(
		total: number,
		{now, elapsed}: {readonly now: () => number; readonly elapsed: () => number},
		tell: ((progress: BulkProgress) => void) | undefined,
	) {
		this.#total = total;
		this.#now = now;
		this.#elapsed = elapsed;
		this.#tell = tell;
	}

	now(): BulkProgress {
		const {phase, done, bytes, inFlight, retries, refused, paused, record} = this;
		// As long ago as it is, whatever became of the date since.
		const waitingSince =
			inFlight > 0 && this.#waitingSince !== undefined
				? this.#now() - (this.#elapsed() - this.#waitingSince)
				: undefined;
		const first = this.#past[0];
		const passed = first ? this.#elapsed() - first.at : 0;
		const rate = first && passed > 0 ? ((done - first.done) * 1000) / passed : 0;
		return {
			phase,
			done,
			total: this.#total,
			bytes,
			inFlight,
			retries,
			refused,
			rate,
			paused,
			waitingSince,
			record,
		};
	}

	/** One more or one less is under way. */
	underWay(by: 1 | -1): void {
		if (this.inFlight === 0) this.#waitingSince = this.#elapsed();
		this.inFlight += by;
	}

	/** An answer has come. */
	answered(): void {
		this.#waitingSince = this.#elapsed();
	}

	/** Tells where the job is. `acknowledged`: entries of a batch that is done just now. */
	tell(acknowledged?: number): void {
		const at = this.#elapsed();
		const past = this.#past;
		if (at !== past.at(-1)?.at) past.push({at, done: this.done});
		while (past.length > 2 && at - (past[0]?.at ?? at) > window) past.shift();
		this.#tell?.({...this.now(), ...(acknowledged !== undefined && {acknowledged})});
	}
}
