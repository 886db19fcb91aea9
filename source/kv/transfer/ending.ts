import {Failure} from '../../failure.ts';
import {advice, onKeys} from '../../text/advice.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {TransferKind, TransferResult} from './job.ts';

const did: Readonly<Record<TransferKind, string>> = {export: 'Exported', copy: 'Copied'};

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/** The end of a transfer as a sentence: "Copied 1,200 keys (34,000 bytes of values) from A into B; 3 were there already." */
export function transferSentence(
	kind: TransferKind,
	{done, bytes, gone, expired, kept, refused}: TransferResult,
	from: string,
	to: string,
): string {
	const beside = [
		...(kept > 0 ? [`${grouped(kept)} ${was(kept)} there already`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired, or about to within a minute: left out`] : []),
		...(gone > 0 ? [`${grouped(gone)} went away while they were read`] : []),
		...(refused > 0 ? [`${grouped(refused)} ${was(refused)} refused`] : []),
	];
	const what = `${did[kind]} ${counted(done, 'key')} (${counted(bytes, 'byte')} of values) from ${from} into ${to}`;
	return `${what}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

/** What became of keys that were refused to the end, if there are any. */
export function refusedFailure({refused, done, failedFile}: TransferResult): Failure | undefined {
	if (refused === 0) return undefined;
	return new Failure(
		'partly_failed',
		`${counted(refused, 'key')} ${was(refused)} refused, again and again.`,
		{
			left: `${counted(done, 'key')} ${done === 1 ? 'is' : 'are'} copied.${failedFile ? ` What was refused is in ${failedFile}` : ''}`,
			next:
				failedFile &&
				advice`\`${onKeys('kv import', failedFile)}\` tries just these again; say where, by --binding or --namespace-id (and --local).`,
		},
	);
}
