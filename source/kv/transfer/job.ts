import {exactOptional, number, optional, pipe, safeInteger, string, transform} from 'valibot';
import type {JobCodec, JobTarget} from '../../state/job-record.ts';
import {chooseIsOrAre, formatPlainQuantity} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {ignoreInvalid, parseOrUndefined, pickFields, type Schema} from '../../text/schema.ts';
import {type Job, type JobEnd, type JobOptions, type JobTools, type Resumed, startJob} from '../job/job.ts';
import {Rate} from '../job/rate.ts';
import type {KeysWork} from '../long-work.ts';
import type {CheckpointState} from './checkpoint.ts';
import {type Counts, countProcessed, countsSchema, noCounts} from './counts.ts';
import type {FileMark} from './export-file.ts';
import type {KeyNames} from './names.ts';

export type TransferProgress = Counts & {
	/** Number of processed keys; the counts show their outcomes. */
	readonly settled: number;
	/** Number of keys to process, when all are listed. */
	readonly total?: number;
	/** Keys per second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	readonly isRecorded: boolean;
	/** What the transfer reads, and the quota for it. */
	readonly work: KeysWork;
};

type TransferFigures = Counts & {
	/** The finished keys of earlier runs. */
	readonly doneBefore: number;
	/** The file with exactly the refused keys, as `kv bulk put` reads them. */
	readonly failedFile: string | undefined;
};

export type TransferResult = TransferFigures & JobEnd;

export type TransferJob = Job<TransferProgress, TransferResult>;

export type TransferKind = 'export' | 'copy' | 'rename';

type ResumedTransfer<Options> = Resumed<Options, TransferPosition>;

/** Where a transfer resumes; for an export, also how far its file is written. */
export type TransferPosition = CheckpointState & {readonly file?: FileMark | undefined};

export type TransferOptions<Options> = JobOptions & {
	/** What the journal records; undefined records nothing (`--dry-run`, standard output). */
	readonly recorded?:
		| {readonly title: string; readonly target: JobTarget; readonly options: Options}
		| undefined;
	readonly resumed?: ResumedTransfer<Options> | undefined;
	/** Named keys, kept until the job is done. */
	readonly names?: KeyNames | undefined;
	readonly progress?: ((progress: TransferProgress) => void) | undefined;
	/** Milliseconds between journal writes. */
	readonly recordIntervalMs: number;
};

/** The specific part of a transfer; the rest is shared. */
type TransferWork = {
	readonly kind: TransferKind;
	readonly keysWork: KeysWork;
	/** Participle for finished keys: "exported", "copied". */
	readonly participle: string;
	run(tools: TransferTools): Promise<void>;
	/** Counts so far. */
	getCounts(): Counts;
	/** The part of the counts that remains if the job stops now. */
	getRetainedCounts(isRecorded: boolean): Counts;
	/** The position to resume from, with everything before it durable; undefined if it cannot resume. */
	getPosition(): Promise<TransferPosition | undefined>;
	/** Releases open resources; temporary results are useless if the job stopped unrecorded. */
	close(isRecorded: boolean): Promise<void>;
	getFailedFile?(): string | undefined;
};

export type TransferTools = JobTools & {
	/** Call after processing keys. */
	noteProcessed(): void;
	noteListed(keys: number): void;
	finishListing(): void;
};

export function startTransfer<Options extends JsonValue>(
	work: TransferWork,
	{names, now = Date.now, elapsed = () => performance.now(), ...options}: TransferOptions<Options>,
): TransferJob {
	const rate = new Rate(elapsed);
	const countsBefore = work.getCounts();
	const processedBefore = countProcessed(countsBefore);
	const {kept: keptBefore, done: doneBefore} = countsBefore;
	let [listedCount, isListed] = [0, false];
	/** Final counts of a stopped job. */
	let finalCounts: Counts | undefined;
	const jobOptions = {...options, kind: work.kind, now, elapsed, input: names};
	return startJob<TransferProgress, TransferFigures>(jobOptions, tools => {
		const {gate, recorder} = tools;
		function computeProgress(): TransferProgress {
			const counts = finalCounts ?? work.getCounts();
			const settled = countProcessed(counts);
			return {
				...counts,
				settled,
				// A copy of missing keys does not list existing ones, but counts them as kept.
				...(isListed && {total: processedBefore + listedCount + counts.kept - keptBefore}),
				...(names && {total: names.validCount}),
				rate: rate.compute(settled),
				paused: gate.isClosed,
				isRecorded: recorder.isRecorded,
				work: work.keysWork,
			};
		}
		const report = () => options.progress?.(computeProgress());
		return {
			getProgress: computeProgress,
			report,
			async run() {
				await work.run({
					...tools,
					noteProcessed() {
						recorder.noteMoved(false);
						rate.note(countProcessed(work.getCounts()));
						report();
					},
					noteListed(keys) {
						listedCount += keys;
						report();
					},
					finishListing() {
						isListed = true;
					},
				});
				const counts = work.getCounts();
				const {done, refused} = counts;
				return {done, refused, figures: {...counts, doneBefore, failedFile: work.getFailedFile?.()}};
			},
			describeStop(isRecorded) {
				finalCounts = work.getRetainedCounts(isRecorded);
				const {done} = finalCounts;
				return {
					progressText: `${formatPlainQuantity(done, 'key')} ${chooseIsOrAre(done)} ${work.participle}.`,
					restartAdvice: 'Start it again.',
				};
			},
			async getPosition() {
				const position = await work.getPosition();
				return position && {position: position as unknown as JsonValue, done: position.counts.done};
			},
			close: isRecorded => work.close(isRecorded),
		};
	});
}

/** Creates the codec for a transfer's options and position in its journal. */
export const createTransferCodec = <Options>(
	kind: TransferKind,
	options: Schema<Options>,
): JobCodec<Options, TransferPosition> => ({
	kind,
	parseOptions: json => parseOrUndefined(options, json),
	parsePosition: json => parseOrUndefined(positionSchema, json),
});

const positionSchema: Schema<TransferPosition> = pipe(
	pickFields({
		place: optional(pickFields({after: string(), cursor: ignoreInvalid(string())})),
		counts: countsSchema,
		file: exactOptional(pickFields({bytes: pipe(number(), safeInteger()), digest: string()})),
	}),
	// `place` is required in the type, even if undefined.
	transform(({place, ...otherFields}) => ({place, ...otherFields})),
);

/** Position of a new transfer. */
export const transferStart: TransferPosition = {place: undefined, counts: noCounts};
