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
	/** Keys that were looked at; what became of them the other figures say. */
	readonly settled: number;
	/** How many keys there are to look at, once all of them are listed. */
	readonly total?: number;
	/** Keys a second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	readonly isRecorded: boolean;
	/** What it reads of the keys, and where. */
	readonly work: KeysWork;
};

type TransferFigures = Counts & {
	/** Of the keys that are done, those that runs before this one did. */
	readonly doneBefore: number;
	/** The file that holds exactly the keys that the other store refused, as `kv bulk put` takes them. */
	readonly failedFile: string | undefined;
};

export type TransferResult = TransferFigures & JobEnd;

export type TransferJob = Job<TransferProgress, TransferResult>;

export type TransferKind = 'export' | 'copy' | 'rename';

type ResumedTransfer<Options> = Resumed<Options, TransferPosition>;

/** Where an interrupted transfer resumes; of an export also how far its file is written. */
export type TransferPosition = CheckpointState & {readonly file?: FileMark | undefined};

export type TransferOptions<Options> = JobOptions & {
	/** What the journal holds of it; nothing is recorded where this is left out (`--dry-run`, standard output). */
	readonly recorded?:
		| {readonly title: string; readonly target: JobTarget; readonly options: Options}
		| undefined;
	readonly resumed?: ResumedTransfer<Options> | undefined;
	/** The keys it is about, where they are named; kept until it is done. */
	readonly names?: KeyNames | undefined;
	readonly progress?: ((progress: TransferProgress) => void) | undefined;
	/** Milliseconds between two writes of the journal. */
	readonly every: number;
};

/** What a kind of transfer does: the rest is the same for all. */
type TransferWork = {
	readonly kind: TransferKind;
	readonly reads: KeysWork;
	/** What has become of a key that is done: "exported", "copied". */
	readonly participle: string;
	run(tools: TransferTools): Promise<void>;
	/** What became of everything so far. */
	counts(): Counts;
	/** How much of that stays where the job stops now: what no failure takes back. */
	kept(isRecorded: boolean): Counts;
	/** Where it would resume, all before it durable; `undefined` where it cannot. */
	place(): Promise<TransferPosition | undefined>;
	/** Releases what it holds open; of no use to anyone where the job was stopped and is not recorded. */
	close(isRecorded: boolean): Promise<void>;
	failedFile?(): string | undefined;
};

export type TransferTools = JobTools & {
	/** Something has become of some keys. */
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
	/** What is left of a job that has stopped. */
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

/** What the journal of a transfer keeps beside the common part. */
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

/** Where a transfer begins that resumes nothing. */
export const beginning: TransferPosition = {place: undefined, counts: noCounts};
