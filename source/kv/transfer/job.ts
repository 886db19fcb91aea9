import {asFailure, type Failure, interrupted} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import type {JobCodec, JobRecord, JobTarget, JournalHeader} from '../../state/job-record.ts';
import {createJob, newJobId} from '../../state/jobs.ts';
import type {Journal} from '../../state/journal.ts';
import {advice, adviceLines, ledge} from '../../text/advice.ts';
import {isOrAre, quantity} from '../../text/figures.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {jobInput} from '../bulk/job.ts';
import {Recorder} from '../bulk/recorder.ts';
import type {CheckpointState} from './checkpoint.ts';
import {type Counts, noCounts, readCounts, settledIn} from './counts.ts';
import type {FileMark} from './export-file.ts';
import {Gate} from './gate.ts';
import type {KeyNames} from './names.ts';

/** How far a transfer has come. */
export type TransferProgress = Counts & {
	/** Keys that were looked at; what became of them the other figures say. */
	readonly settled: number;
	/** How many keys there are to look at, once all of them are listed. */
	readonly total?: number;
	/** Keys a second over the last ten seconds. */
	readonly rate: number;
	readonly paused: boolean;
	readonly isRecorded: boolean;
};

/** What came of a transfer that ended. */
export type TransferResult = Counts & {
	readonly id: string;
	readonly milliseconds: number;
	/** The file that holds exactly the keys that the other store refused, as `kv bulk put` takes them. */
	readonly failedFile: string | undefined;
	/** Why the job was not recorded: it could not have gone on after an interruption. */
	readonly unrecorded: Failure | undefined;
};

/** A transfer at work. */
export type TransferJob = {
	readonly id: string;
	/** Fails when it had to stop: with what stopped it, how far it came (`left`), and how to go on (`next`). */
	readonly finished: Promise<TransferResult>;
	progress(): TransferProgress;
	/** Lets what is under way end and starts nothing else until `resume`. */
	pause(): void;
	resume(): void;
	/** Stops; what is done stays recorded. */
	cancel(): void;
};

export type TransferKind = 'export' | 'copy';

/** A transfer that was interrupted and is taken up. */
export type ResumedTransfer<Options> = {
	readonly journal: Journal;
	readonly record: JobRecord<Options, TransferPosition>;
};

/** Where an interrupted transfer goes on; of an export also how far its file is written. */
export type TransferPosition = CheckpointState & {readonly file?: FileMark | undefined};

export type TransferOptions<Options> = {
	readonly signal: AbortSignal;
	readonly environment: Environment;
	/** What the journal says of it; nothing is recorded where this is left out (`--dry-run`, standard output). */
	readonly recorded?:
		| {readonly title: string; readonly target: JobTarget; readonly options: Options}
		| undefined;
	readonly resumed?: ResumedTransfer<Options> | undefined;
	/** The keys it is about, where they are named; kept until it is done. */
	readonly names?: KeyNames | undefined;
	readonly progress?: ((progress: TransferProgress) => void) | undefined;
	/** Milliseconds since the epoch, for what people read and for expiries. */
	readonly now?: (() => number) | undefined;
	/** Milliseconds of a clock that nobody can set, for rates and how long something took. */
	readonly elapsed?: (() => number) | undefined;
	/** Milliseconds between two writes of the journal. */
	readonly every: number;
};

/** What a kind of transfer does: the rest is the same for all. */
export type TransferWork = {
	readonly kind: TransferKind;
	/** What has become of a key that is done: "exported", "copied". */
	readonly participle: string;
	run(tools: TransferTools): Promise<void>;
	/** What became of everything so far. */
	counts(): Counts;
	/** How much of that stays where the job stops now: what no failure takes back. */
	kept(isRecorded: boolean): Counts;
	/** Where it would go on, all before it durable; `undefined` where it cannot. */
	place(): Promise<TransferPosition | undefined>;
	/** Lets go of what it holds open; of no use to anyone where the job was stopped and is not recorded. */
	close(isOfUse: boolean): Promise<void>;
	failedFile?(): string | undefined;
};

export type TransferTools = {
	readonly signal: AbortSignal;
	readonly gate: Gate;
	/** Something is sent or written for the first time. */
	begins(): void;
	/** Makes the journal now, where the job is recorded at all: for work that leaves traces from its first moment on. */
	recordBeginning(): Promise<void>;
	/** Something has become of some keys. */
	moved(): void;
	/** Writes down where it is now, where it is recorded at all. */
	record(): Promise<void>;
	listed(keys: number): void;
	listedAll(): void;
};

