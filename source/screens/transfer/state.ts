import {basename} from 'node:path';
import type {Failure} from '../../failure.ts';
import type {TransferKind, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import {formatInteger} from '../../text/figures.ts';

export type TransferStage =
	| {readonly state: 'opening'}
	| {
			readonly state: 'running';
			readonly id: string;
			readonly progress: TransferProgress;
			readonly cancelled: boolean;
	  }
	/** The transfer stopped before its end. Without an id, it stopped before a job had started. */
	| {
			readonly state: 'stopped';
			readonly id: string | undefined;
			readonly progress: TransferProgress | undefined;
			readonly failure: Failure;
	  }
	| {readonly state: 'done'; readonly result: TransferResult};

/** The transfer of this session; one at a time. Names are not escaped for the terminal. */
export type TransferState = {
	/** Identifies the transfer within the session. */
	readonly transferNumber: number;
	readonly kind: TransferKind;
	/** The subset of keys; undefined for all. */
	readonly keys: string | undefined;
	/** Names of source and target: a store, a file or a prefix. */
	readonly from: string;
	readonly to: string;
	readonly stage: TransferStage;
	/** First visible row of the facts. */
	readonly top?: number;
};

/**
 * Parses source and target from the title of a recorded transfer: `copy FROM into TO`. `recordedName` is the
 * target's name in the journal, which is needed because TO may contain " into ".
 */
export function parseSourceAndTarget(
	title: string,
	path: string | undefined,
	recordedName: string | undefined,
): Pick<TransferState, 'from' | 'to'> {
	const to = path ?? recordedName;
	const recordedEnd = path === undefined ? recordedName : JSON.stringify(path);
	const hasRecordedEnd =
		recordedEnd !== undefined && title.endsWith(`${sourceTargetSeparator}${recordedEnd}`);
	const endIndex = hasRecordedEnd
		? title.length - sourceTargetSeparator.length - recordedEnd.length
		: title.lastIndexOf(sourceTargetSeparator);
	const startIndex = title.indexOf(' ') + 1;
	if (endIndex <= startIndex) return {from: title, to: path ?? ''};
	return {
		from: title.slice(startIndex, endIndex),
		to: hasRecordedEnd ? (to ?? '') : (path ?? title.slice(endIndex + sourceTargetSeparator.length)),
	};
}

/** Separates source and target in titles on disk: changing it breaks older journals. */
const sourceTargetSeparator = ' into ';

/** True while a transfer runs and no other can start. */
export const isTransferring = (transfer: TransferState | undefined): transfer is TransferState =>
	transfer?.stage.state === 'opening' || transfer?.stage.state === 'running';

/** Formats the progress: "12,000 of 30,000", or "12,000" if the total is unknown. */
export function formatTransferFigures({settled, total}: TransferProgress): string {
	return total === undefined
		? formatInteger(settled)
		: `${formatInteger(settled)} of ${formatInteger(total)}`;
}

/** Formats the transfer in a few words. `isShort` drops the folder of its file. */
export function formatTransferLabel({kind, keys, from, to}: TransferState, isShort = false): string {
	const what = keys === undefined ? from : `${keys} of ${from}`;
	return `${kind} ${what} into ${kind === 'export' && isShort ? basename(to) : to}`;
}

/** Formats the progress for other screens: "copy 12,000 of 30,000". */
export function formatTransferSummary(transfer: Pick<TransferState, 'kind' | 'stage'> | undefined): string {
	if (transfer?.stage.state !== 'running') return '';
	const {progress} = transfer.stage;
	return `${transfer.kind} ${progress.paused ? 'paused at ' : ''}${formatTransferFigures(progress)}`;
}
