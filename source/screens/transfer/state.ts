import {basename} from 'node:path';
import type {Failure} from '../../failure.ts';
import type {TransferKind, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import {grouped} from '../../text/figures.ts';

export type TransferStage =
	/** The stores are being opened. */
	| {readonly state: 'opening'}
	| {
			readonly state: 'running';
			readonly id: string;
			readonly progress: TransferProgress;
			readonly cancelled: boolean;
	  }
	/** It stopped before its end; without a job nothing had begun. */
	| {
			readonly state: 'stopped';
			readonly id: string | undefined;
			readonly progress: TransferProgress | undefined;
			readonly failure: Failure;
	  }
	| {readonly state: 'done'; readonly result: TransferResult};

/** The export, copy or rename of this session: one at a time. Names are data as they are. */
export type TransferState = {
	/** Tells it from an earlier one. */
	readonly number: number;
	readonly kind: TransferKind;
	/** Which keys, where not all of them. */
	readonly keys: string | undefined;
	readonly from: string;
	readonly to: string;
	readonly stage: TransferStage;
};

/**
 * From where to where a recorded transfer goes, as it was called when it was begun: `copy FROM into TO`. `called` is the
 * name of the target in its journal; TO may hold another " into ".
 */
export function endsOf(
	title: string,
	path: string | undefined,
	called: string | undefined,
): Pick<TransferState, 'from' | 'to'> {
	const to = path ?? called;
	const known = path === undefined ? called : JSON.stringify(path);
	const isKnown = known !== undefined && title.endsWith(`${between}${known}`);
	const end = isKnown ? title.length - between.length - known.length : title.lastIndexOf(between);
	const begin = title.indexOf(' ') + 1;
	if (end <= begin) return {from: title, to: path ?? ''};
	return {
		from: title.slice(begin, end),
		to: isKnown ? (to ?? '') : (path ?? title.slice(end + between.length)),
	};
}

/** Between the ends in the title of a transfer on disk: changing it breaks older journals. */
const between = ' into ';

/** As long as there is one, no other begins. */
export const isTransferring = (transfer: TransferState | undefined): transfer is TransferState =>
	transfer?.stage.state === 'opening' || transfer?.stage.state === 'running';

/** How far it is, as far as that is known: "12,000 of 30,000", or "12,000". */
export function transferFigures({settled, total}: TransferProgress): string {
	return total === undefined ? grouped(settled) : `${grouped(settled)} of ${grouped(total)}`;
}

/** The transfer in a few words; a file with its whole path, or by its name alone. */
export function transferLabel({kind, keys, from, to}: TransferState, isShort = false): string {
	const what = keys === undefined ? from : `${keys} of ${from}`;
	return `${kind} ${what} into ${kind === 'export' && isShort ? basename(to) : to}`;
}

/** How far it is, beside what other screens say: "copy 12,000 of 30,000". */
export function transferBrief(transfer: Pick<TransferState, 'kind' | 'stage'> | undefined): string {
	if (transfer?.stage.state !== 'running') return '';
	const {progress} = transfer.stage;
	return `${transfer.kind} ${progress.paused ? 'paused at ' : ''}${transferFigures(progress)}`;
}
