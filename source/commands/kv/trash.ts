import type {TransferResult} from '../../kv/transfer/job.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {daysLeft, trashLimits} from '../../kv/trash/limits.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import {confirm} from '../../terminal/prompt.ts';
import {ledge} from '../../text/advice.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption, valueOption} from '../shell/declare.ts';
import {keepsKey, keyTrashOptions, type TrashOptions} from './options.ts';

/** `kv trash list|restore|empty`. The implementations are loaded on use. */
export const trashCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list deleted and overwritten keys that can be restored, latest first',
		isDefault: true,
		example: 'kv trash list',
		isOffline: true,
		run: list,
	}),

	defineCommand({
		usage: 'restore <ID>',
		summary: 'write deleted or overwritten keys back into their namespace, with metadata and expiry',
		example: 'kv trash restore k3v9x2mp',
		writes: 'kv trash restore',
		isOffline: true,
		sample: 'any',
		options: () => [
			valueOption('--key <key>', 'only this key'),
			switchOption('--overwrite', 'replace existing keys; needed to restore overwritten ones'),
			...keyTrashOptions(),
		],
		run: restore,
	}),

	defineCommand({
		usage: 'empty [ID]',
		summary: 'permanently remove kept keys: the whole trash, or one entry',
		example: 'kv trash empty k3v9x2mp --yes',
		isOffline: true,
		run: (context, _options, id) => empty(context, id),
	}),
];

type RestoreOptions = TrashOptions & {key?: string; overwrite?: boolean};

async function list(context: CommandContext): Promise<void> {
	const {listTrash} = await import('../../kv/trash/trash.ts');
	const now = context.now();
	const batches = await listTrash(context.env, now);
	const damaged = await warnOfDamage(context);
	if (context.output.json) return context.output.value(batches.map(batch => batchJson(batch, now)));
	if (batches.length === 0) return damaged ? undefined : context.output.text('The trash is empty.\n');
	const {table} = await import('../../terminal/table.ts');
	await context.output.text(
		table(
			[
				{title: 'ID', cell: ({id}) => id},
				{title: 'WHEN', cell: ({deleted}) => timeOf(deleted)},
				{title: 'WHAT', cell: ({reason}) => reason},
				{title: 'KEYS', align: 'right', cell: ({keys}) => grouped(keys)},
				{title: 'FIRST KEY', cell: ({first}) => first ?? ''},
				{title: 'BYTES', align: 'right', cell: ({bytes}) => grouped(bytes)},
				{title: 'KEPT FOR', align: 'right', cell: batch => counted(daysLeft(batch, now), 'day')},
				{title: 'BY', cell: ({command}) => command},
				{title: 'NAMESPACE', cell: ({label}) => label},
			],
			batches,
		),
	);
}

/** Warns of unreadable batches; returns true if there are any. */
async function warnOfDamage({env, output}: CommandContext): Promise<boolean> {
	const {damagedBatches, damagedBatchesText} = await import('../../kv/trash/batch.ts');
	const text = damagedBatchesText(damagedBatches(env));
	if (text !== undefined) output.warn(text);
	return text !== undefined;
}

const timeOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const batchJson = (batch: TrashBatch, now: number) => ({
	id: batch.id,
	reason: batch.reason,
	deleted: new Date(batch.deleted).toISOString(),
	until: new Date(batch.deleted + trashLimits.milliseconds).toISOString(),
	daysLeft: daysLeft(batch, now),
	keys: batch.keys,
	first: batch.first ?? null,
	bytes: batch.bytes,
	command: batch.command,
	label: batch.label,
	target: batch.target,
});

