import {Failure} from '../../failure.ts';
import {advice, onKeys} from '../../text/advice.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {TransferKind, TransferResult} from './job.ts';

const did: Readonly<Record<Exclude<TransferKind, 'rename'>, string>> = {export: 'Exported', copy: 'Copied'};

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/**
 * Describes the result of a transfer: "Copied 1,200 keys (34,000 bytes of values) from A into B; 3 were there
 * already."
 */
export function transferSentence(
	kind: TransferKind,
	result: TransferResult,
	from: string,
	to: string,
): string {
	if (kind === 'rename') return renameSentence(result, from, to);
	const {done, doneBefore, bytes, gone, expired, kept, refused} = result;
	const beside = [
		...beforeInterruption(doneBefore),
		...(kept > 0 ? [`${grouped(kept)} ${was(kept)} there already`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired, or about to within a minute: left out`] : []),
		...(gone > 0 ? [`${grouped(gone)} went away while they were read`] : []),
		...(refused > 0 ? [`${grouped(refused)} ${was(refused)} refused`] : []),
	];
	const what = `${did[kind]} ${counted(done, 'key')} (${counted(bytes, 'byte')} of values) from ${from} into ${to}`;
	return `${what}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

const beforeInterruption = (doneBefore: number): readonly string[] =>
	doneBefore > 0 ? [`${grouped(doneBefore)} before it was interrupted`] : [];

/** `to`: the new prefix. */
function renameSentence(
	{done, doneBefore, gone, expired, kept, refused, both}: TransferResult,
	where: string,
	to: string,
): string {
	const beside = [
		...beforeInterruption(doneBefore),
		...(kept > 0 ? [`${grouped(kept)} left as they are: other keys have the new names`] : []),
		...(both > 0 ? [`${grouped(both)} under both names`] : []),
		...(expired > 0 ? [`${grouped(expired)} left as they are: about to expire`] : []),
		...(gone > 0 ? [`${grouped(gone)} went away meanwhile`] : []),
		...(refused > 0 ? [`${grouped(refused)} ${was(refused)} refused`] : []),
	];
	const what = `Renamed ${counted(done, 'key')} in ${where}: the new names begin with ${JSON.stringify(to)}`;
	return `${what}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

/**
 * Creates the failure for finally refused keys, or for keys that a rename left behind; undefined if there are
 * none.
 */
export function refusedFailure(kind: TransferKind, result: TransferResult): Failure | undefined {
	const {refused, done, failedFile} = result;
	if (kind === 'rename') return failedFile === undefined ? undefined : leftFailure(result, failedFile);
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

function leftFailure({done, refused, both, kept}: TransferResult, file: string): Failure {
	const left = refused + both + kept;
	return new Failure('partly_failed', `${counted(left, 'key')} ${was(left)} not renamed, or only copied.`, {
		why: [
			...(both > 0 ? [`${counted(both, 'key')} under both names: changed meanwhile, or not read back.`] : []),
			...(kept > 0 ? [`${counted(kept, 'key')} whose new name another key has.`] : []),
			...(refused > 0 ? [`${counted(refused, 'key')} refused by the service repeatedly.`] : []),
		].join('\n'),
		left: `${counted(done, 'key')} ${done === 1 ? 'is' : 'are'} renamed. Which are left, and why, is in ${file}`,
		next: 'Look at them; the same command again renames those that can be.',
	});
}
