import {asFailure, type Failure} from '../../failure.ts';
import type {JournalEvent, Pairs} from '../../state/job-record.ts';
import type {Journal} from '../../state/journal.ts';
import type {JsonValue} from '../../text/json.ts';
import {Ranges} from '../../text/ranges.ts';
import type {KvStore} from '../store.ts';

type Event = JournalEvent<JsonValue>;

/** Milliseconds between two writes of a journal: a local batch takes no time, a remote one is worth a line. */
export const recordEvery: Readonly<Record<KvStore['kind'], number>> = {
	local: 1000,
	file: 1000,
	simulated: 1000,
	remote: 100,
};

type RecorderOptions = {
	readonly journal?: Journal | undefined;
	/** Makes the journal; without it nothing is recorded. */
	readonly create?: ((events: readonly Event[]) => Promise<Journal>) | undefined;
	/** Milliseconds between two writes to the disk. */
	readonly every: number;
	/** Milliseconds of a clock that nobody can set. */
	readonly elapsed: () => number;
	/** Where work without numbered entries goes on, once all before it is durable; asked for when it is written. */
	readonly place?: (() => Promise<Reached | undefined>) | undefined;
	/** Called when the journal was made, or could not be. */
	readonly changed?: (() => void) | undefined;
};

/** Whether a job is written down, so that it can be resumed: `coming` until it has lasted a moment. */
export type RecordState = 'made' | 'coming' | 'none';

/** How far a walk has come, and how many entries are done until there. */
export type Reached = {readonly position: JsonValue; readonly done: number};

/**
 * Keeps the journal of a job. Unless it is asked for at the beginning, it is made when sending has lasted a moment,
 * acknowledged or not, or is stopped: a small job costs no file. What was acknowledged is written at most every so often;
 * what a killed process had not written is only sent again. A journal that cannot be written never stops the job.
 */
export class Recorder {
	readonly #options: RecorderOptions;
	#journal: Journal | undefined;
	#acknowledged = new Ranges();
	#refused = new Ranges();
	/** Whether `place` has something new. */
	#moved = false;
	/** Whether anything was done that belongs into the journal. */
	#hasDone = false;
	#written: number;
	#writing: Promise<void> = Promise.resolve();
	#busy = false;
	#trouble: Failure | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Whether the job has come to its end, or was stopped: nothing is written behind that. */
	#over = false;
	/** When a journal was made that nothing has come of yet. */
	#madeEarly: number | undefined;

	constructor(options: RecorderOptions) {
		this.#options = options;
		this.#journal = options.journal;
		this.#written = options.elapsed();
	}

	/** Why nothing is recorded any longer. */
	get trouble(): Failure | undefined {
		return this.#trouble;
	}

	get recorded(): boolean {
		return this.#journal !== undefined;
	}

