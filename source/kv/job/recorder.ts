import {type Failure, toFailure} from '../../failure.ts';
import type {JournalEvent, NumberRanges} from '../../state/job-record.ts';
import type {Journal} from '../../state/journal.ts';
import type {JsonValue} from '../../text/json.ts';
import {Ranges} from '../../text/ranges.ts';
import type {KvStore} from '../store.ts';

type Event = JournalEvent<JsonValue>;

/**
 * Milliseconds between journal writes. Shorter for a remote store, where repeating unrecorded work after a
 * kill is expensive.
 */
export const recordIntervals: Readonly<Record<KvStore['kind'], number>> = {
	local: 1000,
	file: 1000,
	simulated: 1000,
	remote: 100,
};

type RecorderOptions = {
	readonly journal?: Journal | undefined;
	/** Creates the journal; undefined records nothing. */
	readonly create?: ((events: readonly Event[]) => Promise<Journal>) | undefined;
	/** Milliseconds between disk writes. */
	readonly recordIntervalMs: number;
	/** Monotonic milliseconds. */
	readonly elapsed: () => number;
	/**
	 * For work without numbered entries: returns the position to resume from, with everything before it
	 * durable. Called when the journal is written.
	 */
	readonly getPosition?: (() => Promise<ReachedPosition | undefined>) | undefined;
	/** Called when the journal was created, or could not be. */
	readonly onChange?: (() => void) | undefined;
};

/** Whether the job has a journal and can be resumed; `coming` until it has run for a moment. */
export type RecordState = 'made' | 'coming' | 'none';

/** A resume position, and the number of entries done before it. */
export type ReachedPosition = {readonly position: JsonValue; readonly done: number};

/**
 * Keeps the journal of a job. The journal is created once sending has lasted an interval (acknowledged or not)
 * or is stopped, so a small job costs no file; or before any work, if requested. Acknowledged work is written at
 * intervals; a killed process only repeats what it had not written. A journal that cannot be written never
 * stops the job.
 */
export class Recorder {
	readonly #options: RecorderOptions;
	#journal: Journal | undefined;
	#acknowledged = new Ranges();
	#refused = new Ranges();
	/** True if the position changed since the last write. */
	#hasMoved = false;
	/** True if the journal has something to record. */
	#hasProgress = false;
	#lastWriteAt: number;
	#lastWrite: Promise<void> = Promise.resolve();
	#isWriting = false;
	#failure: Failure | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** True once the job has finished or stopped: nothing is written after that. */
	#isOver = false;
	/** The time at which the journal was created, if that was before any work. */
	#createdEarlyAt: number | undefined;

	constructor(options: RecorderOptions) {
		this.#options = options;
		this.#journal = options.journal;
		this.#lastWriteAt = options.elapsed();
	}

	/** Why recording stopped. */
	get failure(): Failure | undefined {
		return this.#failure;
	}

	get isRecorded(): boolean {
		return this.#journal !== undefined;
	}

