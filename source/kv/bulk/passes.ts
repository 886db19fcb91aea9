import type {JobRecord, NumberRanges} from '../../state/job-record.ts';
import {Ranges} from '../../text/ranges.ts';
import type {Gate} from '../job/gate.ts';
import {retryWaits} from '../job/job.ts';
import {Lanes} from '../job/lanes.ts';
import type {Recorder} from '../job/recorder.ts';
import {collectGarbageIfNeeded} from '../memory.ts';
import {mayHaveTakenEffect, type RefusedEntry} from '../send.ts';
import type {KvStore} from '../store.ts';
import {type Batch, BatchFiller, BatchSize, OrderedFiller} from './batches.ts';
import type {CheckedInput} from './check.ts';
import type {Item} from './entries.ts';
import {ExpiryFilter} from './expiry-filter.ts';
import {type FailedFileResult, writeFailedFile} from './failed-file.ts';
import {readElements} from './input.ts';
import type {ProgressCounter} from './progress.ts';
import type {Repeats} from './repeats.ts';
import type {Element} from './splitter.ts';
import type {BulkWork} from './work.ts';

const maxSamples = 100;

type PassOptions = {
	readonly signal: AbortSignal;
	readonly gate: Gate;
	readonly recorder: Recorder;
	readonly counter: ProgressCounter;
	/** Record of the interrupted run. */
	readonly record: JobRecord<unknown, unknown> | undefined;
	readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
};

type Pass<Content> = {
	/** Selects the entries to send among those included by number; all of them by default. */
	readonly shouldSend?: ((item: Item<Content>) => boolean) | undefined;
	/** True to send batches one after the other, none with a key twice. */
	readonly isOrdered?: boolean;
	readonly onRefused?: (entries: readonly RefusedEntry[]) => void;
	readonly onAcknowledged?: (items: readonly Item<Content>[]) => void;
};

/**
 * The passes of a bulk job over its input. Each pass reads the whole file and sends some of its entries, so
 * memory holds only entry numbers, as ranges: first unique keys, concurrently; then repeated keys, in order;
 * then refused entries, a few times.
 */
export class Passes<Content> {
	readonly #store: KvStore;
	readonly #checked: CheckedInput<Content>;
	readonly #work: BulkWork<Content>;
	readonly #options: PassOptions;
	readonly #size: BatchSize;
	readonly #doneEntries: Ranges;
	/** Entries done by earlier runs. */
	readonly doneBefore: number;
	/** Refused entries to retry. */
	#refusedEntries = new Ranges();
	readonly #finallyRefusedEntries = new Ranges();
	readonly #expiryFilter: ExpiryFilter<Content>;
	/** Entries left out because they expired before they could be sent. */
	expired = 0;
	/** Deleted keys that did not exist; undefined if the store does not know. */
	absent: number | undefined;
	/** Keys that were not deleted because the source has them by now, and the first of them. */
	protectedCount = 0;
	readonly protectedSamples: string[] = [];
	/** Refused entries that count as done, because a later entry of the same key was done. */
	#overruledCount = 0;
	/** Entries sent at least once without a response. */
	readonly #unansweredEntries = new Ranges();
	readonly #refusedSamples = new Map<number, RefusedEntry>();