	get state(): RecordState {
		if (this.#journal) return 'made';
		return this.#options.create && !this.#trouble && !this.#over ? 'coming' : 'none';
	}

	/** Something is sent. Whatever comes of it, and however late, is to be found in a journal. */
	begin(): void {
		if (!this.#journal && !this.#over) this.#dueIn(this.#options.every);
	}

	/**
	 * Makes the journal before anything is done. It is removed again where the job ends within the time that a journal
	 * otherwise waits for, or stops with nothing done: a small job is not listed.
	 */
	async make(): Promise<void> {
		if (this.#journal || this.#over || !this.#options.create) return;
		await this.#write([]);
		if (this.#journal) this.#madeEarly = this.#options.elapsed();
	}

	/** Notes what is done; `over` when nothing is left to do. */
	acknowledged(numbers: Pairs, over: boolean): void {
		for (const [from, to] of numbers) this.#acknowledged.add(from, to);
		this.#hasDone = true;
		this.#due(over);
	}

	/** The same for work without numbered entries: `place` returns where it is. */
	moved(over: boolean): void {
		this.#moved = true;
		this.#hasDone = true;
		this.#due(over);
	}

	refused(numbers: Pairs): void {
		for (const [from, to] of numbers) this.#refused.add(from, to);
	}

	/** Records that the job waits, or continues. */
	mark(type: 'paused' | 'resumed'): void {
		if (this.#over) return;
		// Whoever pauses a job looks for it afterwards, whatever was done until then.
		this.#hasDone = true;
		void this.#write([{type}]);
	}

	/** Writes down now where the work is, if there is a journal. */
	async catchUp(): Promise<void> {
		await this.#writing;
		if (this.#journal && this.#moved) await this.#write([]);
	}

	/** The end of the job: everything is done, or refused for good. */
	async finish(done: number, refused: number): Promise<void> {
		this.#over = true;
		// The journal may be in the making at this moment.
		await this.#writing;
		const isShort =
			this.#madeEarly !== undefined && this.#options.elapsed() - this.#madeEarly < this.#options.every;
		if (isShort) return this.#discard();
		if (this.#journal) await this.#write([{type: 'done', done, refused}]);
		await this.close();
	}

	/** The job stops before its end. A new one keeps its journal only if something was done, or `mayBeDone`. */
	async stop(why: string, mayBeDone = false): Promise<void> {
		this.#over = true;
		await this.#writing;
		const hasDone = this.#hasDone || this.#moved || this.#acknowledged.size > 0 || mayBeDone;
		if (!hasDone && !this.#options.journal) return this.#discard();
		if (this.#journal || hasDone) await this.#write([{type: 'failed', why}]);
		await this.close();
	}

	#due(over: boolean): void {
		if (over || this.#over) return;
		const now = this.#options.elapsed();
		const left = this.#busy ? this.#options.every : this.#written + this.#options.every - now;
		if (left > 0) {
			// The next acknowledgement may be a long time coming.
			this.#dueIn(left);
			return;
		}
		this.#written = now;
		void this.#write([]);
	}

	#dueIn(milliseconds: number): void {
		this.#timer ??= setTimeout(() => this.#timeOut(), milliseconds).unref();
	}

	#timeOut(): void {
		this.#timer = undefined;
		this.#due(false);
	}

	#write(events: readonly Event[]): Promise<void> {
		this.#busy = true;
		this.#writing = this.#writing.then(async () => {
			try {
				await this.#flush(events);
			} catch (error) {
				// The job is worth more than its record; what is recorded stays true.
				this.#trouble ??= asFailure(error);
				this.#options.changed?.();
			} finally {
				this.#busy = false;
			}
		});
		return this.#writing;
	}

	async #flush(events: readonly Event[]): Promise<void> {
		// Of how far it came nothing is written behind a gap; how it ended is true all the same.
		if (this.#trouble) return events.length > 0 ? this.#journal?.append(...events) : undefined;
		const refused: Pairs = [...this.#refused];
		const ranges: Pairs = [...this.#acknowledged];
		this.#refused = new Ranges();
		this.#acknowledged = new Ranges();
		const hasMoved = this.#moved;
		// It may move on while the place is looked up: that is for the next writing.
		this.#moved = false;
		const reached = hasMoved ? await this.#options.place?.() : undefined;
		// The refused first: see `sendBatch`.
		const all: Event[] = [
			...(refused.length > 0 ? [{type: 'refused', ranges: refused} as const] : []),
			...(ranges.length > 0 ? [{type: 'range', ranges} as const] : []),
			...(reached ? [{type: 'cursor', ...reached} as const] : []),
			...events,
		];
		if (!this.#journal) {
			this.#journal = await this.#options.create?.(all);
			if (this.#journal) this.#options.changed?.();
		} else if (all.length > 0) await this.#journal.append(...all);
	}

	async #discard(): Promise<void> {
		clearTimeout(this.#timer);
		try {
			await this.#journal?.discard();
			this.#journal = undefined;
		} catch (error) {
			this.#trouble ??= asFailure(error);
		}
	}

	/** Releases the journal as it is. */
	async close(): Promise<void> {
		clearTimeout(this.#timer);
		await this.#writing;
		try {
			await this.#journal?.close();
		} catch (error) {
			this.#trouble ??= asFailure(error);
		}
	}
}
