import {asFailure, Failure} from '../../failure.ts';
import type {CheckedInput} from '../../kv/bulk/check.ts';
import type {TrashBatch, TrashReason} from '../../kv/trash/batch.ts';
import {isTrashFailure, withoutTrashTitle} from '../../kv/trash/failures.ts';
import {goesToTrash, trashLimits} from '../../kv/trash/limits.ts';
import type {HeldBatch, KeptKey} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {keepBefore, keepingCost, keepKeyBefore, planKeeping} from '../../session/trash.ts';
import {ask, canAsk, confirm} from '../../terminal/prompt.ts';
import {advice, adviceLines, ledge} from '../../text/advice.ts';
import {isTypedNumber} from '../../text/typed-number.ts';
import type {CommandContext} from '../shell/context.ts';
import {keepsKey, type TrashOptions} from './options.ts';
import {bulkReport} from './progress.ts';

/** What happens to the keys, and the command that does it. */
type Loss = {
	readonly reason: TrashReason;
	readonly command: string;
	/** The number of keys, if it must be typed before deleting without the trash. */
	readonly typed?: number | undefined;
};

/** Prints how many calls it takes to keep keys in the trash; for a deletion only if there are many. */
export function announceKeeping(
	{output, options}: CommandContext,
	{store}: OpenedNamespace,
	keys: number,
	reason: TrashReason,
	choice: boolean | undefined,
): void {
	const isKept = keys > 0 && (reason === 'deleted' ? goesToTrash(keys, choice) : choice === true);
	const isWorthTelling = reason === 'overwritten' || keys > trashLimits.keys || options.dryRun;
	if (isKept && isWorthTelling) output.say(keepingCost(keys, store.quota?.(), store.batch.reads));
}

/**
 * Keeps the keys of a checked input in the trash: for a deletion if `goesToTrash` is true, for an overwrite
 * if `choice` is true. If that fails, asks a person whether to go on without the trash; in a script it
 * throws, and nothing is deleted or written.
 */
export async function keepKeys(
	context: CommandContext,
	opened: OpenedNamespace,
	checked: CheckedInput<unknown>,
	loss: Loss,
	choice: boolean | undefined,
): Promise<HeldBatch | undefined> {
	const {valid} = checked;
	const isKept = valid > 0 && (loss.reason === 'deleted' ? goesToTrash(valid, choice) : choice === true);
	if (context.options.dryRun || !isKept) return undefined;
	const {signal} = context;
	const report = bulkReport(context);
	const progress = (done: number) => report.reading(done, valid);
	try {
		return await unlessAgreed(context, loss, report.clear, () =>
			keepBefore(context.session, opened, checked, {...loss, at: context.now()}, {signal, progress}),
		);
	} finally {
		report.clear();
	}
}

/** Like `keepKeysInTrash`, for one key if `shouldKeepKey` is true. A dry run plans the read. */
export async function keepKey(
	context: CommandContext,
	opened: OpenedNamespace,
	key: KeptKey,
	loss: Loss,
	options: TrashOptions,
): Promise<HeldBatch | undefined> {
	if (!keepsKey(context, options)) return undefined;
	const {session, signal} = context;
	if (context.options.dryRun) {
		if (!key.whole) await planKeeping(session, opened, key.key, signal);
		return undefined;
	}
	return unlessAgreed(
		context,
		loss,
		() => {},
		() => keepKeyBefore(session, opened, key, {...loss, at: context.now()}, signal),
	);
}

/**
 * Runs `keep`; if the trash fails, asks whether to go on without it. `clear` removes the progress line first.
 */
export async function unlessAgreed<T>(
	context: CommandContext,
	{reason, typed}: Pick<Loss, 'reason' | 'typed'>,
	clear: () => void,
	keep: () => Promise<T>,
): Promise<T | undefined> {
	const {signal, output, host, options} = context;
	try {
		return await keep();
	} catch (error) {
		clear();
		const failure = asFailure(error);
		const mayAsk = isTrashFailure(failure) && canAsk(host) && !output.json && !options.yes;
		if (!mayAsk) throw failure;
		const {why} = failure.details;
		const question = [why, withoutTrashTitle[reason], 'This cannot be undone.'].filter(Boolean).join(' ');
		output.say(failure.message);
		if (typed === undefined) await confirm(question, context.confirmation(), signal);
		else await confirmCount(question, typed, host, signal);
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
	const typed = await ask(
		`${question} Type ${count} to delete ${count === 1 ? 'it' : 'them'}: `,
		host,
		signal,
	);
	if (!isTypedNumber(typed, count)) throw new Failure('declined', 'Nothing was deleted.');
}

/** Runs `work`; adds to its failures how to restore the kept keys. */
export async function tellingWayBack<T>(
	kept: Pick<HeldBatch, 'batch'> | undefined,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!kept) throw error;
		const failure = asFailure(error);
		const back = advice`\`${ledge(...restoreWords(kept.batch))}\` restores what was ${kept.batch.reason}.`;
		throw failure.with({next: adviceLines(failure.details.next, back)});
	}
}

/** Formats a hint with the command that restores a batch. */
export function wayBack({options}: CommandContext, {batch: {id, reason}}: Pick<HeldBatch, 'batch'>): string {
	return `To undo, within ${trashLimits.days} days: ${qualified(ledge(...restoreWords({id, reason})), options)}`;
}

const restoreWords = ({id, reason}: Pick<TrashBatch, 'id' | 'reason'>): readonly [string, ...string[]] => [
	'kv trash restore',
	id,
	...(reason === 'overwritten' ? ['--overwrite'] : []),
];
