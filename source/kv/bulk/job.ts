import {resolve} from 'node:path';
import type {Failure} from '../../failure.ts';
import {type Clock, createPlaceClock} from '../../service/clock.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {chooseIsOrAre, formatPlainQuantity} from '../../text/figures.ts';
import {type Job, type JobEnd, type JobOptions, type Resumed, startJob} from '../job/job.ts';
import {recordIntervals} from '../job/recorder.ts';
import type {RefusedEntry} from '../send.ts';
import type {KvStore} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {checkFailedFile, claimFailedPath, getDefaultFailedPath} from './failed-file.ts';
import {Passes} from './passes.ts';
import {type BulkProgress, ProgressCounter} from './progress.ts';
import {protectSourceKeys} from './source-keys.ts';
import type {BulkWork} from './work.ts';

/** Options of a bulk job in its journal. */
export type BulkOptions = {
	readonly skipInvalid: boolean;
	readonly failed: string;
	/** The trash batch with the deleted keys. */
	readonly trash?: string;
	/** The store whose keys must be kept. */
	readonly source?: JobTarget;
};

/** A store whose keys a deletion must keep, see `protectSourceKeys`; the caller disposes of it. */
export type BulkSource = {readonly store: KvStore; readonly target: JobTarget};

export type ResumedBulk = Resumed<BulkOptions, never>;

export type StartBulkOptions = JobOptions & {
	readonly cwd: string;
	/** Target for the journal. Without it nothing is recorded (`--dry-run`). */
	readonly target?: JobTarget | undefined;
	/** The file for failed entries, if the user named one. */
	readonly failed?: string | undefined;
	readonly skipInvalid?: boolean | undefined;
	/** The trash batch with the deleted keys. */
	readonly trash?: string | undefined;
	/** The store whose keys must be kept, if any. */
	readonly source?: BulkSource | undefined;
	readonly progress?: ((progress: BulkProgress) => void) | undefined;
	readonly resumed?: ResumedBulk | undefined;
	readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
	/** Replaces the clock that the environment sets. */
	readonly clock?: Clock | undefined;
};

type BulkFigures = {
	readonly entries: number;
	/** Entries written or deleted, by this run or earlier ones. */
	readonly done: number;
	/** The entries among them that earlier runs finished. */
	readonly doneBefore: number;
	/** Distinct keys of the finished entries; undefined if repeated keys are not counted individually. */
	readonly distinctKeyCount: number | undefined;
	/** The finished keys that did not exist when they were deleted; undefined if unknown. */
	readonly absent: number | undefined;
	/** Keys that were not deleted because the source has them by now, and the first of them. */
	readonly protectedCount: number;
	readonly protectedSamples: readonly string[];
	/** Invalid entries, which were not sent. */
	readonly skipped: number;
	/** Entries of an export left out because they have expired, or will within a minute. */
	readonly expired: number;
	/** Entries that the service finally refused. */
	readonly refused: number;
	readonly refusedSamples: readonly RefusedEntry[];
	/** The file with exactly the refused entries. */
	readonly failedFile: string | undefined;
	/** Why this file could not be written. */
	readonly failedFileFailure: Failure | undefined;
	/** Batches sent by this run, including halves. */
	readonly requests: number;
};

export type BulkResult = BulkFigures & JobEnd;

export type BulkJob = Job<BulkProgress, BulkResult> & {
	isDone(entry: number): boolean;
	/** Lists the first entries refused so far and not done yet. */
	listRefused(): RefusedEntry[];
};

/**
 * Sends all unsent entries of a checked input: batches concurrently, then repeated keys in order, then
 * refused entries again. Finally refused entries go to a file. Fails with `file_exists` and `file_failed`
 * before anything is sent.
 */
