import {Failure} from '../../failure.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatExpiredCount} from '../expired-count.ts';
import type {TransferKind, TransferResult} from './job.ts';

const pastVerbs: Readonly<Record<Exclude<TransferKind, 'rename'>, string>> = {
	export: 'Exported',
	copy: 'Copied',
};

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');

/**
 * Describes the result of a transfer: "Copied 1,200 keys (34,000 bytes of values) from A into B; 3 already
 * existed."
 */
export function describeTransfer(
	kind: TransferKind,
	result: TransferResult,
	from: string,
	to: string,
): string {
	if (kind === 'rename') return describeRename(result, from, to);
	const {done, doneBefore, bytes, gone, expired, kept, refused} = result;
	const extras = [
		...describeEarlierRun(doneBefore),
		...(kept > 0 ? [`${formatInteger(kept)} already existed`] : []),
		...(expired > 0 ? [`${formatExpiredCount(expired)}, left out`] : []),
		...(gone > 0 ? [`${formatInteger(gone)} disappeared while being read`] : []),
		...(refused > 0 ? [`${formatInteger(refused)} ${wasOrWere(refused)} rejected`] : []),
	];
	const summary = `${pastVerbs[kind]} ${formatQuantity(done, 'key')} (${formatQuantity(bytes, 'byte')} of values) from ${from} into ${to}`;
	return `${summary}${extras.length > 0 ? `; ${extras.join(', ')}` : ''}.`;
}

const describeEarlierRun = (doneBefore: number): readonly string[] =>
	doneBefore > 0 ? [`${formatInteger(doneBefore)} before it was interrupted`] : [];

/** `to`: the new prefix. */
function describeRename(
	{done, doneBefore, gone, expired, kept, refused, both}: TransferResult,
	storeLabel: string,
	to: string,
): string {
	const extras = [
		...describeEarlierRun(doneBefore),
		...(kept > 0 ? [`${formatInteger(kept)} left unchanged: other keys have the new names`] : []),
		...(both > 0 ? [`${formatInteger(both)} under both names`] : []),
		...(expired > 0 ? [`${formatExpiredCount(expired)}, left unchanged`] : []),
		...(gone > 0 ? [`${formatInteger(gone)} disappeared in the meantime`] : []),
		...(refused > 0 ? [`${formatInteger(refused)} ${wasOrWere(refused)} rejected`] : []),
	];
	const summary = `Renamed ${formatQuantity(done, 'key')} in ${storeLabel}: the new names begin with ${JSON.stringify(to)}`;
	return `${summary}${extras.length > 0 ? `; ${extras.join(', ')}` : ''}.`;
}

/**
 * Returns the failure for finally refused keys, or for keys that a rename left behind; undefined if there are
 * none.
 */
export function findRefusedFailure(kind: TransferKind, result: TransferResult): Failure | undefined {
	const {refused, done, failedFile} = result;
	if (kind === 'rename')
		return failedFile === undefined ? undefined : createNotRenamedFailure(result, failedFile);
	if (refused === 0) return undefined;
	return new Failure(
		'partly_failed',
		`${formatQuantity(refused, 'key')} ${wasOrWere(refused)} rejected repeatedly.`,
		{
			left: `${formatQuantity(done, 'key')} ${done === 1 ? 'is' : 'are'} copied.${failedFile ? ` The rejected keys are in ${failedFile}` : ''}`,
			next:
				failedFile &&
				buildAdvice`\`${buildKeysCommand('kv import', failedFile)}\` retries only these; specify where, with --binding or --namespace-id (and --local).`,
		},
	);
}

function createNotRenamedFailure({done, refused, both, kept}: TransferResult, file: string): Failure {
	const leftCount = refused + both + kept;
	return new Failure(
		'partly_failed',
		`${formatQuantity(leftCount, 'key')} ${wasOrWere(leftCount)} not renamed, or only copied.`,
		{
			why: [
				...(both > 0
					? [
							`${formatQuantity(both, 'key')} under both names: changed in the meantime, or could not be read back.`,
						]
					: []),
				...(kept > 0 ? [`${formatQuantity(kept, 'key')} whose new name is taken by another key.`] : []),
				...(refused > 0 ? [`${formatQuantity(refused, 'key')} rejected by the service repeatedly.`] : []),
			].join('\n'),
			left: `${formatQuantity(done, 'key')} ${done === 1 ? 'is' : 'are'} renamed. The remaining keys, with reasons, are in ${file}`,
			next: 'Check them, then run the same command again to rename those that can be renamed.',
		},
	);
}
