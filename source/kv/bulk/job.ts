import {resolve} from 'node:path';
import {type Advice, asFailure, type Failure, interrupted} from '../../failure.ts';
import {type Clock, clockAt} from '../../service/clock.ts';
import type {Environment} from '../../state/directory.ts';
import type {JobInput, JobTarget, JournalHeader} from '../../state/job-record.ts';
import {createJob, newJobId} from '../../state/jobs.ts';
import type {Journal} from '../../state/journal.ts';
import {advice, adviceLines, ledge} from '../../text/advice.ts';
import {isOrAre, quantity} from '../../text/figures.ts';
import type {RefusedEntry} from '../send.ts';
import type {KvStore} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {checkFailedFile, claimFailed, defaultFailedFile} from './failed-file.ts';
import {type BulkWork, Passes} from './passes.ts';
import {type BulkProgress, ProgressCount} from './progress.ts';
import {Recorder, recordEvery} from './recorder.ts';
import type {BulkOptions, ResumedBulk} from './resume.ts';

export type StartOptions = {
	readonly signal: AbortSignal;
	readonly environment: Environment;
	readonly cwd: string;
	/** What the store is, for the journal. Without it nothing is recorded (`--dry-run`). */
	readonly target?: JobTarget | undefined;
	/** The file for what fails, if it was named. */
	readonly failed?: string | undefined;
	readonly skipInvalid?: boolean | undefined;
	readonly progress?: ((progress: BulkProgress) => void) | undefined;
	/** The journal of an interrupted job, to go on with it. */
	readonly resumed?: ResumedBulk | undefined;
	/** How a person goes on with the job once it has stopped; told as the next step of its failure. */
	readonly wayOn?: ((id: string) => Advice) | undefined;
	/** Milliseconds since the epoch, for what people read and for expiries. */
	readonly now?: (() => number) | undefined;
	/** Milliseconds of a clock that nobody can set, for rates, waits and how long something took. */
	readonly elapsed?: (() => number) | undefined;
	readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
	/** Instead of real time at the clock that the environment sets. */
	readonly clock?: Clock | undefined;
};

/** What has become of a bulk job that came to its end. */
export type BulkResult = {
	readonly id: string;
	/** Entries of the input. */
	readonly entries: number;
	/** Entries that are written or deleted, by this run or the ones it went on from. */
	readonly done: number;
	/** Of them, keys that did not exist when they were to be deleted; `undefined` where that is not known. */
	readonly absent: number | undefined;
	/** Entries that were not sent because they cannot be. */
	readonly skipped: number;
	/** Entries of an export that were left out because they have expired, or will within a minute. */
	readonly expired: number;
	/** Entries that the service refused to the end. */
	readonly refused: number;
	/** The first of them. */
	readonly refusedSamples: readonly RefusedEntry[];
	/** The file that holds exactly the refused ones. */
	readonly failedFile: string | undefined;
	/** Why there is no such file although there should be. */
	readonly failedFileTrouble: Failure | undefined;
	readonly requests: number;
	readonly milliseconds: number;
	/** Why the job was not recorded: it could not have gone on after an interruption. */
	readonly unrecorded: Failure | undefined;
};

/** A bulk job at work. */
export type BulkJob = {
	readonly id: string;
	/** Fails when the job had to stop: with what stopped it, how far it came (`left`), and how to go on (`next`). */
	readonly finished: Promise<BulkResult>;
	progress(): BulkProgress;
	/** Whether the entry of that number is done. */
	isDone(entry: number): boolean;
	/** Entries that are refused so far and not done yet, the first of them. */
	refused(): RefusedEntry[];
	/** Lets the batches under way end and starts no others until `resume`. */
	pause(): void;
	resume(): void;
	/** Stops; what is done stays recorded. */
	cancel(): void;
};

/**
 * Sends everything in a checked input that has not been sent: batches side by side, entries of repeated keys
 * behind them in order, refused ones once more at the end, and what stays refused goes into a file. Fails with
 * `file_exists` and `file_failed` before anything is sent.
 */