	get state(): RecordState {
		if (this.#journal) return 'made';
		return this.#options.create && !this.#failure && !this.#isOver ? 'coming' : 'none';
	}

	/** Call when something is sent: a journal will exist even if the response is late or never comes. */
	begin(): void {
		if (!this.#journal && !this.#isOver) this.#scheduleWrite(this.#options.recordIntervalMs);
	}

	/**
	 * Creates the journal before any work. It is removed again if the job ends before a journal would be due,
	 * or stops with nothing done: small jobs are not listed.
	 */
	async createJournal(): Promise<void> {
		if (this.#journal || this.#isOver || !this.#options.create) return;
		await this.#write([]);
		if (this.#journal) this.#createdEarlyAt = this.#options.elapsed();
	}

	/** Records finished entries; `isComplete` is true if nothing is left. */
	noteAcknowledged(ranges: NumberRanges, isComplete: boolean): void {
		for (const [from, to] of ranges) this.#acknowledged.add(from, to);
		this.#hasProgress = true;
		this.#writeWhenDue(isComplete);
	}

	/** Like `noteAcknowledged`, for work without numbered entries: the position comes from `getPosition`. */
	noteMoved(isComplete: boolean): void {
		this.#hasMoved = true;
		this.#hasProgress = true;
		this.#writeWhenDue(isComplete);
	}

	noteRefused(ranges: NumberRanges): void {
		for (const [from, to] of ranges) this.#refused.add(from, to);
	}

	/** Records a pause or a resumption. */
	mark(type: 'paused' | 'resumed'): void {
		if (this.#isOver) return;
		// A user who pauses a job looks for it later, even if nothing was done.
		this.#hasProgress = true;
		void this.#write([{type}]);
	}

	/** Writes the current position now, if there is a journal. */
	async catchUp(): Promise<void> {
		await this.#lastWrite;
		if (this.#journal && this.#hasMoved) await this.#write([]);
	}

	/** Ends the job: everything is done, or refused for good. */
	async finish(done: number, refused: number): Promise<void> {
		this.#isOver = true;
		// The journal may be being created right now.
		await this.#lastWrite;
		const isShort =
			this.#createdEarlyAt !== undefined &&
			this.#options.elapsed() - this.#createdEarlyAt < this.#options.recordIntervalMs;
		if (isShort) return this.#discard();
		if (this.#journal) await this.#write([{type: 'done', done, refused}]);
		await this.close();
	}

	/** Stops the job early. A new job keeps its journal only if something was or may have been done. */
	async stop(why: string, hasUnknownOutcome = false): Promise<void> {
		this.#isOver = true;
		await this.#lastWrite;
		const hasProgress =
			this.#hasProgress || this.#hasMoved || this.#acknowledged.size > 0 || hasUnknownOutcome;
		if (!hasProgress && !this.#options.journal) return this.#discard();
		if (this.#journal || hasProgress) await this.#write([{type: 'failed', why}]);
		await this.close();
	}

	#writeWhenDue(isComplete: boolean): void {
		if (isComplete || this.#isOver) return;
		const now = this.#options.elapsed();
		const delayMs = this.#isWriting
			? this.#options.recordIntervalMs
			: this.#lastWriteAt + this.#options.recordIntervalMs - now;
		if (delayMs > 0) {
			// The next acknowledgement may take long.
			this.#scheduleWrite(delayMs);
			return;
		}
		this.#lastWriteAt = now;
		void this.#write([]);
	}

	#scheduleWrite(milliseconds: number): void {
		this.#timer ??= setTimeout(() => this.#handleTimeout(), milliseconds).unref();
	}

	#handleTimeout(): void {
		this.#timer = undefined;
		this.#writeWhenDue(false);
	}

	#write(events: readonly Event[]): Promise<void> {
		this.#isWriting = true;
		this.#lastWrite = this.#lastWrite.then(async () => {
			try {
				await this.#flush(events);
			} catch (error) {
				// The job matters more than its record; what is recorded stays true.
				this.#failure ??= toFailure(error);
				this.#options.onChange?.();
			} finally {
				this.#isWriting = false;
			}
		});
		return this.#lastWrite;
	}

	async #flush(events: readonly Event[]): Promise<void> {
		// After a failed write the journal lacks that progress, so no later progress is recorded, only events such
		// as the end of the job.
		if (this.#failure) return events.length > 0 ? this.#journal?.append(...events) : undefined;
		const refused: NumberRanges = [...this.#refused];
		const ranges: NumberRanges = [...this.#acknowledged];
		this.#refused = new Ranges();
		this.#acknowledged = new Ranges();
		const hasMoved = this.#hasMoved;
		// The position may advance during the lookup: the next write covers that.
		this.#hasMoved = false;
		const reachedPosition = hasMoved ? await this.#options.getPosition?.() : undefined;
		// Refusals first, see `sendBatch`.
		const allEvents: Event[] = [
			...(refused.length > 0 ? [{type: 'refused', ranges: refused} as const] : []),
			...(ranges.length > 0 ? [{type: 'range', ranges} as const] : []),
			...(reachedPosition ? [{type: 'cursor', ...reachedPosition} as const] : []),
			...events,
		];
		if (!this.#journal) {
			this.#journal = await this.#options.create?.(allEvents);
			if (this.#journal) this.#options.onChange?.();
		} else if (allEvents.length > 0) await this.#journal.append(...allEvents);
	}

	async #discard(): Promise<void> {
		clearTimeout(this.#timer);
		try {
			await this.#journal?.discard();
			this.#journal = undefined;
		} catch (error) {
			this.#failure ??= toFailure(error);
		}
	}

	/** Closes the journal unchanged. */
	async close(): Promise<void> {
		clearTimeout(this.#timer);
		await this.#lastWrite;
		try {
			await this.#journal?.close();
		} catch (error) {
			this.#failure ??= toFailure(error);
		}
	}
}
