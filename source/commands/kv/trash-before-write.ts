import {Failure, toFailure} from '../../failure.ts';
import type {CheckedInput} from '../../kv/bulk/check.ts';
import type {TrashBatch, TrashReason} from '../../kv/trash/batch.ts';
import {isTrashFailure, skipTrashQuestions} from '../../kv/trash/failures.ts';
import {shouldUseTrash, trashLimits} from '../../kv/trash/limits.ts';
import type {HeldBatch, KeyToBackUp} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {backUpKey, backUpKeys, formatTrashCost, reportOmittedTrashRead} from '../../session/trash.ts';
import {askQuestion, canAsk, confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildCommand, joinAdviceLines} from '../../text/advice.ts';
import {isTypedNumber} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {shouldUseTrashForKey, type TrashOptions} from './options.ts';
import {createBulkReport} from './progress.ts';

/** What happens to the keys, and which command does it. */
type TrashCause = {
	readonly reason: TrashReason;
	readonly command: string;
	/** The number of keys, if it must be typed before deleting without the trash. */
	readonly countToType?: number | undefined;
};

/**
 * Prints how many calls it takes to copy keys to the trash; for a deletion, only if there are many keys, or
 * in a dry run.
 */
export function announceTrashCost(
	{output, options}: CommandContext,
	{store}: OpenedNamespace,
	keyCount: number,
	reason: TrashReason,
	trashChoice: boolean | undefined,
): void {
	const usesTrash =
		keyCount > 0 && (reason === 'deleted' ? shouldUseTrash(keyCount, trashChoice) : trashChoice === true);
	const shouldAnnounce = reason === 'overwritten' || keyCount > trashLimits.maxDefaultKeys || options.dryRun;
	if (usesTrash && shouldAnnounce)
		output.say(formatTrashCost(keyCount, store.quota?.(), store.batchLimits.keysPerRead));
}

/**
 * Copies the keys of a checked input to the trash: for a deletion if `shouldUseTrash` is true, for an
 * overwrite if `trashChoice` is true. If that fails, asks whether to go on without the trash; in a script it
 * throws, and nothing is deleted or written. Returns undefined if nothing was copied.
 */
export async function keepKeysInTrash(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	checkedInput: CheckedInput<unknown>,
	trashCause: TrashCause,
	trashChoice: boolean | undefined,
): Promise<HeldBatch | undefined> {
	const {validCount} = checkedInput;
	const usesTrash =
		validCount > 0 &&
		(trashCause.reason === 'deleted' ? shouldUseTrash(validCount, trashChoice) : trashChoice === true);
	if (context.options.dryRun || !usesTrash) return undefined;
	const {signal} = context;
	const report = createBulkReport(context);
	const reportProgress = (done: number) => report.showReading(done, validCount);
	try {
		return await tryTrashOrConfirm(context, trashCause, report.clear, () =>
			backUpKeys(
				context.session,
				openedNamespace,
				checkedInput,
				{...trashCause, at: context.now()},
				{signal, progress: reportProgress},
			),
		);
	} finally {
		report.clear();
	}
}

/**
 * Like `keepKeysInTrash`, for one key if `shouldUseTrashForKey` is true. A dry run only reports the read that
 * it omits.
 */
export async function keepKeyInTrash(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	keyToBackUp: KeyToBackUp,
	trashCause: TrashCause,
	options: TrashOptions,
): Promise<HeldBatch | undefined> {
	if (!shouldUseTrashForKey(context, options, trashCause.reason)) return undefined;
	const {session, signal} = context;
	if (context.options.dryRun) {
		if (!keyToBackUp.wholeKey)
			await reportOmittedTrashRead(session, openedNamespace, keyToBackUp.key, signal);
		return undefined;
	}
	return tryTrashOrConfirm(
		context,
		trashCause,
		() => {},
		() => backUpKey(session, openedNamespace, keyToBackUp, {...trashCause, at: context.now()}, signal),
	);
}

/**
 * Runs `moveToTrash`. If the trash fails, removes the progress line with `clear` and asks whether to go on
 * without the trash; returns undefined if so. Throws the failure if it cannot ask, or with --yes or --json.
 */
export async function tryTrashOrConfirm<T>(
	context: CommandContext,
	{reason, countToType}: Pick<TrashCause, 'reason' | 'countToType'>,
	clear: () => void,
	moveToTrash: () => Promise<T>,
): Promise<T | undefined> {
	const {signal, output, host, options} = context;
	try {
		return await moveToTrash();
	} catch (error) {
		clear();
		const failure = toFailure(error);
		const mayAsk = isTrashFailure(failure) && canAsk(host) && !output.json && !options.yes;
		if (!mayAsk) throw failure;
		const {why} = failure.details;
		const question = [why, skipTrashQuestions[reason], 'This cannot be undone.'].filter(Boolean).join(' ');
		output.say(failure.message);
		if (countToType === undefined) await confirmAction(question, context.getConfirmation(), signal);
		else await confirmCount(question, countToType, host, signal);
		return undefined;
	}
}

/** Asks to type the number of keys before a deletion that cannot be undone. Fails with `declined`. */
export async function confirmCount(
	question: string,
	count: number,
	host: CommandContext['host'],
	signal: AbortSignal,
): Promise<void> {
	const answer = await askQuestion(
		`${question} Type ${count} to delete ${count === 1 ? 'it' : 'them'}: `,
		host,
		signal,
	);
	if (!isTypedNumber(answer, count)) throw new Failure('declined', 'Nothing was deleted.');
}

/** Runs `work`; adds to its failures how to restore the keys of the trash batch, if there is one. */
export async function withRestoreAdvice<T>(
	heldBatch: Pick<HeldBatch, 'batch'> | undefined,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!heldBatch) throw error;
		const failure = toFailure(error);
		const restoreAdvice = buildAdvice`\`${buildCommand(...getRestoreCommand(heldBatch.batch))}\` restores the ${heldBatch.batch.reason} keys.`;
		throw failure.withDetails({next: joinAdviceLines(failure.details.next, restoreAdvice)});
	}
}

/** Formats a hint with the command that restores a batch. */
export function formatRestoreHint(
	{options}: CommandContext,
	{batch: {id, reason}}: Pick<HeldBatch, 'batch'>,
): string {
	return `To undo within ${trashLimits.retentionDays} days: ${qualifyAdvice(buildCommand(...getRestoreCommand({id, reason})), options)}`;
}

const getRestoreCommand = ({
	id,
	reason,
}: Pick<TrashBatch, 'id' | 'reason'>): readonly [string, ...string[]] => [
	'kv trash restore',
	id,
	...(reason === 'overwritten' ? ['--overwrite'] : []),
];