export function startJob<Content>(
	store: KvStore,
	checked: CheckedInput<Content>,
	work: BulkWork<Content>,
	options: StartOptions,
): BulkJob {
	const {environment, resumed, now = Date.now, target} = options;
	const clock = options.clock ?? clockAt(target?.place ?? '', environment);
	const {elapsed = clock.elapsed} = options;
	const id = resumed?.record.header.id ?? newJobId();
	const controller = new AbortController();
	const signal = AbortSignal.any([options.signal, controller.signal]);
	const failed =
		options.failed === undefined
			? defaultFailedFile(checked.input, work.kind, options.cwd)
			: resolve(options.cwd, options.failed);
	const header = (at: JobTarget): JournalHeader<BulkOptions> => ({
		id,
		kind: work.kind,
		created: now(),
		title: `${work.kind.replace('-', ' ')} ${checked.input.label}, ${store.label}`,
		target: at,
		input: jobInput(checked, options.cwd),
		total: checked.valid,
		options: {skipInvalid: options.skipInvalid ?? false, failed},
	});
	const recordable = target && (checked.input.kept || !checked.input.spooled);
	const count = new ProgressCount(checked.valid, {now, elapsed}, options.progress);
	if (resumed) count.record = 'made';
	else if (recordable) count.record = 'coming';
	const recorder = new Recorder({
		journal: resumed?.journal,
		create: recordable ? events => begun(createJob(environment, header(target), events)) : undefined,
		every: recordEvery[store.kind],
		elapsed,
	});

	/** Tells whether there is a journal now. */
	async function begun(making: Promise<Journal>): Promise<Journal> {
		try {
			const journal = await making;
			count.record = 'made';
			return journal;
		} catch (error) {
			count.record = 'none';
			throw error;
		} finally {
			count.tell();
		}
	}

	const passes = new Passes(store, checked, work, {
		signal,
		recorder,
		count,
		record: resumed?.record,
		wait: options.wait ?? ((milliseconds, during) => clock.wait(milliseconds * clock.scale, during)),
		now,
	});

	async function run(): Promise<BulkResult> {
		const began = elapsed();
		const isNamed = options.failed !== undefined && !resumed;
		let claim: Disposable | undefined;
		try {
			if (target && options.failed !== undefined) claim = claimFailed(failed, isNamed);
			checkFailedFile(failed, isNamed);
		} catch (error) {
			claim?.[Symbol.dispose]();
			await recorder.close();
			throw error;
		}
		using _claim = claim;
		try {
			const {refused, samples, failed: written} = await passes.run({path: failed, isNamed});
			await recorder.finish(passes.done, refused);
			checked.input.retain(false);
			return {
				id,
				entries: checked.entries,
				done: passes.done,
				// A run before, or an earlier entry of the same key, may be why a key did not exist.
				absent:
					resumed || checked.repeats.keys > 0
						? undefined
						: (passes.absent ?? (checked.input.isListed ? 0 : undefined)),
				skipped: checked.problemCount,
				expired: checked.expired + passes.expired,
				refused,
				refusedSamples: samples,
				failedFile: written && 'path' in written ? written.path : undefined,
				failedFileTrouble: written && 'trouble' in written ? written.trouble : undefined,
				requests: count.requests,
				milliseconds: elapsed() - began,
				unrecorded: recorder.trouble,
			};
		} catch (error) {
			const failure = signal.aborted ? interrupted() : asFailure(error);
			const {outcomeUnknown} = passes;
			await recorder.stop(failure.message, outcomeUnknown > 0 || (signal.aborted && count.requests > 0));
			if (recorder.recorded) checked.input.retain(true);
			else count.record = 'none';
			throw stopped(failure, outcomeUnknown);
		}
	}

	function stopped(failure: Failure, outcomeUnknown: number): Failure {
		const {done} = passes;
		const all = quantity(checked.valid, 'entry', 'entries');
		const left = checked.valid - done;
		const state =
			outcomeUnknown === 0
				? `${done} of ${all} ${isOrAre(done)} ${work.participle}, ${left} ${isOrAre(left)} left.`
				: `${done} of ${all} ${isOrAre(done)} known to be ${work.participle}; up to ${outcomeUnknown} more may be.`;
		const wayOn = recorder.recorded
			? (options.wayOn ?? defaultWayOn)(id)
			: `Start it again: what is ${work.participle} already is only ${work.participle} once more.`;
		const trouble = recorder.trouble ? `It could not be recorded: ${recorder.trouble.message}` : undefined;
		return failure.with({
			left: [failure.details.left, state, trouble].filter(Boolean).join(' '),
			next: adviceLines(failure.details.next, wayOn),
		});
	}

	return {
		id,
		finished: run(),
		progress: () => count.now(),
		isDone: entry => passes.isDone(entry),
		refused: () => passes.samples(),
		pause: () => passes.pause(),
		resume: () => passes.resume(),
		cancel: () => controller.abort(),
	};
}

const defaultWayOn = (id: string): Advice => advice`\`${ledge('jobs resume', id)}\` resumes the rest.`;

/** The input of a job as its journal names it. */
export function jobInput({input, digest}: CheckedInput<unknown>, cwd: string): JobInput {
	const {path, size, modified, kept} = input;
	return {path: resolve(cwd, path), size, modified, digest, kept};
}
