import type {Failure} from '../../failure.ts';
import {warningsOf} from '../../kv/bulk/check.ts';
import type {EntryProblem} from '../../kv/bulk/entries.ts';
import type {BulkJob, BulkResult} from '../../kv/bulk/job.ts';
import {type BulkKind, bulkKinds, type PreparedBulk} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import type {RefusedEntry} from '../../kv/send.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {goesToTrash} from '../../kv/trash/limits.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {percent} from '../../text/figures.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {BulkOrigin} from '../keys/origin.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly bulk: BulkSlice;
	}
}

export type BulkSlice = {
	readonly data: BulkState | undefined;
	/** Reads and checks everything that is to be written or deleted; nothing is sent. One run at a time. */
	check(kind: BulkKind, namespace: NamespaceRow, origin: BulkOrigin, signal: AbortSignal): Promise<void>;
	/** Resumes a job that was interrupted, as far as `bulk.check` comes. */
	resume(job: ListedJob, signal: AbortSignal): Promise<void>;
	/**
	 * Sends what was checked, the good entries of it. Ends with the job, which is recorded all along. What is deleted
	 * goes to the trash first (`trash`: what the person chose); where that cannot hold it, nothing is sent, and the
	 * stage has the reason.
	 */
	start(signal: AbortSignal, trash?: boolean): Promise<void>;
	/** Pauses it, or resumes it. */
	pause(isPaused: boolean): void;
	/** Stops; what is done stays, and the job can be resumed. */
	cancel(): void;
	/** The same, for whoever leaves ledge: settles when what is done is recorded, or after two seconds. */
	end(): Promise<void>;
	/** Whether somebody leaves ledge, and waits for the end of the run no longer than he wants to. */
	readonly leaving: boolean;
	/** Esc: closes the list of what was refused (returns true), or returns up what was not begun or has ended. */
	leave(): boolean;
	/** Forgets a run that was not begun or has ended; ends when all that it held is closed. */
	close(): Promise<void>;
	/** Opens or closes the list of what was refused. */
	showRefused(): void;
	moveInRefused(by: number): void;
};

/** What the check of a bulk input has found. */
export type BulkCheck = {
	readonly entries: number;
	/** Entries that can be sent. */
	readonly valid: number;
	/** The first keys of these. */
	readonly samples: readonly string[];
	/** The first problems, and how many there are. */
	readonly problems: readonly EntryProblem[];
	readonly problemCount: number;
	/** Sentences about what is odd and no problem. */
	readonly warnings: readonly string[];
	/** Of a deletion: whether its keys go to the trash, or the person is asked about that. */
	readonly wayBack: 'trash' | 'asked' | 'none';
};

export type BulkStage =
	| {
			readonly state: 'checking';
			readonly bytes: number;
			readonly size: number;
			/** Keys that were listed so far, where they are. */
			readonly listed?: number;
	  }
	/** It could not be checked; nothing was sent. */
	| {readonly state: 'failed'; readonly failure: Failure}
	/** Nothing is sent before the person says so. */
	| {
			readonly state: 'checked';
			readonly check: BulkCheck;
			/** Why the trash cannot hold what was to be deleted; the person decides. */
			readonly notKept?: Failure;
	  }
	/** What is to be deleted is read and kept in the trash; nothing is sent. */
	| {
			readonly state: 'keeping';
			readonly check: BulkCheck;
			/** Keys that were read. */
			readonly done: number;
			readonly cancelled: boolean;
	  }
	| {
			readonly state: 'sending';
			readonly check: BulkCheck;
			/** The id of its job. */
			readonly id: string;
			readonly progress: BulkProgress;
			/** The first entries that the service has refused so far. */
			readonly refused: readonly RefusedEntry[];
			readonly cancelled: boolean;
	  }
	/** It stopped before its end. */
	| {
			readonly state: 'stopped';
			readonly check: BulkCheck;
			readonly id: string;
			readonly progress: BulkProgress;
			readonly refused: readonly RefusedEntry[];
			readonly failure: Failure;
	  }
	| {readonly state: 'done'; readonly check: BulkCheck; readonly result: BulkResult};