export function startBulk<Content>(
	work: BulkWork<Content>,
	store: KvStore,
	checked: CheckedInput<Content>,
	options: StartBulkOptions,
): BulkJob {
	const {environment, resumed, now = Date.now, target, cwd} = options;
	const {kind, command, participle} = work;
	const {input} = checked;
	const clock = options.clock ?? createPlaceClock(target?.place ?? '', environment);
	const {elapsed = clock.elapsed} = options;
	const failed =
		options.failed === undefined ? getDefaultFailedPath(input, kind, cwd) : resolve(cwd, options.failed);
	// On resume, the path comes from the journal: the user did not name it in this run.
	const isFailedPathNamed = options.failed !== undefined && !resumed;
	const recordedOptions: BulkOptions = {
		skipInvalid: options.skipInvalid ?? false,
		failed,
		...(options.trash !== undefined && {trash: options.trash}),
		...(options.source && {source: options.source.target}),
	};
	const guardedStore = options.source ? protectSourceKeys(store, options.source.store) : store;
	const title = `${command} ${input.label}, ${store.label}`;
	// A copy outside the state directory is in the temporary folder: a job with it cannot be resumed.
	const isRecordable = input.isInStateDirectory || !input.isCopy;
	let claim: Disposable | undefined;
	let passes: Passes<Content> | undefined;
	const job = startJob<BulkProgress, BulkFigures>(
		{
			...options,
			kind,
			now,
			elapsed,
			recorded: target && isRecordable ? {title, target, options: recordedOptions} : undefined,
			input: checked,
			recordIntervalMs: recordIntervals[store.kind],
		},
		({signal, gate, recorder}) => {
			const counter = new ProgressCounter(
				{total: checked.validCount, now, elapsed, report: options.progress},
				{gate, recorder},
			);
			const bulkPasses = new Passes(work, guardedStore, checked, {
				signal,
				gate,
				recorder,
				counter,
				record: resumed?.record,
				wait:
					options.wait ?? ((milliseconds, waitSignal) => clock.wait(milliseconds * clock.scale, waitSignal)),
				now,
			});
			passes = bulkPasses;
			return {
				begin() {
					if (target && options.failed !== undefined) claim = claimFailedPath(failed, isFailedPathNamed);
					try {
						checkFailedFile(failed, isFailedPathNamed);
					} catch (error) {
						claim?.[Symbol.dispose]();
						throw error;
					}
				},
				async run() {
					const {refused, refusedSamples, failedFileResult} = await bulkPasses.run({
						path: failed,
						isNamed: isFailedPathNamed,
					});
					const {done} = bulkPasses;
					const figures = {
						entries: checked.entryCount,
						done,
						doneBefore: bulkPasses.doneBefore,
						distinctKeyCount: countDistinctKeys(done, checked),
						// An earlier run, or an earlier entry of the same key, may be why a key did not
						// exist.
						absent:
							resumed || checked.repeats.keyCount > 0
								? undefined
								: (bulkPasses.absent ?? (input.hasListedKeys ? 0 : undefined)),
						protectedCount: bulkPasses.protectedCount,
						protectedSamples: bulkPasses.protectedSamples,
						skipped: checked.problemCount,
						expired: checked.expiredCount + bulkPasses.expired,
						refused,
						refusedSamples,
						failedFile: failedFileResult && 'path' in failedFileResult ? failedFileResult.path : undefined,
						failedFileFailure:
							failedFileResult && 'trouble' in failedFileResult ? failedFileResult.trouble : undefined,
						requests: counter.requests,
					};
					return {done, refused, figures};
				},
				getProgress: () => counter.getProgress(),
				report: () => counter.report(),
				hasUnknownOutcome: () => bulkPasses.unknownOutcomeCount > 0,
				describeStop: () => ({
					progressText: describeBulkProgress(bulkPasses, checked.validCount, participle),
					restartAdvice: `Start it again: what is already ${participle} is simply ${participle} again.`,
				}),
				async close() {
					claim?.[Symbol.dispose]();
				},
			};
		},
	);
	return {
		...job,
		isDone: entry => passes?.isDone(entry) ?? false,
		listRefused: () => passes?.listRefusedSamples() ?? [],
	};
}

/** Returns the number of distinct keys among `done` entries; overruled entries do not count. */
function countDistinctKeys(done: number, {validCount, repeats}: CheckedInput<unknown>): number | undefined {
	if (repeats.keyCount === 0) return done;
	return done === validCount && repeats.overruledCount !== undefined
		? done - repeats.overruledCount
		: undefined;
}

function describeBulkProgress(
	{done, unknownOutcomeCount}: {readonly done: number; readonly unknownOutcomeCount: number},
	total: number,
	participle: string,
): string {
	const totalText = formatPlainQuantity(total, 'entry', 'entries');
	const remainingCount = total - done;
	return unknownOutcomeCount === 0
		? `${done} of ${totalText} ${chooseIsOrAre(done)} ${participle}, ${remainingCount} ${chooseIsOrAre(remainingCount)} left.`
		: `${done} of ${totalText} ${chooseIsOrAre(done)} known to be ${participle}; up to ${unknownOutcomeCount} more may be.`;
}
