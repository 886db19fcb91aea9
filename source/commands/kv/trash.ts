import type {TransferResult} from '../../kv/transfer/job.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {countDaysLeft, trashLimits} from '../../kv/trash/limits.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {buildCommand} from '../../text/advice.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, createValueOption, defineCommand} from '../shell/declare.ts';
import {buildKeyTrashOptions, shouldUseTrashForKey, type TrashOptions} from './options.ts';

/** `kv trash list|restore|empty`. The implementations are loaded on use. */
export const trashCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list deleted and overwritten keys that can be restored, newest first',
		isDefault: true,
		example: 'kv trash list',
		isOffline: true,
		run: printTrash,
	}),

	defineCommand({
		usage: 'restore <ID>',
		summary: 'restore deleted or overwritten keys to their namespace, with metadata and expiration',
		example: 'kv trash restore k3v9x2mp',
		refusedByReadOnly: 'restoring keys from the trash',
		isOffline: true,
		sampleArguments: 'any',
		options: () => [
			createValueOption('--key <key>', 'only this key'),
			createSwitchOption('--overwrite', 'replace existing keys; needed to restore overwritten ones'),
			...buildKeyTrashOptions(),
		],
		run: runTrashRestore,
	}),

	defineCommand({
		usage: 'empty [ID]',
		summary: 'permanently delete the whole trash, or one entry',
		example: 'kv trash empty k3v9x2mp --yes',
		isOffline: true,
		run: (context, _options, id) => runTrashEmpty(context, id),
	}),
];

type RestoreOptions = TrashOptions & {key?: string; overwrite?: boolean};

async function printTrash(context: CommandContext): Promise<void> {
	const {listTrash} = await import('../../kv/trash/trash.ts');
	const now = context.now();
	const batches = await listTrash(context.env, now);
	const hasDamaged = await warnOfDamagedBatches(context);
	if (context.output.json) return context.output.writeJson(batches.map(batch => toBatchJson(batch, now)));
	if (batches.length === 0) return hasDamaged ? undefined : context.output.writeText('The trash is empty.\n');
	const {formatTable} = await import('../../terminal/table.ts');
	await context.output.writeText(
		formatTable(
			[
				{title: 'ID', cell: ({id}) => id},
				{title: 'WHEN', cell: ({deleted}) => formatMinute(deleted)},
				{title: 'WHAT', cell: ({reason}) => reason},
				{title: 'KEYS', align: 'right', cell: ({keys}) => formatInteger(keys)},
				{title: 'FIRST KEY', cell: ({first}) => first ?? ''},
				{title: 'BYTES', align: 'right', cell: ({bytes}) => formatInteger(bytes)},
				{title: 'KEPT FOR', align: 'right', cell: batch => formatQuantity(countDaysLeft(batch, now), 'day')},
				{title: 'BY', cell: ({command}) => command},
				{title: 'NAMESPACE', cell: ({label}) => label},
			],
			batches,
		),
	);
}

/** Warns of unreadable batches; returns true if there are any. */
async function warnOfDamagedBatches({env, output}: CommandContext): Promise<boolean> {
	const {listDamagedBatches, describeDamagedBatches} = await import('../../kv/trash/batch.ts');
	const text = describeDamagedBatches(listDamagedBatches(env));
	if (text !== undefined) output.warn(text);
	return text !== undefined;
}