/** Starts a transfer, or goes on with one. */
export function startTransfer<Options extends JsonValue>(
	work: TransferWork,
	{
		environment,
		recorded,
		resumed,
		names,
		every,
		now = Date.now,
		elapsed = () => performance.now(),
		...options
	}: TransferOptions<Options>,
): TransferJob {
	const id = resumed?.record.header.id ?? newJobId();
	const controller = new AbortController();
	const signal = AbortSignal.any([options.signal, controller.signal]);
	const gate = new Gate();
	signal.addEventListener('abort', () => gate.open(), {once: true});
	const rate = new Rate(elapsed);
	const before = settledIn(work.counts());
	const keptBefore = work.counts().kept;
	let [listed, isListed] = [0, false];
	/** What is left of a job that has stopped. */
	let left: Counts | undefined;
	const header = (given: NonNullable<typeof recorded>): JournalHeader<JsonValue> => ({
		id,
		kind: work.kind,
		created: now(),
		// A list of names is a copy that ledge made itself, and has a whole path.
		...(names && {input: jobInput(names, '/'), total: names.valid}),
		...given,
	});
	const recorder = new Recorder({
		journal: resumed?.journal,
		create: recorded ? events => createJob(environment, header(recorded), events) : undefined,
		every,
		elapsed,
		async place() {
			const position = await work.place();
			return position && {position: position as unknown as JsonValue, done: position.counts.done};
		},
	});

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
		};
	}
	const tell = () => options.progress?.(progress());

	async function run(): Promise<TransferResult> {
		const began = elapsed();
		try {
			await work.run({
				signal,
				gate,
				begins: () => recorder.begin(),
				recordBeginning: () => recorder.make(),
				record: () => recorder.catchUp(),
				moved() {
					recorder.moved(false);
					rate.note(settledIn(work.counts()));
					tell();
				},
				listed(keys) {
					listed += keys;
					tell();
				},
				listedAll() {
					isListed = true;
				},
			});
			const counts = work.counts();
			await recorder.finish(counts.done, counts.refused);
			names?.input.retain(false);
			return {
				...counts,
				id,
				milliseconds: elapsed() - began,
				failedFile: work.failedFile?.(),
				unrecorded: recorder.trouble,
			};
		} catch (error) {
			const failure = signal.aborted ? interrupted() : asFailure(error);
			await recorder.stop(failure.message);
			if (recorder.recorded) names?.input.retain(true);
			left = work.kept(recorder.recorded);
			throw stopped(failure, left);
		} finally {
			await work.close(recorder.recorded);
		}
	}

	function stopped(failure: Failure, {done}: Counts): Failure {
		const trouble = recorder.trouble ? `It could not be recorded: ${recorder.trouble.message}` : undefined;
		return failure.with({
			left: [failure.details.left, `${quantity(done, 'key')} ${isOrAre(done)} ${work.participle}.`, trouble]
				.filter(Boolean)
				.join(' '),
			next: adviceLines(
				failure.details.next,
				recorder.recorded ? advice`\`${ledge('jobs resume', id)}\` resumes the rest.` : 'Start it again.',
			),
		});
	}

	return {
		id,
		finished: run(),
		progress,
		pause() {
			if (signal.aborted) return;
			gate.close();
			recorder.mark('paused');
			tell();
		},
		resume() {
			gate.open();
			recorder.mark('resumed');
			tell();
		},
		cancel: () => controller.abort(),
	};
}

/** What the journal of a transfer keeps beside the common part; `readOptions` reads those of its kind. */
export const transferCodec = <Options>(
	kind: TransferKind,
	readOptions: (json: JsonValue) => Options | undefined,
): JobCodec<Options, TransferPosition> => ({kind, options: readOptions, position: readPosition});

function readPosition(json: JsonValue): TransferPosition | undefined {
	if (!isJsonObject(json)) return undefined;
	const {place, file} = json;
	const counts = readCounts(json.counts);
	const mark = readMark(file);
	if (!counts || (file !== undefined && !mark)) return undefined;
	const at = mark ? {file: mark} : {};
	if (place === undefined) return {place: undefined, counts, ...at};
	if (!isJsonObject(place) || typeof place.after !== 'string') return undefined;
	const {after, cursor} = place;
	return {place: {after, ...(typeof cursor === 'string' && {cursor})}, counts, ...at};
}

function readMark(json: JsonValue | undefined): FileMark | undefined {
	if (!isJsonObject(json)) return undefined;
	const {bytes, digest} = json;
	return Number.isSafeInteger(bytes) && typeof digest === 'string'
		? {bytes: bytes as number, digest}
		: undefined;
}

/** Where a transfer begins that goes on with nothing. */
export const beginning: TransferPosition = {place: undefined, counts: noCounts};

const rateWindow = 10_000;

/** How many a second over the last ten seconds. */
class Rate {
	readonly #elapsed: () => number;
	readonly #past: {readonly at: number; readonly done: number}[] = [];

	constructor(elapsed: () => number) {
		this.#elapsed = elapsed;
	}

	note(done: number): void {
		const at = this.#elapsed();
		const past = this.#past;
		if (at !== past.at(-1)?.at) past.push({at, done});
		while (past.length > 2 && at - (past[0]?.at ?? at) > rateWindow) past.shift();
	}

	now(done: number): number {
		const first = this.#past[0];
		const passed = first ? this.#elapsed() - first.at : 0;
		return first && passed > 0 ? ((done - first.done) * 1000) / passed : 0;
	}
}
