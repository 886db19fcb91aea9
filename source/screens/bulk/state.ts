import type {Failure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {listInputWarnings} from '../../kv/bulk/check.ts';
import type {EntryProblem} from '../../kv/bulk/entries.ts';
import type {BulkJob, BulkResult} from '../../kv/bulk/job.ts';
import {type BulkKind, bulkKinds, type PreparedBulk} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import type {CompletedDeletion, IrreversibleWrite} from '../../kv/change/undo.ts';
import type {RefusedEntry} from '../../kv/send.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {shouldUseTrash} from '../../kv/trash/limits.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {computePercent} from '../../text/figures.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {BulkOrigin} from '../keys/origin.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly bulk: BulkSlice;
	}
}

export type BulkSlice = {
	readonly data: BulkState | undefined;
	/** Reads and checks all entries; sends nothing. One run at a time. */
	check(kind: BulkKind, namespace: NamespaceRow, origin: BulkOrigin, signal: AbortSignal): Promise<void>;
	/** Opens an interrupted job and checks its input; sends nothing, like `check`. */
	resume(job: ListedJob, signal: AbortSignal): Promise<void>;
	/**
	 * Sends the valid entries. Resolves at the end of the job, which records its progress. Keys to delete are
	 * copied to the trash first; `usesTrash` is the user's choice, undefined if the number of keys decides.
	 * If the trash cannot hold them, nothing is sent, and `trashFailure` of the stage has the reason.
	 */
	start(signal: AbortSignal, usesTrash?: boolean): Promise<void>;
	pause(isPaused: boolean): void;
	/** Stops the run. What is done stays done, and the job can be resumed. */
	cancel(): void;
	/** Cancels when ledge exits; resolves when progress is recorded, or after two seconds. */
	end(): Promise<void>;
	/** True while ledge exits and waits for the end of the run. */
	readonly isQuitting: boolean;
	/**
	 * Esc: closes the list of refused entries, or drops a run that has not started or has ended. Returns
	 * false if the caller must leave the screen.
	 */
	leave(): boolean;
	/** Drops a run that has not started or has ended; resolves when its resources are closed. */
	close(): Promise<void>;
	/** Shows that the keys of a batch were restored, or some of them. */
	noticeRestore(batchId: string, restored: 'all' | 'some'): void;
	/** Toggles the list of refused entries. */
	toggleRefused(): void;
	/** Moves in the list of rejected entries, or scrolls the facts by at most `lastTop` rows in all. */
	move(by: number, lastTop: number): void;
};

/** Result of checking a bulk input. */
export type BulkCheck = {
	readonly entryCount: number;
	readonly validCount: number;
	/** Number of different keys among the valid entries; at most `validCount` if that is not known exactly. */
	readonly keyCount: number;
	/** Entries that are left out, because they have expired or will within a minute. */
	readonly expiredCount: number;
	/** The first valid keys. */
	readonly samples: readonly string[];
	/** The first problems; `problemCount` counts all. */
	readonly problems: readonly EntryProblem[];
	readonly problemCount: number;
	/** Sentences about oddities that do not prevent the run. */
	readonly warnings: readonly string[];
	/** For a deletion: whether its keys go to the trash, or the user is asked. */
	readonly recovery: 'trash' | 'asked' | 'none';
};

export type BulkStage =
	| {
			readonly state: 'checking';
			readonly bytes: number;
			readonly size: number;
			/** Keys listed so far, if the input is listed. */
			readonly listedCount?: number;
	  }
	/** The check failed; nothing was sent. */
	| {readonly state: 'failed'; readonly failure: Failure}
	/** Waits for the user; nothing is sent. */
	| {
			readonly state: 'checked';
			readonly check: BulkCheck;
			/** Why the trash cannot hold the keys; the user decides. */
			readonly trashFailure?: Failure;
	  }
	/** Copies the keys to delete to the trash; nothing is sent. */
	| {
			readonly state: 'keeping';
			readonly check: BulkCheck;
			/** Keys copied to the trash. */
			readonly copiedCount: number;
			readonly cancelled: boolean;
	  }
	| {
			readonly state: 'sending';
			readonly check: BulkCheck;
			/** Id of the job. */
			readonly id: string;
			readonly progress: BulkProgress;
			/** The first entries that the service refused so far. */
			readonly refused: readonly RefusedEntry[];
			readonly cancelled: boolean;
	  }
	| {
			readonly state: 'stopped';
			readonly check: BulkCheck;
			readonly id: string;
			readonly progress: BulkProgress;
			readonly refused: readonly RefusedEntry[];
			readonly failure: Failure;
	  }
	| {readonly state: 'done'; readonly check: BulkCheck; readonly result: BulkResult};