	constructor(work: BulkWork<Content>, store: KvStore, checked: CheckedInput<Content>, options: PassOptions) {
		this.#store = store;
		this.#checked = checked;
		this.#work = work;
		this.#options = options;
		this.#size = new BatchSize(store.batchLimits);
		this.#doneEntries = options.record?.acknowledged ?? new Ranges();
		this.doneBefore = this.#doneEntries.size;
		for (const [from, to] of options.record?.refused ?? [])
			for (let number = from; number < to; number++)
				if (!this.#doneEntries.has(number)) this.#refusedEntries.add(number, number + 1);
		this.#expiryFilter = new ExpiryFilter(options.now, work.getExpiration ?? (() => undefined));
		options.counter.done = this.done;
	}

	get done(): number {
		return this.#doneEntries.size + this.#overruledCount;
	}

	/** Number of entries that may have taken effect: sent without a response, and not acknowledged since. */
	get unknownOutcomeCount(): number {
		let count = 0;
		for (const [from, to] of this.#unansweredEntries)
			for (let number = from; number < to; number++) if (!this.#doneEntries.has(number)) count++;
		return count;
	}

	isDone(entry: number): boolean {
		return this.#doneEntries.has(entry);
	}

	/** Lists the first entries refused and not done yet, in file order. */
	listRefusedSamples(): RefusedEntry[] {
		return [...this.#refusedSamples.values()].sort((one, other) => one.entry - other.entry);
	}

	/**
	 * Runs all passes, then writes finally refused entries to the file, or to a numbered one if the user did
	 * not name it.
	 */
	async run(failedFile: {readonly path: string; readonly isNamed: boolean}): Promise<{
		refused: number;
		refusedSamples: RefusedEntry[];
		failedFileResult: FailedFileResult | undefined;
	}> {
		const {counter, signal, wait} = this.#options;
		const {repeats} = this.#checked;
		const repeatedKeys = this.#work.isOrdered && repeats.keyCount > 0 ? repeats : undefined;
		await this.#runPass(number => !this.#doneEntries.has(number) && !this.#refusedEntries.has(number), {
			shouldSend: repeatedKeys && (({key}) => !repeatedKeys.has(key)),
		});
		if (repeatedKeys) {
			counter.phase = 'repeated keys';
			await this.#runOrderedPass(repeatedKeys);
		}
		for (const milliseconds of retryWaits) {
			if (this.#refusedEntries.size === 0) break;
			counter.phase = 'retrying';
			counter.retries++;
			this.#report();
			await wait(milliseconds, signal);
			const retriedEntries = this.#refusedEntries;
			this.#refusedEntries = new Ranges();
			await this.#runPass(number => retriedEntries.has(number), {});
		}
		for (const [from, to] of this.#refusedEntries) this.#finallyRefusedEntries.add(from, to);
		this.#refusedEntries = new Ranges();
		counter.phase = 'done';
		this.#report();
		return {
			refused: this.#finallyRefusedEntries.size,
			refusedSamples: this.listRefusedSamples(),
			failedFileResult:
				this.#finallyRefusedEntries.size > 0
					? await writeFailedFile(
							failedFile.path,
							failedFile.isNamed,
							() => this.#formatFinallyRefusedLines(),
							signal,
						)
					: undefined,
		};
	}

	/**
	 * Sends entries of repeated keys batch by batch. A refusal is dropped when a later entry of its key is
	 * done.
	 */
	async #runOrderedPass(repeats: Repeats): Promise<void> {
		const refusedByKey = new Map<string, number>();
		const overrule = (key: string) => {
			const number = refusedByKey.get(key);
			if (number === undefined) return;
			this.#refusedEntries.remove(number);
			this.#finallyRefusedEntries.remove(number);
			this.#refusedSamples.delete(number);
			this.#overruledCount++;
			refusedByKey.delete(key);
		};
		const noteRefusal = (key: string, number: number) => {
			overrule(key);
			refusedByKey.set(key, number);
		};
		await this.#runPass(() => true, {
			isOrdered: true,
			shouldSend: ({key, number}) => {
				if (!repeats.has(key)) return false;
				const done = this.#doneEntries.has(number);
				// An earlier run may have handled this entry: treat its outcome as current.
				if (done) overrule(key);
				else if (this.#refusedEntries.has(number)) noteRefusal(key, number);
				else return true;
				return false;
			},
			onRefused: entries => {
				for (const {key, entry} of entries) noteRefusal(key, entry);
			},
			onAcknowledged: items => {
				for (const {key} of items) overrule(key);
			},
		});
	}

	/** Reads the input and sends the entries selected by number and by content. */
	async #runPass(isIncluded: (number: number) => boolean, pass: Pass<Content>): Promise<void> {
		const {counter} = this.#options;
		const lanes = new Lanes(pass.isOrdered ? 1 : this.#store.batchLimits.concurrency, this.#options);
		const filler = pass.isOrdered
			? new OrderedFiller<Content>(this.#size)
			: new BatchFiller<Content>(this.#size);
		const launch = (batch: Batch<Content>) => lanes.start(batch.bytes, () => this.#send(batch, pass));
		try {
			for await (const group of this.#readElements()) {
				for (const element of group) {
					if (!isIncluded(element.number)) continue;
					const item = this.#parse(element);
					if (!item || pass.shouldSend?.(item) === false) continue;
					for (const batch of filler.add(item)) await launch(batch);
				}
			}
			for (const batch of filler.flush()) await launch(batch);
			await lanes.finish();
		} finally {
			await lanes.drain();
			counter.inFlight = 0;
		}
	}

	async #send(batch: Batch<Content>, pass: Pass<Content>): Promise<void> {
		const {signal, counter, recorder} = this.#options;
		counter.changeInFlight(1);
		recorder.begin();
		this.#report();
		const undeletedKeys = new Set<string>();
		try {
			const send = async (items: readonly Item<Content>[]) => {
				counter.requests++;
				try {
					const outcome = await this.#work.send(this.#store, items, signal);
					counter.noteResponse();
					if (outcome.absent !== undefined) this.absent = (this.absent ?? 0) + outcome.absent;
					for (const key of outcome.undeletedKeys ?? []) undeletedKeys.add(key);
					return outcome;
				} catch (error) {
					if (mayHaveTakenEffect(error))
						for (const {number} of items) this.#unansweredEntries.add(number, number + 1);
					throw error;
				}
			};
			await this.#expiryFilter.send(batch, send, {
				onExpired: items => {
					this.expired += items.length;
					for (const {number} of items) this.#refusedSamples.delete(number);
				},
				onAcknowledged: answeredItems => {
					const items = this.#excludeUndeleted(answeredItems, undeletedKeys);
					pass.onAcknowledged?.(items);
					const pairs = toNumberRanges(items.map(({number}) => number));
					for (const [from, to] of pairs) this.#doneEntries.add(from, to);
					if (this.#refusedSamples.size > 0)
						for (const {number} of items) this.#refusedSamples.delete(number);
					const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
					counter.bytes += bytes;
					collectGarbageIfNeeded();
					recorder.noteAcknowledged(
						pairs,
						this.done + this.protectedCount + this.#finallyRefusedEntries.size >= this.#checked.validCount,
					);
					this.#report(items.length);
				},
				onRefused: entries => {
					for (const entry of entries) {
						(entry.final ? this.#finallyRefusedEntries : this.#refusedEntries).add(
							entry.entry,
							entry.entry + 1,
						);
						if (this.#refusedSamples.size < maxSamples) this.#refusedSamples.set(entry.entry, entry);
					}
					pass.onRefused?.(entries);
					recorder.noteRefused(toNumberRanges(entries.map(({entry}) => entry)));
					this.#report();
				},
				onHalved: halvedBatch => {
					this.#size.halve(halvedBatch);
					counter.retries++;
					this.#report();
				},
			});
		} finally {
			counter.changeInFlight(-1);
		}
	}

	/** Returns the entries that are done; counts those whose keys were not deleted. */
	#excludeUndeleted(
		items: readonly Item<Content>[],
		undeletedKeys: ReadonlySet<string>,
	): readonly Item<Content>[] {
		if (undeletedKeys.size === 0) return items;
		for (const {key, number} of items) {
			if (!undeletedKeys.has(key)) continue;
			this.protectedCount++;
			this.#refusedSamples.delete(number);
			if (this.protectedSamples.length < maxSamples) this.protectedSamples.push(key);
		}
		return items.filter(({key}) => !undeletedKeys.has(key));
	}

	/** Yields the finally refused entries, one per line as the same command reads them. */
	async *#formatFinallyRefusedLines(): AsyncGenerator<string> {
		for await (const group of this.#readElements()) {
			for (const element of group) {
				const item = this.#finallyRefusedEntries.has(element.number) ? this.#parse(element) : undefined;
				if (item) yield `${JSON.stringify(item.content)}\n`;
			}
		}
	}

	#readElements(): AsyncIterable<Element[]> {
		const {input, format} = this.#checked;
		return readElements(input, format, this.#options.signal);
	}

	/** Parses a valid entry; invalid ones were reported and are skipped (`--skip-invalid`). */
	#parse(element: Element): Item<Content> | undefined {
		const item = this.#checked.format.parse(element, this.#checked.now);
		return 'problem' in item ? undefined : item;
	}

	#report(acknowledged?: number): void {
		const {counter} = this.#options;
		counter.done = this.done;
		counter.refused = this.#refusedEntries.size + this.#finallyRefusedEntries.size;
		counter.report(acknowledged);
	}
}

/** Converts ascending numbers to ranges [from, to). */
function toNumberRanges(numbers: readonly number[]): NumberRanges {
	const pairs: [number, number][] = [];
	for (const number of numbers) {
		const last = pairs.at(-1);
		if (last?.[1] === number) last[1]++;
		else pairs.push([number, number + 1]);
	}
	return pairs;
}
