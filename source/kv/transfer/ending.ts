import {Failure} from '../../failure.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {TransferKind, TransferResult} from './job.ts';

const did: Readonly<Record<TransferKind, string>> = {export: 'Exported', copy: 'Copied'};

/** The end of a transfer as a sentence: "Copied 1,200 keys (34,000 bytes of values) from A into B; 3 were there already." */
export function transferSentence(
	kind: TransferKind,
	{done, bytes, gone, expired, kept, refused}: TransferResult,
	from: string,
	to: string,
): string {
	const beside = [
		...(kept > 0 ? [`${grouped(kept)} were there already`] : []),
		...(expired > 0 ? [`${grouped(expired)} have expired, or will within a minute, and were left out`] : []),
		...(gone > 0 ? [`${grouped(gone)} went away while they were read`] : []),
		...(refused > 0 ? [`${grouped(refused)} were refused`] : []),
	];
	const what = `${did[kind]} ${counted(done, 'key')} (${counted(bytes, 'byte')} of values) from ${from} into ${to}`;
	return `${what}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

/** What became of keys that were refused to the end, if there are any. */
export function refusedFailure({refused, done, failedFile}: TransferResult): Failure | undefined {
	if (refused === 0) return undefined;
	return new Failure('partly_failed', `${counted(refused, 'key')} were refused, again and again.`, {
		left: `${counted(done, 'key')} are copied.${failedFile ? ` What was refused is in ${failedFile}` : ''}`,
		next:
			failedFile &&
			`\`ledge kv import ${JSON.stringify(failedFile)}\` tries just these again; say where, by --binding or --namespace-id (and --local).`,
	});
}