/** The bulk run of this session: one at a time. */
export type BulkState = {
	/** Tells it from an earlier one. */
	readonly number: number;
	readonly kind: BulkKind;
	/** What is read: the name of a file, or "12 selected keys". Data as it is. */
	readonly from: string;
	readonly namespace: {
		readonly title: string;
		readonly where: 'remote' | 'local';
		/** Where exactly, once it was opened. */
		readonly label: string;
		readonly target?: JobTarget;
	};
	/** What was left of the quota of its calls when it began; undefined if none limits them. */
	readonly quota: QuotaLeft | undefined;
	readonly stage: BulkStage;
	/** The batch of the trash that holds what it deletes. */
	readonly kept?: TrashBatch | undefined;
	/** The list of what was refused, when that is in front. */
	readonly list: {readonly cursor: number} | undefined;
};

/** What stands between its first step and its end: as long as there is one, no other begins. */
export function isUnderWay(bulk: BulkState | undefined): bulk is BulkState {
	switch (bulk?.stage.state) {
		case 'checking':
		case 'checked':
		case 'keeping':
		case 'sending':
			return true;
		default:
			return false;
	}
}

const checkOf = (stage: BulkStage): BulkCheck | undefined => ('check' in stage ? stage.check : undefined);

export function foundIn(prepared: PreparedBulk): BulkCheck {
	const {kind, checked} = prepared;
	const {entries, valid, samples, problems, problemCount} = checked;
	return {
		entries,
		valid,
		samples,
		problems,
		problemCount,
		warnings: warningsOf(checked, bulkKinds[kind].ordered),
		wayBack: wayBackOf(prepared),
	};
}

/** What an interrupted deletion did not keep is not kept when it is resumed. */
function wayBackOf({kind, checked: {valid}, resumed, trash}: PreparedBulk): BulkCheck['wayBack'] {
	if (kind !== 'bulk-delete') return 'none';
	if (resumed) return trash === undefined ? 'none' : 'trash';
	return goesToTrash(valid, undefined) ? 'trash' : 'asked';
}

/** How a run stands that has failed, or was stopped; without a job nothing was sent. */
export function stoppedStage(
	job: BulkJob | undefined,
	check: BulkCheck,
	failure: Failure,
): Extract<BulkStage, {failure: Failure}> {
	if (!job) return {state: 'failed', failure};
	return {state: 'stopped', check, id: job.id, progress: job.progress(), refused: job.refused(), failure};
}

/** An entry that was not sent, or that the service refused. Texts are data as they are. */
export type RefusedRow = {
	readonly by: 'check' | 'service';
	/** As it is called in the file: by its line, where that is known. */
	readonly where: string;
	readonly key: string | undefined;
	readonly what: string;
	readonly why: string;
};

/** Everything that was refused, before sending and by the service, as far as it is kept. */
export function refusedRows(stage: BulkStage): RefusedRow[] {
	const problems = checkOf(stage)?.problems ?? [];
	return [
		...problems.map(
			({line, key, what, why}): RefusedRow => ({by: 'check', where: `line ${line}`, key, what, why}),
		),
		...refusedByService(stage).map(
			({entry, key, why}): RefusedRow => ({
				by: 'service',
				where: `entry ${entry}`,
				key,
				what: 'The service refused it.',
				why: why ?? 'It did not say why.',
			}),
		),
	];
}

function refusedByService(stage: BulkStage): readonly RefusedEntry[] {
	switch (stage.state) {
		case 'sending':
		case 'stopped':
			return stage.refused;
		case 'done':
			return stage.result.refusedSamples;
		default:
			return [];
	}
}

/** How many were refused in all; of many only the first are in `refusedRows`. */
export function refusedCount(stage: BulkStage): number {
	const before = checkOf(stage)?.problemCount ?? 0;
	switch (stage.state) {
		case 'sending':
		case 'stopped':
			return before + stage.progress.refused;
		case 'done':
			return before + stage.result.refused;
		default:
			return before;
	}
}

/** How far the run is, while it is sent: "bulk put 64 %". */
export function bulkBrief(bulk: BulkState | undefined): string {
	if (bulk?.stage.state === 'keeping')
		return `${bulkKinds[bulk.kind].command} reading ${percent(bulk.stage.done, bulk.stage.check.valid)} %`;
	if (bulk?.stage.state !== 'sending') return '';
	const {done, total, paused} = bulk.stage.progress;
	return `${bulkKinds[bulk.kind].command} ${paused ? 'paused at ' : ''}${percent(done, total)} %`;
}

/** The run in a few words. */
export function bulkLabel(bulk: BulkState | undefined): string {
	if (!bulk) return 'bulk run';
	const {kind, from, namespace} = bulk;
	return `${bulkKinds[kind].command} ${from}, ${namespace.title}`;
}
