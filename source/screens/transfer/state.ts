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
	/** Stopped before its end; without an id, no job had started. */
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
	readonly number: number;
	readonly kind: TransferKind;
	/** The subset of keys; undefined for all. */
	readonly keys: string | undefined;
	readonly from: string;
	readonly to: string;
	readonly stage: TransferStage;
};

/**
 * Parses source and target from the title of a recorded transfer: `copy FROM into TO`. `called` is the
 * target's name in the journal; TO may itself contain " into ".
 */
export function parseTransferEnds(
	title: string,
	path: string | undefined,
	called: string | undefined,
): Pick<TransferState, 'from' | 'to'> {
	const to = path ?? called;
	const known = path === undefined ? called : JSON.stringify(path);
	const isKnown = known !== undefined && title.endsWith(`${endsSeparator}${known}`);
	const end = isKnown ? title.length - endsSeparator.length - known.length : title.lastIndexOf(endsSeparator);
	const begin = title.indexOf(' ') + 1;
	if (end <= begin) return {from: title, to: path ?? ''};
	return {
		from: title.slice(begin, end),
		to: isKnown ? (to ?? '') : (path ?? title.slice(end + endsSeparator.length)),
	};
}

/** Separates source and target in titles on disk: changing it breaks older journals. */
const endsSeparator = ' into ';

/** True while a transfer runs: no other can start. */
export const isTransferring = (transfer: TransferState | undefined): transfer is TransferState =>
	transfer?.stage.state === 'opening' || transfer?.stage.state === 'running';

/** Formats the progress: "12,000 of 30,000", or "12,000" if the total is unknown. */
export function formatTransferFigures({settled, total}: TransferProgress): string {
	return total === undefined
		? formatInteger(settled)
		: `${formatInteger(settled)} of ${formatInteger(total)}`;
}

/** Formats the transfer in a few words; `isShort` shows only the name of its file. */
export function formatTransferLabel({kind, keys, from, to}: TransferState, isShort = false): string {
	const what = keys === undefined ? from : `${keys} of ${from}`;
	return `${kind} ${what} into ${kind === 'export' && isShort ? basename(to) : to}`;
}

/** Formats the progress for other screens: "copy 12,000 of 30,000". */
export function formatTransferBrief(transfer: Pick<TransferState, 'kind' | 'stage'> | undefined): string {
	if (transfer?.stage.state !== 'running') return '';
	const {progress} = transfer.stage;
	return `${transfer.kind} ${progress.paused ? 'paused at ' : ''}${formatTransferFigures(progress)}`;
}