const formatMinute = (time: number): string =>
	`${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const toBatchJson = (batch: TrashBatch, now: number) => ({
	id: batch.id,
	reason: batch.reason,
	deleted: new Date(batch.deleted).toISOString(),
	until: new Date(batch.deleted + trashLimits.retentionMs).toISOString(),
	daysLeft: countDaysLeft(batch, now),
	keys: batch.keys,
	first: batch.first ?? null,
	bytes: batch.bytes,
	command: batch.command,
	label: batch.label,
	target: batch.target,
});

async function runTrashRestore(context: CommandContext, options: RestoreOptions, id = ''): Promise<void> {
	const {key, overwrite} = options;
	const {removeTrashBatch} = await import('../../kv/trash/trash.ts');
	const {isAllRestored, describeRestore} = await import('../../kv/trash/restore-result.ts');
	const unchangedKeys: string[] = [];
	const backsUpReplacedKeys = overwrite === true && shouldUseTrashForKey(context, options);
	const {result, batch, replacedBatch} = await restoreTrashBatch(context, id, {
		key,
		overwrites: overwrite === true,
		backsUpReplacedKeys,
		onKept: keys => void unchangedKeys.push(...keys),
	});
	if (key === undefined && isAllRestored(result, batch) && !context.options.dryRun)
		removeTrashBatch(context.env, id);
	for (const name of unchangedKeys.slice(0, maxUnchangedShown))
		context.output.warn(`Already exists, left unchanged: ${JSON.stringify(name)}`);
	if (unchangedKeys.length > maxUnchangedShown)
		context.output.warn(`and ${formatInteger(unchangedKeys.length - maxUnchangedShown)} more`);
	await context.printResult(
		{
			job: result.id,
			command: 'trash restore',
			id,
			into: batch.label,
			restored: result.done,
			kept: unchangedKeys,
			expired: result.expired,
			refused: result.refused,
			...(backsUpReplacedKeys && {trash: replacedBatch?.id ?? null}),
			failedFile: result.failedFile ?? null,
			milliseconds: Math.round(result.milliseconds),
		},
		describeRestore(result, batch.label),
	);
	const {findRefusedFailure} = await import('../../kv/transfer/result.ts');
	// A restore is a copy from the trash.
	const failure = findRefusedFailure('copy', result);
	if (failure) throw failure;
	if (unchangedKeys.length > 0 && !context.output.json && !context.options.dryRun) {
		const {qualifyAdvice} = await import('../../session/qualify-commands.ts');
		const command = qualifyAdvice(buildCommand('kv trash restore', id, '--overwrite'), context.options);
		context.output.say(`To replace ${unchangedKeys.length === 1 ? 'it' : 'them'}: ${command}`);
	}
	if (replacedBatch && !context.output.json) {
		const {formatRestoreHint} = await import('./trash-before-write.ts');
		context.output.say(formatRestoreHint(context, {batch: replacedBatch}));
	}
}

/** Maximum number of existing keys that are listed by name. */
const maxUnchangedShown = 20;

async function restoreTrashBatch(
	context: CommandContext,
	id: string,
	request: {
		key: string | undefined;
		overwrites: boolean;
		backsUpReplacedKeys: boolean;
		onKept(keys: readonly string[]): void;
	},
): Promise<{
	readonly result: TransferResult;
	readonly batch: TrashBatch;
	readonly replacedBatch: TrashBatch | undefined;
}> {
	const {prepareRestore} = await import('../../session/trash.ts');
	const {followTransfer} = await import('./transfer-run.ts');
	const {findRefusedFailure} = await import('../../kv/transfer/result.ts');
	const {tryTrashOrConfirm} = await import('./trash-before-write.ts');
	const {session, signal} = context;
	// If the trash fails and the user agrees, existing keys are replaced without a backup.
	await using readyRestore =
		(await tryTrashOrConfirm(
			context,
			{reason: 'overwritten'},
			() => {},
			() => prepareRestore(session, id, request, signal),
		)) ?? (await prepareRestore(session, id, {...request, backsUpReplacedKeys: false}, signal));
	const {batch, place, replacedBatch} = readyRestore;
	if (context.options.dryRun && request.backsUpReplacedKeys) {
		const {formatTrashCost} = await import('../../session/trash.ts');
		const keyCount = request.key === undefined ? batch.keys : 1;
		context.output.say(
			formatTrashCost(keyCount, isLocalPlace(batch.target.place) ? undefined : session.quota()),
		);
	}
	if (!isLocalPlace(batch.target.place))
		await context.announceWrite(place, batch.target.place === 'simulated' ? 'simulated' : 'remote');
	const runAndFollow = () =>
		followTransfer(context, 'restoring', onProgress => readyRestore.start(onProgress, context.signal));
	const auditText = `restore ${formatQuantity(request.key === undefined ? batch.keys : 1, 'key')} from ${readyRestore.from}`;
	return {
		result: await context.auditWrite(auditText, place, runAndFollow, transferResult =>
			findRefusedFailure('copy', transferResult),
		),
		batch,
		replacedBatch,
	};
}

async function runTrashEmpty(context: CommandContext, id: string | undefined): Promise<void> {
	const {removeTrashBatch, listTrash} = await import('../../kv/trash/trash.ts');
	const {findBatch} = await import('../../kv/trash/batch.ts');
	const {env, options, signal} = context;
	const batches = id === undefined ? await listTrash(env, context.now()) : [findBatch(env, id)];
	const hasDamaged = id === undefined && (await warnOfDamagedBatches(context));
	const keys = batches.reduce((sum, batch) => sum + batch.keys, 0);
	const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
	const amount = `${formatQuantity(keys, 'key')} (${formatQuantity(bytes, 'byte')})`;
	if (batches.length > 0)
		await confirmAction(
			`Remove ${amount} from the trash? This cannot be undone.`,
			context.getConfirmation(),
			signal,
		);
	if (options.dryRun) return context.output.writeText(`Would remove ${amount} from the trash.\n`);
	for (const batch of batches) removeTrashBatch(env, batch.id);
	await context.printResult(
		{command: 'trash empty', removed: batches.map(batch => batch.id), keys, bytes},
		batches.length === 0
			? hasDamaged
				? 'Nothing was removed.'
				: 'The trash is empty.'
			: `Removed ${amount} from the trash.`,
	);
}
