import {exactOptional, number, optional, pipe, safeInteger, string, transform} from 'valibot';
import type {JobCodec, JobTarget} from '../../state/job-record.ts';
import {isOrAre, quantity} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {fields, lenient, parseOrUndefined, type Schema} from '../../text/schema.ts';
import {type Job, type JobEnd, type JobOptions, type JobTools, type Resumed, startJob} from '../job/job.ts';
import {Rate} from '../job/rate.ts';
import type {KeysWork} from '../long-work.ts';
import type {CheckpointState} from './checkpoint.ts';
import {type Counts, countsSchema, noCounts, settledIn} from './counts.ts';
import type {FileMark} from './export-file.ts';
import type {KeyNames} from './names.ts';

export type TransferProgress = Counts & {
	/** Processed keys; the other figures say how. */
	readonly settled: number;
	/** Number of keys to process, when all are listed. */
	readonly total?: number;
	/** Keys per second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	readonly isRecorded: boolean;
	/** What it reads, and with which quota. */
	readonly work: KeysWork;
};

type TransferFigures = Counts & {
	/** Of the finished keys, those of earlier runs. */
	readonly doneBefore: number;
	/** The file with exactly the refused keys, as `kv bulk put` reads them. */
	readonly failedFile: string | undefined;
};

export type TransferResult = TransferFigures & JobEnd;

export type TransferJob = Job<TransferProgress, TransferResult>;

export type TransferKind = 'export' | 'copy' | 'rename';

type ResumedTransfer<Options> = Resumed<Options, TransferPosition>;

/** Where a transfer resumes; for an export also how far its file is written. */
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
	readonly every: number;
};

/** The specific part of a transfer; the rest is shared. */
type TransferWork = {
	readonly kind: TransferKind;
	readonly reads: KeysWork;
	/** Participle for finished keys: "exported", "copied". */
	readonly participle: string;
	run(tools: TransferTools): Promise<void>;
	/** Counts so far. */
	counts(): Counts;
	/** The part of the counts that remains if the job stops now. */
	kept(isRecorded: boolean): Counts;
	/** The position to resume from, with everything before it durable; undefined if it cannot resume. */
	place(): Promise<TransferPosition | undefined>;
	/** Releases open resources; temporary results are useless if the job stopped unrecorded. */
	close(isRecorded: boolean): Promise<void>;
	failedFile?(): string | undefined;
};

export type TransferTools = JobTools & {
	/** Call after settling keys. */
	moved(): void;
	listed(keys: number): void;
	listedAll(): void;
};

export function startTransfer<Options extends JsonValue>(
	work: TransferWork,
	{names, now = Date.now, elapsed = () => performance.now(), ...options}: TransferOptions<Options>,
): TransferJob {
	const rate = new Rate(elapsed);
	const countsBefore = work.counts();
	const before = settledIn(countsBefore);
	const {kept: keptBefore, done: doneBefore} = countsBefore;
	let [listed, isListed] = [0, false];
	/** Final counts of a stopped job. */
	let left: Counts | undefined;
	const about = {...options, kind: work.kind, now, elapsed, input: names};
	return startJob<TransferProgress, TransferFigures>(about, tools => {
		const {gate, recorder} = tools;
		function progress(): TransferProgress {
			const counts = left ?? work.counts();
			const settled = settledIn(counts);
			return {
				...counts,
				settled,
				...(names && {total: names.valid}),
				...(isListed && {total: before + listed + counts.kept - keptBefore}),
				rate: rate.now(settled),
				paused: gate.isClosed,
				isRecorded: recorder.recorded,
				work: work.reads,
			};
		}
		const report = () => options.progress?.(progress());
		return {
			progress,
			report,
			async run() {
				await work.run({
					...tools,
					moved() {
						recorder.moved(false);
						rate.note(settledIn(work.counts()));
						report();
					},
					listed(keys) {
						listed += keys;
						report();
					},
					listedAll() {
						isListed = true;
					},
				});
				const counts = work.counts();
				const {done, refused} = counts;
				return {done, refused, figures: {...counts, doneBefore, failedFile: work.failedFile?.()}};
			},
			stopped(isRecorded) {
				left = work.kept(isRecorded);
				const {done} = left;
				return {
					left: `${quantity(done, 'key')} ${isOrAre(done)} ${work.participle}.`,
					again: 'Start it again.',
				};
			},
			async place() {
				const position = await work.place();
				return position && {position: position as unknown as JsonValue, done: position.counts.done};
			},
			close: isRecorded => work.close(isRecorded),
		};
	});
}

/** Creates the codec for a transfer's options and position in its journal. */
export const transferCodec = <Options>(
	kind: TransferKind,
	options: Schema<Options>,
): JobCodec<Options, TransferPosition> => ({
	kind,
	options: json => parseOrUndefined(options, json),
	position: json => parseOrUndefined(position, json),
});

const position: Schema<TransferPosition> = pipe(
	fields({
		place: optional(fields({after: string(), cursor: lenient(string())})),
		counts: countsSchema,
		file: exactOptional(fields({bytes: pipe(number(), safeInteger()), digest: string()})),
	}),
	transform(({place, ...at}) => ({place, ...at})),
);

/** Position of a new transfer. */
export const beginning: TransferPosition = {place: undefined, counts: noCounts};