async function restore(context: CommandContext, options: RestoreOptions, id = ''): Promise<void> {
	const {key, overwrite} = options;
	const {emptyBatch} = await import('../../kv/trash/trash.ts');
	const {isAllRestored, restoredSentence} = await import('../../kv/trash/restored.ts');
	const kept: string[] = [];
	const keepsReplaced = overwrite === true && keepsKey(context, options);
	const {result, batch, replaced} = await restored(context, id, {
		key,
		overwrites: overwrite === true,
		keepsReplaced,
		keeps: keys => void kept.push(...keys),
	});
	if (key === undefined && isAllRestored(result, batch) && !context.options.dryRun)
		emptyBatch(context.env, id);
	for (const name of kept.slice(0, keptShown))
		context.output.warn(`Already exists, left unchanged: ${JSON.stringify(name)}`);
	if (kept.length > keptShown) context.output.warn(`and ${grouped(kept.length - keptShown)} more`);
	await context.result(
		{
			job: result.id,
			command: 'trash restore',
			id,
			into: batch.label,
			restored: result.done,
			kept,
			expired: result.expired,
			refused: result.refused,
			...(keepsReplaced && {trash: replaced?.id ?? null}),
			failedFile: result.failedFile ?? null,
			milliseconds: Math.round(result.milliseconds),
		},
		restoredSentence(result, batch.label),
	);
	const {refusedFailure} = await import('../../kv/transfer/ending.ts');
	const failure = refusedFailure('copy', result);
	if (failure) throw failure;
	if (kept.length > 0 && !context.output.json && !context.options.dryRun) {
		const {qualified} = await import('../../session/qualify-commands.ts');
		const command = qualified(ledge('kv trash restore', id, '--overwrite'), context.options);
		context.output.say(`To replace ${kept.length === 1 ? 'it' : 'them'}: ${command}`);
	}
	if (replaced && !context.output.json) {
		const {wayBack} = await import('./keep-in-trash.ts');
		context.output.say(wayBack(context, {batch: replaced}));
	}
}

/** Maximum number of keys named that were not restored. */
const keptShown = 20;

async function restored(
	context: CommandContext,
	id: string,
	how: {
		key: string | undefined;
		overwrites: boolean;
		keepsReplaced: boolean;
		keeps(keys: readonly string[]): void;
	},
): Promise<{
	readonly result: TransferResult;
	readonly batch: TrashBatch;
	readonly replaced: TrashBatch | undefined;
}> {
	const {readyRestore} = await import('../../session/trash.ts');
	const {followed} = await import('./transfer-ending.ts');
	const {refusedFailure} = await import('../../kv/transfer/ending.ts');
	const {unlessAgreed} = await import('./keep-in-trash.ts');
	const {session, signal} = context;
	await using ready =
		(await unlessAgreed(
			context,
			{reason: 'overwritten'},
			() => {},
			() => readyRestore(session, id, how, signal),
		)) ?? (await readyRestore(session, id, {...how, keepsReplaced: false}, signal));
	const {batch, place, replaced} = ready;
	if (context.options.dryRun && how.keepsReplaced) {
		const {keepingCost} = await import('../../session/trash.ts');
		const keys = how.key === undefined ? batch.keys : 1;
		context.output.say(keepingCost(keys, isLocalPlace(batch.target.place) ? undefined : session.quota()));
	}
	if (!isLocalPlace(batch.target.place))
		await context.announceWrite(place, batch.target.place === 'simulated' ? 'simulated' : 'remote');
	const work = () => followed(context, 'restoring', tell => ready.start(tell, context.signal));
	const what = `restore ${counted(how.key === undefined ? batch.keys : 1, 'key')} from ${ready.from}`;
	return {
		result: await context.audited(what, place, work, ended => refusedFailure('copy', ended)),
		batch,
		replaced,
	};
}

async function empty(context: CommandContext, id: string | undefined): Promise<void> {
	const {emptyBatch, listTrash} = await import('../../kv/trash/trash.ts');
	const {findBatch} = await import('../../kv/trash/batch.ts');
	const {env, options, signal} = context;
	const batches = id === undefined ? await listTrash(env, context.now()) : [findBatch(env, id)];
	const damaged = id === undefined && (await warnOfDamage(context));
	const keys = batches.reduce((sum, batch) => sum + batch.keys, 0);
	const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
	const what = `${counted(keys, 'key')} (${counted(bytes, 'byte')})`;
	if (batches.length > 0)
		await confirm(
			`Remove ${what} from the trash? They cannot be restored then.`,
			context.confirmation(),
			signal,
		);
	if (options.dryRun) return context.output.text(`Would remove ${what} from the trash.\n`);
	for (const batch of batches) emptyBatch(env, batch.id);
	await context.result(
		{command: 'trash empty', removed: batches.map(batch => batch.id), keys, bytes},
		batches.length === 0
			? damaged
				? 'Nothing was removed.'
				: 'The trash is empty.'
			: `Removed ${what} from the trash.`,
	);
}