export type BulkState = {
	/** Identifies the run within the session. */
	readonly runNumber: number;
	readonly kind: BulkKind;
	/** The input: a file name, or "12 selected keys". Not escaped for the terminal. */
	readonly inputName: string;
	readonly namespace: {
		readonly title: string;
		readonly where: 'remote' | 'local';
		/** Title with account or folder; the title alone until the namespace is opened. */
		readonly label: string;
		readonly target?: JobTarget;
	};
	/** Remaining call quota at the start; undefined if unlimited. */
	readonly quota: QuotaLeft | undefined;
	readonly stage: BulkStage;
	/** The trash batch of the deleted keys. */
	readonly trashBatch?: TrashBatch | undefined;
	/** How much of the batch was restored; undefined if it was not. */
	readonly restored?: 'all' | 'some';
	/** The list of refused entries, while it is shown. */
	readonly refusedList: {readonly cursor: number} | undefined;
	/** First visible row of the facts. */
	readonly top?: number;
};

/** True from the check to the end of the run, while no other run can start. */
export function isBulkUnderWay(bulk: BulkState | undefined): bulk is BulkState {
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

const getCheck = (stage: BulkStage): BulkCheck | undefined => ('check' in stage ? stage.check : undefined);

export function buildBulkCheck(prepared: PreparedBulk): BulkCheck {
	const {kind, checked} = prepared;
	const {entryCount, validCount, expiredCount, samples, problems, problemCount, repeats} = checked;
	return {
		entryCount,
		validCount,
		keyCount: validCount - (repeats.overruledCount ?? 0),
		expiredCount,
		samples,
		problems,
		problemCount,
		warnings: listInputWarnings(checked, bulkKinds[kind]),
		recovery: getRecovery(prepared),
	};
}

/** Returns whether the deletion can be undone. A resumed deletion moves nothing else to the trash. */
function getRecovery({kind, checked: {validCount}, resumed, trash}: PreparedBulk): BulkCheck['recovery'] {
	if (kind !== 'bulk-delete') return 'none';
	if (resumed) return trash === undefined ? 'none' : 'trash';
	return shouldUseTrash(validCount, undefined) ? 'trash' : 'asked';
}

/** Builds the stage of a stopped run, or of a failed one if no job was started. */
export function buildStoppedStage(
	job: BulkJob | undefined,
	check: BulkCheck,
	failure: Failure,
): Extract<BulkStage, {failure: Failure}> {
	if (!job) return {state: 'failed', failure};
	return {
		state: 'stopped',
		check,
		id: job.id,
		progress: job.getProgress(),
		refused: job.listRefused(),
		failure,
	};
}

/** An entry that was refused by the check or the service. Not escaped for the terminal. */
export type RefusedRow = {
	readonly refusedBy: 'check' | 'service';
	/** Its position in the input: line or entry number. */
	readonly position: string;
	readonly key: string | undefined;
	readonly what: string;
	readonly why: string;
};

/** Builds the rows of the first entries that the check or the service refused. */
export function buildRefusedRows(stage: BulkStage): RefusedRow[] {
	const problems = getCheck(stage)?.problems ?? [];
	return [
		...problems.map(
			({line, key, what, why}): RefusedRow => ({
				refusedBy: 'check',
				position: `line ${line}`,
				key,
				what,
				why,
			}),
		),
		...getServiceRefusals(stage).map(
			({entry, key, why}): RefusedRow => ({
				refusedBy: 'service',
				position: `entry ${entry}`,
				key,
				what: 'Rejected by the service.',
				why: why ?? 'No reason given.',
			}),
		),
	];
}

function getServiceRefusals(stage: BulkStage): readonly RefusedEntry[] {
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

/** Counts all refused entries; `buildRefusedRows` has only the first ones. */
export function countRefused(stage: BulkStage): number {
	const checkRefusedCount = getCheck(stage)?.problemCount ?? 0;
	switch (stage.state) {
		case 'sending':
		case 'stopped':
			return checkRefusedCount + stage.progress.refused;
		case 'done':
			return checkRefusedCount + stage.result.refused;
		default:
			return checkRefusedCount;
	}
}

/** Formats the progress of the run: "bulk put 64%". */
export function formatBulkSummary(bulk: BulkState | undefined): string {
	if (bulk?.stage.state === 'keeping')
		return `${bulkKinds[bulk.kind].command} backing up ${computePercent(bulk.stage.copiedCount, bulk.stage.check.validCount)}%`;
	if (bulk?.stage.state !== 'sending') return '';
	const {done, total, paused} = bulk.stage.progress;
	return `${bulkKinds[bulk.kind].command} ${paused ? 'paused at ' : ''}${computePercent(done, total)}%`;
}

export function formatBulkLabel(bulk: BulkState | undefined): string {
	if (!bulk) return 'bulk run';
	const {kind, inputName, namespace} = bulk;
	return `${bulkKinds[kind].command} ${inputName}, ${namespace.title}`;
}

/** Describes a run for the undo of the session. `batch`: the deleted keys in the trash. */
export function describeBulkWrite(
	bulk: BulkState,
	batch: TrashBatch | undefined,
): CompletedDeletion | IrreversibleWrite {
	if (batch) return {batch};
	return {
		what: `u can't undo the last write: ${formatBulkLabel(bulk)}.`,
		why:
			bulk.kind === 'bulk-delete'
				? 'The keys did not go to the trash.'
				: `Delete the written keys to remove them; the trash (${nameKey('trash.open', 'V')}) does not have what they replaced.`,
	};
}
