import {resolve} from 'node:path';
import {type Advice, createInterruptedFailure, type Failure, toFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import type {JobInput, JobRecord, JobTarget, JournalHeader} from '../../state/job-record.ts';
import {createJob, createJobId} from '../../state/jobs.ts';
import type {Journal} from '../../state/journal.ts';
import {buildAdvice, buildCommand, joinAdviceLines} from '../../text/advice.ts';
import type {JsonValue} from '../../text/json.ts';
import type {CheckedInput} from '../bulk/check.ts';
import {Gate} from './gate.ts';
import {type ReachedPosition, Recorder} from './recorder.ts';

/** Milliseconds to wait before each retry of refused entries. */
export const retryWaits = [1000, 4000] as const;

export type Job<Progress, Result> = {
	readonly id: string;
	/**
	 * Rejects if the job stops early, with the cause, how far it came, and how to resume it.
	 */
	readonly finished: Promise<Result>;
	getProgress(): Progress;
	/** Finishes requests in flight and starts nothing else until `resume`. */
	pause(): void;
	resume(): void;
	/** Stops the job; finished work stays recorded. */
	cancel(): void;
};

export type JobEnd = {
	readonly id: string;
	readonly milliseconds: number;
	/** Why recording failed, so that the job could not have been resumed. */
	readonly recordingFailure: Failure | undefined;
};

/** The open journal of an interrupted job, and its content. */
export type Resumed<Options, Position> = {
	readonly journal: Journal;
	readonly record: JobRecord<Options, Position>;
};

export type JobOptions = {
	readonly signal: AbortSignal;
	readonly environment: Environment;
	/** Milliseconds since the epoch, for display and expiries. */
	readonly now?: (() => number) | undefined;
	/** Milliseconds of a monotonic clock, for rates, waits and durations. */
	readonly elapsed?: (() => number) | undefined;
	/** Returns how the user resumes the stopped job: the next step of its failure. */
	readonly adviseResume?: ((id: string) => Advice) | undefined;
};

type StartJobOptions = JobOptions & {
	readonly kind: string;
	/** What the journal records; undefined records nothing. */
	readonly recorded?:
		| {readonly title: string; readonly target: JobTarget; readonly options: JsonValue}
		| undefined;
	readonly resumed?: Resumed<unknown, unknown> | undefined;
	/** The input; ledge's own copies are kept until the job is done. */
	readonly input?: CheckedInput<unknown> | undefined;
	/** Base folder of a relative input path. */
	readonly cwd?: string;
	/** Milliseconds between journal writes. */
	readonly recordIntervalMs: number;
	readonly now: () => number;
	readonly elapsed: () => number;
};

export type JobTools = {
	readonly id: string;
	readonly signal: AbortSignal;
	readonly gate: Gate;
	readonly recorder: Recorder;
};

/** The specific part of a job; start, journal, pause and end are shared. */
type JobWork<Progress, Figures> = {
	/** Checks that the job can start; a failure leaves everything unchanged. */
	begin?(): void;
	run(): Promise<{readonly done: number; readonly refused: number; readonly figures: Figures}>;
	getProgress(): Progress;
	report(): void;
	/** True if something may have taken effect without acknowledgement. */
	hasUnknownOutcome?(): boolean;
	/** Describes how far the job came, and how to do the rest if it is not recorded. */
	describeStop(isRecorded: boolean): {readonly progressText: string; readonly restartAdvice: string};
	/**
	 * For work without numbered entries: the position to resume from, with everything before it durable;
	 * undefined if it cannot resume.
	 */
	getPosition?(): Promise<ReachedPosition | undefined>;
	/** Releases open resources; temporary results are useless if the job stopped unrecorded. */
	close?(isRecorded: boolean): Promise<void>;
};

/** Starts or resumes a job: keeps its journal, pauses and stops it, and reports its end. */
export function startJob<Progress, Figures>(
	{
		kind,
		recorded,
		resumed,
		input,
		cwd = '',
		recordIntervalMs,
		now,
		elapsed,
		adviseResume = adviseResumeCommand,
		...options
	}: StartJobOptions,
	createWork: (tools: JobTools) => JobWork<Progress, Figures>,
): Job<Progress, Figures & JobEnd> {
	const id = resumed?.record.header.id ?? createJobId();
	const controller = new AbortController();
	const signal = AbortSignal.any([options.signal, controller.signal]);
	const gate = new Gate();
	signal.addEventListener('abort', () => gate.open(), {once: true});
	const buildHeader = (recordedFields: NonNullable<typeof recorded>): JournalHeader<JsonValue> => ({
		id,
		kind,
		created: now(),
		...(input && {input: toJournalInput(input, cwd), total: input.validCount}),
		...recordedFields,
	});
	const recorder: Recorder = new Recorder({
		journal: resumed?.journal,
		create: recorded ? events => createJob(options.environment, buildHeader(recorded), events) : undefined,
		recordIntervalMs,
		elapsed,
		getPosition: async () => work.getPosition?.(),
		onChange: () => work.report(),
	});
	const work: JobWork<Progress, Figures> = createWork({id, signal, gate, recorder});

	async function run(): Promise<Figures & JobEnd> {
		const startedAt = elapsed();
		try {
			work.begin?.();
		} catch (error) {
			await recorder.close();
			throw error;
		}
		try {
			const {done, refused, figures} = await work.run();
			await recorder.finish(done, refused);
			input?.input.setRetained(false);
			return {...figures, id, milliseconds: elapsed() - startedAt, recordingFailure: recorder.failure};
		} catch (error) {
			const failure = signal.aborted ? createInterruptedFailure() : toFailure(error);
			await recorder.stop(failure.message, work.hasUnknownOutcome?.());
			if (recorder.isRecorded) input?.input.setRetained(true);
			throw withStopDetails(failure);
		} finally {
			await work.close?.(recorder.isRecorded);
		}
	}

	function withStopDetails(failure: Failure): Failure {
		const {progressText, restartAdvice} = work.describeStop(recorder.isRecorded);
		const recordFailureText = recorder.failure && `This could not be recorded: ${recorder.failure.message}`;
		return failure.withDetails({
			left: [failure.details.left, progressText, recordFailureText].filter(Boolean).join(' '),
			next: joinAdviceLines(
				failure.details.next,
				!recorder.isRecorded ? restartAdvice : canResumeAfter(failure) ? adviseResume(id) : adviseForget(id),
			),
		});
	}

	return {
		id,
		finished: run(),
		getProgress: () => work.getProgress(),
		pause() {
			if (signal.aborted || gate.isClosed) return;
			gate.close();
			recorder.mark('paused');
			work.report();
		},
		resume() {
			if (!gate.isClosed) return;
			gate.open();
			recorder.mark('resumed');
			work.report();
		},
		cancel: () => controller.abort(),
	};
}

/** False if a job can never go on after a failure: its namespace was deleted. */
export const canResumeAfter = ({code}: Failure): boolean => code !== 'namespace_not_found';

const adviseForget = (id: string): Advice =>
	buildAdvice`The job can't be resumed; \`${buildCommand('jobs forget', id)}\` forgets it.`;

const adviseResumeCommand = (id: string): Advice =>
	buildAdvice`\`${buildCommand('jobs resume', id)}\` resumes the rest.`;

/** Converts a job's input to its journal form. */
function toJournalInput({input, digest}: CheckedInput<unknown>, cwd: string): JobInput {
	const {path, size, modified, isInStateDirectory} = input;
	return {path: resolve(cwd, path), size, modified, digest, kept: isInStateDirectory};
}
