import type {Option} from 'commander';
import {asFailure, Failure} from '../../failure.ts';
import type {CheckedInput} from '../../kv/bulk/check.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import {keyNames} from '../../kv/transfer/names.ts';
import {goesToTrash, trashLimits} from '../../kv/trash/limits.ts';
import type {HeldBatch} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {isTrashFailure, keepBefore, readingText} from '../../session/trash.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import {adviceLines, ledge} from '../../text/advice.ts';
import {grouped} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {switchOption} from '../shell/declare.ts';
import {bulkReport} from './progress.ts';

/** Whether deleted keys go to the trash, where that was asked for. */
export type TrashOptions = {trash?: boolean};

export const trashOptions = (): Option[] => [
	switchOption(
		'--trash',
		`keep the keys in the trash first, also fewer than ${trashLimits.keys.least} or more than ${grouped(trashLimits.keys.most)}`,
	),
	switchOption('--no-trash', 'do not keep them: the deletion cannot be undone'),
];

/** Prints how long it takes to keep the keys of a deletion in the trash, where that is long. */
export function announceKeeping(
	{output, options}: CommandContext,
	{store}: OpenedNamespace,
	keys: number,
	choice: boolean | undefined,
): void {
	const text = goesToTrash(keys, choice) ? readingText(keys, store.kind, store.batch.reads) : undefined;
	if (text !== undefined && !options.dryRun) output.say(text);
}

/**
 * Keeps keys in the trash before they are deleted, if they go there. Where the trash cannot hold them, a person is asked
 * whether to delete them all the same; without one it fails with `trash_full` or `file_failed`, and nothing is deleted.
 */
export async function keptInTrash(
	context: CommandContext,
	opened: OpenedNamespace,
	deletion: {readonly checked: CheckedInput<unknown>; readonly command: string},
	choice: boolean | undefined,
): Promise<HeldBatch | undefined> {
	const {valid} = deletion.checked;
	if (context.options.dryRun || !goesToTrash(valid, choice)) return undefined;
	const {signal, output, host, options} = context;
	const report = bulkReport(context);
	try {
		return await keepBefore(
			context.session,
			opened,
			{...deletion, deleted: context.now()},
			{
				signal,
				progress: done => report.reading(done, valid),
			},
		);
	} catch (error) {
		report.clear();
		const failure = notKept(asFailure(error));
		const mayAsk = isTrashFailure(failure) && canAsk(host) && !output.json && !options.yes;
		if (!mayAsk) throw failure;
		const {why} = failure.details;
		output.say(failure.message);
		await confirm(
			`${why ? `${why} ` : ''}Delete without the trash? This cannot be undone.`,
			context.confirmation(),
			signal,
		);
		return undefined;
	} finally {
		report.clear();
	}
}

/** Keeps one key in the trash, as `keptInTrash` does. */
export async function keyKept(
	context: CommandContext,
	opened: OpenedNamespace,
	key: string,
): Promise<HeldBatch | undefined> {
	const {env: environment, signal} = context;
	async function* names() {
		yield [key];
	}
	using input = await namesInput(names(), {environment, signal, label: JSON.stringify(key)});
	const checked = await keyNames(input, signal);
	return await keptInTrash(context, opened, {checked, command: 'kv key delete'}, true);
}

function notKept(failure: Failure): Failure {
	if (failure.code !== 'file_failed') return failure;
	const {why, next} = failure.details;
	return new Failure('file_failed', 'The keys cannot be kept in the trash, so nothing was deleted.', {
		why: [failure.message, why].filter(Boolean).join(' '),
		next: adviceLines(next, '--no-trash deletes them without a way back.'),
	});
}

/** How the keys of a batch are brought back: a sentence with a command that runs as it stands. */
export const wayBack = ({options}: CommandContext, id: string): string =>
	`To bring back what was deleted, within ${trashLimits.days} days: ${qualified(ledge('kv trash restore', id), options)}`;
